"""The contents of the box of Just 4 Fun: the 6x6 board with its rows of four, stones, cards."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from engines.board import DIRECTIONS, BoardKind, cells_of_words, is_list, words_of_cells
from engines.notation import Fault, number

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
            raise Fault("how-many-cells", self.key, most=FIELDS, n=len(words))
        for index, word in enumerate(words):
            objection = self.objection(words[:index], word)
            if objection:
                key = f"{self.key}[{index // SIDE}][{index % SIDE}]"
                raise Fault(objection.code, key, **objection.facts)
        return board_of(tuple(map(int, words)))

    def words(self, table: Mapping[str, Any]) -> tuple[str, ...]:
        lines = table.get(self.key)
        if not is_list(lines) or len(lines) != SIDE:
            raise Fault("no-rows", self.key, most=SIDE)
        rows: list[list[object]] = []
        for index, line in enumerate(lines):
            if not is_list(line) or len(line) != SIDE:
                raise Fault("no-row", f"{self.key}[{index}]", most=SIDE)
            rows.append(line)
        words = words_of_cells((value for row in rows for value in row), FIELDS)
        self.make(words)
        return words

    def to_file(self, words: Sequence[str]) -> list[Any]:
        cells = cells_of_words(words, FIELDS)
        return [cells[start : start + SIDE] for start in range(0, len(cells), SIDE)]

    def objection(self, words: Sequence[str], word: str) -> Fault | None:
        if not number(word, FIELDS):
            return Fault("no-number", least=1, most=FIELDS)
        if word in words:
            return Fault("there-twice", word=word)
        return None


BOARD = Just4FunBoards()

STONES = 20
"""Stones of each player (printed list of what is in the box)."""
LEAD = 2
"""Printed, "Zwei Steine Vorsprung schaffen Sicherheit": the lead that secures a field."""

Stones = tuple[int, ...]
"""The stones of each seat on one field."""
Counts = tuple[Stones, ...]
"""counts[field][seat]; counts[0] is unused."""


class Standing(NamedTuple):
    """The result of comparing the stones on one field.

    `stones` are those that stay; `owner` is the seat with the majority, or None; `secured` is
    set if its lead over everybody is LEAD; `barred` are the seats that may not place here.
    """

    stones: Stones
    owner: int | None
    secured: bool
    barred: tuple[int, ...]


@lru_cache(maxsize=4096)
def standing(stones: Stones) -> Standing:
    """Judge one field by its stones, one number a seat.

    Printed rules, "Spielende": the majority is at least one stone more than each other has.
    "Zwei Steine Vorsprung schaffen Sicherheit": nobody may place where another has at least
    two stones more than he has; and as soon as somebody has two more than every other, the
    field is his to the end, and all other stones there leave the game.
    """
    most, second = sorted(stones, reverse=True)[:2]
    secured = most - second >= LEAD
    return Standing(
        stones=tuple(n if n == most else 0 for n in stones) if secured else stones,
        owner=stones.index(most) if most > second else None,
        secured=secured,
        # stones that are about to leave count too, and their owner is barred either way
        barred=tuple(seat for seat, n in enumerate(stones) if most - n >= LEAD),
    )


# printed rule: four each of 1-12, one each of 13-19
DECK = {**dict.fromkeys(range(1, 13), 4), **dict.fromkeys(range(13, 20), 1)}
DECK_SIZE = sum(DECK.values())
HAND = 4

Hand = tuple[int, ...]
"""The values of the four cards in a hand, in any order."""

# Several cards are packed into one int with eight bits a value, which count its copies. There are
# at most the 55 cards of the deck and four of a move, so no count overflows.
CARD_BITS = 8
"""Bits of the count of each value in packed cards."""
LIFT = sum((127 - copies) << (CARD_BITS * card) for card, copies in DECK.items())
"""Added to such an int, it raises each count above the deck's to 128 or more."""


def pack_cards(cards: Iterable[int]) -> int:
    """Return these cards as one int."""
    return sum(1 << (CARD_BITS * card) for card in cards)


def marks_of(cards: Iterable[int]) -> int:
    """Return the top bit of the counts of these values, for `Piles.find_doubtful`."""
    return sum(128 << (CARD_BITS * card) for card in set(cards))
