"""Games of numeri with a die."""

from collections.abc import Sequence
from random import Random

from engines.game import Event, Setup
from engines.numeri.notation import SIDES, NumeriMove
from engines.numeri.rules import NumeriPosition, begin


class NumeriDeal:
    """A game with its die; `rolled` are past rolls and, from index `turn` on, coming ones."""

    rolls: Sequence[int] = range(1, SIDES + 1)
    position: NumeriPosition

    def __init__(self, position: NumeriPosition, rolled: list[int], turn: int, rng: Random) -> None:
        self.position = position
        # copies share it, so that they roll alike
        self._rolled = rolled
        self._turn = turn
        self._rng = rng

    def given(self) -> int:
        while self._turn >= len(self._rolled):
            self._rolled.append(self._rng.choice(self.rolls))
        return self._rolled[self._turn]

    def hands(self) -> None:
        """Return None: nothing is hidden."""

    def play(self, move: NumeriMove) -> tuple[Event, ...]:
        self.position, events = self.position.play(move)
        self._turn += 1
        return events

    def copy(self) -> "NumeriDeal":
        return NumeriDeal(self.position, self._rolled, self._turn, self._rng)


def deal(setup: Setup, rng: Random) -> NumeriDeal:
    """Begin a game."""
    return resume(begin(setup), None, rng)


def resume(position: NumeriPosition, given: int | None, rng: Random) -> NumeriDeal:
    """Return a deal at this position; `given` is the roll, None before it."""
    return NumeriDeal(position, [] if given is None else [given], 0, rng)
