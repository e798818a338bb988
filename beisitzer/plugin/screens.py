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
from pi_app.screens.context import Context
from pi_app.screens.hand import HandScreen
from pi_app.screens.number import NumberScreen
from pi_app.screens.playing.game_turn import GameTurn, KeyedTurn
from pi_app.screens.playing.games import FormItem, GameScreens
from pi_app.screens.secret import SecretScreen
from pi_app.screens.tips import OpenTipScreen, TipScreen, gives_tips, show_tip, tip_key
from pi_app.settings.schema import HelpLevel
from pi_app.table.given import Candidate, Die, Given, Hand, HandOption, HandRow, Picked
from pi_app.table.setup_draft import SetupDraft
from pi_app.table.table import Table
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
from pi_app.view.keying import KeyedCards, Keying, Marked, NumberKeying, Wheel, choose, waiting

__all__ = [
    "AGAIN",
    "BAD",
    "OK",
    "ROW",
    "TICK",
    "TURN",
    "Action",
    "Body",
    "Candidate",
    "Choices",
    "Context",
    "Die",
    "Entry",
    "Extras",
    "FormItem",
    "Frame",
    "GameScreens",
    "GameTurn",
    "Given",
    "Hand",
    "HandOption",
    "HandRow",
    "HandScreen",
    "Header",
    "HelpLevel",
    "Key",
    "KeySet",
    "KeyedCards",
    "KeyedTurn",
    "Keying",
    "ListScreen",
    "Marked",
    "NumberKeying",
    "NumberScreen",
    "OpenTipScreen",
    "PageScreen",
    "Picked",
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
    "Viewers",
    "Wheel",
    "choose",
    "gives_tips",
    "scroll",
    "show_tip",
    "soft",
    "tip_key",
    "waiting",
]
