"""The track of numeri with its stones."""

from dataclasses import replace
from functools import lru_cache

from engines.numeri.board import BARRIER, LARGE
from engines.numeri.rules import GAME, NumeriPosition
from pi_app.texts.common import stone_letters
from pi_app.texts.language import Texts
from pi_app.view.frame import Cell, Picture, Token

COLUMNS = 10
"""Fields in a row of the picture."""


def track_picture(tx: Texts, position: NumeriPosition) -> Picture:
    """Return the fields from the first to the last, each with its value and its stone."""
    cells = list(_free_cells(position.track.values, position.edition.barrier))
    letters = stone_letters(tx, position.players, GAME.colours)
    for seat, (player, letter) in enumerate(zip(position.players, letters, strict=True)):
        for stone, field in enumerate(position.stones(seat), 1):
            if field:  # 0: the stone is not in play
                cells[field - 1] = _place_stone(cells[field - 1], player.colour, stone, letter)
    return Picture("track", COLUMNS, tuple(cells))


@lru_cache(maxsize=4)
def _free_cells(values: tuple[int, ...], barrier: int | None) -> tuple[Cell, ...]:
    """Return the fields of a track without stones; cached, as a move changes only a few.

    A bar behind the value of a field is the barrier.
    """
    most = max(values)
    # shade 0 for a field that gives no points, 1 to 4 for the others, darker with the value
    return tuple(
        Cell(
            str(field),
            str(field),
            1 + 3 * value // most if value > 0 else 0,
            note=(str(value) if value else "") + (BARRIER if field == barrier else ""),
            large=field > len(values) - LARGE,
        )
        for field, value in enumerate(values, 1)
    )


@lru_cache(maxsize=256)
def _place_stone(field: Cell, colour: str, stone: int, letter: str) -> Cell:
    """Return a field with a stone on it."""
    return replace(field, tokens=(Token(colour, str(stone), letter=letter),))
