"""Games of numeri with a die."""

from random import Random

from engines import numeri
from engines.game import Event, Setup
from engines.numeri.moves import STONES, NumeriMove
from engines.numeri.position import NumeriPosition


class NumeriDeal:
    """A game with its die."""

    def __init__(self, setup: Setup, rng: Random) -> None:
        self.position: NumeriPosition = numeri.begin(setup)
        self._rng = rng

    def given(self) -> int:
        return self._rng.randint(1, STONES)

    def hands(self) -> None:
        """Return None: nothing is hidden."""

    def play(self, move: NumeriMove) -> tuple[Event, ...]:
        self.position, events = self.position.play(move)
        return events
