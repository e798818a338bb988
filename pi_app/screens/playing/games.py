"""The screens of each kind of game, and functions that open, undo and redo a turn."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from engines.games import Parts, has_ai
from engines.notation import Fault
from hardware.keys import Key
from pi_app.screens.base import Action, PageScreen, Pop, Reset, Screen, Stay
from pi_app.screens.context import Context
from pi_app.screens.playing.game_turn import GameTurn
from pi_app.screens.playing.turn import TurnScreen
from pi_app.screens.tips import HelpScreen
from pi_app.store import GameEntry
from pi_app.table.given import Given
from pi_app.table.players import BotSeats
from pi_app.table.presentation import PRESENTATIONS, AnyPresentation
from pi_app.table.setup_draft import SetupDraft
from pi_app.table.table import Table
from pi_app.view.frame import Frame
from pi_app.view.keying import Wheel


@dataclass(frozen=True, slots=True)
class FormItem:
    """One line of the set-up form."""

    text: str
    edit: Callable[[], Screen]
    """Makes the screen that changes the line."""
    sentence: str = ""
    """Explains a short text, or is ""."""
    row: str = ""
    """The line in full words with its value, for displays with room."""
    tag: str = ""
    """The tag of the record that the line fills in, if any.

    If that tag is missing when the game is to start, this line is opened.
    """
    greyed: str = ""
    """Why the line cannot be chosen; "" if it can."""


@dataclass(frozen=True, slots=True)
class GameScreens:
    """The screens of one game."""

    turn: Callable[[Context, Table], GameTurn[Any]]
    """Makes the part of a turn with which the game's moves are keyed."""
    form: Callable[[Context, SetupDraft], tuple[FormItem, ...]] = lambda _ctx, _draft: ()
    """Returns the form's lines besides players, start and house rules."""
    given: Given | None = None
    """The moves of a player's cards or roll; None in a game without either."""
    help: type[HelpScreen] = HelpScreen
    """Asks for a player's help level; a game that adds one of its own offers the others too."""
    moments: Callable[[Context, Table, str, str], GameTurn[Any]] | None = None
    """Makes a turn that only asks what to play instead of an earlier move, with the same roll.

    Its arguments after the context are the table before the move, the move's token, which it must
    not show, and a short text for the corner. It calls its `answer`; BACK leaves it. None in a game
    without moments.
    """


SCREENS: Mapping[str, GameScreens] = Parts("screens")


def playable_games() -> list[str]:
    """Return the games that have a presentation and screens, in the order of the menu."""
    return [name for name in PRESENTATIONS if name in SCREENS]


def fullest_help() -> type[HelpScreen]:
    """Return the screen that offers every help level of any game."""
    screens = (SCREENS[game].help for game in playable_games())
    return next((screen for screen in screens if screen is not HelpScreen), HelpScreen)


def resume_game(ctx: Context, game: int) -> Table | None:
    """Load a stored game as a table; None if it cannot be replayed here."""
    try:
        table = Table.resume(ctx.store, ctx.store.load(game))
    except (Fault, KeyError):
        return None
    return table if table.game.name in playable_games() else None


def cannot_replay_page(ctx: Context, title: str, entry: GameEntry) -> PageScreen:
    """Return the page that says why a game cannot be replayed, and what helps."""
    tx, game = ctx.texts, entry.game
    if entry.newer:
        return PageScreen(ctx, title, (tx("line", "A newer Beisitzer wrote it: update this one."),))
    if entry.damage == 1:
        line = tx("line", "Its file is damaged from the beginning. It stays as it is.")
        return PageScreen(ctx, title, (line,))
    if game in playable_games():
        return PageScreen(
            ctx, title, (tx("line", "This game cannot be replayed by this version."),)
        )
    lines = (
        tx("line", "{game} is not installed, or cannot be loaded.", game=game),
        tx("line", "Install it again to continue this game."),
    )
    return PageScreen(ctx, title, lines)


def turn_screen(ctx: Context, table: Table) -> TurnScreen:
    """Return the screen on which this table's moves are keyed."""
    screen = TurnScreen(SCREENS[table.game.name].turn(ctx, table))
    game, bot_seats = companion_of(table.game.name), BotSeats(ctx.store, table.id)
    if bot_seats and game is not None:
        from pi_app.screens.empty_chair.turn import BotTurn  # only needed with a bot

        screen.bot_turn = BotTurn(screen.turn, game, bot_seats)
    return screen


def given_of(game: str) -> Given:
    """Return a kind of game's hands or rolls."""
    return SCREENS[game].given or Given(PRESENTATIONS[game])


def companion_of(game: str) -> Given | None:
    """Return a kind of game's `Given` for the companion's seats; None without an AI."""
    return given_of(game) if has_ai(game) else None


def has_moments(game: str) -> bool:
    """Tell whether people may be asked about moments of this kind of game."""
    return game in SCREENS and SCREENS[game].moments is not None


def undo_move(ctx: Context, table: Table) -> Action:
    """Take back the last move, even of a finished game, and return to its turn."""
    screen = turn_screen(ctx, table)
    return _show_turn(screen, screen.undo())


def redo_move(ctx: Context, table: Table) -> Action:
    """Redo the move that was taken back last, and return to the turn."""
    screen = turn_screen(ctx, table)
    return _show_turn(screen, screen.redo())


def play_move(ctx: Context, table: Table, token: str) -> Action:
    """Play a token, and return to the turn."""
    screen = turn_screen(ctx, table)
    return _show_turn(screen, screen.turn.play_token(token))


def _show_turn(screen: TurnScreen, action: Action) -> Action:
    """Return to the turn, or follow its action, which leads to the result of a finished game."""
    return Reset(screen, signals=action.signals) if isinstance(action, Stay) else action


class _MissingItemScreen(Screen):
    """The screen of a form item that is missing; it shows why until the first key.

    `done` is called when the screen closes, if the item has `changed`.
    """

    def __init__(
        self, screen: Screen, why: str, changed: Callable[[], bool], done: Callable[[], Action]
    ) -> None:
        super().__init__(screen.ctx)
        self.screen = screen
        self.takes_digits = screen.takes_digits
        self.why = why
        """Why the item is needed; "" after the first key."""
        self.changed = changed
        self.done = done

    @property
    def viewed_as(self) -> type:
        return self.screen.viewed_as

    def frame(self) -> Frame:
        frame = self.screen.frame()
        if not self.why:
            return frame
        return replace(frame, body=replace(frame.body, lines=(self.why, *frame.body.lines)))

    def wheel(self) -> Wheel | None:
        return self.screen.wheel()

    def press(self, key: Key) -> Action:
        self.why = ""
        action = self.screen.press(key)
        if isinstance(action, Pop) and self.changed():
            return replace(action, then=self.done)
        return action


def missing_screen(
    ctx: Context,
    presentation: AnyPresentation,
    draft: SetupDraft,
    error: Fault,
    form: Iterable[FormItem],
    done: Callable[[], Action],
) -> Screen:
    """Return the screen of the form item whose tag the error names; only the reason without one.

    `done` is called when the item's screen closes, if its tag has changed.
    """
    why = presentation.words.fault(ctx.texts, error)
    tag = error.place
    item = next((item for item in form if item.tag == tag), None)
    if item is None:
        return PageScreen(ctx, ctx.texts("title", "Not yet"), (why,))
    before = draft.tags.get(tag)  # if it stays so, nothing was answered: `done` would ask again
    return _MissingItemScreen(item.edit(), why, lambda: draft.tags.get(tag) != before, done)
