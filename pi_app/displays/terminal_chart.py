"""The points over a game, and a QR code, in rows of text."""

from itertools import chain

from pi_app.view.chart import dots_of, edges, highest, ticks, turning_points
from pi_app.view.frame import Curve

MARKS = "ox*+"
"""The sign of each player's points."""

_SEVERAL = "#"
"""The sign where several players have the same points."""
_BAND = "·"
"""The edges of a band: how uncertain the points are."""
_TURN = "▼"
"""A turning point of the game."""

_HIGHEST = 14
"""The most rows of a chart."""


def chart_rows(lines: tuple[Curve, ...], columns: int, rows: int) -> list[str]:
    """Return the chart in rows of at most `columns` characters; [] if it does not fit.

    Points are numbered at the left, moves below; the last row is the legend.
    """
    most = highest(lines)
    moves = max(1, len(lines[0].points) - 1)  # the first points are those at the start
    numbers_width = len(str(most)) + 1
    width = min(columns - numbers_width - 2, max(25, 3 * moves + 1))  # three columns a move
    height = min(rows - 3, _HIGHEST)  # axis, numbers of the moves and legend take three rows
    if width < 10 or height < 3:
        return []
    field = _plot(lines, most, width, height)
    # by row, the number of points to write before it
    numbers = {
        height - 1 - value * (height - 1) // most: str(value) for value in ticks(most, height // 2)
    }
    drawn = [
        f"{numbers.get(y, ''):>{numbers_width}}{'┤' if y in numbers else '│'}{''.join(row)}"
        for y, row in enumerate(field)
    ]
    legend = [f"{_mark(index)} {curve.name} {curve.end}" for index, curve in enumerate(lines)]
    if any(_SEVERAL in row for row in field):
        legend.append(f"{_SEVERAL} = {'/'.join(MARKS[: len(lines)])}")
    whose = "  ".join(legend)
    axis = " " * numbers_width + "└" + "─" * width
    return [*drawn, axis, _move_numbers(moves, numbers_width + 1, width), whose[:columns]]


def _mark(index: int) -> str:
    return MARKS[index % len(MARKS)]


def _plot(lines: tuple[Curve, ...], most: int, width: int, height: int) -> list[list[str]]:
    """Return the field with all players' marks, the edges of bands and the turning points."""
    field = [[" "] * width for _ in range(height)]
    box = (0, 0, width, height)
    for curve in lines:
        for x, y in chain(*edges(curve, most, box)):
            field[y][x] = _BAND
    for index, curve in enumerate(lines):
        for x, y in dots_of(curve, most, box):
            field[y][x] = _mark(index) if field[y][x] in (" ", _BAND, _mark(index)) else _SEVERAL
    for curve in lines:
        for x, y in turning_points(curve, most, box):
            field[max(0, y - 1)][x] = _TURN  # above the mark that it points to
    return field


def _move_numbers(moves: int, left: int, width: int) -> str:
    """Return the row with the moves' numbers, each below its place."""
    row = " " * left
    # five columns a number: they must not touch
    for move in ticks(moves, max(1, width // 5)):
        column = left + move * (width - 1) // moves
        row = row.ljust(column) + str(move)
    return row


_HALVES = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}
"""The character for two modules of a code, one above the other."""
_RIM = 1
"""Light modules around a code."""


def code_rows(code: tuple[str, ...]) -> list[str]:
    """Return the code in rows, its dark modules as ink, with a light rim."""
    wide = len(code) + 2 * _RIM
    blank = (False,) * wide
    rim = (False,) * _RIM
    rows = [blank] * _RIM
    rows += [(*rim, *(module == "#" for module in row), *rim) for row in code]
    rows += [blank] * (_RIM + wide % 2)  # an even number: a character is two modules high
    pairs = zip(rows[::2], rows[1::2], strict=True)  # an upper row and the lower one below it
    return ["".join(_HALVES[pair] for pair in zip(*pair, strict=True)) for pair in pairs]
