"""Statistics as drawings for files: a board with its shades, numbers and a scale; curves."""

from __future__ import annotations

from pi_app.view.chart import highest, places, ticks
from pi_app.view.drawing import Drawing, Line, Plate, Words
from pi_app.view.frame import Cell, Curve, Picture

SHADES = ("#f4f1e8", "#cde4f4", "#92c1e5", "#4f8ac4", "#23538c")
"""From the least to the most: the printed blues, as the window has them."""
_INK = "#161a20"
_LIGHT = "#ffffff"
_EDGE = "#161a20"
_PALE = "#606770"
_MARGIN = 30
_HEAD = 60
_FOOT = 56
_WIDE = 720
"""The board's width in pixels."""
_CHART = (960, 540)
_COLOURS = {
    "yellow": "#b58900",
    "red": "#c0392b",
    "white": "#707070",
    "pink": "#d33682",
    "green": "#2e7d32",
    "blue": "#1f5fa8",
}


def draw_heat(picture: Picture, title: str) -> Drawing:
    """Return a heat map with its title, and what its shades mean below."""
    columns = max(1, picture.columns)
    rows = -(-len(picture.cells) // columns)
    edge = _WIDE // columns
    board = edge * columns
    drawing = Drawing(board + 2 * _MARGIN, _HEAD + rows * edge + _FOOT)
    drawing.parts.append(Words(_MARGIN, _HEAD / 2, 20, title, _INK, "start"))
    for index, cell in enumerate(picture.cells):
        if cell.name:
            row, column = divmod(index, columns)
            _draw_cell(drawing, cell, _MARGIN + column * edge, _HEAD + row * edge, edge)
    _draw_scale(drawing, picture, _HEAD + rows * edge + _FOOT / 2)
    return drawing


def _ink(cell: Cell) -> str:
    return _LIGHT if cell.shade >= len(SHADES) - 1 else _INK


def _draw_cell(drawing: Drawing, cell: Cell, x: float, y: float, edge: float) -> None:
    gap = max(1.0, edge / 40)
    inner = edge - 2 * gap
    fill = SHADES[cell.shade]
    drawing.parts.append(Plate(x + gap, y + gap, inner, inner, fill, _EDGE, edge / 12))
    middle = x + edge / 2
    large = min(edge * 0.38, 1.5 * edge / max(2, len(cell.text)))
    at = 0.4 if cell.note else 0.5
    drawing.parts.append(Words(middle, y + edge * at, large, cell.text, _ink(cell)))
    if cell.note:
        small = max(10.0, edge * 0.17)
        drawing.parts.append(Words(middle, y + edge * 0.78, small, cell.note, _ink(cell)))


def _draw_scale(drawing: Drawing, picture: Picture, y: float) -> None:
    """Draw the shades that there are, each with the counts that it stands for."""
    counts: dict[int, list[int]] = {}
    for cell in picture.cells:
        if cell.name and cell.text:
            counts.setdefault(cell.shade, []).append(int(cell.note or 0))
    step = _WIDE / len(SHADES)
    for shade, fill in enumerate(SHADES):
        if shade not in counts:
            continue
        least, most = min(counts[shade]), max(counts[shade])
        x = _MARGIN + shade * step
        drawing.parts.append(Plate(x, y - 9, 18, 18, fill, _EDGE, 3))
        text = f"{least}" if least == most else f"{least}–{most}"
        drawing.parts.append(Words(x + 28, y, 15, text, _PALE, "start"))


def draw_curves(lines: tuple[Curve, ...], title: str) -> Drawing:
    """Return curves with numbers at both axes, each with its name and last number at its end."""
    drawing = Drawing(*_CHART)
    box = (_MARGIN + 40, _HEAD + 10, _CHART[0] - 280, _CHART[1] - _HEAD - 70)
    left, top, width, height = box
    most = highest(lines)
    drawing.parts.append(Words(_MARGIN, _HEAD / 2, 20, title, _INK, "start"))
    for value in ticks(most, 5):
        y = top + height - 1 - value * (height - 1) / most
        drawing.parts.append(Line(((left, y), (left + width, y)), "#d0d0d0", 1))
        drawing.parts.append(Words(left - 10, y, 15, str(value), _INK, "end"))
    last = max(1, len(lines[0].points) - 1)
    for number in ticks(last, 10):
        x = left + number * (width - 1) / last
        drawing.parts.append(Words(x, top + height + 20, 15, str(number), _INK))
    below = 0.0
    for curve in sorted(lines, key=lambda curve: -curve.points[-1]):
        dots = places(curve, most, box)
        colour = _COLOURS.get(curve.colour, _INK)
        drawing.parts.append(Line(dots, colour, 3))
        below = max(dots[-1][1], below)
        text = f"{curve.name} {curve.points[-1]}"
        drawing.parts.append(Words(left + width + 12, below, 15, text, colour, "start"))
        below += 22
    return drawing
