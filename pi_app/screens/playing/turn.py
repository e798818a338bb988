"""What all turn screens share: undo, the menu, what to do after a move, the end of the game."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from engines.game import AnyPosition, Move, Refusal, Step
from hardware.keys import Key
from pi_app.screens.base import (
    BAD,
    OK,
    TICK,
    TURN,
    WIN,
    Action,
    DeclinedError,
    Open,
    Pop,
    Push,
    Screen,
    Stay,
)
from pi_app.screens.bot.seat import OwnTurn
from pi_app.screens.context import Context
from pi_app.settings.schema import HelpLevel
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
from pi_app.view.keying import DIGITS, Wheel
from pi_app.view.reading import read_out

LAST = 8
"""How many of the last moves a display with room lists."""


@dataclass(slots=True)
class _PositionCache:
    """The parts of a turn's frame that change with the position only, not with each key."""

    position: AnyPosition
    tx: Texts
    moves: dict[int, tuple[Step, Played]]
    """The last moves, each with its words, by their index in the game."""
    picture: Picture
    frame: Frame


class TurnScreen(Screen):
    """Takes the keys of a turn. A subclass adds `key`, `keying`, `clear` and `turn_frame`."""

    def __init__(self, ctx: Context, table: Table) -> None:
        super().__init__(ctx)
        self.table = table
        self.presentation: AnyPresentation = PRESENTATIONS[table.game.name]
        self.notice: tuple[str, ...] = ()
        """Sentences shown until the next move is keyed."""
        if not table.steps:
            self.notice = self.presentation.opening_notice(self.tx, table.start, table.tags)
        if table.damage is not None:
            lost = self.tx("line", "Damaged: move {n} on is lost. Key it again.", n=table.damage)
            self.notice = (lost, *self.notice)
        self.notice_top = 0
        """The first sentence of the notice that is shown."""
        self.notice_step: Step | None = table.steps[-1] if table.steps else None
        """The move that the notice describes."""
        self.answer: Callable[[str], Action] | None = None
        """Called with the token instead of playing it, if a screen only asks for a move."""
        self._cache: _PositionCache | None = None
        self._scores = ScoreHistory()
        self._help: tuple[AnyPosition, HelpLevel] | None = None
        """A position and the help level of its player to move, cached."""
        self.bot_turn: OwnTurn | None = None
        """Shows and plays the companion's turns; None if it has no seat."""

    def close(self) -> None:
        if self.bot_turn is not None:
            self.bot_turn.close()

    def deadline(self) -> float | None:
        return None if self.bot_turn is None else self.bot_turn.deadline()

    def expire(self) -> Action:
        return Stay() if self.bot_turn is None else self.bot_turn.expire()

    @property
    def help(self) -> HelpLevel:
        """The help level of the player to move, as it was when the turn began."""
        position = self.table.position
        if self._help is None or self._help[0] is not position:
            self._help = position, self.ctx.help_level(self.title())
        return self._help[1]

    @abstractmethod
    def key(self, key: Key) -> Action:
        """Act on a key other than MENU and held BACK."""

    @abstractmethod
    def clear(self) -> None:
        """Discard what has been keyed so far."""

    @abstractmethod
    def keying(self) -> bool:
        """Whether something is keyed: then held BACK clears it instead of taking back a move."""

    def has_question(self) -> bool:
        """Whether people must answer a question about the position before any move."""
        return False

    @property
    def _shown_bot_turn(self) -> OwnTurn | None:
        """The companion's part of the turn; None while something is keyed or must be answered."""
        return None if self.keying() or self.has_question() else self.bot_turn

    @abstractmethod
    def turn_frame(self) -> Frame:
        """Return the `bare` frame with the keyed text, or with the notice of the last move."""

    def corner(self) -> str:
        """Return the text next to the name, for displays without room for shape and score."""
        position = self.table.position
        return colour_word(self.tx, position.players[position.seat].colour)

    def title(self) -> str:
        """Return the name of the player to move."""
        player = self.table.position.to_move
        return "" if player is None else player.name

    def frame(self) -> Frame:
        tx, keying = self.tx, self.keying()
        bot_frame = None
        if (bot_turn := self._shown_bot_turn) is not None:
            bot_frame = bot_turn.frame(self.bare(), self.notice)
        frame = bot_frame or self.turn_frame()
        if self.answer is None and (keying or self.table.can_undo):
            label = tx("soft", "clear") if keying else tx("soft", "undo")
            hold = SoftKey(Key.BACK_HELD, label, spare=True, sign=tx("word", "C long"))
            frame = replace(frame, keys=frame.keys.with_keys(hold))
        if bot_frame is not None or not self.ctx.speaks:
            return frame  # the companion's turn has sentences of its own
        return replace(frame, speech=self.speech(frame))

    def bare(self, picture: Picture | None = None) -> Frame:
        """Return the cached part of the frame, which depends on the position only.

        `picture` replaces the position's picture.
        """
        frame = self._position_cache().frame
        if picture is None:
            return frame
        return replace(frame, board=replace(frame.board, picture=picture))

    def speech(self, frame: Frame) -> Speech:
        """Return a function that makes this frame's sentences; called while a voice is on.

        It reads out what has been keyed, unless a game overrides it.
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
        """Return the cached parts of the frame, computed once per position and language."""
        position, tx = self.table.position, self.tx
        cache = self._cache
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
            picture = self.draw_board()
            player = position.players[position.seat]
            seats = self.presentation.current_seats(tx, position)
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

    def score_history(self) -> tuple[Curve, ...]:
        """Return each player's points over the game so far."""
        positions = [self.table.start, *(step.after for step in self.table.steps)]
        return self._scores.curves(self.table.game, positions)

    def score(self, seats: tuple[Seat, ...]) -> str:
        """Return each seat's deciding number, such as points, beginning with the seat to move."""
        position = self.table.position
        first = position.seat if position.result is None else 0  # at the end nobody is to move
        numbers = [seat.score for seat in seats[first:] + seats[:first]]
        return ":".join(numbers) if all(numbers) else ""  # a game without numbers has no score

    def draw_board(self) -> Picture:
        """Draw the board with the last move marked; called once per position."""
        changed = self.table.steps[-1].places if self.table.steps else ()
        return self.presentation.picture(self.tx, self.table.position).with_mark(Mark.LAST, changed)

    def cached_picture(self) -> Picture:
        """Return the picture that `draw_board` made for this position."""
        return self._position_cache().picture

    def wheel(self) -> Wheel | None:
        bot_turn = self._shown_bot_turn
        if bot_turn is not None and bot_turn.frame(self.bare(), self.notice) is not None:
            return None  # the companion's turn: its frame says what may be keyed
        return self.turn_wheel()

    def turn_wheel(self) -> Wheel | None:
        """Return what a dial chooses from in a person's turn; None: as on every screen.

        A game that says nothing gets single digits, except where there is a list or a die.
        """
        frame = self.turn_frame()
        return None if frame.body.choices is not None or frame.keys.dice else DIGITS

    def press(self, key: Key) -> Action:
        if self.answer is not None:
            if key in (Key.MENU, Key.MENU_HELD, Key.BACK_HELD):
                return Pop(TICK)
            action = self.key(key)
            # BACK with nothing to delete leaves the screen
            return Pop(TICK) if key is Key.BACK and action == Stay(BAD) else action
        if key in (Key.MENU, Key.MENU_HELD):
            return Open((), "menu", table=self.table)
        if key is Key.BACK_HELD:
            if not self.keying():
                return self.undo()
            self.clear()
            return Stay(TICK)
        if (bot_turn := self._shown_bot_turn) is not None:
            answer = bot_turn.key(key)
            if answer is not None:  # else a person is to move
                return answer
        return self.key(key)

    def play(self, move: Move) -> Action:
        """Play a legal move and show what to do at the table."""
        if self.answer is not None:
            return self.answer(move.token)
        return self.finish_move(self.table.play(move))

    def play_from_phone(self, move: Move) -> Action:
        """Play a move from a phone; keep what is keyed here if it still means the same."""
        restore_keyed = self.save_keyed()
        action = self.play(move)
        restore_keyed()
        return action

    def undo_from_phone(self) -> Action:
        """Take back a move for a phone; keep what is keyed here if it still means the same."""
        restore_keyed = self.save_keyed()
        action = self.undo()
        restore_keyed()
        return action

    def save_keyed(self) -> Callable[[], None]:
        """Return a function that restores, in another position, what is keyed now.

        By default it restores nothing: what is keyed, such as a roll, belongs to one turn.
        """
        return self.clear

    def open_part(self, screen: Screen) -> Action:
        """Open a screen that belongs to this turn."""
        screen.ends_with_turn = True
        return Push(TICK, screen=screen)

    def judge(self, token: str) -> Move:
        """Return a move that was entered on a phone; DeclinedError if it is not legal now."""
        move = self.table.judge(token)
        if isinstance(move, Refusal):
            raise DeclinedError(self.presentation.words.refusal(self.tx, move))
        return move

    def play_token(self, token: str) -> Action:
        """Play a token if it is legal."""
        move = self.table.judge(token)
        return Stay(BAD) if isinstance(move, Refusal) else self.play(move)

    def finish_move(self, step: Step) -> Action:
        """Show what to do at the table after the move just played, or the result."""
        self.clear()
        self.tell_move(step)
        if step.after.result is not None:
            return Open(WIN, "table", table=self.table)
        return Stay(self.signals_of(step))

    def signals_of(self, step: Step) -> tuple[Signal, ...]:
        """Return the signals for a move that counts and does not end the game."""
        next_player = step.after.to_move
        turn_passes = next_player is not None and next_player.name != step.player.name
        return OK + TURN if turn_passes else OK

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

    def tell_move(self, step: Step) -> None:
        """Show what to do at the table after a move."""
        self.tell(*self.presentation.moves.to_do(self.tx, step), about=step)

    def undo(self) -> Action:
        """Take back the last move, or the last edit of the history."""
        self.clear()
        undone = self.table.undo()
        if undone is None:
            self.tell(self.tx("line", "There is no move to take back."))
            return Stay(BAD)
        if isinstance(undone, Step):
            self.show_undone(undone)
            return Stay(OK)
        return self._show_edit(self.tx("line", "The change of the moves is taken back."))

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

    def _show_edit(self, line: str) -> Action:
        """Show what to do at the table after an edit was undone or redone, or the result."""
        if self.table.position.result is not None:
            return Open(OK, "table", table=self.table)
        self.tell(line, self.tx("line", "Compare the table with the board."))
        return Stay(OK)

    def redo(self) -> Action:
        """Redo the move or the edit that was taken back last."""
        redone = self.table.redo()
        if redone is None:
            return Stay(BAD)
        if isinstance(redone, Step):
            return self.finish_move(redone)
        self.clear()
        return self._show_edit(self.tx("line", "The moves are changed again."))


def turn_sentences(
    tx: Texts,
    presentation: AnyPresentation,
    position: AnyPosition,
    step: Step | None,
    lines: tuple[str, ...],
) -> tuple[Utterance, ...]:
    """Return the speech before anything is keyed: the last move or the lines, then whose turn.

    The move comes first: a repeated sentence is spoken again only if another one came before it.
    """
    news = tuple(map(Utterance, lines)) if step is None else presentation.moves.speech(tx, step)
    return (*news, *presentation.turn_speech(tx, position))
