"""The terminal: frames as text for a headless Pi over SSH, keys from its keyboard."""

import os
import select
import sys
import threading
from collections.abc import Callable
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any

from hardware.keys import Key
from pi_app.displays.terminal_paint import paint
from pi_app.view.frame import Frame
from pi_app.view.multitap import keys_of_letter
from pi_app.view.output import Output

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
_RESIZE_S = 0.5
"""How often the terminal's size is looked at, in seconds."""

_ESC_S = 0.1
"""How long a lone Esc is waited on for the rest of an arrow key, in seconds."""


def keys_of(typed: str, name: str | None, *, typing: bool) -> tuple[Key, ...]:
    """Return the keys that a key stroke stands for; letters are letters while a name is typed."""
    if name in _NAMED:
        return (_NAMED[name],)
    if typed == "\x1b\x1b":
        return (Key.BACK, Key.BACK)
    letter = keys_of_letter(typed) if typing and len(typed) == 1 else ()
    if letter:
        return letter
    key = _KEYS.get(typed.lower())
    return () if key is None else (key,)


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
        self._typing = False
        self._frame: Frame | None = None
        self._size = (0, 0)
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")  # a terminal without card suits
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
            typed = self.terminal.inkey(timeout=0, esc_delay=_ESC_S)
            if not typed:
                self._leave()
                return
            while typed:
                for key in keys_of(str(typed), typed.name, typing=self._typing):
                    self._put(key)
                typed = self.terminal.inkey(timeout=0, esc_delay=_ESC_S)

    def show(self, frame: Frame) -> None:
        self._frame = frame
        self._typing = frame.typing
        self._paint(frame)

    def poll(self) -> None:
        """Paint anew where the terminal has got another size."""
        if self._frame is not None and self._size != self._measured():
            self._paint(self._frame)

    def poll_every_s(self) -> float:
        return _RESIZE_S

    def _measured(self) -> tuple[int, int]:
        return self.terminal.width or 80, self.terminal.height or 24

    def _paint(self, frame: Frame) -> None:
        terminal = self.terminal
        self._size = self._measured()
        rows = screen_lines(terminal, frame, *self._size)
        screen = "\r\n".join(terminal.clear_eol + row for row in rows)
        sys.stdout.write(terminal.home + screen + terminal.clear_eos)
        sys.stdout.flush()

    def close(self) -> None:
        os.write(self._stop_write, b"x")
        self._reader.join(timeout=2)
        sys.stdout.write(self.terminal.normal_cursor)
        for mode in reversed(self._modes):
            mode.__exit__(None, None, None)
        sys.stdout.flush()


def screen_lines(terminal: "Terminal", frame: Frame, columns: int, rows: int) -> list[str]:
    """Return a frame as rows for a terminal of this size, with the terminal's own styles."""

    def dressed(style: str, text: str) -> str:
        painted: Any = getattr(terminal, style)
        return str(painted(text))

    return paint(frame, columns, rows, dressed)
