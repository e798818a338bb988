"""The screens each game brings, by the game's name, and what is done with its turn."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from engines.game import IllegalMoveError, SetupError
from engines.games import Parts, find_plugin
from hardware.keys import Key
from pi_app.screens.base import BAD, Action, PageScreen, Pop, Push, Reset, Screen, Stay
from pi_app.screens.bot_seat import BotSeat
from pi_app.screens.context import Context
from pi_app.screens.playing.turn import TurnScreen
from pi_app.table.players import BotSeats, HelpLevel
from pi_app.table.presentation import PRESENTATIONS, AnyPresentation
from pi_app.table.setup_draft import SetupDraft
from pi_app.table.table import Table
from pi_app.texts.language import Texts
from pi_app.view.frame import Frame


@dataclass(frozen=True, slots=True)
class FormItem:
    """One line of the set-up form: its text, and the screen that changes it.

    `sentence` says what a short text means, "" where it says it itself; `row` is the line in
    whole words with its value, for displays with room. `tag` is the tag that it fills in, if
    any: a set-up that lacks it leads there. `greyed` says why the line cannot be chosen.
    """

    text: str
    edit: Callable[[], Screen]
    sentence: str = ""
    row: str = ""
    tag: str = ""
    greyed: str = ""


class HandError(ValueError):
    """Cards that nobody can hold."""


@dataclass(frozen=True, slots=True)
class HandOption:
    """One thing that can be done with a hand: the move's token, what it is in words.

    `cell` is the board's cell it leads to, "" for none; `uses` are the cards it takes. `legal`
    and `why` not are None and "" where the player's help level does not tell them. Several with
    the same text are told apart by `then`, which is asked once the text was chosen. Where the
    player says a `task`, its two factors (`4x6`) are keyed and complete the token.
    """

    token: str
    text: str
    cell: str = ""
    uses: tuple[str, ...] = ()
    legal: bool | None = None
    why: str = ""
    then: str = ""
    task: bool = False


@dataclass(frozen=True, slots=True)
class Picked:
    """What somebody means to play without help: the whole hand, cards of it, a cell of the board.

    `says`: the player says the task of a card by keys.
    """

    hand: str
    cards: str = ""
    cell: str = ""
    says: bool = False


@dataclass(frozen=True, slots=True)
class HandOptions:
    """A hand as it was understood, card by card, and what can be done with it."""

    cards: tuple[str, ...]
    options: tuple[HandOption, ...]


HandHelper = Callable[[Texts, Any, int, HelpLevel, str], HandOptions]
"""Tells what a seat can do at a position with cards, if it were its turn; HandError.

It may be called in any thread, and keeps nothing of what it is given. The level is never
"none".
"""

Trial = Callable[[Texts, Any, Picked], tuple[HandOption, ...]]
"""Tells what who is to move may try with the picked cards, and judges nothing; HandError.

It is for players without help: the referee says what it thinks of a move when it is played.
"""


def _no_items(ctx: Context, draft: SetupDraft) -> tuple[FormItem, ...]:
    del ctx, draft
    return ()


@dataclass(frozen=True, slots=True)
class GameScreens:
    """The screens of one game: `turn` is where its moves are keyed.

    `form` returns what it asks for at set-up beside players, start and house rules; `hand` tells
    people with a display of their own what their cards or their roll can do, None in a game
    without either; `trial` serves those among them who play without help. `bot_seat` lets the
    companion play a seat, if the game has wits; None where it does not.
    `says_tasks`: a player may key the task of a card that is laid, as a level of help.
    """

    turn: Callable[[Context, Table], TurnScreen]
    form: Callable[[Context, SetupDraft], tuple[FormItem, ...]] = _no_items
    hand: HandHelper | None = None
    trial: Trial | None = None
    bot_seat: BotSeat | None = None
    says_tasks: bool = False


SCREENS: Mapping[str, GameScreens] = Parts("screens")


def playable_games() -> list[str]:
    """Return the games that can be played here, in the order of the menu: both parts are there."""
    return [name for name in PRESENTATIONS if name in SCREENS]


def resume_game(ctx: Context, game: int) -> Table | None:
    """Put a stored game back on the table; None where it cannot be replayed here."""
    try:
        table = Table.resume(ctx.store, ctx.store.load(game))
    except (SetupError, IllegalMoveError, KeyError):
        return None
    return table if table.game.name in playable_games() else None


def cannot_replay_page(ctx: Context, title: str) -> PageScreen:
    """Return the page that says so."""
    line = ctx.texts("line", "This game cannot be replayed by this version.")
    return PageScreen(ctx, title, (line,))


def turn_screen(ctx: Context, table: Table) -> TurnScreen:
    """Return the screen on which this table's moves are keyed; it has the machine to itself."""
    if ctx.evaluations is not None:
        ctx.evaluations.leave()
    turn = SCREENS[table.game.name].turn(ctx, table)
    game, bot_seats = bot_seat_of(table.game.name), BotSeats(ctx.store, table.id)
    if bot_seats and game is not None:
        from pi_app.screens.bot_turn import BotTurn  # a table of people does not need it

        turn.bot_turn = BotTurn(
            ctx, table, game, bot_seats, turn.play, turn.key, turn.tell, turn.cached_picture
        )
    return turn


def bot_seat_of(game: str) -> BotSeat | None:
    """Return what the companion knows of a game to play it; None where it cannot."""
    known = find_plugin(game)
    return SCREENS[game].bot_seat if known is not None and known.ai else None


def undo_move(ctx: Context, table: Table) -> Action:
    """Take back the last move, also that of a finished game, and go on from there."""
    turn = turn_screen(ctx, table)
    return Reset(turn.undo().signals, screen=turn)


def redo_move(ctx: Context, table: Table) -> Action:
    """Play again what was taken back last, and go on from there."""
    turn = turn_screen(ctx, table)
    action = turn.redo()
    return Reset(action.signals, screen=turn) if isinstance(action, Stay) else action


class _MissingItemScreen(Screen):
    """The screen of a form's line that a set-up lacks: it says why it is on, until the first key.

    `done` goes on where the line was filled in or changed; else it was left.
    """

    def __init__(
        self, screen: Screen, why: str, changed: Callable[[], bool], done: Callable[[], Action]
    ) -> None:
        super().__init__(screen.ctx)
        self.screen = screen
        self.why = why
        self.changed = changed
        self.done = done

    def frame(self) -> Frame:
        frame = self.screen.frame()
        if not self.why:
            return frame
        return replace(frame, body=replace(frame.body, lines=(self.why, *frame.body.lines)))

    def press(self, key: Key) -> Action:
        self.why = ""
        action = self.screen.press(key)
        if isinstance(action, Pop) and self.changed():
            return replace(action, then=self.done)
        return action


def lead_to_missing(
    ctx: Context,
    presentation: AnyPresentation,
    draft: SetupDraft,
    error: SetupError,
    form: Iterable[FormItem],
    done: Callable[[], Action],
) -> Action:
    """Lead to the line of the form that a set-up lacks, with the reason; else say the reason.

    `done` goes on once the line was filled in or changed.
    """
    why = presentation.setup_error(ctx.texts, error)
    tag = error.tag
    item = next((item for item in form if item.tag == tag), None)
    if item is None:
        return Push(BAD, screen=PageScreen(ctx, ctx.texts("title", "Not yet"), (why,)))
    before = draft.tags.get(tag)
    lacking = _MissingItemScreen(item.edit(), why, lambda: draft.tags.get(tag) != before, done)
    return Push(BAD, screen=lacking)
