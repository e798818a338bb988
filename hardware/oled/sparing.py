"""Protects the display: its pixels take turns, because pixels that are always lit burn in.

The picture moves between four places, so that a stroke one pixel wide, in any direction, is lit
half of the time. Thicker strokes would be lit in most places: every other pixel of these is dark,
in a chess-board pattern that changes with the place.
"""

from functools import lru_cache
from typing import Final

PLACES: Final = ((1, 1), (0, 1), (1, 0), (0, 0))
"""The places of the picture in turn, in pixels to the right and down."""

_WIDTH: Final = 128
_SIZE: Final = 1024
_DOWN: Final = bytes(byte << 1 & 255 for byte in range(256))
_OVER: Final = bytes(byte >> 7 for byte in range(256))
"""A column byte one pixel lower, and the pixel that passes to the page below."""
# every column of a page but the leftmost
_INSIDE: Final = int.from_bytes((bytes(1) + b"\xff" * (_WIDTH - 1)) * (_SIZE // _WIDTH), "little")
_EVEN: Final = int.from_bytes(b"\x55\xaa" * (_SIZE // 2), "little")
# shifted by a column: the byte beyond the end is cut off, the first column comes again
_BOARDS: Final = (_EVEN, _EVEN << 8 & (1 << 8 * _SIZE) - 1 | 0xAA)
"""The fields of a chess-board, in pages of column bytes, and the other fields."""


def _move(picture: int, right: int, down: int) -> int:
    """Return a picture of 128 by 64 pixels moved by one pixel; pixels beyond the edge are lost."""
    if right:
        # without the leftmost column: there the end of the page above would appear
        picture = picture << 8 & _INSIDE
    if down:
        data = picture.to_bytes(_SIZE, "little")
        over = bytes(_WIDTH) + data[:-_WIDTH].translate(_OVER)
        picture = int.from_bytes(data.translate(_DOWN), "little") | int.from_bytes(over, "little")
    return picture


@lru_cache(maxsize=2)
def spare_pixels(data: bytes, turn: int) -> bytes:
    """Return the pixels of a picture that are lit in a turn (from 0), in pages of column bytes."""
    picture = int.from_bytes(data, "little")
    places = [_move(picture, *place) for place in PLACES]
    first, second, third, fourth = places
    # lit in at least three of the four places
    thick = first & second & (third | fourth) | third & fourth & (first | second)
    # of a thick stroke every other pixel is dark, in turns
    lit = places[turn % len(PLACES)] & ~(thick & _BOARDS[turn % 2])
    return lit.to_bytes(_SIZE, "little")
