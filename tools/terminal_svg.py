"""A frame as the terminal shows it, as SVG: the terminal's own styles turned into colours."""

import io
import re
from collections.abc import Iterator
from html import escape
from typing import Any

from pi_app.displays.terminal import screen_lines
from pi_app.view.frame import Frame
from tools.svg import MONO, box, document

COLUMNS = 80
ROWS = 24
_WIDE = 8.4
"""Width of a character in pixels; every run of text is stretched to fit, whatever the font."""

_HIGH = 19
_MARGIN = 12
_PLAIN = "#d7dde5"
_GROUND = "#12161c"
_COLOURS = ("#000000", "#c0392b", "#3fae6a", "#e0b83c", "#3f74d1", "#d977a8", "#3aa6a6", "#f2f2f2")
_ESCAPE = re.compile("\x1b(?:\\[([0-9;]*)([A-Za-z])|\\(B)")


class _Style:
    """What the escape sequences have set so far."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.ink, self.ground = _PLAIN, ""
        self.bold = self.reverse = self.underline = False

    def take(self, codes: str) -> None:
        for code in map(int, (codes or "0").split(";")):
            match code:
                case 0:
                    self.reset()
                case 1:
                    self.bold = True
                case 4:
                    self.underline = True
                case 7:
                    self.reverse = True
                case _ if 30 <= code <= 37:
                    self.ink = _COLOURS[code - 30]
                case _ if 40 <= code <= 47:
                    self.ground = _COLOURS[code - 40]
                case _:
                    pass

    def pair(self) -> tuple[str, str]:
        return (self.ground or _GROUND, self.ink) if self.reverse else (self.ink, self.ground)


def _runs(line: str) -> Iterator[tuple[int, str, _Style]]:
    """Yield column, text and style of each run of a line."""
    style = _Style()
    at = column = 0
    for found in [*_ESCAPE.finditer(line), None]:
        words = line[at : found.start() if found else len(line)]
        if words:
            yield column, words, style
            column += len(words)
        if found:
            at = found.end()
            if found[2] == "m":
                style.take(found[1])


def terminal_svg(frame: Frame, title: str) -> str:
    """Return a picture of the terminal with this frame."""
    from blessed import Terminal

    terminal: Any = Terminal(kind="xterm", stream=io.StringIO(), force_styling=True)
    lines = screen_lines(terminal, frame, COLUMNS, ROWS)
    width = round(COLUMNS * _WIDE + 2 * _MARGIN)
    height = len(lines) * _HIGH + 2 * _MARGIN
    drawn = [box(0, 0, width, height, _GROUND, radius=8)]
    for row, line in enumerate(lines):
        y = _MARGIN + row * _HIGH
        for column, words, style in _runs(line):
            drawn += _run(_MARGIN + column * _WIDE, y, words, style)
    return document(width, height, drawn, f"terminal: {title}")


def _run(x: float, y: int, words: str, style: _Style) -> Iterator[str]:
    ink, ground = style.pair()
    wide = len(words) * _WIDE
    if ground:
        yield box(round(x, 1), y, round(wide, 1), _HIGH, ground)
    extra = ' font-weight="bold"' * style.bold + ' text-decoration="underline"' * style.underline
    if words.strip():
        yield (
            f'<text x="{x:.1f}" y="{y + 14}" {MONO} font-size="14" fill="{ink}"{extra} '
            f'textLength="{wide:.1f}" lengthAdjust="spacingAndGlyphs" '
            f'xml:space="preserve">{escape(words)}</text>'
        )
