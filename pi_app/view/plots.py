"""Reports as pictures for files: curves over time, and sentences. Needs Pillow."""

from __future__ import annotations

import errno
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from PIL import ImageFont
from PIL.Image import Image, new
from PIL.ImageDraw import Draw, ImageDraw
from PIL.ImageFont import FreeTypeFont

from pi_app.view.chart import Box, edges, highest, places, ticks, turning_points
from pi_app.view.frame import Curve
from pi_app.view.report import Report

_INK = "#161a20"
_CHART = (960, 540)
_SIDE = 60
"""A chart's margin on each side, in pixels."""
_ROW = 24
"""Pixels from one line of text to the next, below a chart or of the names beside it."""
_LETTERS = 17
"""The size of letters, in pixels."""
_GRID = "#d0d0d0"
_VEIL = "30"
"""A band's opacity, two hexadecimal digits."""
_COLOURS = {
    "yellow": "#b58900",
    "red": "#c0392b",
    "white": "#707070",
    "pink": "#d33682",
    "green": "#2e7d32",
    "blue": "#1f5fa8",
}
"""The curves' colours, dark enough for white paper."""


def save_report(report: Report, path: Path) -> None:
    """Write a report as a picture; OSError if that fails, also where there is no font."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draw_report(report).save(path, format="PNG")


def find_font() -> FreeTypeFont:
    """Return a font with umlauts, which Pillow's own lacks: DejaVu Sans, else the window's."""
    fonts = ["DejaVuSans.ttf"]
    pygame = find_spec("pygame")  # only its folder is needed: pygame itself is not imported
    if pygame is not None and pygame.origin:
        fonts.append(str(Path(pygame.origin).with_name("freesansbold.ttf")))
    for font in fonts:
        with suppress(OSError):
            return ImageFont.truetype(font, _LETTERS)
    raise OSError(errno.ENOENT, "no font; sudo apt install fonts-dejavu-core")


def draw_report(report: Report) -> Image:
    """Return a report as a picture: its chart, and its sentences below."""
    font, width = find_font(), _CHART[0]
    rows = [row for sentence in report.lines for row in _wrap(sentence, font)]
    height = _CHART[1] if report.curves else 2 * _ROW
    image = new("RGB", (width, height + (len(rows) * _ROW + _ROW if rows else 0)), "white")
    pen = Draw(image, "RGBA")  # this mode blends a colour that has an alpha
    pen.font = font
    if report.curves:
        _draw_chart(pen, report.curves)
    pen.text((_SIDE, _SIDE // 2 if report.curves else _ROW), report.title, _INK, anchor="lm")
    for index, row in enumerate(rows):  # lm: its left end, at half its height
        pen.text((_SIDE, height + index * _ROW), row, _INK, anchor="lm")
    return image


def _wrap(text: str, font: FreeTypeFont) -> list[str]:
    """Return a sentence in lines that fit below a chart."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if font.getlength(longer) <= _CHART[0] - 2 * _SIDE:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _draw_chart(pen: ImageDraw, lines: tuple[Curve, ...]) -> None:
    """Draw a chart with numbers at both axes; each curve ends with its name and points."""
    (width, height), most = _CHART, highest(lines)
    longest = max(pen.textlength(f"{curve.name} {curve.end}") for curve in lines)
    # to the right of the curves; at least this, so that usual names leave axes of the same length
    names_width = max(4 * _SIDE, round(longest) + _SIDE // 2)
    box = (_SIDE, _SIDE, width - _SIDE - names_width, height - 2 * _SIDE)
    _draw_axes(pen, lines, box)
    colours = [_COLOURS.get(curve.colour, _INK) for curve in lines]
    for curve, colour in zip(lines, colours, strict=True):
        upper, lower = edges(curve, most, box)
        if len(upper) > 1:  # along the upper edge and back along the lower one
            pen.polygon((*upper, *lower[::-1]), f"{colour}{_VEIL}")
    for index, (curve, colour) in enumerate(zip(lines, colours, strict=True)):
        dots = places(curve, most, box)
        pen.line(dots, colour, 3, "curve")
        for x, y in dots[:: max(1, len(dots) // 12)]:  # about twelve marks on each curve
            _draw_mark(pen, index, x, y, colour)
    for x, y in (dot for curve in lines for dot in turning_points(curve, most, box)):
        pen.ellipse((x - 11, y - 11, x + 11, y + 11), outline=_INK, width=3)
    free_y = 0  # below the name written last
    for curve in sorted(lines, key=lambda curve: -curve.points[-1]):
        y = max(places(curve, most, box)[-1][1], free_y)  # at its end, or below the name above
        text, colour = f"{curve.name} {curve.end}", _COLOURS.get(curve.colour, _INK)
        pen.text((width - names_width + 18, y), text, colour, anchor="lm")
        free_y = y + _ROW


def _draw_axes(pen: ImageDraw, lines: tuple[Curve, ...], box: Box) -> None:
    """Draw the points' numbers with their lines, and the moves' numbers."""
    left, top, width, height = box
    most, foot = highest(lines), top + height
    for value in ticks(most, 5):
        y = foot - 1 - value * (height - 1) / most
        pen.line((left, y, left + width, y), _GRID)
        pen.text((left - 10, y), str(value), _INK, anchor="rm")
    moves = max(1, len(lines[0].points) - 1)  # the first points are those at the start
    for move in ticks(moves, 10):
        x = left + move * (width - 1) / moves
        pen.line((x, foot, x, foot + 6), _GRID)
        pen.text((x, foot + 24), str(move), _INK, anchor="mm")


def _draw_mark(pen: ImageDraw, index: int, x: int, y: int, colour: str) -> None:
    """Draw the mark of a player's curve; the first four players' marks differ in shape."""
    match index % 4:
        case 0:
            pen.ellipse((x - 5, y - 5, x + 5, y + 5), colour)
        case 1:
            pen.rectangle((x - 5, y - 5, x + 5, y + 5), colour)
        case 2:
            pen.polygon((x - 6, y + 5, x + 6, y + 5, x, y - 6), colour)
        case _:
            pen.line((x - 5, y - 5, x + 5, y + 5), colour, 3)
            pen.line((x - 5, y + 5, x + 5, y - 5), colour, 3)
