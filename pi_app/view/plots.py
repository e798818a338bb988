"""Reports as drawings for files: curves over time, and sentences."""

from __future__ import annotations

from pi_app.view.chart import Box, edges, highest, places, ticks, turning_points
from pi_app.view.drawing import Area, Drawing, Line, Piece, Plate, Ring, Words, words_width
from pi_app.view.frame import Curve
from pi_app.view.report import Report

_INK = "#161a20"
_CHART = (960, 540)
_SIDE = 60
"""A chart's margin on each side, in pixels."""
_ROW = 24
"""Pixels from one line of text to the next, below a chart or of the names beside it."""
_LETTERS = 17
"""The size of a chart's letters, in pixels."""
_GRID = "#d0d0d0"
_VEIL = 0.19
"""A band's opacity."""
_COLOURS = {
    "yellow": "#b58900",
    "red": "#c0392b",
    "white": "#707070",
    "pink": "#d33682",
    "green": "#2e7d32",
    "blue": "#1f5fa8",
}
"""The curves' colours, dark enough for white paper."""


def draw_report(report: Report) -> Drawing:
    """Return a report as a drawing: its chart, and its sentences below."""
    width = _CHART[0]
    rows = [row for sentence in report.lines for row in _wrap(sentence, width - 2 * _SIDE)]
    height = _CHART[1] if report.curves else 2 * _ROW
    drawing = Drawing(width, height + (len(rows) * _ROW + _ROW if rows else 0))
    if report.curves:
        _draw_chart(drawing, report)
    else:
        drawing.parts.append(Words(_SIDE, _ROW, _LETTERS, report.title, _INK, "start"))
    for index, row in enumerate(rows):
        drawing.parts.append(Words(_SIDE, height + index * _ROW, _LETTERS, row, _INK, "start"))
    return drawing


def _draw_chart(drawing: Drawing, report: Report) -> None:
    """Draw a chart with numbers at both axes; each curve ends with its name and points."""
    (width, height), lines = _CHART, report.curves
    most = highest(lines)
    longest = max(words_width(f"{curve.name} {curve.end}", _LETTERS) for curve in lines)
    # to the right of the curves; at least this, so that usual names leave axes of the same length
    names_width = max(4 * _SIDE, round(longest) + _SIDE // 2)
    box = (_SIDE, _SIDE, width - _SIDE - names_width, height - 2 * _SIDE)
    _draw_axes(drawing, lines, report.title, box)
    for curve in lines:
        upper, lower = edges(curve, most, box)
        if len(upper) > 1:  # a single point has no surface
            colour = _COLOURS.get(curve.colour, _INK)
            # along the upper edge and back along the lower one
            drawing.parts.append(Area((*upper, *lower[::-1]), colour, _VEIL))
    for index, curve in enumerate(lines):
        dots = places(curve, most, box)
        colour = _COLOURS.get(curve.colour, _INK)
        drawing.parts.append(Line(dots, colour, 3))
        for x, y in dots[:: max(1, len(dots) // 12)]:  # about twelve marks on each curve
            drawing.parts += _player_mark(index, x, y, colour)
    for curve in lines:
        for x, y in turning_points(curve, most, box):
            drawing.parts.append(Ring(x, y, 11, stroke=_INK))  # around the player's mark
    _draw_names(drawing, lines, box, width - names_width + 18)


def _draw_names(drawing: Drawing, lines: tuple[Curve, ...], box: Box, x: int) -> None:
    """Write each curve's name and points at its end, or just below the name above it."""
    most = highest(lines)
    free_y = 0  # below the name written last
    for curve in sorted(lines, key=lambda curve: -curve.points[-1]):
        y = max(places(curve, most, box)[-1][1], free_y)
        text = f"{curve.name} {curve.end}"
        colour = _COLOURS.get(curve.colour, _INK)
        drawing.parts.append(Words(x, y, _LETTERS, text, colour, "start"))
        free_y = y + _ROW


def _draw_axes(drawing: Drawing, lines: tuple[Curve, ...], title: str, box: Box) -> None:
    """Draw the title, the points' numbers with their lines, and the moves' numbers."""
    left, top, width, height = box
    most = highest(lines)
    drawing.parts.append(Words(left, top / 2, _LETTERS, title, _INK, "start"))
    for value in ticks(most, 5):
        y = top + height - 1 - value * (height - 1) / most
        drawing.parts.append(Line(((left, y), (left + width, y)), _GRID, 1))
        drawing.parts.append(Words(left - 10, y, _LETTERS, str(value), _INK, "end"))
    moves = max(1, len(lines[0].points) - 1)  # the first points are those at the start
    foot = top + height
    for move in ticks(moves, 10):
        x = left + move * (width - 1) / moves
        drawing.parts.append(Line(((x, foot), (x, foot + 6)), _GRID, 1))
        drawing.parts.append(Words(x, foot + 24, _LETTERS, str(move), _INK))


def _player_mark(index: int, x: float, y: float, colour: str) -> tuple[Piece, ...]:
    """Return the mark of a player's curve; the first four players' marks differ in shape."""
    match index % 4:
        case 0:
            return (Ring(x, y, 5, colour),)
        case 1:
            return (Plate(x - 5, y - 5, 10, 10, colour),)
        case 2:
            return (Area(((x - 6, y + 5), (x + 6, y + 5), (x, y - 6)), colour),)
        case _:
            down = ((x - 5, y - 5), (x + 5, y + 5))
            up = ((x - 5, y + 5), (x + 5, y - 5))
            return (Line(down, colour, 3), Line(up, colour, 3))


def _wrap(text: str, width: int) -> list[str]:
    """Return a sentence in lines of at most `width` pixels."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if words_width(longer, _LETTERS) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
