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
    # the middle of each step is transformed by the logistic function
    return [round(CERTAIN / (1 + exp((STEPS / 2 - 0.5 - step) / 64))) for step in range(STEPS)]


class Short:
    """A play-out that ends after `ahead` moves; its outcome is a chance."""

    def __init__(self, playout: Any, ahead: int) -> None:
        self._playout = playout
        self._ahead = ahead

    @property
    def moves(self) -> int:
        return int(self._playout.moves)

    def try_move(self, root: Any, move: int, seed: int) -> int:
        return int(self._playout.foresee(root, move, seed, self._ahead))


def share_of_chance(chance: int) -> float:
    """Return the outcome of a `Short` play-out as a share of the win."""
    return chance / CERTAIN
