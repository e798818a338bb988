"""The Sequence board: squares, lines and sequences as bit sets, cards, boards as data.

Squares are numbered 0 to 99, row by row. In a bit set, square n is bit 99 - n, so that the
binary digits of a set, read from the left, are the squares in their order.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from engines.board import BoardKind, is_list
from engines.notation import QUOTED, Fault

SIDE = 10
LENGTH = 5
"""Squares of a sequence."""
CORNER = "--"

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("S", "H", "D", "C")
CARDS = tuple(rank + suit for suit in SUITS for rank in RANKS)
CARD_BITS = {card: 1 << index for index, card in enumerate(CARDS)}
COPIES = 2
"""Copies of every card in the deck, and squares of every card but the jacks on the board."""
DECK = COPIES * len(CARDS)
TWO_EYED = frozenset({"JD", "JC"})
ONE_EYED = frozenset({"JS", "JH"})
"""Spades and hearts (ruling: as in standard decks)."""
JACKS = TWO_EYED | ONE_EYED

SQUARES = tuple(f"r{row}c{column}" for row in range(1, SIDE + 1) for column in range(1, SIDE + 1))
INDEX = {name: index for index, name in enumerate(SQUARES)}
BITS = tuple(1 << (SIDE * SIDE - 1 - index) for index in range(SIDE * SIDE))
CORNER_SQUARES = (0, SIDE - 1, SIDE * (SIDE - 1), SIDE * SIDE - 1)
CORNERS = sum(BITS[index] for index in CORNER_SQUARES)
PLACES = sum(BITS) & ~CORNERS
"""Every square a chip may lie on."""

_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (-1, 1))
"""Steps in row and column: horizontal, vertical, falling and rising diagonal."""


def bits_of(squares: Iterable[int]) -> int:
    """Return the bit set of these squares."""
    bits = 0
    for square in squares:
        bits |= BITS[square]
    return bits


def names_in(bits: int) -> tuple[str, ...]:
    """Return the names of the squares in a bit set, row first."""
    return tuple(name for name, bit in zip(SQUARES, BITS, strict=True) if bits & bit)


def _windows_through(square: int) -> tuple[tuple[int, ...], ...]:
    """Return every window that contains a square; a window is five squares in a line."""
    windows: list[tuple[int, ...]] = []
    for down, right in _DIRECTIONS:
        # the window that ends at the square comes first
        for back in range(LENGTH - 1, -1, -1):
            row, column = square // SIDE - back * down, square % SIDE - back * right
            ends = row, column, row + (LENGTH - 1) * down, column + (LENGTH - 1) * right
            if all(0 <= coordinate < SIDE for coordinate in ends):
                places = range(LENGTH)
                windows.append(tuple((row + i * down) * SIDE + column + i * right for i in places))
    return tuple(windows)


_THROUGH = tuple(_windows_through(square) for square in range(SIDE * SIDE))
THROUGH = tuple(tuple(bits_of(window) for window in windows) for windows in _THROUGH)
"""By square, every five in a line through it as a bit set, in the order of search."""
WINDOW_NAMES = {
    bits_of(window): tuple(SQUARES[square] for square in window)
    for windows in _THROUGH
    for window in windows
}
"""Every five in a line: its bit set and its squares, from the left or, vertical, from the top."""
_BY_ENDS = {frozenset((names[0], names[-1])): bits for bits, names in WINDOW_NAMES.items()}


def window_between(end: str, other_end: str) -> int | None:
    """Return the bit set of the five in a line with these two ends, or None."""
    return _BY_ENDS.get(frozenset((end, other_end)))


def turned_square(square: str, quarter_turns: int) -> str:
    """Return the place of a square after clockwise quarter turns of the board."""
    row, column = divmod(INDEX[square], SIDE)
    for _ in range(quarter_turns % 4):
        row, column = column, SIDE - 1 - row  # the top row becomes the right column
    return SQUARES[row * SIDE + column]


Sequences = tuple[tuple[int, ...], ...]
"""By team, the bit sets of its completed sequences in the order they were made."""


def share_two(squares: int, other_squares: int) -> bool:
    """Tell whether two sets of squares share two squares or more."""
    shared = squares & other_squares
    without_lowest = shared & (shared - 1)
    return without_lowest != 0


def candidates(covered: int, square: int, sequences: Sequence[int]) -> list[int]:
    """Return every five through a square that would be a new sequence, in the order of search.

    `covered` are the team's chips, `sequences` its earlier sequences.
    """
    open_squares = ~(covered | CORNERS)
    possible = [window for window in THROUGH[square] if not window & open_squares]
    return [
        window
        for window in possible
        if not any(share_two(window, earlier) for earlier in sequences)
    ]


def unnamed_fives(chips: int, sequences: Sequence[int]) -> list[int]:
    """Return every five in a line of a team's chips that could be named as a new sequence.

    Normal play leaves none; an entered position or a broken sequence may.
    """
    covered = chips | CORNERS
    # from one square of a line to the next; this is quick, but also finds lines around the edge
    if not any(
        covered & covered >> step & covered >> 2 * step & covered >> 3 * step & covered >> 4 * step
        for step in (1, SIDE - 1, SIDE, SIDE + 1)
    ):
        return []
    return [
        window
        for window in WINDOW_NAMES
        if not window & ~covered and not any(share_two(window, line) for line in sequences)
    ]


def new_sequences(
    covered: int, square: int, earlier: Sequence[int], chosen: int | None
) -> list[int]:
    """Return the sequences that a chip on this square makes, the chosen five first.

    Printed rule: the second sequence may share one field with an earlier one.
    """
    possible = candidates(covered, square, earlier)
    lines = [] if chosen is None else [chosen]
    for window in possible:
        if not any(share_two(window, other) for other in lines):
            lines.append(window)
    return lines


@dataclass(frozen=True, slots=True)
class Board:
    """A valid board: its 100 codes, row by row, and the squares of each card.

    `targets` are by card the squares on which it may place a chip, as a bit set: for a two-eyed
    jack every square but the corners, for a one-eyed jack no square.
    """

    codes: tuple[str, ...]
    targets: Mapping[str, int] = field(compare=False, repr=False)


@lru_cache(maxsize=16)
def make_board(codes: tuple[str, ...]) -> Board:
    """Return the board with these codes, row by row; Fault if it has a mistake.

    The corners, and only they, are `--`; every card but the jacks is there exactly twice.
    """
    if len(codes) != len(SQUARES):
        raise Fault("how-many-cells", "squares", most=len(SQUARES), n=len(codes))
    for index, code in enumerate(codes):
        # a corner in another place, or another code in a corner: exactly one of the two holds
        if (code == CORNER) is not (index in CORNER_SQUARES):
            fault = "corner" if code != CORNER else "no-corner"
            raise Fault(fault, "squares", square=SQUARES[index])
        if code != CORNER and (code not in CARDS or code in JACKS):
            raise Fault("no-board-card", "squares", square=SQUARES[index], word=code[:QUOTED])
    for card, times in Counter(codes).items():
        if card != CORNER and times != COPIES:
            raise Fault("not-twice", "squares", card=card, n=times)
    targets = {
        card: bits_of(index for index, code in enumerate(codes) if code == card) for card in CARDS
    }
    targets |= dict.fromkeys(TWO_EYED, PLACES)
    return Board(codes, targets)


class SequenceBoards(BoardKind[Board]):
    """Boards of ten by ten codes, which may be turned."""

    game = "sequence"
    default = "classic"
    key = "squares"
    least = most = SIDE * SIDE
    width = SIDE
    turns = True

    def make(self, words: Sequence[str]) -> Board:
        return make_board(tuple(words))

    def words(self, table: Mapping[str, Any]) -> tuple[str, ...]:
        rows = table.get(self.key)
        lines = [row for row in rows if isinstance(row, str)] if is_list(rows) else []
        if not is_list(rows) or not len(lines) == len(rows) == SIDE:
            raise Fault("no-rows", self.key, most=SIDE)
        codes = [line.split() for line in lines]
        for number, row in enumerate(codes, 1):
            if len(row) != SIDE:
                raise Fault("no-row-of", self.key, row=number, most=SIDE, n=len(row))
        return make_board(tuple(code for row in codes for code in row)).codes

    def to_file(self, words: Sequence[str]) -> list[Any]:
        return list(self.rows(words))

    def fixed_word(self, cell: int) -> str | None:
        return CORNER if cell in CORNER_SQUARES else None

    def objection(self, words: Sequence[str], word: str) -> Fault | None:
        if word in JACKS:
            return Fault("jack")
        # the word is for the next cell, which may be a corner
        if word not in CARDS and word != self.fixed_word(len(words)):
            return Fault("no-card", card=word[:QUOTED])
        if word != CORNER and words.count(word) >= COPIES:
            return Fault("there-twice", word=word)
        return None


BOARD = SequenceBoards()
