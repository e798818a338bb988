"""The terminal: frames as text for a headless Pi over SSH, keys from its keyboard."""

import os
import select
import sys
import threading
from collections.abc import Callable
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from hardware.keys import Key
from pi_app.displays.oled import SIGNS
from pi_app.frame import Cell, Frame, Mark, Picture, Token, Tone
from pi_app.output import Output

if TYPE_CHECKING:
    from blessed import Terminal

_KEYS = {
    **{str(digit): Key(str(digit)) for digit in range(10)},
    "*": Key.STAR,
    "+": Key.STAR,
    " ": Key.STAR,
    "#": Key.ENTER,
    "a": Key.UP,
    "b": Key.DOWN,
    "c": Key.BACK,
    "d": Key.MENU,
    "u": Key.BACK_HELD,
    "?": Key.MENU,
}
_NAMED = {
    "KEY_ENTER": Key.ENTER,
    "KEY_UP": Key.UP,
    "KEY_DOWN": Key.DOWN,
    "KEY_BACKSPACE": Key.BACK,
    "KEY_DELETE": Key.BACK,
    "KEY_ESCAPE": Key.BACK,
    "KEY_TAB": Key.MENU,
    **{f"KEY_F{n}": Key(f"DIE{n}") for n in range(1, 7)},
}
_COLOURS = {
    "yellow": "black_on_yellow",
    "red": "white_on_red",
    "white": "black_on_white",
    "pink": "black_on_magenta",
    "green": "black_on_green",
    "blue": "white_on_blue",
}
_TONES = {Tone.PLAIN: "bold", Tone.GOOD: "green", Tone.BAD: "bold_red", Tone.WIN: "bold_green"}


class TerminalDisplay(Output):
    """Paints frames with a terminal's own means and reads its keyboard in a thread."""

    name = "terminal"

    def __init__(self, put: Callable[[Key], object], leave: Callable[[], None]) -> None:
        """Take over the terminal; `leave` is called when its keyboard is gone (hang-up)."""
        # A terminal that answers none of blessed's questions (a serial console) would keep the
        # table dark for twice five seconds.
        os.environ.setdefault("BLESSED_QUERY_TIMEOUT_SECONDS", "0.4")
        from blessed import Terminal

        self.terminal: Terminal = Terminal()
        self._put = put
        self._leave = leave
        self._modes = [self.terminal.fullscreen(), self.terminal.cbreak()]
        for mode in self._modes:
            mode.__enter__()
        sys.stdout.write(self.terminal.hide_cursor)
        self._stop_read, self._stop_write = os.pipe()
        self._reader = threading.Thread(target=self._read, name="keyboard", daemon=True)
        self._reader.start()

    def _read(self) -> None:
        """Turn what is typed into keys until the terminal hangs up or is closed."""
        stdin = sys.stdin.fileno()
        while True:
            ready, _, _ = select.select([stdin, self._stop_read], [], [])
            if self._stop_read in ready:
                return
            typed = self.terminal.inkey(timeout=0)
            if not typed:
                self._leave()
                return
            while typed:
                key = _NAMED.get(typed.name or "") or _KEYS.get(str(typed).lower())
                if key is not None:
                    self._put(key)
                typed = self.terminal.inkey(timeout=0)

    def show(self, frame: Frame) -> None:
        terminal = self.terminal
        lines = screen_lines(terminal, frame, min(terminal.width or 80, 100))
        height = terminal.height or 24
        screen = "".join(line + terminal.clear_eol + "\r\n" for line in lines[: height - 1])
        sys.stdout.write(terminal.home + screen + terminal.clear_eos)
        sys.stdout.flush()

    def close(self) -> None:
        os.write(self._stop_write, b"x")
        self._reader.join(timeout=2)
        sys.stdout.write(self.terminal.normal_cursor)
        for mode in reversed(self._modes):
            mode.__exit__(None, None, None)
        sys.stdout.flush()


def screen_lines(terminal: "Terminal", frame: Frame, width: int) -> list[str]:
    """Return a frame as lines of at most `width` columns, with the terminal's own styles."""
    bar = _plain_or(terminal, _COLOURS.get(frame.colour or "", "reverse"))
    lines = [bar(_bar(frame, width)), *_body(terminal, frame, width)]
    if frame.picture is not None:
        lines += ["", *_picture(terminal, frame.picture)]
    if frame.details:
        lines += ["", *frame.details]
    keys = "   ".join(f"[{SIGNS.get(k.key, k.key)}] {k.label}" for k in frame.softkeys)
    return [*lines, "", str(terminal.reverse(keys.ljust(width)))]


def _plain_or(terminal: "Terminal", style: str) -> Callable[[str], str]:
    painted: Any = getattr(terminal, style)
    return lambda text: str(painted(text))


def _bar(frame: Frame, width: int) -> str:
    return f" {frame.title}".ljust(width - len(frame.corner) - 1) + frame.corner + " "


def _body(terminal: "Terminal", frame: Frame, width: int) -> list[str]:
    lines = [""]
    if frame.alert is not None:
        lines += [_plain_or(terminal, _TONES[frame.alert.tone])(f"!! {frame.alert.text}"), ""]
    if frame.big:
        lines += [terminal.bold(frame.big), ""]
    if frame.entry is not None:
        verdict = _plain_or(terminal, _TONES[frame.entry.tone])(frame.entry.verdict)
        lines += [f"> {terminal.bold(frame.entry.text)}   {verdict}", ""]
    for line in frame.lines[frame.top :]:
        lines += wrap(line, width) or [""]
    if frame.choices is not None:
        for index, item in enumerate(frame.choices.items):
            number = f"{index + 1} " if frame.choices.numbered and index < 9 else ""
            text = f" {number}{item} "
            lines.append(terminal.reverse(text) if index == frame.choices.selected else text)
    return lines


def _picture(terminal: "Terminal", picture: Picture) -> list[str]:
    """Return the board as rows of cells: their text, then a letter and count for each owner."""
    width = max((len(cell_text(cell)) for cell in picture.cells), default=0) + 1
    rows = []
    for at in range(0, len(picture.cells), picture.columns):
        cells = picture.cells[at : at + picture.columns]
        rows.append("".join(_cell(terminal, cell, width) for cell in cells))
    return rows


def cell_text(cell: Cell) -> str:
    """Return a cell's text, its stones with whose they are, and its note in brackets."""
    stones = "".join(_stones(token) for token in cell.tokens)
    if Mark.SECURED in cell.marks:
        stones += "!"
    return f"{cell.text:>2} {stones}" + (f" ({cell.note})" if cell.note else "")


def _stones(token: Token) -> str:
    """Name a token's owner: by its letter, a numbered one by its colour's first letter."""
    colour = token.colour[:1] if token.text.isdigit() else ""
    return f"{colour}{token.text}{token.count if token.count > 1 else ''}"


def _cell(terminal: "Terminal", cell: Cell, width: int) -> str:
    text = cell_text(cell).ljust(width)
    if cell.marks & {Mark.ROW, Mark.SELECTED}:
        return str(terminal.reverse(text))
    if Mark.LEGAL in cell.marks:
        return str(terminal.underline(text))
    return text
