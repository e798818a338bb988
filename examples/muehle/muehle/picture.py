"""The board of Nine Men's Morris: points for stones, and blanks between them."""

from beisitzer.plugin.presentation import Cell, Picture, Stroke, Texts, Token, stone_letters
from muehle.rules.board import COLUMNS, SIDE
from muehle.rules.position import MuehlePosition


def board_picture(tx: Texts, position: MuehlePosition) -> Picture:
    """Return the seven by seven cells with their stones; a stroke goes through each mill."""
    names = [f"{column}{row}" for row in range(SIDE, 0, -1) for column in COLUMNS]
    cells = tuple(_cell(tx, position, name) for name in names)
    strokes: list[Stroke] = []
    for mill in position.grid.mills:
        seats = {position.stones.get(point) for point in mill}
        seat = seats.pop()
        if seat is not None and not seats:
            strokes.append(Stroke(position.players[seat].colour, mill))
    return Picture("grid", SIDE, cells, tuple(strokes), lines=position.grid.mills)


def _cell(tx: Texts, position: MuehlePosition, name: str) -> Cell:
    if name not in position.grid.next_to:
        return Cell("", "")
    seat = position.stones.get(name)
    if seat is None:
        return Cell(name, name)
    colour = position.players[seat].colour
    return Cell(name, name, tokens=(Token(colour, stone_letters(tx, position.players)[seat]),))
