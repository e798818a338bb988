"""The open card of Einmaleins and the table of its numbers, and how cards are written."""

from functools import cache

from engines.einmaleins.cards import FREE, PAIRS, SQUARES, Pair
from engines.einmaleins.rules import EinmaleinsPosition
from pi_app.view.frame import Cell, Picture

COLUMNS = 7
"""Columns of the table of numbers in the picture."""
OPEN_CELL = "open"


def cards_picture(position: EinmaleinsPosition) -> Picture:
    """Return the open card, large, then every number card."""
    open_card = position.open
    note = announced_words(position)
    # only the number card of a square has the printed green corners, not a free card laid as one
    square = open_card.number in SQUARES and not open_card.free
    words = card_words(open_card.number, free=open_card.free)
    cell = Cell(OPEN_CELL, words, shade=2 if square else 0, note=note, large=True)
    return Picture("cards", COLUMNS, (cell, *_numbers()))


@cache
def _numbers() -> tuple[Cell, ...]:
    """Return a cell for every number card, squares darker."""
    return tuple(Cell(str(n), str(n), shade=2 if n in SQUARES else 1) for n in PAIRS)


def pair_words(pair: Pair | tuple[int, ...]) -> str:
    """Write factors as an announced task."""
    # the one factor of a square, such as 7 of 49, makes the task with itself
    return "×".join(map(str, pair if len(pair) > 1 else (*pair, *pair)))


def card_words(number: int, *, free: bool) -> str:
    """Write a card's number, with the sign of a free card that stands for it."""
    return f"{FREE if free else ''}{number}"


def announced_words(position: EinmaleinsPosition) -> str:
    """Write the open card's announced task, or all its factors if nobody announced it."""
    if position.open.pair is not None:
        return pair_words(position.open.pair)
    return ",".join(map(str, position.announced))
