"""Points over a game on the OLED: a line for each player, each with its own dashes."""

from itertools import pairwise

from hardware.framebuffer import Framebuffer
from hardware.typefaces import LABEL
from pi_app.view.chart import dots_of, edges, highest, ticks, turning_points
from pi_app.view.frame import Curve

_DASHES = (1, 2, 3, 5)
"""For each player: every how many pixels of its line are lit. The first player's is solid."""

_BAND = 4
"""Every how many pixels of a band's edge are lit."""

_LETTER = 7
"""Pixels for a letter at the right end."""

_NUMBERS = 8
"""Pixel rows for the numbers of the moves below the line."""


def paint_curves(
    canvas: Framebuffer, lines: tuple[Curve, ...], box: tuple[int, int, int, int]
) -> None:
    """Paint the curves into a box (left, top, width, height) of pixels.

    The points are numbered at the left, the moves below. Each curve ends with the first letter
    of its player's name.
    """
    most = highest(lines)
    moves = len(lines[0].points) - 1  # the first points are those at the start
    left, top, width, height = box
    numbers_width = LABEL.width(str(most)) + 3
    left, width, height = left + numbers_width, width - numbers_width, height - _NUMBERS
    canvas.hline(left, top + height - 1, width)
    for value in ticks(most, height // (2 * _NUMBERS)):
        y = top + height - 1 - value * (height - 1) // most
        canvas.hline(left - 1, y, 1)
        text = str(value)
        canvas.text(left - 2 - LABEL.width(text), max(top, y - _NUMBERS // 2), text, LABEL)
    for move in ticks(max(1, moves), 5):
        x = left + move * (width - _LETTER - 1) // max(1, moves)
        canvas.vline(x, top + height, 1)
        text = str(move)
        canvas.text(x - LABEL.width(text) // 2, top + height + 2, text, LABEL)
    inner = (left, top, width - _LETTER, height)
    paths = [dots_of(curve, most, inner) for curve in lines]
    # 2: from a curve's last point to the top of a letter centred on it
    ends = _spread_out([dots[-1][1] - 2 for dots in paths], top, top + height - _LETTER)
    for index, (curve, dots) in enumerate(zip(lines, paths, strict=True)):
        step = _DASHES[index % len(_DASHES)]
        for edge in edges(curve, most, inner):
            for x, y in _line_pixels(edge)[::_BAND]:
                canvas.pixel(x, y)
        for count, (x, y) in enumerate(_line_pixels(dots)):
            if count % step == 0:
                canvas.pixel(x, y)
    for curve, end in zip(lines, ends, strict=True):
        for x, y in turning_points(curve, most, inner):
            # beside the letters and below the upper edge even for the last or highest point
            _draw_arrow(canvas, min(x, left + width - _LETTER - 4), max(top + 3, y - 3))
        canvas.text(left + width - _LETTER + 2, end, curve.name[:1].upper(), LABEL)


def _draw_arrow(canvas: Framebuffer, x: int, tip: int) -> None:
    """Draw an arrow down to a place, on dark ground so that it stands out."""
    canvas.rect(x - 3, tip - 4, 7, 5, on=False)
    for row in range(3):
        canvas.hline(x - row, tip - row, 2 * row + 1)


def _spread_out(wanted: list[int], top: int, bottom: int) -> list[int]:
    """Return letters' rows as near as possible to the wanted ones, without overlaps."""
    rows = list(wanted)
    order = sorted(range(len(wanted)), key=wanted.__getitem__)
    # letters are a row closer than _LETTER; downwards first, then up from the bottom
    above = top - _LETTER + 1  # the row of the letter above
    for index in order:
        above = rows[index] = max(wanted[index], above + _LETTER - 1)
    below = bottom + _LETTER - 1  # the row of the letter below
    for index in reversed(order):
        below = rows[index] = min(rows[index], below - _LETTER + 1)
    return rows


def _line_pixels(dots: tuple[tuple[int, int], ...]) -> list[tuple[int, int]]:
    """Return every pixel of a line through these places."""
    pixels = list(dots[:1])  # each step below leaves out the place that it starts from
    for (x, y), (to_x, to_y) in pairwise(dots):
        steps = max(abs(to_x - x), abs(to_y - y), 1)
        pixels += [
            (x + (to_x - x) * step // steps, y + (to_y - y) * step // steps)
            for step in range(1, steps + 1)
        ]
    return pixels
