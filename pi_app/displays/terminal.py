"""The terminal: frames as text for a headless Pi over SSH, keys from its keyboard."""

import atexit
import os
import select
import shutil
import sys
import termios
import threading
import time
import tty
from collections.abc import Callable
from contextlib import suppress
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, TextIO

from hardware.keys import Key
from pi_app.displays.terminal_keys import Keyboard
from pi_app.displays.text import paint
from pi_app.system.host import obeys_escapes
from pi_app.view.frame import Frame, Signal
from pi_app.view.output import Output

if TYPE_CHECKING:
    from blessed import Terminal

_RESIZE_S = 0.5
"""How often the terminal's size is checked, in seconds."""

_PLAIN_ROWS = 60
"""The height of a frame that is written as plain lines; unchanged rows are not written again."""

# no key repeat (DECARM), and marks around pasted text (bracketed paste)
_MODES_ON, _MODES_OFF = "\x1b[?8l\x1b[?2004h", "\x1b[?2004l\x1b[?8h"


class TerminalDisplay(Output):
    """Paints frames with the terminal's own styles; a thread reads its keyboard.

    A pipe, or a terminal that obeys no escapes, gets each new row as a line.
    """

    name = "terminal"

    def __init__(
        self,
        put: Callable[[Key], bool],
        leave: Callable[[], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take over the terminal; `leave` is called after a hang-up."""
        # the commands' own stream lets no control characters pass
        self._out: TextIO = sys.__stdout__ or sys.stdout
        self._put = put
        self._leave = leave
        self._clock = clock
        self._keyboard = Keyboard()
        self._frame: Frame | None = None
        self._size = (0, 0)
        """The columns and rows that were painted last."""
        self._refused = False
        """Whether the last key was refused, which marks its line."""
        self._lines: set[str] = set()
        """The rows of the last frame that was written as plain lines."""
        if isinstance(self._out, TextIOWrapper):
            self._out.reconfigure(errors="replace")  # a terminal without card suits
        self._terminal = open_terminal() if obeys_escapes(self._out) else None
        self._settings = self._set_up_keyboard()
        if self._terminal is not None:
            begin = self._terminal.enter_fullscreen + self._terminal.hide_cursor
            self._out.write(begin + _MODES_ON)
        self._open = True
        atexit.register(self.close)  # a program that fails must not leave the terminal like this
        self._stop_read, self._stop_write = os.pipe()  # `close` wakes the thread through it
        self._reader = threading.Thread(target=self._read, name="keyboard", daemon=True)
        self._reader.start()

    def _set_up_keyboard(self) -> list[Any] | None:
        """Read keys one by one, without echo; return the former settings if there are some."""
        stdin = sys.stdin.fileno()
        try:
            before = termios.tcgetattr(stdin)
            tty.setcbreak(stdin)
            settings = termios.tcgetattr(stdin)
            settings[6][termios.VSUSP] = b"\0"  # Ctrl-Z would leave the shell keys without repeat
            termios.tcsetattr(stdin, termios.TCSADRAIN, settings)
        except termios.error:
            return None
        return before

    def _read(self) -> None:
        """Turn typed bytes into keys until the terminal hangs up or is closed."""
        stdin, keyboard = sys.stdin.fileno(), self._keyboard
        while True:
            due = keyboard.due
            wait_s = None if due is None else max(0.0, due - self._clock())
            ready, _, _ = select.select([stdin, self._stop_read], [], [], wait_s)
            if self._stop_read in ready:
                return
            data = b""
            if stdin in ready:
                with suppress(OSError):  # a terminal that is gone, as after a hang-up
                    data = os.read(stdin, 4096)
                if not data:
                    self._leave()
                    return
            now = self._clock()
            for key in keyboard.decode(data, now) if data else keyboard.release_waiting(now):
                if not self._put(key):
                    break  # the queue is full: the rest is dropped

    def show(self, frame: Frame) -> None:
        self._frame = frame
        self._keyboard.meaning = frame.keys
        self._paint(frame)

    def signal(self, signal: Signal) -> None:
        """Ring for a refused key, and mark its line until the next key."""
        refused = signal is Signal.BAD
        if refused and self._terminal is not None:
            self._out.write(self._terminal.bel or "\a")
        if refused != self._refused:
            self._refused = refused
            if self._frame is not None:
                self._paint(self._frame)
        elif refused:
            self._out.flush()  # nothing is painted, but the bell must ring

    def poll(self) -> None:
        """Paint again if the terminal's size has changed."""
        if self._frame is not None and self._size != self._measure():
            self._paint(self._frame)

    def poll_every_s(self) -> float | None:
        return None if self._terminal is None else _RESIZE_S

    def _measure(self) -> tuple[int, int]:
        if self._terminal is None:
            return shutil.get_terminal_size().columns, _PLAIN_ROWS
        return self._terminal.width or 80, self._terminal.height or 24

    def _paint(self, frame: Frame) -> None:
        terminal = self._terminal
        self._size = self._measure()
        rows = screen_lines(terminal, frame, *self._size, refused=self._refused)
        if terminal is None:
            lines = [row.strip() for row in rows if row.strip()]
            new = [line for line in lines if line not in self._lines]
            self._lines = set(lines)
            self._out.write("".join(f"{line}\n" for line in new))
        else:
            screen = "\r\n".join(terminal.clear_eol + row for row in rows)
            self._out.write(terminal.home + screen + terminal.clear_eos)
        self._out.flush()

    def close(self) -> None:
        if not self._open:
            return
        self._open = False
        atexit.unregister(self.close)
        os.write(self._stop_write, b"x")
        self._reader.join(timeout=2)
        if self._settings is not None:
            with suppress(termios.error):  # after a hang-up
                termios.tcsetattr(sys.stdin.fileno(), termios.TCSADRAIN, self._settings)
        if self._terminal is not None:
            end = self._terminal.normal_cursor + self._terminal.exit_fullscreen
            self._out.write(_MODES_OFF + end)
            self._out.flush()


def open_terminal() -> "Terminal":
    """Return blessed's terminal, which knows the styles of this one."""
    # Without this, a terminal that answers none of blessed's queries (a serial console) would stay
    # dark for ten seconds; blessed reads the variable while it is imported.
    os.environ.setdefault("BLESSED_QUERY_TIMEOUT_SECONDS", "0.4")
    from blessed import Terminal

    return Terminal()


def screen_lines(
    terminal: "Terminal | None", frame: Frame, columns: int, rows: int, *, refused: bool = False
) -> list[str]:
    """Return a frame as rows of this size, with the terminal's own styles if there is one."""

    def style_text(style: str, text: str) -> str:
        painted: Any = getattr(terminal, style, str)
        return str(painted(text))

    return paint(frame, columns, rows, style_text, refused=refused)
