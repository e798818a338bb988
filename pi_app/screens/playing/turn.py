"""What every game's turn screen shares: undo, the menu, what to do after a move, the end."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from engines.game import AnyPosition, Move, Refusal
from engines.replay import Step
from hardware.keys import Key
from pi_app.screens.base import (
    BAD,
    OK,
    TICK,
    TURN,
    WIN,
    Action,
    Pop,
    Screen,
    Stay,
    ToMenu,
    ToTable,
)
from pi_app.screens.bot_seat import OwnTurn
from pi_app.screens.context import Context
from pi_app.table.players import HelpLevel
from pi_app.table.presentation import PRESENTATIONS, AnyPresentation
from pi_app.table.table import Table
from pi_app.texts.common import colour_word
from pi_app.texts.language import Texts
from pi_app.view.chart import ScoreHistory
from pi_app.view.frame import (
    Board,
    Curve,
    Extras,
    Frame,
    Header,
    Mark,
    Picture,
    Played,
    Seat,
    Signal,
    SoftKey,
    Speech,
    Utterance,
)
from pi_app.view.reading import read_out

LAST = 8
"""So many moves of the past are told beside a turn."""


_MoveWords = dict[int, tuple[Step, Played]]
"""Moves in words by the identity of their steps, which are held here too."""


@dataclass(slots=True)
class _PositionCache:
    """What stands beside a turn and changes with the position only, not with each key."""

    position: AnyPosition
    tx: Texts
    moves: _MoveWords
    picture: Picture
    frame: Frame


class TurnScreen(Screen):
    """Moves are keyed here. A subclass adds `key`, `keying`, `clear` and `turn_frame`."""

    def __init__(self, ctx: Context, table: Table) -> None:
        super().__init__(ctx)
        self.table = table
        self.presentation: AnyPresentation = PRESENTATIONS[table.game.name]
        self.notice: tuple[str, ...] = ()
        if not table.steps:
            self.notice = self.presentation.opening_notice(self.tx, table.start, table.tags)
        self.notice_top = 0
        self.notice_step: Step | None = table.steps[-1] if table.steps else None
        """The move that the notice is about."""
        self.answer: Callable[[str], Action] | None = None
        """Takes the token where a move is only keyed here, not played."""
        self._cache: _PositionCache | None = None
        self._scores = ScoreHistory()
        self._help: tuple[AnyPosition, HelpLevel] | None = None
        self.bot_turn: OwnTurn | None = None
        """What the companion shows and answers where it has a seat."""

    def mend(self) -> None:
        self.table.mend()
        if self.bot_turn is not None:
            self.bot_turn.mend()

    def deadline(self) -> float | None:
        return None if self.bot_turn is None else self.bot_turn.deadline()

    def expire(self) -> Action:
        return Stay() if self.bot_turn is None else self.bot_turn.expire()

    @property
    def help(self) -> HelpLevel:
        """How much help who is to move wants, as it was when the turn began."""
        position = self.table.position
        if self._help is None or self._help[0] is not position:
            self._help = position, self.ctx.help_level(self.title())
        return self._help[1]

    @abstractmethod
    def key(self, key: Key) -> Action:
        """Take a key that is neither MENU nor BACK held."""

    @abstractmethod
    def clear(self) -> None:
        """Forget what has been keyed so far."""

    @abstractmethod
    def keying(self) -> bool:
        """Whether something is keyed that BACK held clears, before it takes back a move."""

    @abstractmethod
    def turn_frame(self) -> Frame:
        """Return what `bare` shows together with what is keyed, or what the last move means."""

    def corner(self) -> str:
        """Return what stands beside the name on a display without room for shape and score."""
        position = self.table.position
        return colour_word(self.tx, position.players[position.seat].colour)

    def title(self) -> str:
        """Name who is to move."""
        player = self.table.position.to_move
        return "" if player is None else player.name

    def frame(self) -> Frame:
        own = self._bot_frame()
        frame = self.turn_frame() if own is None else own
        frame = replace(frame, keys=frame.keys.also(*self._hold_labels()))
        if own is not None or not self.ctx.speaks:
            return frame
        return replace(frame, speech=self.speech(frame))

    def _bot_frame(self) -> Frame | None:
        """Return what the companion shows on a turn of its own; None while people play."""
        if self.bot_turn is None or self.keying():
            return None
        return self.bot_turn.frame(self.bare(), self.notice)

    def bare(self, picture: Picture | None = None) -> Frame:
        """Return a frame with all that changes with the position only, made once for each.

        `picture` stands in it instead of that of the position, if one is given.
        """
        frame = self._position_cache().frame
        if picture is None:
            return frame
        return replace(frame, board=replace(frame.board, picture=picture))

    def _hold_labels(self) -> tuple[SoftKey, ...]:
        """Say what holding BACK does: it clears what is keyed, else it takes back a move."""
        tx = self.tx
        if self.answer is not None or not (self.keying() or self.table.steps):
            return ()
        label = tx("soft", "clear") if self.keying() else tx("soft", "undo")
        return (SoftKey(Key.BACK_HELD, label, spare=True, sign=tx("word", "C long")),)

    def speech(self, frame: Frame) -> Speech:
        """Return what makes the sentences of this turn's frame, asked while there is a voice.

        What has been keyed is read out unless a game knows better.
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

    def _position_cache(self) -> _PositionCache:
        """Return what stands beside the turn, worked out once a position and language."""
        position, tx = self.table.position, self.tx
        cache = self._cache
        if cache is None or cache.position is not position or cache.tx is not tx:
            moves = self._word_moves(cache.moves if cache is not None and cache.tx is tx else {})
            picture = self.draw_board()
            player = position.players[position.seat]
            seats = self.presentation.sitting(tx, position)
            frame = Frame(
                Header(player.name, player.colour, self.corner(), self.score(seats)),
                board=Board(
                    picture=picture,
                    score_history=None if self.table.game.score is None else self.score_history,
                ),
                extras=Extras(
                    details=self.presentation.details(tx, position),
                    moves=tuple(words for _, words in moves.values()),
                    seats=seats,
                ),
            )
            self._cache = cache = _PositionCache(position, tx, moves, picture, frame)
        return cache

    def _word_moves(self, cache: _MoveWords) -> _MoveWords:
        """Return the last moves in words, newest first; those known are not worded again."""
        return {
            id(step): cache.get(id(step))
            or (step, Played(step.player.name, self.presentation.move_words(self.tx, step)))
            for step in reversed(self.table.steps[-LAST:])
        }

    def score_history(self) -> tuple[Curve, ...]:
        """Return everybody's points over the game so far."""
        positions = [self.table.start, *(step.after for step in self.table.steps)]
        return self._scores.curves(self.table.game, positions)

    def score(self, seats: tuple[Seat, ...]) -> str:
        """Return the number of every seat that decides the game, from who is to move on."""
        position = self.table.position
        at = position.seat if position.result is None else 0
        numbers = [seat.score for seat in seats[at:] + seats[:at]]
        return ":".join(numbers) if all(numbers) else ""

    def draw_board(self) -> Picture:
        """Draw the board with a mark where the last move changed it; asked once a position."""
        touched = self.table.steps[-1].places if self.table.steps else ()
        return self.presentation.picture(self.tx, self.table.position).marked(Mark.LAST, touched)

    def cached_picture(self) -> Picture:
        """Return the board as `draw_board` made it for this position."""
        return self._position_cache().picture

    def press(self, key: Key) -> Action:
        if self.answer is not None:
            return self._answer_key(key)
        if key in (Key.MENU, Key.MENU_HELD):
            return ToMenu(table=self.table)
        if key is Key.BACK_HELD:
            return self._hold_back()
        answer = None if self.bot_turn is None or self.keying() else self.bot_turn.key(key)
        return self.key(key) if answer is None else answer

    def _hold_back(self) -> Action:
        if not self.keying():
            return self.undo()
        self.clear()
        return Stay(TICK)

    def _answer_key(self, key: Key) -> Action:
        """Take a key while only a move is wanted; whatever leads nowhere leads back."""
        if key in (Key.MENU, Key.MENU_HELD, Key.BACK_HELD):
            return Pop(TICK)
        action = self.key(key)
        return Pop(TICK) if key is Key.BACK and action == Stay(BAD) else action

    def play(self, move: Move) -> Action:
        """Play a legal move and say what is to be done at the table."""
        if self.answer is not None:
            return self.answer(move.token)
        return self.finish_move(self.table.play(move))

    def judged(self, token: str) -> Move | Refusal | str:
        """Judge a move that somebody keyed whole elsewhere, also by a sentence of this turn's."""
        return self.table.judged(token)

    def play_token(self, token: str) -> Action:
        """Play a token if it is legal."""
        move = self.table.judged(token)
        return Stay(BAD) if isinstance(move, Refusal) else self.play(move)

    def finish_move(self, step: Step) -> Action:
        """Show what a move just played means for the table."""
        self.clear()
        self.tell_move(step)
        if step.after.result is not None:
            return ToTable(WIN, table=self.table)
        return Stay(self.signals_of(step))

    def signals_of(self, step: Step) -> tuple[Signal, ...]:
        """Return the signals for a move that counts and does not end the game."""
        moves_on = step.after.to_move
        passed = moves_on is not None and moves_on.name != step.player.name
        return OK + TURN if passed else OK

    def tell(self, *notice: str, about: Step | None = None) -> None:
        """Show these sentences until the next move is being keyed; `about` is the move they tell.

        A move is said to the ear in its own sentences.
        """
        self.notice = notice
        self.notice_step = about
        self.notice_top = 0

    def turn_notice(self, step: int, lines: tuple[str, ...]) -> Action:
        """Show these sentences from the next one on; after the last comes the first again.

        A display may show them all at once: whoever turns on there must come back, also where
        UP means something else.
        """
        self.notice_top = (self.notice_top + step) % len(lines)
        return Stay(TICK)

    def tell_move(self, step: Step) -> None:
        """Show what is to be done at the table after a move."""
        self.tell(*self.presentation.to_do(self.tx, step), about=step)

    def undo(self) -> Action:
        """Take back the last move."""
        self.clear()
        step = self.table.undo()
        if step is None:
            self.tell(self.tx("line", "There is no move to take back."))
            return Stay(BAD)
        self.tell(
            self.tx(
                "line",
                "Taken back: {name}, {move}. Put the table back as it was.",
                name=step.player.name,
                move=self.presentation.move_words(self.tx, step),
            )
        )
        return Stay(OK)

    def redo(self) -> Action:
        """Play again what was taken back."""
        step = self.table.redo()
        return Stay(BAD) if step is None else self.finish_move(step)


def turn_sentences(
    tx: Texts,
    presentation: AnyPresentation,
    position: AnyPosition,
    step: Step | None,
    lines: tuple[str, ...],
) -> tuple[Utterance, ...]:
    """Return what is said before anything is keyed: the last move or the lines, whose turn it is.

    The move comes first: a sentence that repeats is said again where another one went before.
    """
    said = presentation.said(tx, step) if step is not None else tuple(map(Utterance, lines))
    return (*said, *presentation.turn_said(tx, position))
