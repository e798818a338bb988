"""A figure with its budget; measures time on a noisy machine of any speed.

Budgets of time are those of the desktop for which they were set. On another machine they are
multiplied by its slowness: how much longer a fixed piece of plain Python takes there, timed right
before and after each round.
"""

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

DESKTOP_S = 0.0033
"""How long `plain_python` takes on the desktop for which the budgets were set."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure; `plain` is the cost of plain use of the libraries in the same run.

    `budget` is the most that `value` may be, or the least if `higher`.
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
            "budget": None if self.budget is None else round(self.budget, 4),
            "within": self.within,
            "plain": None if self.plain is None else round(self.plain, 4),
        }


class Timed(NamedTuple):
    """The seconds of a round, and how many times slower than the desktop the machine was then."""

    seconds: float
    slowness: float

    def figure_ms(self, name: str, budget_ms: float, plain_ms: float | None = None) -> Figure:
        """Return the figure in milliseconds; the budget is the desktop's."""
        return Figure(name, self.seconds * 1e3, "ms", budget_ms * self.slowness, plain_ms)


def plain_python() -> float:
    """Run a fixed piece of plain Python; return its CPU seconds, the better of two."""
    best = float("inf")
    for _ in range(2):
        start, number, buffer = time.process_time(), 0, {}
        for step in range(40_000):
            number = (number * 31 + step) & 0xFFFF
            buffer[number & 255] = step
        best = min(best, time.process_time() - start)
    return best


def slowness() -> float:
    """Return how many times slower this machine is than the desktop, just now."""
    return plain_python() / DESKTOP_S


def measure(
    act: Callable[[], object], rounds: int = 3, clock: Callable[[], float] = time.process_time
) -> Timed:
    """Measure `act`, by default its CPU time; return the best round for the machine's speed."""
    return measure_seconds(lambda: _clocked(act, clock), rounds)


def _clocked(act: Callable[[], object], clock: Callable[[], float]) -> float:
    start = clock()
    act()
    return clock() - start


def measure_seconds(act: Callable[[], float], rounds: int = 3) -> Timed:
    """Return the best round of an `act` that returns its own seconds."""
    results = []
    for _ in range(rounds):
        gc.collect()
        before = slowness()
        seconds = act()
        results.append(Timed(seconds, min(before, slowness())))
    return min(results, key=lambda each: each.seconds / each.slowness)


def most_memory_mib(process: int | str = "self") -> float:
    """Return the most resident memory that a process has had, in MiB."""
    status = Path(f"/proc/{process}/status").read_text("utf-8")
    # the "high water mark", in KiB; ru_maxrss would count the process that started this one
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024
