"""The search for the companion's move, outside the loop."""

import logging
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from engines.game import Move
from pi_app.screens.context import Context
from pi_app.system.worker import Job
from pi_app.table.players import BotSeats
from pi_app.table.setup_draft import Strength
from pi_app.table.table import Table

log = logging.getLogger(__name__)

EFFORT_S = 1.0
"""How long it thinks about a move, in seconds of this machine's processor."""


class MoveQuestion(NamedTuple):
    """The input of a search for a move: everything that the answer depends on."""

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


class Thoughts:
    """Searches the companion's moves at one table.

    Its methods are called in the loop; a search runs beside it.
    """

    def __init__(self, ctx: Context, table: Table, bot_seats: BotSeats) -> None:
        self._ctx = ctx
        self._table = table
        self._bot_seats = bot_seats
        self._choice: Choice | None = None

    def choose(self, given: Any) -> Choice | None:
        """Begin to search a move with this hand or roll; None if no companion is to move."""
        position = self._table.position
        strength = self._bot_seats.strength(position.players[position.seat].name)
        if strength is None:
            return None
        self.stop()
        question = MoveQuestion(len(self._table.steps), position, given, strength)
        choice = self._choice = Choice(question, self._ctx.clock())

        def think(job: Job) -> Move:
            # first moves that are found fast: a busy machine may have no time for the full search
            from ai.pace import looks_in  # imported only for a table with a bot seat

            choice.quick = self._search(question, 0, job.chance(self._seed(question)))
            looks = looks_in(self._table.game.name, EFFORT_S)
            choice.quick = self._search(question, looks // 4, job.chance(self._seed(question)))
            return self._search(question, looks, job.chance(self._seed(question)))

        def done(best: Move | None) -> None:
            choice.best, choice.ended = best, True

        choice.job = self._ctx.worker.begin(think, done)
        return choice

    def best_of(self, choice: Choice) -> Move | None:
        """End a search and return its move, or one that is found at once; None if that fails."""
        self.stop()
        if choice.best or choice.quick:
            return choice.best or choice.quick
        chance = Random(self._seed(choice.question))  # noqa: S311  # no secret
        try:
            return self._search(choice.question, 0, chance)
        except Exception as error:  # noqa: BLE001  # its text may name cards of a hand
            log.warning("the companion cannot choose: %s", type(error).__name__)
            return None

    def stop(self) -> None:
        """End the search, if there is one."""
        if self._choice is not None and self._choice.job is not None:
            self._choice.job.drop()
        self._choice = None

    def _seed(self, question: MoveQuestion) -> str:
        """Return the random seed; it is the same after a restart, and so is the move."""
        return f"{self._table.id}/{question.moves}"

    def _search(self, question: MoveQuestion, looks: int, chance: Random) -> Move:
        from ai import AI  # as above

        ai = AI[self._table.game.name]
        _, position, given, strength = question
        move: Move = ai.choose(position, given, strength, looks, chance)
        return move
