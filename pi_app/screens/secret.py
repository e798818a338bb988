"""Who may see which screen; screens for one player only, which hide by themselves."""

from abc import abstractmethod
from dataclasses import replace
from functools import partial

from hardware.keys import Key
from pi_app.screens.base import TICK, Action, Pop, Screen, Stay
from pi_app.screens.context import Context
from pi_app.texts.language import Texts
from pi_app.view.frame import Frame, Heed, Utterance, Viewers
from pi_app.view.reading import read_out

_SHOWN = {
    # turns with keyed input, names, numbers, menus, results
    Viewers.ALL: {
        "games.einmaleins.hand": ("TableScreen",),
        "games.einmaleins.help": ("TaskHelpScreen",),
        "games.einmaleins.saying": ("SayScreen",),
        "games.einmaleins.turn": ("EinmaleinsTurn",),
        "games.just4fun.turn": ("Just4FunTurn",),
        "games.numeri.turn": ("NumeriTurn",),
        "games.sequence.extras": ("ExtrasScreen",),
        "games.sequence.turn": ("SequenceTurn",),
        "run.loop": ("FaultScreen",),
        "screens.base": ("ChoiceScreen", "ConfirmScreen", "ListScreen", "PageScreen"),
        "screens.empty_chair.seat": ("StrengthScreen",),
        "screens.empty_chair.turn": ("BotMenu",),
        "screens.checking.board_check": ("PositionForm", "SummaryScreen", "TableCheck"),
        "screens.players_and_settings.boards": (
            "BoardChoice", "BoardsScreen", "FieldsScreen", "GameBoards", "LookScreen", "NewBoard",
        ),
        "screens.players_and_settings.every_setting": (
            "LaterScreen", "NumberEntry", "SettingsList", "ValuesScreen",
        ),
        "screens.players_and_settings.names": ("FindName", "NamesScreen", "NextName"),
        "screens.players_and_settings.players": ("PlayerScreen", "PlayersScreen"),
        "screens.players_and_settings.system": ("SystemMenu",),
        "screens.number": ("NumberScreen",),
        "screens.playing.evening": ("EveningScreen",),
        "screens.playing.menu": ("GameMenu", "SeatsScreen"),
        "screens.playing.moves": ("BoardScreen", "MoveMenu", "MovesScreen", "ReviewScreen"),
        "screens.playing.rematch": ("StartsScreen",),
        "screens.playing.result": ("ResultScreen",),
        "screens.starting.history": ("BringBackScreen", "HistoryMenu"),
        "screens.starting.home": ("HomeScreen", "MoreGames", "WaitingGames"),
        "screens.starting.set_up": ("RestOfForm", "SeatScreen", "SetupScreen"),
        "screens.starting.settle": ("SettleForm", "SettleMenu", "SettledScreen", "StonesScreen"),
        "screens.text_entry": ("TextEntry",),
        "screens.tips": ("HelpScreen", "OpenTipScreen"),
    },
    # past games, statistics, moments, practice, settings that are texts
    Viewers.HOUSE: {
        "games.numeri.turn": ("NumeriMomentTurn",),
        "screens.evaluation": ("EvaluationScreen",),
        "screens.players_and_settings.times_tables": ("PracticeScreen",),
        "screens.report": ("ReportScreen",),
        "screens.starting.history": (
            "EveningsScreen", "GameScreen", "HistoryScreen", "LookBackScreen", "StatisticsScreen",
        ),
        "screens.starting.moments": ("AnswerScreen", "MomentsScreen", "WhoseMoments"),
        "screens.text_entry": ("ExactEntry",),
    },
}  # fmt: skip
VIEWERS = {
    f"pi_app.{module}.{name}": viewers
    for viewers, modules in _SHOWN.items()
    for module, names in modules.items()
    for name in names
}
"""Who may see our screens, by their names, since few are imported at a start.

A screen that is not listed is secret, unless its own class says who may see it, as those of extras
do: only the table's own displays show it.
"""

HIDE_AFTER_S = 20.0
"""A secret disappears from the displays after this long without a key, in seconds."""


class SecretScreen(Screen):
    """Closes by itself after a while without keys. A subclass adds `key` and `secret_frame`.

    Nothing of it is stored. The voice does not read it until the player holds MENU.
    """

    takes_held_menu = True

    def __init__(self, ctx: Context) -> None:
        super().__init__(ctx)
        self._until = ctx.clock() + HIDE_AFTER_S
        """When the screen closes."""
        self._aloud = False
        """Whether the player asked to have it read aloud."""

    @abstractmethod
    def key(self, key: Key) -> Action:
        """Answer a key. MENU and held keys never come here: they close it or read it aloud."""

    @abstractmethod
    def secret_frame(self) -> Frame:
        """Return the player's frame."""

    def frame(self) -> Frame:
        frame = self.secret_frame()
        if not self.ctx.speaks:
            return frame
        if not self._aloud:
            return replace(frame, speech=partial(self._announce, frame.header.title))
        header = replace(frame.header, corner=self.tx("word", "aloud"))
        return replace(frame, header=header, speech=partial(_read_aloud, self.tx, frame))

    def _announce(self, title: str) -> tuple[Utterance, ...]:
        if self.ctx.dials:
            text = self.tx("speech", '{what} is secret. "Aloud" on the dial reads it.', what=title)
        else:
            text = self.tx("speech", "{what} is secret. Hold D to have it read aloud.", what=title)
        return (Utterance(text),)

    def wake(self) -> None:
        """Restart the time after which the screen hides."""
        self._until = self.ctx.clock() + HIDE_AFTER_S

    def press(self, key: Key) -> Action:
        self.wake()
        if key is Key.MENU_HELD and self.ctx.speaks:
            self._aloud = not self._aloud
            return Stay(TICK)
        if key in (Key.BACK_HELD, Key.MENU, Key.MENU_HELD):
            return Pop(TICK)
        return self.key(key)

    def deadline(self) -> float:
        return self._until

    def expire(self) -> Action:
        return Pop()


def _read_aloud(tx: Texts, frame: Frame) -> tuple[Utterance, ...]:
    """Return everything in a secret frame; it is spoken at every voice level."""
    warning = tx("speech", "Secret, and now aloud:")
    return (
        Utterance(warning, Heed.CALL),
        *(Utterance(utterance.text, Heed.CALL) for utterance in read_out(frame)),
    )
