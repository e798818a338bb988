"""The board of Nine Men's Morris: its points, and the lines of three on it.

A board is seven by seven cells, row by row from the top left: 0 is a blank, 1 a point, 2 a point
on a diagonal at a corner. The lines follow from the points: three points in a row or column are
one line, six are two, one on either side of the middle.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from beisitzer.plugin.rules import (
    BoardKind,
    Fault,
    cells_of_words,
    is_list,
    number,
    words_of_cells,
)

COLUMNS = "abcdefg"
SIDE = len(COLUMNS)
CELLS = SIDE * SIDE
MIDDLE = SIDE // 2
MILL = 3
"""Stones in a line that make a mill."""
ACROSS = 2

Mill = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Grid:
    """The points row by row from the top left, named as on a chess board, "a1" lower left.

    `stones` is the number each player has, `mills` are the lines of three.
    """

    points: tuple[str, ...]
    stones: int
    mills: tuple[Mill, ...] = field(compare=False, repr=False)
    next_to: Mapping[str, frozenset[str]] = field(compare=False, repr=False)
    mills_at: Mapping[str, tuple[Mill, ...]] = field(compare=False, repr=False)


def name_of(cell: int) -> str:
    """Return the name of a cell, counted row by row from the top left."""
    return f"{COLUMNS[cell % SIDE]}{SIDE - cell // SIDE}"


@lru_cache(maxsize=16)
def grid_of(cells: tuple[int, ...]) -> Grid:
    """Return the board with these cells, each 0, 1 or 2."""
    points = tuple(name_of(at) for at, cell in enumerate(cells) if cell)
    mills = tuple(_lines(cells))
    next_to: dict[str, set[str]] = {point: set() for point in points}
    for first, middle, last in mills:
        next_to[middle] |= {first, last}
        next_to[first].add(middle)
        next_to[last].add(middle)
    return Grid(
        points,
        # nine for 24 points; with diagonals people play with twelve
        len(points) // 2 if ACROSS in cells else len(points) * 3 // 8,
        mills,
        {point: frozenset(others) for point, others in next_to.items()},
        {point: tuple(mill for mill in mills if point in mill) for point in points},
    )


def _lines(cells: Sequence[int]) -> Iterator[Mill]:
    """Yield the lines of three: in rows, in columns, and the diagonals at the corners."""
    for row in range(SIDE):
        yield from _threes(cells, range(row * SIDE, (row + 1) * SIDE))
    for column in range(SIDE):
        yield from _threes(cells, range(column, CELLS, SIDE))
    for turn in (SIDE + 1, SIDE - 1):
        start = 0 if turn > SIDE else SIDE - 1
        way = [start + turn * step for step in range(SIDE)]
        for half in (way[:MIDDLE], way[MIDDLE + 1 :]):
            if all(cells[at] == ACROSS for at in half):
                yield _mill(half)


def _threes(cells: Sequence[int], line: Sequence[int]) -> Iterator[Mill]:
    """Yield a row's or column's lines: one, or one on either side of the middle."""
    points = [at for at in line if cells[at]]
    if len(points) == MILL:
        yield _mill(points)
    elif len(points) == 2 * MILL:
        yield _mill(points[:MILL])
        yield _mill(points[MILL:])


def _mill(cells: Iterable[int]) -> Mill:
    first, middle, last = map(name_of, cells)
    return first, middle, last


class MuehleBoards(BoardKind[Grid]):
    """Boards of seven by seven cells."""

    game = "muehle"
    default = "nine"
    package = "muehle"
    key = "cells"
    least = most = CELLS
    width = SIDE

    def make(self, words: Sequence[str]) -> Grid:
        if len(words) != CELLS:
            raise Fault("how-many-cells", self.key, most=CELLS, n=len(words))
        for at, word in enumerate(words):
            objection = self.objection(words[:at], word)
            if objection:
                key = f"{self.key}[{at // SIDE}][{at % SIDE}]"
                raise Fault(objection.code, key, **objection.facts)
        grid = grid_of(tuple(map(int, words)))
        if grid.stones < MILL:
            raise Fault("few-points", self.key, least=8)
        lonely = [point for point in grid.points if not grid.next_to[point]]
        if lonely:
            raise Fault("lonely-point", self.key, point=lonely[0])
        return grid

    def words(self, table: Mapping[str, Any]) -> tuple[str, ...]:
        rows = table.get(self.key)
        lines = [row for row in rows if is_list(row) and len(row) == SIDE] if is_list(rows) else []
        if not is_list(rows) or not len(rows) == len(lines) == SIDE:
            raise Fault("no-rows", self.key, most=SIDE)
        words = words_of_cells((cell for line in lines for cell in line), ACROSS)
        self.make(words)
        return words

    def to_file(self, words: Sequence[str]) -> list[Any]:
        cells = cells_of_words(words, ACROSS)
        return [cells[at : at + SIDE] for at in range(0, len(cells), SIDE)]

    def objection(self, words: Sequence[str], word: str) -> Fault | None:  # noqa: ARG002  # any may follow
        if number(word, ACROSS) is None:
            return Fault("no-number", least=0, most=ACROSS)
        return None


BOARD = MuehleBoards()
