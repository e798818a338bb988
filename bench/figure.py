"""A measured figure, and how to measure: the best of several rounds on a noisy machine."""

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure; `plain` is what plain use of the libraries costs in the same run.

    `higher` says that more is better (moves a second); otherwise a budget is an upper bound.
    """

    name: str
    value: float
    unit: str
    budget: float | None = None
    plain: float | None = None
    higher: bool = False

    @property
    def within(self) -> bool | None:
        if self.budget is None:
            return None
        return self.value >= self.budget if self.higher else self.value <= self.budget

    def as_json(self) -> dict[str, object]:
        """Return the figure with the keys of bench.json."""
        return {
            "name": self.name,
            "value": round(self.value, 4),
            "unit": self.unit,
            "budget": self.budget,
            "within": self.within,
            "plain": None if self.plain is None else round(self.plain, 4),
        }


def cpu_s(act: Callable[[], object], rounds: int = 3) -> float:
    """Return the CPU seconds of the fastest of several rounds, garbage collected before each."""
    best = float("inf")
    for _ in range(rounds):
        gc.collect()
        start = time.process_time()
        act()
        best = min(best, time.process_time() - start)
    return best


def rate(act: Callable[[], int], rounds: int = 3) -> float:
    """Return how many things a second `act` does, which answers how many it did; the best."""
    best = 0.0
    for _ in range(rounds):
        gc.collect()
        start = time.perf_counter()
        done = act()
        best = max(best, done / (time.perf_counter() - start))
    return best
