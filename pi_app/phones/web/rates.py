"""Limits of requests: rates (token buckets) and quotas of simultaneous requests."""

from collections.abc import Callable
from time import monotonic
from typing import NamedTuple

ADDRESS_LIMIT = 256


class Rate(NamedTuple):
    """A rate: how many a second in the long run, and how many at once after a pause."""

    a_second: float
    at_once: float


class Buckets:
    """A token bucket for each name; a name beyond ADDRESS_LIMIT replaces the oldest one."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._left: dict[str, tuple[float, float]] = {}
        """What was left in each bucket, and when; the bucket used last is the last one."""

    def peek(self, name: str) -> bool:
        """Tell whether the bucket has one."""
        return self._left_now(name, self._clock()) >= 1

    def _left_now(self, name: str, now: float) -> float:
        left, last = self._left.get(name, (self._rate.at_once, now))
        return min(self._rate.at_once, left + (now - last) * self._rate.a_second)

    def take(self, name: str) -> bool:
        """Take one out of the bucket; False if it is empty."""
        now = self._clock()
        left = self._left_now(name, now)
        self._left.pop(name, None)
        is_allowed = left >= 1
        self._left[name] = (left - 1 if is_allowed else left, now)
        if len(self._left) > ADDRESS_LIMIT:
            del self._left[next(iter(self._left))]
        return is_allowed


class Quota:
    """Places that are taken and given back: at most `each` for a name, `everybody` for all."""

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
