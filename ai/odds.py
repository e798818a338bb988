"""A model in place of a play-out's end: log-odds in whole numbers, and the chances they are."""

from math import exp
from typing import Any

CERTAIN = 65_536
"""A chance of one, as a model gives it."""
UNIT = 32_768
"""One of the log-odds in which a model adds up; they count from -8 to 8, in steps of 1/64."""
STEPS = 1024


def chances_by_step() -> list[int]:
    """Return the chances, of CERTAIN, of the log-odds from -8 to 8 in steps of 1/64."""
    return [round(CERTAIN / (1 + exp((STEPS / 2 - 0.5 - at) / 64))) for at in range(STEPS)]


class Short:
    """A table that is asked like any other, and plays so many moves; the outcome is a chance."""

    def __init__(self, table: Any, ahead: int) -> None:
        self._table = table
        self._ahead = ahead

    @property
    def moves(self) -> int:
        return int(self._table.moves)

    def try_move(self, root: Any, move: int, seed: int) -> int:
        return int(self._table.foresee(root, move, seed, self._ahead))


def share_of_chance(chance: int) -> float:
    """Return a chance of `Short` as a share of the win."""
    return chance / CERTAIN
