"""How much anybody may ask for: buckets that fill with time, for as many as are remembered."""

from collections.abc import Callable
from time import monotonic
from typing import NamedTuple

MOST_REMEMBERED = 256


class Rate(NamedTuple):
    """So many a second, and so many at once."""

    a_second: float
    at_once: float


class Buckets:
    """One bucket for each name. Names beyond MOST_REMEMBERED forget the one not seen longest."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, name: str) -> bool:
        """Take one out of the bucket; False if it is empty."""
        now = self._clock()
        left, then = self._left.pop(name, (self._rate.at_once, now))
        left = min(self._rate.at_once, left + (now - then) * self._rate.a_second)
        enough = left >= 1
        self._left[name] = (left - enough, now)
        if len(self._left) > MOST_REMEMBERED:
            del self._left[next(iter(self._left))]
        return enough


class Quota:
    """Quota that are taken and given back, so many for each name and so many for all."""

    def __init__(self, each: int, everybody: int) -> None:
        self._each = each
        self._everybody = everybody
        self._taken: dict[str, int] = {}

    def take(self, name: str) -> bool:
        """Take a place; False if there is none."""
        taken = self._taken.get(name, 0)
        if taken >= self._each or sum(self._taken.values()) >= self._everybody:
            return False
        self._taken[name] = taken + 1
        return True

    def give_back(self, name: str) -> None:
        self._taken[name] -= 1
        if not self._taken[name]:
            del self._taken[name]
