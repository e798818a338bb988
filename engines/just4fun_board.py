"""The 6x6 board of Just 4 Fun: its numbers, and the rows of four on it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from engines.board import BoardError
from engines.notation import number

SIDE = 6
FIELDS = SIDE * SIDE
ROW = 4
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


@dataclass(frozen=True, slots=True)
class Board:
    """The numbers row by row, and the rows of four: each the four numbers, ascending.

    Sets of fields are ints with bit n set for the field numbered n. `rows_at[n]` are the
    rows through the field numbered n, as such sets; `rows_at[0]` is empty.
    """

    fields: tuple[int, ...]
    rows: tuple[tuple[int, ...], ...]
    rows_at: tuple[tuple[int, ...], ...]

    def complete(self, owned: int) -> list[list[int]]:
        """Return all rows of four within the set of fields `owned`, sorted."""
        return [list(row) for row in self.rows if all(owned >> field & 1 for field in row)]


def bits(fields: Iterable[int]) -> int:
    """Return the set of these fields as an int."""
    return sum(1 << field for field in fields)


@lru_cache(maxsize=16)
def board_of(fields: tuple[int, ...]) -> Board:
    """Make a board of 36 different numbers from 1 to 36, row by row."""
    rows = []
    for line in range(SIDE):
        for column in range(SIDE):
            for down, right in DIRECTIONS:
                places = [(line + down * i, column + right * i) for i in range(ROW)]
                if all(0 <= y < SIDE and 0 <= x < SIDE for y, x in places):
                    rows.append(tuple(sorted(fields[y * SIDE + x] for y, x in places)))
    rows.sort()
    rows_at = [tuple(bits(row) for row in rows if field in row) for field in range(FIELDS + 1)]
    return Board(fields, tuple(rows), tuple(rows_at))


def read_board(text: str) -> Board:
    """Read the words of a `BoardData` tag; ValueError with one sentence where it is no board."""
    words = text.split()
    if len(words) != FIELDS:
        raise ValueError(f"a board has {FIELDS} numbers, not {len(words)}")
    fields = []
    for word in words:
        field = number(word, FIELDS)
        if not field:
            raise ValueError(f"{word[:20]!r} is no number from 1 to {FIELDS}")
        if field in fields:
            raise ValueError(f"the number {field} is there twice")
        fields.append(field)
    return board_of(tuple(fields))


def board_data(table: Mapping[str, Any]) -> str:
    """Turn a board's TOML table into the text of `BoardData`; BoardError names what is wrong."""
    lines = table.get("fields")
    if not isinstance(lines, list) or len(lines) != SIDE:
        raise BoardError("fields", f"must be {SIDE} rows of {SIDE} numbers")
    for index, line in enumerate(lines):
        if not isinstance(line, list) or len(line) != SIDE:
            raise BoardError(f"fields[{index}]", f"must be a row of {SIDE} numbers")
    numbers = [value for line in lines for value in line]
    for index, value in enumerate(numbers):
        key = f"fields[{index // SIDE}][{index % SIDE}]"
        if type(value) is not int or not 1 <= value <= FIELDS:
            raise BoardError(key, f"must be a whole number from 1 to {FIELDS}")
        if value in numbers[:index]:
            raise BoardError(key, f"the number {value} is there twice")
    return " ".join(map(str, numbers))
