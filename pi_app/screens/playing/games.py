"""The screens each game brings, by the game's name, and what is done with its turn."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engines.game import IllegalMoveError, SetupError
from engines.games import Parts
from pi_app.screens.base import Action, PageScreen, Reset, Screen, Stay
from pi_app.screens.context import Context
from pi_app.screens.playing.turn import TurnScreen
from pi_app.table.draft import Draft
from pi_app.table.faces import FACES
from pi_app.table.table import Table


@dataclass(frozen=True, slots=True)
class FormItem:
    """One line of the set-up form: its text, and the screen that changes it.

    `sentence` says what a short text means, "" where it says it itself; `row` is the line in
    whole words with its value, for displays with room. `tag` is the tag that it fills in, if
    any: a set-up that lacks it leads there.
    """

    text: str
    edit: Callable[[], Screen]
    sentence: str = ""
    row: str = ""
    tag: str = ""


def _no_items(ctx: Context, draft: Draft) -> tuple[FormItem, ...]:
    del ctx, draft
    return ()


@dataclass(frozen=True, slots=True)
class GameScreens:
    """The screens of one game: `turn` is where its moves are keyed.

    `form` returns what it asks for at set-up beside players, start and house rules.
    """

    turn: Callable[[Context, Table], TurnScreen]
    form: Callable[[Context, Draft], tuple[FormItem, ...]] = _no_items


SCREENS: Mapping[str, GameScreens] = Parts("screens")


def playable() -> list[str]:
    """Return the games that can be played here, in the order of the menu: both parts are there."""
    return [name for name in FACES if name in SCREENS]


def resumed(ctx: Context, game: int) -> Table | None:
    """Put a stored game back on the table; None where it cannot be replayed here."""
    try:
        table = Table.resume(ctx.store, ctx.store.load(game))
    except (SetupError, IllegalMoveError, KeyError):
        return None
    return table if table.game.name in playable() else None


def not_replayed(ctx: Context, title: str) -> PageScreen:
    """Return the page that says so."""
    line = ctx.texts("line", "This game cannot be replayed by this version.")
    return PageScreen(ctx, title, (line,))


def turn_screen(ctx: Context, table: Table) -> TurnScreen:
    """Return the screen on which this table's moves are keyed."""
    return SCREENS[table.game.name].turn(ctx, table)


def taken_back(ctx: Context, table: Table) -> Action:
    """Take back the last move, also that of a finished game, and go on from there."""
    turn = turn_screen(ctx, table)
    return Reset(turn.undo().signals, screen=turn)


def played_again(ctx: Context, table: Table) -> Action:
    """Play again what was taken back last, and go on from there."""
    turn = turn_screen(ctx, table)
    action = turn.redo()
    return Reset(action.signals, screen=turn) if isinstance(action, Stay) else action
