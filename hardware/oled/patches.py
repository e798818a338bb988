"""Which rectangles of a picture must be sent because they changed."""

import re
from dataclasses import dataclass

WIDTH = 128
PAGES = 8


@dataclass(frozen=True)
class Patch:
    """A rectangle to be sent: pages and columns, both from and up to (not including)."""

    page: int
    pages_end: int
    left: int
    right: int

    @property
    def size(self) -> int:
        """Its bytes."""
        return (self.pages_end - self.page) * (self.right - self.left)


def patches(old: bytes, new: bytes, *, windows: bool) -> list[Patch]:
    """Return the rectangles in which two pictures differ, few enough to be cheap to address.

    Addressing costs 10 bytes in a controller with windows, 7 in one that is told page and
    column: unchanged bytes between two changes are sent along where that is cheaper.
    """
    cost = 10 if windows else 7
    found: list[Patch] = []
    change = int.from_bytes(old, "little") ^ int.from_bytes(new, "little")
    changed = change.to_bytes(len(new), "little")
    for page in range(PAGES):
        start = page * WIDTH
        for run in _RUNS[cost].finditer(changed, start, start + WIDTH):
            patch = Patch(page, page + 1, run.start() - start, run.end() - start)
            _add(found, patch, cost if windows else -1)
    return found


_RUNS = {gap: re.compile(rb"[^\0]+(?:\0{1,%d}[^\0]+)*" % (gap - 1)) for gap in (7, 10)}
"""Changed bytes, and so many unchanged ones between them as cost less than a new address."""


def _add(found: list[Patch], new: Patch, cost: int) -> None:
    """Add a run, joined with one in the page above where one rectangle is cheaper than two."""
    for index, old in enumerate(found):
        if old.pages_end != new.page:
            continue
        left, right = min(old.left, new.left), max(old.right, new.right)
        both = Patch(old.page, new.pages_end, left, right)
        if both.size <= old.size + new.size + cost:
            found[index] = both
            return
    found.append(new)
