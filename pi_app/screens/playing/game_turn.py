"""A game's part of a turn: the table, its keys and frames, and a keyed entry."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar, cast

from engines.game import CORRECTED, AnyPosition, Move, Refusal, Step
from hardware.keys import Key
from pi_app.past.games import named_game
from pi_app.screens.base import BAD, OK, TICK, TURN, Action, DeclinedError, Push, Screen, Stay
from pi_app.screens.context import Context
from pi_app.settings.schema import HelpLevel
from pi_app.table.presentation import PRESENTATIONS, AnyPresentation
from pi_app.table.table import Table
from pi_app.texts.common import colour_word, common_event
from pi_app.texts.language import Texts
from pi_app.view.chart import ScoreHistory
from pi_app.view.frame import (
    Board,
    Body,
    Curve,
    Entry,
    Extras,
    Frame,
    Header,
    KeySet,
    Mark,
    Picture,
    Played,
    Seat,
    Signal,
    SoftKey,
    Speech,
    Tone,
    Utterance,
    Viewers,
    scroll,
)
from pi_app.view.keying import DIGITS, KeyedCards, Keying, Wheel
from pi_app.view.reading import read_out

LAST = 8
"""How many of the last moves a display with room lists."""

P = TypeVar("P", bound=AnyPosition)


@dataclass(slots=True)
class _PositionCache:
    """The parts of a turn's frame that change with the position only, not with each key."""

    position: AnyPosition
    tx: Texts
    moves: dict[int, tuple[Step, Played]]
    """The last moves, each with its words, by their index in the game."""
    frame: Frame


class TurnDesk(ABC, Generic[P]):
    """The table as a turn sees it."""

    def __init__(self, ctx: Context, table: Table) -> None:
        self.ctx = ctx
        self.table = table
        self.presentation: AnyPresentation = PRESENTATIONS[table.game.name]
        self.notice: tuple[str, ...] = ()
        """Sentences shown until the next move is keyed."""
        if not table.steps:
            self.notice = self.presentation.opening_notice(self.tx, table.start, table.tags)
            self.notice += self._put_aside()
        elif CORRECTED in table.steps[-1].events:
            self.notice = (common_event(self.tx, CORRECTED.code),)
        if table.damage is not None:
            lost = self.tx("line", "Damaged: move {n} on is lost. Key it again.", n=table.damage)
            self.notice = (lost, *self.notice)
        self.notice_top = 0
        """The first sentence of the notice that is shown."""
        self.notice_step: Step | None = table.steps[-1] if table.steps else None
        """The move that the notice describes."""
        self.answer: Callable[[str], Action] | None = None
        """If set, called with the token instead of playing it: a screen only asks for a move."""
        self.finish: Callable[[Step], Action] = lambda _: Stay()
        """Called after a move was played; the screen of the turn sets it."""
        self._cache: _PositionCache | None = None
        self._scores = ScoreHistory()
        self._help: tuple[AnyPosition, HelpLevel] | None = None
        """A position and the help level of its player to move, cached."""

    # --- the position

    @property
    def tx(self) -> Texts:
        """The texts in the table's current language."""
        return self.ctx.texts

    @property
    def position(self) -> P:
        """The current position."""
        return cast(P, self.table.position)

    @property
    def help(self) -> HelpLevel:
        """The help level of the player to move, as it was when the turn began."""
        position = self.table.position
        if self._help is None or self._help[0] is not position:
            self._help = position, self.ctx.help_level(self.title())
        return self._help[1]

    def title(self) -> str:
        """Return the name of the player to move."""
        player = self.table.position.to_move
        return "" if player is None else player.name

    # --- the frame

    def bare(self, picture: Picture | None = None) -> Frame:
        """Return the cached part of the frame, which depends on position and language only.

        `picture` replaces the position's picture.
        """
        position, tx, cache = self.table.position, self.tx, self._cache
        if cache is None or cache.position is not position or cache.tx is not tx:
            # moves keep their words from position to position, but not in another language
            known = cache.moves if cache is not None and cache.tx is tx else {}
            steps, moves = self.table.steps, dict[int, tuple[Step, Played]]()
            for index in reversed(range(max(0, len(steps) - LAST), len(steps))):
                step = steps[index]
                if index in known and known[index][0] is step:
                    moves[index] = known[index]
                else:
                    words = self.presentation.moves.line(tx, step)
                    moves[index] = step, Played(step.player.name, words)
            player = position.players[position.seat]
            seats = self.presentation.current_seats(tx, position)
            history = partial(score_history, self._scores, self.table)
            scored = self.table.game.score is not None
            frame = Frame(
                Header(player.name, player.colour, self.corner(), self.score(seats)),
                board=Board(self.draw_board(), score_history=history if scored else None),
                extras=Extras(
                    details=self.presentation.details(tx, position),
                    moves=tuple(words for _, words in moves.values()),
                    seats=seats,
                ),
            )
            self._cache = cache = _PositionCache(position, tx, moves, frame)
        if picture is None:
            return cache.frame
        return replace(cache.frame, board=replace(cache.frame.board, picture=picture))

    def draw_board(self) -> Picture:
        """Draw the board with the last move marked; called once per position."""
        changed = self.table.steps[-1].places if self.table.steps else ()
        return self.presentation.picture(self.tx, self.table.position).with_mark(Mark.LAST, changed)

    def cached_picture(self) -> Picture:
        """Return the picture that `draw_board` made for this position."""
        return cast(Picture, self.bare().board.picture)

    def corner(self) -> str:
        """Return the text next to the name, for displays without room for shape and score."""
        position = self.table.position
        return colour_word(self.tx, position.players[position.seat].colour)

    def score(self, seats: tuple[Seat, ...]) -> str:
        """Return each seat's deciding number, such as points, beginning with the seat to move."""
        position = self.table.position
        first = position.seat if position.result is None else 0  # at the end nobody is to move
        numbers = [seat.score for seat in seats[first:] + seats[:first]]
        return ":".join(numbers) if all(numbers) else ""  # a game without numbers has no score

    def _put_aside(self) -> tuple[str, ...]:
        """Name the game that was at the table before this new one and waits now."""
        games = self.ctx.store.waiting_games() if self.table.id else []
        if len(games) < 2 or games[0].id != self.table.id:
            return ()
        aside = named_game(self.tx, games[1])
        return (self.tx("line", '"Continue" brings back {game}.', game=aside),)

    def tell(self, *notice: str, about: Step | None = None) -> None:
        """Show these sentences until the next move is keyed.

        If they describe a move, `about` is its step: a voice speaks it in sentences of its own.
        """
        self.notice = notice
        self.notice_step = about
        self.notice_top = 0

    def turn_notice(self, step: int, lines: tuple[str, ...]) -> Action:
        """Scroll these sentences by `step`, wrapping around.

        UP may have another meaning on this screen, so DOWN alone must reach every sentence.
        """
        self.notice_top = (self.notice_top + step) % len(lines)
        return Stay(TICK)

    # --- moves

    def play(self, move: Move) -> Action:
        """Play a legal move and show what to do at the table."""
        if self.answer is not None:
            return self.answer(move.token)
        return self.finish(self.table.play(move))

    def play_token(self, token: str) -> Action:
        """Play a token if it is legal."""
        move = self.table.judge(token)
        return Stay(BAD) if isinstance(move, Refusal) else self.play(move)

    def open_part(self, screen: Screen) -> Action:
        """Open a screen that belongs to this turn."""
        screen.ends_with_turn = True
        return Push(screen)


