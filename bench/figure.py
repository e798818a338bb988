"""A measured figure, and measuring: the best of several rounds on a noisy machine.

A time budget is valid on any machine: it is a multiple of a yardstick, a fixed piece of plain
Python that is timed right before and after each round. The absolute figure is for information.
"""

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure; `plain` is the cost of plain use of the libraries in the same run.

    `ratio` is the value as a multiple of the yardstick or of a peer. `budget` limits the ratio, or
    the value if there is no ratio; it is a lower bound if `higher`, else an upper bound.
    """

    name: str
    value: float
    unit: str
    budget: float | None = None
    plain: float | None = None
    higher: bool = False
    ratio: float | None = None

    @property
    def within(self) -> bool | None:
        if self.budget is None:
            return None
        measured = self.value if self.ratio is None else self.ratio
        return measured >= self.budget if self.higher else measured <= self.budget

    @property
    def limit(self) -> float | None:
        """The budget in the value's unit on this machine."""
        if self.budget is None or self.ratio is None:
            return self.budget
        return self.budget * self.value / self.ratio

    def as_json(self) -> dict[str, object]:
        """Return the figure with the keys of bench.json; the budget is in the value's unit."""
        return {
            "name": self.name,
            "value": round(self.value, 4),
            "unit": self.unit,
            "budget": None if self.limit is None else round(self.limit, 4),
            "within": self.within,
            "plain": None if self.plain is None else round(self.plain, 4),
        }


class Timed(NamedTuple):
    """The fastest round in seconds, and the least multiple of the yardstick of any round."""

    seconds: float
    yards: float


def yard(clock: Callable[[], float] = time.process_time) -> float:
    """Measure the yardstick, a fixed piece of plain Python, in seconds: some 3 ms on a desktop."""
    best = float("inf")
    for _ in range(2):
        start, number, buffer = clock(), 0, {}
        for step in range(40_000):
            number = (number * 31 + step) & 0xFFFF
            buffer[number & 255] = step
        best = min(best, clock() - start)
    return best


def measure(act: Callable[[], object], rounds: int = 3) -> Timed:
    """Measure the CPU time of `act`, collecting garbage before each round."""
    results = []
    for _ in range(rounds):
        gc.collect()
        before, start = yard(), time.process_time()
        act()
        taken = time.process_time() - start
        results.append((taken, taken / min(before, yard())))
    return Timed(min(taken for taken, _ in results), min(yards for _, yards in results))
