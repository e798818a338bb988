"""The points over a game, move by move: as numbers, and as a PNG (Pillow, imported lazily)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engines.game import AnyPosition, Game
from pi_app.view.drawing import Anchor, Words, words_width, write
from pi_app.view.frame import Curve

if TYPE_CHECKING:
    from PIL.Image import Image

SIZE = (960, 540)
"""Width and height of the PNG in pixels."""
_MARGIN = 60
_ROW = 24
_LETTERS = 17
"""How high a line of text is, in pixels."""
_INK = "#202020"
_PALE = "#d0d0d0"
_VEIL = "30"
"""How thick a band's colour lies: an alpha value in hexadecimal."""
_COLOURS = {
    "yellow": "#b58900",
    "red": "#c0392b",
    "white": "#707070",
    "pink": "#d33682",
    "green": "#2e7d32",
    "blue": "#1f5fa8",
}


class ScoreHistory:
    """Everybody's points after each move. What was settled once is kept: settling takes a while."""

    def __init__(self) -> None:
        self._settled: list[tuple[AnyPosition, Mapping[str, int]]] = []

    def curves(self, game: Game, positions: Iterable[AnyPosition]) -> tuple[Curve, ...]:
        """Return every player's points as the game would be settled at each of the positions.

        Nothing for a game without points.
        """
        settle = game.score
        if settle is None:
            return ()
        course = list(positions)
        same = 0
        for (before, _), now in zip(self._settled, course, strict=False):
            if before is not now:
                break
            same += 1
        del self._settled[same:]
        self._settled += [(at, settle(at).facts["points"]) for at in course[same:]]
        return tuple(
            Curve(
                player.name,
                player.colour,
                tuple(int(points[player.name]) for _, points in self._settled),
            )
            for player in course[0].players
        )


def curves(game: Game, positions: Iterable[AnyPosition]) -> tuple[Curve, ...] | None:
    """Return every player's points after each move; None for a game without points."""
    return ScoreHistory().curves(game, positions) or None


Box = tuple[int, int, int, int]
"""Left, top, width, height in pixels."""
Dots = tuple[tuple[int, int], ...]
"""Where points lie, x and y in pixels."""


