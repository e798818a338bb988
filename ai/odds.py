"""A model replaces the end of a play-out: log-odds in whole numbers, and their chances."""

from math import exp
from typing import Any

CERTAIN = 65_536
"""The chance 1 in the whole numbers of a model."""
UNIT = 32_768
"""The log-odds 1 in the whole numbers of a model; they range from -8 to 8, in steps of 1/64."""
STEPS = 1024


def chances_by_step() -> list[int]:
    """Return the chances of the log-odds from -8 to 8 in steps of 1/64; CERTAIN is 1."""
    return [round(CERTAIN / (1 + exp((STEPS / 2 - 0.5 - at) / 64))) for at in range(STEPS)]


class Short:
    """A table whose play-outs end after `ahead` moves; their outcome is a chance."""

    def __init__(self, table: Any, ahead: int) -> None:
        self._table = table
        self._ahead = ahead

    @property
    def moves(self) -> int:
        return int(self._table.moves)

    def try_move(self, root: Any, move: int, seed: int) -> int:
        return int(self._table.foresee(root, move, seed, self._ahead))


def share_of_chance(chance: int) -> float:
    """Return the outcome of a `Short` play-out as a share of the win."""
    return chance / CERTAIN
