"""What the companion thinks about its moves, outside the loop: when it is to move, and ahead.

While others are to move it searches moves for the positions that it will likely have to answer. It
does so exactly as it would do then, so it plays the same whether or not it has thought ahead.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from engines.game import Move
from pi_app.files.worker import Job, Worker
from pi_app.table.players import BotSeats
from pi_app.table.setup_draft import Strength
from pi_app.table.table import Table

log = logging.getLogger(__name__)

EFFORT_S = 1.0
"""How much it thinks about a move: `seconds` of `ai.GameAI.choose`."""
MOST_AHEAD = 24
"""For at most this many questions it searches answers ahead during one turn of others."""
KEPT = 48
"""How many answers it keeps."""


class MoveQuestion(NamedTuple):
    """What a move is searched for: everything that the answer depends on."""

    moves: int
    """How many moves were played before."""
    position: Any
    given: Any
    """The hand or the roll, as `legal` takes it."""
    strength: Strength


@dataclass(slots=True)
class Choice:
    """A search for a move."""

    question: MoveQuestion
    began: float
    """When, in seconds on the clock."""
    quick: Move | None = None
    """The best move so far."""
    best: Move | None = None
    """The move found in all the time; None before the end, or after a failure."""
    ended: bool = False
    """Whether the search is over."""
    job: Job | None = None


@dataclass(frozen=True, slots=True)
class Outlook:
    """What the companion knows while it waits; as long as it is the same, nothing is begun anew."""

    moves: int
    """How many moves were played."""
    position: Any
    strengths: Mapping[str, Strength]
    """Which seats the companion plays from the next move on, and how well."""
    hands: Mapping[int, tuple[str, ...]]
    """Its cards by its seats; empty in a game without cards."""
    roll: int | None = None
    """What the player to move has rolled; None: not yet, or there is no die."""
    announced: Move | None = None
    """The move that people play for it now."""


class Thoughts:
    """The companion's thinking at one table: about its move, and ahead of it.

    Its methods are called in the loop; what they begin works beside it.
    """

    def __init__(
        self,
        worker: Worker,
        clock: Callable[[], float],
        table: Table,
        bot_seats: BotSeats,
        dice: Sequence[int],
        hand_in: Callable[[Any, int, tuple[str, ...]], Any],
    ) -> None:
        """Think for `bot_seats`. `dice` is what a die can show; empty in a game without one.

        `hand_in(position, seat, cards)` returns cards as `legal` takes them; None if the seat would
        have more or fewer cards in this position.
        """
        self._worker = worker
        self._clock = clock
        self._table = table
        self._bot_seats = bot_seats
        self._dice = dice
        self._hand_in = hand_in
        self._choice: Choice | None = None
        self._outlook: Outlook | None = None
        """What it thinks ahead about, or has thought about to the end."""
        self._ahead: Job | None = None
        self._answers: tuple[tuple[MoveQuestion, Move], ...] = ()
        """The latest answers found ahead; replaced as a whole, because two threads use it."""

    # --- about its move

    def choose(self, given: Any) -> Choice | None:
        """Begin to search a move with this hand or roll; None if no companion is to move."""
        position = self._table.position
        strength = self._bot_seats.strength(position.players[position.seat].name)
        if strength is None:
            return None
        self.stop()
        question = MoveQuestion(len(self._table.steps), position, given, strength)
        choice = self._choice = Choice(question, self._clock())
        choice.best = self._answer(question)
        if choice.best is not None:
            choice.ended = True
            return choice

        def think(job: Job) -> Move:
            # first moves that are found fast: a busy machine may have no time for the full search
            for seconds in (0.0, EFFORT_S / 4):
                choice.quick = self._search(question, seconds, job.chance(self._seed(question)))
            return self._search(question, EFFORT_S, job.chance(self._seed(question)))

        def done(best: Move | None) -> None:
            choice.best, choice.ended = best, True

        choice.job = self._worker.begin(think, done)
        return choice

    def best_of(self, choice: Choice) -> Move | None:
        """End a search and return its move, or one that is found at once; None if that fails."""
        self.stop()
        if choice.best or choice.quick:
            return choice.best or choice.quick
        chance = Random(self._seed(choice.question))  # noqa: S311  # no secret
        try:
            return self._search(choice.question, 0.0, chance)
        except Exception as error:  # noqa: BLE001  # its text may name cards of a hand
            log.warning("the companion cannot choose: %s", type(error).__name__)
            return None

    def stop(self) -> None:
        """End all thinking; the answers found ahead stay."""
        if self._choice is not None and self._choice.job is not None:
            self._choice.job.drop()
        if self._ahead is not None:
            self._ahead.drop()
        self._choice = self._ahead = self._outlook = None

    def _seed(self, question: MoveQuestion) -> str:
        """Return the random seed; it is the same after a restart, and so is the move."""
        return f"{self._table.id}/{question.moves}"

    def _search(self, question: MoveQuestion, seconds: float, chance: Random) -> Move:
        from ai import AI  # imported only for a table with a bot seat

        ai = AI[self._table.game.name]
        _, position, given, strength = question
        move: Move = ai.choose(position, given, strength, seconds, chance)
        return move

    # --- ahead of its move

    def look_ahead(self, outlook: Outlook | None) -> None:
        """Search answers for what may come, unless that is being done; None ends it.

        Nothing is done without a loop: then nobody waits, and every job is done at once.
        """
        if outlook == self._outlook or not self._worker.has_loop:
            return
        if self._ahead is not None:
            self._ahead.drop()
        self._outlook, self._ahead = outlook, None
        if outlook is None:
            return

        def think(job: Job) -> None:
            for count, question in enumerate(self._questions(outlook, job)):
                if count == MOST_AHEAD:
                    return
                if self._answer(question) is None:
                    move = self._search(question, EFFORT_S, job.chance(self._seed(question)))
                    self._answers = (*self._answers[1 - KEPT :], (question, move))

        self._ahead = self._worker.begin(think, lambda _: None, idle=True)

    def _answer(self, question: MoveQuestion) -> Move | None:
        """Return the answer that was found ahead, or None."""
        return next((move for known, move in self._answers if known == question), None)

    def _questions(self, outlook: Outlook, job: Job) -> Iterator[MoveQuestion]:
        """Yield what the companion will likely have to answer, the likeliest first."""
        for moves, position in self._positions(outlook, job):
            seat = position.seat
            strength = outlook.strengths.get(position.players[seat].name)
            if position.result is not None or strength is None:
                continue
            givens: list[Any] = list(self._dice)
            if seat in outlook.hands:
                # None if it draws or loses a card first: nobody knows which
                hand = self._hand_in(position, seat, outlook.hands[seat])
                givens += [] if hand is None else [hand]
            for given in givens:
                yield MoveQuestion(moves, position, given, strength)

    def _positions(self, outlook: Outlook, job: Job) -> Iterator[tuple[int, Any]]:
        """Yield positions that may come, each with the number of moves before it."""
        from ai import AI
        from ai.foresight import imagine_hands, likely_positions

        position, moves = outlook.position, outlook.moves
        if outlook.announced is not None:
            yield moves + 1, position.play(outlook.announced)[0]
            return
        if position.players[position.seat].name in outlook.strengths:
            yield moves, position  # its roll is missing
            return
        ai, chance = AI[self._table.game.name], job.chance(moves)
        givens = self._dice if outlook.roll is None else (outlook.roll,)
        if not givens:
            own = self._own_hand(outlook)
            givens = [] if own is None else imagine_hands(ai, position, own, chance)
        for after in likely_positions(ai, position, givens, chance):
            yield moves + 1, after

    def _own_hand(self, outlook: Outlook) -> Any:
        """Return the hand of its seat that is the next to move; None if that is not known.

        No other hand of the companion counts: each of its seats knows its own cards only.
        """
        position = outlook.position
        players = len(position.players)
        seats = ((position.seat + step) % players for step in range(1, players))
        seat = next((seat for seat in seats if seat in outlook.hands), None)
        return None if seat is None else self._hand_in(position, seat, outlook.hands[seat])
