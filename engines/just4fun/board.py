"""The 6x6 board of Just 4 Fun: its numbers, and the rows of four on it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from engines.board import BoardError, BoardKind, cells_of_words, is_list, words_of_cells
from engines.notation import ImpossibleError, number
from engines.rows import DIRECTIONS

SIDE = 6
FIELDS = SIDE * SIDE
ROW = 4


@dataclass(frozen=True, slots=True)
class Board:
    """The numbers row by row, and every row of four as its numbers, ascending.

    A set of fields is an int with bit n for the field numbered n: `row_sets` are the rows as
    sets, `rows_at[n]` the rows through the field numbered n; `rows_at[0]` is empty.
    """

    fields: tuple[int, ...]
    rows: tuple[tuple[int, ...], ...] = field(compare=False, repr=False)
    row_sets: tuple[int, ...] = field(compare=False, repr=False)
    rows_at: tuple[tuple[int, ...], ...] = field(compare=False, repr=False)

    def complete(self, owned: int) -> list[list[int]]:
        """Return all rows of four within the set of fields `owned`, sorted."""
        if owned.bit_count() < ROW:
            return []
        sets = zip(self.rows, self.row_sets, strict=True)
        return [list(row) for row, row_set in sets if row_set & owned == row_set]


def bits(fields: Iterable[int]) -> int:
    """Return the set of these fields as an int."""
    return sum(1 << field for field in fields)


@lru_cache(maxsize=16)
def board_of(fields: tuple[int, ...]) -> Board:
    """Make a board of 36 different numbers from 1 to 36, row by row."""
    rows: list[tuple[int, ...]] = []
    for line in range(SIDE):
        for column in range(SIDE):
            for down, right in DIRECTIONS:
                places = [(line + down * i, column + right * i) for i in range(ROW)]
                if all(0 <= y < SIDE and 0 <= x < SIDE for y, x in places):
                    rows.append(tuple(sorted(fields[y * SIDE + x] for y, x in places)))
    rows.sort()
    rows_at = [tuple(bits(row) for row in rows if field in row) for field in range(FIELDS + 1)]
    return Board(fields, tuple(rows), tuple(bits(row) for row in rows), tuple(rows_at))


class Just4FunBoards(BoardKind[Board]):
    """Boards of 36 different numbers."""

    game = "just4fun"
    default = "kosmos-2006"
    key = "fields"
    least = most = FIELDS
    width = SIDE

    def make(self, words: Sequence[str]) -> Board:
        if len(words) != FIELDS:
            reason = f"a board has {FIELDS} numbers, not {len(words)}"
            raise BoardError(self.key, reason, "how-many-cells", most=FIELDS, n=len(words))
        for index, word in enumerate(words):
            objection = self.objection(words[:index], word)
            if objection:
                key = f"{self.key}[{index // SIDE}][{index % SIDE}]"
                raise BoardError(key, str(objection), objection.code, **objection.facts)
        return board_of(tuple(map(int, words)))

    def words(self, table: Mapping[str, Any]) -> tuple[str, ...]:
        lines = table.get(self.key)
        if not is_list(lines) or len(lines) != SIDE:
            reason = f"must be {SIDE} rows of {SIDE} numbers"
            raise BoardError(self.key, reason, "no-rows", most=SIDE)
        rows: list[list[object]] = []
        for index, line in enumerate(lines):
            if not is_list(line) or len(line) != SIDE:
                reason = f"must be a row of {SIDE} numbers"
                raise BoardError(f"{self.key}[{index}]", reason, "no-row", most=SIDE)
            rows.append(line)
        words = words_of_cells((value for row in rows for value in row), FIELDS)
        self.make(words)
        return words

    def to_file(self, words: Sequence[str]) -> list[Any]:
        cells = cells_of_words(words, FIELDS)
        return [cells[start : start + SIDE] for start in range(0, len(cells), SIDE)]

    def objection(self, words: Sequence[str], word: str) -> ImpossibleError | None:
        if not number(word, FIELDS):
            text = "must be a whole number from {least} to {most}"
            return ImpossibleError("no-number", text, least=1, most=FIELDS)
        if word in words:
            return ImpossibleError("there-twice", "the number {word} is there twice", word=word)
        return None


BOARD = Just4FunBoards()
