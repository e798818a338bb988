"""The board of Just 4 Fun with its stones."""

from functools import lru_cache

from engines.just4fun.board import standing
from engines.just4fun.rules import Just4Fun
from pi_app.texts.common import stone_letters
from pi_app.texts.language import Texts
from pi_app.view.frame import Cell, Mark, Picture, Token


def board_picture(tx: Texts, position: Just4Fun) -> Picture:
    """Return the fields row by row, stones on the side that faces their owner."""
    rows = position.result.facts.get("rows", ()) if position.result else ()
    winning = {field for row in rows for field in row}
    letters = stone_letters(tx, position.players)
    stones = tuple(
        (player.colour, letter) for player, letter in zip(position.players, letters, strict=True)
    )
    cells = tuple(
        _cell(field, stones, position.counts[field], winning=field in winning)
        for field in position.terms.board.fields
    )
    columns = 6
    return Picture("grid", columns, cells)


@lru_cache(maxsize=256)
def _cell(
    field: int,
    stones: tuple[tuple[str, str], ...],
    counts: tuple[int, ...],
    *,
    winning: bool,
) -> Cell:
    """Return a field; `stones` are each seat's colour and letter, `counts` its stones there."""
    secured = standing(counts).secured
    # the stones on a secured field are stacked in its middle, not on the owner's side
    tokens = tuple(
        Token(colour, letter, count, None if secured else seat_side(seat, len(stones)))
        for seat, ((colour, letter), count) in enumerate(zip(stones, counts, strict=True))
        if count
    )
    marks = set()
    if secured:
        marks.add(Mark.SECURED)
    if winning:
        marks.add(Mark.ROW)
    shade = min(4, 1 + field // 10)  # darker with every ten
    return Cell(str(field), str(field), shade, tokens, frozenset(marks))


def seat_side(seat: int, count: int) -> int:
    """Return the side of the table a seat faces, 0 to 3; two players sit opposite each other."""
    return seat * 2 if count == 2 else seat