def places(curve: Curve, most: int, box: Box) -> Dots:
    """Return where a curve's points lie in a box; `most` are the points at its top edge."""
    left, top, width, height = box
    last = max(1, len(curve.points) - 1)
    return tuple(
        (left + at * (width - 1) // last, top + height - 1 - value * (height - 1) // max(1, most))
        for at, value in enumerate(curve.points)
    )


def edges(curve: Curve, most: int, box: Box) -> tuple[Dots, Dots]:
    """Return where the upper and the lower edge of a curve's band lie; both empty without one."""
    if not curve.spreads:
        return (), ()
    each = list(zip(curve.points, curve.spreads, strict=True))
    above = replace(curve, points=tuple(min(most, value + spread) for value, spread in each))
    below = replace(curve, points=tuple(max(0, value - spread) for value, spread in each))
    return places(above, most, box), places(below, most, box)


def turned(curve: Curve, most: int, box: Box) -> Dots:
    """Return where the moves lie that are to be marked on a curve."""
    dots = places(curve, most, box)
    return tuple(dots[move] for move in curve.turns if move < len(dots))


def highest(lines: Sequence[Curve]) -> int:
    """Return what an axis must reach: the most points that anybody has, 100 of a percentage."""
    if all(curve.unit == "%" for curve in lines):
        return 100
    return max(1, *(max(curve.points) for curve in lines))


def ticks(most: int, count: int) -> tuple[int, ...]:
    """Return the round numbers of an axis from 0 to `most`: 0 and at most `count` steps.

    The steps are 1, 2 or 5 of a power of ten.
    """
    step = next(
        unit * 10**power
        for power in range(len(str(max(1, most))) + 1)
        for unit in (1, 2, 5)
        if most // (unit * 10**power) <= count
    )
    return tuple(range(0, most + 1, step))


def draw(lines: tuple[Curve, ...], title: str, said: tuple[str, ...] = ()) -> Image:
    """Return the chart as a picture; each curve ends with its player's name and points.

    Sentences are written below it.
    """
    from PIL import Image, ImageDraw

    rows = [row for line in said for row in _wrapped(line, SIZE[0] - 2 * _MARGIN)]
    high = SIZE[1] + len(rows) * _ROW + (_ROW if rows else 0)
    image = Image.new("RGB", (SIZE[0], high), "white")
    pen = ImageDraw.Draw(image, "RGBA")
    most = highest(lines)
    names = max(words_width(f"{curve.name} {curve.end}", _LETTERS) for curve in lines)
    beside = max(4 * _MARGIN, round(names) + _MARGIN // 2)
    box = (_MARGIN, _MARGIN, SIZE[0] - _MARGIN - beside, SIZE[1] - 2 * _MARGIN)
    left, top, width, height = box
    for value in ticks(most, 5):
        y = top + height - 1 - value * (height - 1) // most
        pen.line((left, y, left + width, y), fill=_PALE)
        _write(image, (left - 10, y), str(value), anchor="end")
    _write(image, (left, top // 2), title)
    moves = max(1, len(lines[0].points) - 1)
    for move in ticks(moves, 10):
        x = left + move * (width - 1) // moves
        pen.line((x, top + height, x, top + height + 6), fill=_PALE)
        _write(image, (x, top + height + 24), str(move), anchor="middle")
    for curve in lines:
        upper, lower = edges(curve, most, box)
        if len(upper) > 1:
            pen.polygon((*upper, *lower[::-1]), fill=_COLOURS.get(curve.colour, _INK) + _VEIL)
    for index, curve in enumerate(lines):
        _draw_curve(pen, places(curve, most, box), _COLOURS.get(curve.colour, _INK), index)
    for curve in lines:
        for x, y in turned(curve, most, box):
            pen.ellipse((x - 11, y - 11, x + 11, y + 11), outline=_INK, width=3)
    _names(image, lines, most, box)
    for at, row in enumerate(rows):
        _write(image, (_MARGIN, SIZE[1] + at * _ROW), row)
    return image


def _draw_curve(pen: Any, dots: Dots, colour: str, index: int) -> None:
    """Draw a line and, for all eyes, another mark for each player along it."""
    pen.line(dots, fill=colour, width=3)
    for x, y in dots[:: max(1, len(dots) // 12)]:
        match index % 4:
            case 0:
                pen.ellipse((x - 5, y - 5, x + 5, y + 5), fill=colour)
            case 1:
                pen.rectangle((x - 5, y - 5, x + 5, y + 5), fill=colour)
            case 2:
                pen.polygon(((x - 6, y + 5), (x + 6, y + 5), (x, y - 6)), fill=colour)
            case _:
                pen.line((x - 5, y - 5, x + 5, y + 5), fill=colour, width=3)
                pen.line((x - 5, y + 5, x + 5, y - 5), fill=colour, width=3)


def _names(image: Image, lines: tuple[Curve, ...], most: int, box: Box) -> None:
    """Write names and points beside the ends of the curves, kept apart."""
    below = 0
    for curve in sorted(lines, key=lambda curve: -curve.points[-1]):
        below = max(places(curve, most, box)[-1][1], below)
        text = f"{curve.name} {curve.end}"
        ink = _COLOURS.get(curve.colour, _INK)
        _write(image, (box[0] + box[2] + 18, below), text, ink)
        below += 24


def _write(
    image: Image, at: tuple[int, int], text: str, ink: str = _INK, anchor: Anchor = "start"
) -> None:
    write(image, Words(at[0], at[1], _LETTERS, text, ink, anchor))


def _wrapped(text: str, width: int) -> list[str]:
    """Return a sentence in lines of at most `width` pixels."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if words_width(longer, _LETTERS) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
