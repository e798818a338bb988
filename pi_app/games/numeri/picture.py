"""The track of numeri with its stones."""

from engines.numeri.board import LARGE
from engines.numeri.position import NumeriPosition
from pi_app.view.frame import Cell, Picture, Token

COLUMNS = 10
"""Fields in a row of the picture."""


def track_picture(position: NumeriPosition) -> Picture:
    """Return the fields from the first to the last, each with its value and its stone."""
    on_field = {
        field: Token(player.colour, str(stone))
        for seat, player in enumerate(position.players)
        for stone, field in enumerate(position.stones(seat), 1)
    }
    values = position.track.values
    most = max(values)
    cells = tuple(
        Cell(
            str(field),
            str(field),
            1 + 3 * value // most if value else 0,
            (on_field[field],) if field in on_field else (),
            note=str(value) if value else "",
            large=field > len(values) - LARGE,
        )
        for field, value in enumerate(values, 1)
    )
    return Picture("track", COLUMNS, cells)