class GameTurn(TurnDesk[P]):
    """A game's part of a turn: reads keys, makes moves of them and shows both.

    A subclass adds `key`, `keying`, `clear` and `turn_frame`.
    """

    viewers: ClassVar[Viewers] = Viewers.TABLE
    """Who may see it. Each class must set it: subclasses do not inherit it."""

    @abstractmethod
    def key(self, key: Key) -> Action:
        """Act on a key other than MENU and held BACK."""

    @abstractmethod
    def clear(self) -> None:
        """Discard the keyed input."""

    @abstractmethod
    def keying(self) -> bool:
        """Whether something is keyed: then held BACK clears it instead of taking back a move."""

    @abstractmethod
    def turn_frame(self) -> Frame:
        """Return the `bare` frame with the keyed text, or with the notice of the last move."""

    def has_question(self) -> bool:
        """Whether people must answer a question about the position before any move."""
        return False

    def turn_wheel(self) -> Wheel | None:
        """Return the dial's values in a person's turn, as `Screen.wheel`.

        By default single digits, except where the frame has a list or die buttons.
        """
        frame = self.turn_frame()
        return None if frame.body.choices is not None or frame.keys.dice else DIGITS

    def tap(self, name: str) -> Action:  # noqa: ARG002  # for those with a picture
        """Take a tap on the picture's cell with this name (displays with a pointer only)."""
        return Stay(BAD)

    def speech(self, frame: Frame) -> Speech:
        """Return a function that makes this frame's sentences; called while a voice is on.

        It reads out the keyed input, unless a game overrides it.
        """
        if frame.body.entry is not None or frame.body.choices is not None:
            return partial(read_out, frame, titled=False)
        return partial(
            turn_sentences,
            self.tx,
            self.presentation,
            self.table.position,
            self.notice_step,
            frame.body.lines,
        )

    def save_keyed(self) -> Callable[[], None]:
        """Return a function that restores the keyed input in another position.

        By default it restores nothing: input such as a roll belongs to one turn.
        """
        return self.clear

    def judge(self, token: str) -> Move:
        """Return a move that was entered on a phone; DeclinedError if it is not legal now."""
        move = self.table.judge(token)
        if isinstance(move, Refusal):
            raise DeclinedError(self.presentation.words.refusal(self.tx, move))
        return move

    def signals_of(self, step: Step) -> tuple[Signal, ...]:
        """Return the signals for a move that counts and does not end the game."""
        next_player = step.after.to_move
        turn_passes = next_player is not None and next_player.name != step.player.name
        return OK + TURN if turn_passes else OK

    def tell_move(self, step: Step) -> None:
        """Show what to do at the table after a move."""
        self.tell(*self.presentation.moves.to_do(self.tx, step), about=step)

    def show_undone(self, step: Step) -> None:
        """Show what to do at the table after a move was taken back."""
        self.tell(
            self.tx(
                "line",
                "Taken back: {name}, {move}. Put the table back as it was.",
                name=step.player.name,
                move=self.presentation.moves.line(self.tx, step),
            )
        )


