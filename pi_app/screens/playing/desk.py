"""What every game's turn uses: the table, what is told, the frame of the position, playing."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar, cast

from engines.game import AnyPosition, Move, Refusal, Step
from pi_app.screens.base import BAD, TICK, Action, Push, Screen, Stay
from pi_app.screens.context import Context
from pi_app.settings.schema import HelpLevel
from pi_app.table.presentation import PRESENTATIONS, AnyPresentation
from pi_app.table.table import Table
from pi_app.texts.common import colour_word
from pi_app.texts.language import Texts
from pi_app.view.chart import ScoreHistory
from pi_app.view.frame import Board, Curve, Extras, Frame, Header, Mark, Picture, Played, Seat

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
        if table.damage is not None:
            lost = self.tx("line", "Damaged: move {n} on is lost. Key it again.", n=table.damage)
            self.notice = (lost, *self.notice)
        self.notice_top = 0
        """The first sentence of the notice that is shown."""
        self.notice_step: Step | None = table.steps[-1] if table.steps else None
        """The move that the notice describes."""
        self.answer: Callable[[str], Action] | None = None
        """Called with the token instead of playing it, if a screen only asks for a move."""
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

    # --- what is shown

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
            scored = self.table.game.score is not None
            frame = Frame(
                Header(player.name, player.colour, self.corner(), self.score(seats)),
                board=Board(
                    self.draw_board(), score_history=self.score_history if scored else None
                ),
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

    def score_history(self) -> tuple[Curve, ...]:
        """Return each player's points over the game so far."""
        positions = [self.table.start, *(step.after for step in self.table.steps)]
        return self._scores.curves(self.table.game, positions)

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

    # --- what a turn does

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
        return Push(TICK, screen=screen)
