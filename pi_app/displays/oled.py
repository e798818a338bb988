"""Painting a Frame on the 128x64 pixels of the OLED: eight rows of sixteen characters.

The same picture goes to the real panel, the simulated one and the golden images.
"""

from functools import lru_cache
from textwrap import wrap

from hardware.framebuffer import Framebuffer
from hardware.keys import Key
from pi_app.displays.oled_board import board_width, leaves_footer, paint_board
from pi_app.displays.oled_curves import paint_curves
from pi_app.view.frame import Alert, Choices, Entry, Frame, Picture, SoftKey, Tone

COLUMNS = 16
ROWS = 8
_BODY = 1
_FOOT = 7

SIGNS = {
    Key.ENTER: "#",
    Key.STAR: "*",
    Key.UP: "A",
    Key.DOWN: "B",
    Key.BACK: "C",
    Key.MENU: "D",
}
"""What is printed on the keypad's keys, as the footer names them."""


@lru_cache(maxsize=512)
def wrapped(text: str, columns: int) -> tuple[str, ...]:
    """Return the text in lines of at most `columns` characters; an empty text is one line."""
    return tuple(wrap(text, columns)) or ("",)


def paint(frame: Frame) -> Framebuffer:
    """Return what a 128x64 panel shows of this frame."""
    canvas = Framebuffer()
    columns = COLUMNS
    if frame.close_up and frame.picture is not None:
        alone = not (frame.entry or frame.choices or frame.big or frame.lines or frame.alert)
        width = board_width(frame.picture, alone=alone)
        paint_board(canvas, frame.picture, 128 - width, alone=alone)
        columns = (128 - width) // 8
    _title(canvas, frame)
    body = _Body(canvas, columns)
    if frame.alert is not None:
        _alert(canvas, frame.alert, columns)
    elif columns:
        body.paint(frame)
    if frame.curves:
        paint_curves(
            canvas, frame.curves, (0, 8 + 8 * len(frame.lines), 128, 47 - 8 * len(frame.lines))
        )
    keys = tuple(key for key in frame.softkeys if body.scrolls or not key.scrolls)
    _footer(canvas, keys, columns or _footer_below(frame.picture))
    return canvas


def _title(canvas: Framebuffer, frame: Frame) -> None:
    """Write the title in a bar, its corner at the right end if both fit."""
    corner = frame.corner if len(frame.title) + len(frame.corner) < COLUMNS else ""
    room = COLUMNS - len(corner)
    canvas.text(0, 0, frame.title[:room].ljust(room) + corner, inverse=True)


def _footer_below(picture: Picture | None) -> int:
    """Return the columns for keys below a board that is as wide as the panel."""
    return COLUMNS if picture is not None and leaves_footer(picture) else 0


def _footer(canvas: Framebuffer, softkeys: tuple[SoftKey, ...], columns: int) -> None:
    """Write as many keys with their words as fit, the key itself dark on light."""
    at = 0
    for key in softkeys:
        sign = SIGNS.get(key.key, key.key.value)
        if at + len(sign) + len(key.label) <= columns:
            canvas.text(at * 8, _FOOT, sign, inverse=True)
            canvas.text((at + len(sign)) * 8, _FOOT, key.label)
            at += len(sign) + len(key.label) + 1


def _alert(canvas: Framebuffer, alert: Alert, columns: int) -> None:
    """Write the alert into a frame that covers the body; a bad one is dark on light."""
    width = columns * 8
    lines = wrapped(alert.text, columns - 2)[:5]
    top = _BODY + (6 - len(lines)) // 2
    for row, line in enumerate(lines, top):
        canvas.text(8, row, line.center(columns - 2))
    canvas.frame(0, 10, width, 44)
    if alert.tone is Tone.BAD:
        canvas.invert(2, 12, width - 4, 40)


class _Body:
    """The six rows between title and keys, filled from the top."""

    def __init__(self, canvas: Framebuffer, columns: int) -> None:
        self.canvas = canvas
        self.columns = columns
        self.row = _BODY
        self.scrolls = False
        """Whether there are more sentences than fit."""

    @property
    def left(self) -> int:
        return _FOOT - self.row

    def paint(self, frame: Frame) -> None:
        if frame.big:
            self._headline(frame.big)
        if frame.entry is not None:
            self._entry(frame.entry)
        if frame.choices is not None:
            self._lines(frame.lines, frame.top, self.left - min(4, len(frame.choices.items)))
            self._choices(frame.choices)
        else:
            self._lines(frame.lines, frame.top, self.left)

    def _headline(self, text: str) -> None:
        """Write at double size, in several rows where the words allow it."""
        half = self.columns // 2
        if max(map(len, text.split()), default=0) > half:
            self._big(text)
            return
        rows = wrapped(text, half)
        for row in rows if len(rows) * 2 <= self.left else wrapped(text, self.columns):
            self._big(row)

    def _big(self, text: str, *, inverse: bool = False) -> None:
        """Write at double size, at single size where that does not fit."""
        if len(text) * 2 <= self.columns and self.left >= 2:
            self.canvas.text(0, self.row, text, double=True, inverse=inverse)
            self.row += 2
        else:
            self._line(text[-self.columns :], inverse=inverse)

    def _line(self, text: str, *, inverse: bool = False) -> None:
        if self.left > 0:
            self.canvas.text(0, self.row, text, inverse=inverse)
            self.row += 1

    def _entry(self, entry: Entry) -> None:
        self._big(entry.text)
        if not entry.verdict:
            return
        bad = entry.tone is Tone.BAD
        if len(entry.verdict) * 2 <= self.columns:
            self._big(entry.verdict, inverse=bad)
            return
        for line in wrapped(entry.verdict, self.columns):
            self._line(line.ljust(self.columns) if bad else line, inverse=bad)

    def _lines(self, lines: tuple[str, ...], top: int, room: int) -> None:
        """Write sentences from the one with index `top` on; an arrow says that more follows."""
        rows = self._rows(lines[top:], self.columns)
        self.scrolls = bool(top) or len(rows) > room
        if self.scrolls:
            rows = self._rows(lines[top:], self.columns - 1)
        shown = max(0, min(room, len(rows)))
        for row in rows[:shown]:
            self._line(row)
        if top and shown:
            self._arrow(self.row - shown, "▲")
        if len(rows) > shown > 0:
            self._arrow(self.row - 1, "▼")

    def _rows(self, lines: tuple[str, ...], columns: int) -> list[str]:
        return [row for line in lines for row in wrapped(line, columns)]

    def _arrow(self, row: int, arrow: str) -> None:
        self.canvas.text((self.columns - 1) * 8, row, arrow, inverse=True)

    def _choices(self, choices: Choices) -> None:
        """Write the part of the list around the chosen item, which is dark on light."""
        if self.row == _BODY:
            self.row += 1  # the chosen item must not melt into the title's bar
        count = len(choices.items)
        room = min(self.left, count)
        first = max(0, min(choices.selected - room // 2, count - room))
        for index in range(first, first + room):
            text = choices.items[index]
            if choices.numbered and count < 10:
                text = f"{index + 1} {text}"
            chosen = index == choices.selected
            self._line(text[: self.columns].ljust(self.columns), inverse=chosen)
        if first and room > 1:
            self._arrow(self.row - room, "▲")
        if first + room < count and room > 1:
            self._arrow(self.row - 1, "▼")
