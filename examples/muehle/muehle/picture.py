"""The board of Nine Men's Morris: points where stones may stand, blanks between them."""

from beisitzer.plugin.presentation import Cell, Picture, Stroke, Texts, Token, stone_letters
from muehle.rules.board import COLUMNS, SIDE
from muehle.rules.position import MuehlePosition


def board_picture(tx: Texts, position: MuehlePosition) -> Picture:
    """Return the seven by seven points with their stones; closed mills are struck through."""
    names = [f"{column}{row}" for row in range(SIDE, 0, -1) for column in COLUMNS]
    cells = tuple(_cell(tx, position, name) for name in names)
    return Picture("grid", SIDE, cells, _mills(position), lines=position.grid.mills)


def _cell(tx: Texts, position: MuehlePosition, name: str) -> Cell:
    if name not in position.grid.next_to:
        return Cell("", "")
    seat = position.stones.get(name)
    if seat is None:
        return Cell(name, name)
    colour = position.players[seat].colour
    return Cell(name, name, tokens=(Token(colour, stone_letters(tx, position.players)[seat]),))


def _mills(position: MuehlePosition) -> tuple[Stroke, ...]:
    strokes = []
    for mill in position.grid.mills:
        seats = {position.stones.get(point) for point in mill}
        seat = seats.pop()
        if seat is not None and not seats:
            strokes.append(Stroke(position.players[seat].colour, mill))
    return tuple(strokes)