class KeyedTurn(GameTurn[P]):
    """A turn that is keyed as one entry: judged while it is keyed, as the help level says, # plays.

    A game has an empty keying (`blank`) and a prompt (`prompt`).
    """

    blank: Keying | KeyedCards[Any]
    """Nothing keyed."""

    def __init__(self, ctx: Context, table: Table) -> None:
        super().__init__(ctx, table)
        self.clear()

    def clear(self) -> None:
        self.keyed = self.blank
        self.refused = False
        """Whether ENTER was pressed for a move that cannot be played: then everybody sees why."""

    def save_keyed(self) -> Callable[[], None]:
        return partial(setattr, self, "keyed", self.keyed)

    def keying(self) -> bool:
        return bool(self.keyed)

    @abstractmethod
    def prompt(self) -> tuple[str, ...]:
        """Say what to key, while there is no notice."""

    def tokens(self) -> tuple[str, ...]:
        """Return the moves that the keys may mean; ENTER plays the first legal one."""
        word = self.keyed.word
        return () if word is None else (word,)

    def entry(self) -> Entry:
        """Return the keyed input with its verdict."""
        shown = self.keyed.entry(self.tx)
        if shown.tone is Tone.BAD or not self.judges() or not self.tokens():
            return shown
        refusals = [self.table.refusal(token) for token in self.tokens()]
        if refusals[0] is not None and None not in refusals:
            return replace(
                shown, verdict=self.presentation.words.refusal(self.tx, refusals[0]), tone=Tone.BAD
            )
        return replace(shown, verdict=self.tx("verdict", "possible"), tone=Tone.GOOD)

    def judges(self) -> bool:
        """Whether to judge the keyed input: at once, or, at the help level NONE, after ENTER.

        Input with which no move begins is reported at once, at every help level.
        """
        return self.refused or self.help is not HelpLevel.NONE or self.keyed.impossible

    def lines(self) -> tuple[str, ...]:
        """Return the sentences shown while nothing is keyed."""
        return self.notice or self.prompt()

    def keyed_picture(self) -> Picture:
        """Return the board with the cells of the keyed move marked."""
        return self.cached_picture().with_mark(Mark.SELECTED, self.tokens())

    def labels(self, entry: Entry | None) -> tuple[SoftKey, ...]:
        """Return the soft keys; keys that would be refused have none."""
        tx = self.tx
        if entry is None:
            return SoftKey(Key.MENU, tx("soft", "menu")), scroll(tx("soft", "more"))
        play = () if entry.tone is Tone.BAD else (SoftKey(Key.ENTER, tx("soft", "play")),)
        return (*play, SoftKey(Key.BACK, tx("soft", "delete")))

    def turn_frame(self) -> Frame:
        entry = self.entry() if self.keyed else None
        lines = () if entry else self.lines()
        return replace(
            self.bare(self.keyed_picture()),
            body=Body(entry=entry, lines=lines, top=self.notice_top),
            keys=KeySet(self.labels(entry)),
        )

    def turn_wheel(self) -> Wheel | None:
        return self.keyed.wheel()

    def key(self, key: Key) -> Action:
        self.refused = False
        if key in (Key.UP, Key.DOWN) and not self.keyed:
            return self.turn_notice(key.step, self.lines())
        if key is Key.ENTER:
            for token in self.tokens():
                if self.table.refusal(token) is None:
                    return self.play_token(token)
            self.refused = bool(self.keyed)
            return Stay(BAD)
        keyed = self.keyed.after(key)
        if keyed is None:
            return Stay(BAD)
        self.keyed = keyed
        return Stay(BAD if keyed.impossible else TICK)

    def tap(self, name: str) -> Action:
        """Key the tapped cell."""
        keyed = self.keyed.tapped(name)
        if keyed is None:
            return Stay(BAD)
        self.clear()
        self.keyed = keyed
        return Stay(TICK)


def score_history(scores: ScoreHistory, table: Table) -> tuple[Curve, ...]:
    """Return each player's points over the game so far."""
    positions = [table.start, *(step.after for step in table.steps)]
    return scores.curves(table.game, positions)


def turn_sentences(
    tx: Texts,
    presentation: AnyPresentation,
    position: AnyPosition,
    step: Step | None,
    lines: tuple[str, ...],
) -> tuple[Utterance, ...]:
    """Return the speech before anything is keyed: the last move or the lines, then who moves.

    The move comes first: a repeated sentence is spoken again only if another one came before it.
    """
    news = tuple(map(Utterance, lines)) if step is None else presentation.moves.speech(tx, step)
    return (*news, *presentation.turn_speech(tx, position))
