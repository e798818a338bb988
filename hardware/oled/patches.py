"""Finds the rectangles of a picture that must be sent because they changed."""

from typing import NamedTuple

WIDTH = 128
PAGES = 8


class Patch(NamedTuple):
    """A rectangle to be sent: pages and columns, both from and up to (not including)."""

    page: int
    pages_end: int
    left: int
    right: int

    @property
    def size(self) -> int:
        """Its bytes."""
        return (self.pages_end - self.page) * (self.right - self.left)


def find_patches(old: bytes, new: bytes, *, windows: bool) -> list[Patch]:
    """Return the rectangles in which two pictures differ, few enough to be cheap to address.

    Addressing costs 10 bytes in a controller with windows, 7 in one with pages and columns:
    unchanged bytes between two changes are sent too if that is cheaper.
    """
    cost = 10 if windows else 7
    change = int.from_bytes(old, "little") ^ int.from_bytes(new, "little")
    marks = change.to_bytes(len(new), "little").translate(_MARKS)
    done: list[Patch] = []
    runs_above: list[Patch] = []  # those that a run of the next page may join
    gap = bytes(cost)
    for page in range(PAGES):
        runs = _runs(marks[page * WIDTH : (page + 1) * WIDTH], page, gap)
        if windows and runs_above:
            runs = [_join(runs_above, patch, cost) for patch in runs]
        done += runs_above
        runs_above = runs
    return done + runs_above


_MARKS = bytes((0, *[1] * 255))
"""A translation that makes every byte with a change 1."""


def _runs(marks: bytes, page: int, gap: bytes) -> list[Patch]:
    """Return the runs of marks in a page, which include gaps shorter than `gap`."""
    runs = []
    start = marks.find(1)
    while start >= 0:
        end = marks.find(gap, start)
        if end < 0:
            # no gap follows: the run ends with the last mark (rstrip removes all zeros)
            end = len(marks.rstrip(gap))
        runs.append(Patch(page, page + 1, start, end))
        start = marks.find(1, end)
    return runs


def _join(above: list[Patch], new: Patch, cost: int) -> Patch:
    """Return a run, joined with one removed from `above` if one rectangle is cheaper."""
    for index, old in enumerate(above):
        left, right = min(old.left, new.left), max(old.right, new.right)
        joined_size = (new.pages_end - old.page) * (right - left)
        # `cost`: a rectangle of its own has to be addressed
        if joined_size <= old.size + new.size + cost:
            del above[index]
            return Patch(old.page, new.pages_end, left, right)
    return new
