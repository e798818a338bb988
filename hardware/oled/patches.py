"""Which rectangles of a picture must be sent because they changed."""

from collections.abc import Iterator
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
    for page in range(PAGES):
        start = page * WIDTH
        before, after = old[start : start + WIDTH], new[start : start + WIDTH]
        if before == after:
            continue
        for left, right in _runs(before, after, cost):
            _add(found, Patch(page, page + 1, left, right), cost if windows else -1)
    return found


def _runs(before: bytes, after: bytes, gap: int) -> Iterator[tuple[int, int]]:
    changed = [x for x, (was, now) in enumerate(zip(before, after, strict=True)) if was != now]
    left = last = changed[0]
    for x in changed[1:]:
        if x - last > gap:
            yield left, last + 1
            left = x
        last = x
    yield left, last + 1


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
