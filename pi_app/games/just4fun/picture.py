"""The board of Just 4 Fun with its stones."""

from engines.just4fun.position import Just4Fun
from pi_app.texts.common import colour_letter
from pi_app.texts.language import Texts
from pi_app.view.frame import Cell, Mark, Picture, Token


def board_picture(tx: Texts, position: Just4Fun) -> Picture:
    """Return the fields in the order of reading, stones on the side that faces their owner."""
    rows = position.result.facts.get("rows", ()) if position.result else ()
    winning = {field for row in rows for field in row}
    cells = tuple(_cell(tx, position, field, winning) for field in position.terms.board.fields)
    return Picture("grid", 6, cells)


def _cell(tx: Texts, position: Just4Fun, field: int, winning: set[int]) -> Cell:
    secured = position.secured(field)
    tokens = tuple(
        Token(
            player.colour,
            colour_letter(tx, player.colour),
            position.stones(field, seat),
            None if secured else seat_side(seat, len(position.players)),
        )
        for seat, player in enumerate(position.players)
        if position.stones(field, seat)
    )
    marks = set()
    if secured:
        marks.add(Mark.SECURED)
    if field in winning:
        marks.add(Mark.ROW)
    return Cell(str(field), str(field), min(4, 1 + field // 10), tokens, frozenset(marks))


def seat_side(seat: int, count: int) -> int:
    """Return the side of the table a seat faces: two players sit opposite each other."""
    return seat * 2 if count == 2 else seat
