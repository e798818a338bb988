"""Points over a game on the OLED: a line for each player, told apart by its dashes."""

from itertools import pairwise

from hardware.framebuffer import Framebuffer
from hardware.type import LABEL
from pi_app.view.chart import highest, places
from pi_app.view.frame import Curve

_DASHES = (1, 2, 3, 5)
"""Every how many pixels of its line a player's curve has one: the first player's is solid."""

_LETTER = 7
"""Pixels for a letter at the right end."""


def paint_curves(
    canvas: Framebuffer, lines: tuple[Curve, ...], box: tuple[int, int, int, int]
) -> None:
    """Paint the curves into a box (left, top, width, height) of pixels.

    Each ends with the first letter of its player's name.
    """
    most = highest(lines)
    left, top, width, height = box
    canvas.hline(left, top + height - 1, width)
    for index, curve in enumerate(lines):
        dots = places(curve, most, (left, top, width - _LETTER, height))
        end = min(max(dots[-1][1] - 3, top), top + height - _LETTER)
        canvas.text(left + width - _LETTER + 2, end, curve.name[:1].upper(), LABEL)
        step = _DASHES[index % len(_DASHES)]
        for count, (x, y) in enumerate(_line(dots)):
            if count % step == 0:
                canvas.pixel(x, y)


def _line(dots: tuple[tuple[int, int], ...]) -> list[tuple[int, int]]:
    """Return every pixel of a line through these places."""
    pixels = list(dots[:1])
    for (x, y), (to_x, to_y) in pairwise(dots):
        steps = max(abs(to_x - x), abs(to_y - y), 1)
        pixels += [
            (x + (to_x - x) * step // steps, y + (to_y - y) * step // steps)
            for step in range(1, steps + 1)
        ]
    return pixels
