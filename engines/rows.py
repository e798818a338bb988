"""Straight rows on a grid of squares."""

from collections.abc import Callable

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Steps in row and column: across, down and both slanting ways."""


def longest_row(owns: Callable[[int, int], bool], row: int, column: int) -> int:
    """Return how many squares the longest row through a square has, in any direction.

    `owns(row, column)` says whether a square counts; it is False beyond the grid. The square
    itself always counts.
    """
    return max(
        1
        + _count_beyond(owns, row, column, down, right)
        + _count_beyond(owns, row, column, -down, -right)
        for down, right in DIRECTIONS
    )


def _count_beyond(
    owns: Callable[[int, int], bool], row: int, column: int, down: int, right: int
) -> int:
    count = 0
    while owns(row + down * (count + 1), column + right * (count + 1)):
        count += 1
    return count
