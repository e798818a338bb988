"""Names for screens: the turn, keys and actions, frames, set-up, the companion's seats."""

from hardware.keys import Key
from pi_app.screens.base import (
    AGAIN,
    BAD,
    OK,
    ROW,
    TICK,
    TURN,
    Action,
    ListScreen,
    PageScreen,
    Pop,
    Push,
    Replace,
    Screen,
    Stay,
)
from pi_app.screens.bot_seat import BotSeat, CardBotSeat, DieBotSeat
from pi_app.screens.context import Context
from pi_app.screens.playing.games import (
    FormItem,
    GameScreens,
    HandError,
    HandOption,
    HandOptions,
    MomentScreens,
)
from pi_app.screens.playing.turn import TurnScreen
from pi_app.screens.secret import SecretScreen
from pi_app.screens.tips import OpenTipScreen, TipScreen, gives_tips, show_tip, tip_key
from pi_app.settings.schema import HelpLevel
from pi_app.table.setup_draft import SetupDraft
from pi_app.table.table import Table
from pi_app.view.choosing import Marked, choose, waiting
from pi_app.view.frame import (
    Body,
    Choices,
    Entry,
    Extras,
    Frame,
    Header,
    KeySet,
    SoftKey,
    Speech,
    Tone,
    Viewers,
    scroll,
    soft,
)

__all__ = [
    "AGAIN",
    "BAD",
    "OK",
    "ROW",
    "TICK",
    "TURN",
    "Action",
    "Body",
    "BotSeat",
    "CardBotSeat",
    "Choices",
    "Context",
    "DieBotSeat",
    "Entry",
    "Extras",
    "FormItem",
    "Frame",
    "GameScreens",
    "HandError",
    "HandOption",
    "HandOptions",
    "Header",
    "HelpLevel",
    "Key",
    "KeySet",
    "ListScreen",
    "Marked",
    "MomentScreens",
    "OpenTipScreen",
    "PageScreen",
    "Pop",
    "Push",
    "Replace",
    "Screen",
    "SecretScreen",
    "SetupDraft",
    "SoftKey",
    "Speech",
    "Stay",
    "Table",
    "TipScreen",
    "Tone",
    "TurnScreen",
    "Viewers",
    "choose",
    "gives_tips",
    "scroll",
    "show_tip",
    "soft",
    "tip_key",
    "waiting",
]
