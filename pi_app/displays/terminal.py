"""The terminal: frames as text for a headless Pi over SSH, keys from its keyboard."""

import codecs
import locale
import os
import re
import select
import sys
import threading
from collections.abc import Callable, Iterator
from io import TextIOWrapper
from typing import Any

from hardware.keys import Key
from pi_app.displays.terminal_paint import paint
from pi_app.view.frame import Frame, Signal
from pi_app.view.multitap import typed_keys
from pi_app.view.output import Output

# A terminal that answers none of blessed's questions (a serial console) would keep the table
# dark for twice five seconds; blessed reads this while it is imported.
os.environ.setdefault("BLESSED_QUERY_TIMEOUT_SECONDS", "0.4")
from blessed import Terminal

_KEYS = {
    **{str(digit): Key(str(digit)) for digit in range(10)},
    "*": Key.STAR,
    "+": Key.STAR,
    " ": Key.STAR,
    "\r": Key.ENTER,
    "\n": Key.ENTER,
    "\x7f": Key.BACK,
    "\b": Key.BACK,
    "\t": Key.MENU,
    "#": Key.ENTER,
    "a": Key.UP,
    "b": Key.DOWN,
    "c": Key.BACK,
    "d": Key.MENU,
    "u": Key.BACK_HELD,
    "p": Key.MENU_HELD,
    "?": Key.MENU,
}
"""The keys of typed characters."""
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
"""The keys of a keyboard's keys that blessed names."""
_RESIZE_S = 0.5
"""How often the terminal's size is checked, in seconds."""

_STROKES = re.compile("\x1b[^\x1b]{1,15}|\x1b{1,2}|[^\x1b]")
"""Characters that are keys by themselves, and what may be an arrow or a function key."""

_ESC_S = 0.1
"""How long a lone Esc is waited on for the rest of an arrow key, in seconds."""


def keys_of(
    typed: str, name: str | None, *, typing: bool, lettered: bool = False, exact: bool = False
) -> tuple[Key, ...]:
    """Return the keys for a key stroke; letters stay letters while a name is typed."""
    if name in _NAMED:
        return (_NAMED[name],)
    if typed == "\x1b\x1b":  # Esc twice, so fast that they arrive as one
        return (Key.BACK, Key.BACK)
    if letter := typed_keys(typed, typing=typing, lettered=lettered, exact=exact):
        return letter
    key = _KEYS.get(typed.lower())
    return () if key is None else (key,)


class Keyboard(Terminal):
    """A terminal's keyboard, read in large pieces; accepts any bytes."""

    def __init__(self) -> None:
        self._characters = codecs.getincrementaldecoder(locale.getpreferredencoding(False))(  # noqa: FBT003
            "replace"
        )
        self._taken_over = False
        """Whether `take` reads the keyboard; before, blessed reads the terminal's answers."""
        super().__init__()

    def take(self, most: int = 4096) -> str | None:
        """Return what was typed, "" for an incomplete character; None after a hang-up."""
        try:
            data = os.read(sys.stdin.fileno(), most)
        except OSError:
            data = b""  # a terminal that is gone, as after a hang-up
        return self._characters.decode(data) if data else None

    def strokes(self, text: str) -> Iterator[tuple[str, str | None]]:
        """Yield key strokes: the characters, and the key's name if it has one."""
        self._taken_over = True
        for piece in _STROKES.findall(text):
            if piece[0] != "\x1b":
                yield piece, None
                continue
            self.ungetch(piece)  # blessed knows the sequences of arrows and function keys
            while typed := self.inkey(timeout=0, esc_delay=_ESC_S):
                yield str(typed), typed.name

    def getch(self, decode_latin1: bool = False) -> str:  # noqa: ARG002, FBT001, FBT002  # blessed's
        return self.take(1) or ""

    def kbhit(self, timeout: float | None = None) -> bool:
        # what had arrived was taken at once: only the rest of a key's sequence is waited for
        return (timeout != 0 or not self._taken_over) and super().kbhit(timeout)


class TerminalDisplay(Output):
    """Paints frames with the terminal's own styles; a thread reads its keyboard."""

    name = "terminal"

    def __init__(self, put: Callable[[Key], bool], leave: Callable[[], None]) -> None:
        """Take over the terminal; `leave` is called after a hang-up."""
        self.terminal = Keyboard()
        # the commands' own stream lets no control characters pass
        self._out = sys.__stdout__ or sys.stdout
        self._put = put
        self._leave = leave
        self._typing = self._lettered = self._exact = False
        """What letters mean in the frame shown, as in its `KeySet`."""
        self._frame: Frame | None = None
        self._size = (0, 0)
        """The columns and rows that were painted last."""
        self._refused = False
        """Whether the last key was refused, which marks its line."""
        if isinstance(self._out, TextIOWrapper):
            self._out.reconfigure(errors="replace")  # a terminal without card suits
        self._modes = [self.terminal.fullscreen(), self.terminal.cbreak()]
        for mode in self._modes:
            mode.__enter__()
        self._out.write(self.terminal.hide_cursor)
        self._stop_read, self._stop_write = os.pipe()  # `close` wakes the thread through it
        self._reader = threading.Thread(target=self._read, name="keyboard", daemon=True)
        self._reader.start()

    def _read(self) -> None:
        """Turn what is typed into keys until the terminal hangs up or is closed."""
        stdin = sys.stdin.fileno()
        while True:
            ready, _, _ = select.select([stdin, self._stop_read], [], [])
            if self._stop_read in ready:
                return
            typed = self.terminal.take()
            if typed is None:
                self._leave()
                return
            for key in self._keys(typed):
                if not self._put(key):
                    break  # the queue is full: the rest is dropped

    def _keys(self, text: str) -> Iterator[Key]:
        for typed, name in self.terminal.strokes(text):
            yield from keys_of(
                typed, name, typing=self._typing, lettered=self._lettered, exact=self._exact
            )

    def show(self, frame: Frame) -> None:
        self._frame = frame
        self._typing, self._lettered = frame.keys.typing, frame.keys.lettered
        self._exact = frame.keys.exact
        self._paint(frame)

    def signal(self, signal: Signal) -> None:
        """Ring for a refused key, and mark its line until the next key."""
        refused = signal is Signal.BAD
        if refused:
            self._out.write(self.terminal.bel or "\a")
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

    def poll_every_s(self) -> float:
        return _RESIZE_S

    def _measure(self) -> tuple[int, int]:
        return self.terminal.width or 80, self.terminal.height or 24

    def _paint(self, frame: Frame) -> None:
        terminal = self.terminal
        self._size = self._measure()
        rows = screen_lines(terminal, frame, *self._size, refused=self._refused)
        screen = "\r\n".join(terminal.clear_eol + row for row in rows)
        self._out.write(terminal.home + screen + terminal.clear_eos)
        self._out.flush()

    def close(self) -> None:
        os.write(self._stop_write, b"x")
        self._reader.join(timeout=2)
        self._out.write(self.terminal.normal_cursor)
        for mode in reversed(self._modes):
            mode.__exit__(None, None, None)
        self._out.flush()


def screen_lines(
    terminal: Terminal, frame: Frame, columns: int, rows: int, *, refused: bool = False
) -> list[str]:
    """Return a frame as rows for a terminal of this size, with the terminal's own styles."""

    def style_text(style: str, text: str) -> str:
        painted: Any = getattr(terminal, style)
        return str(painted(text))

    return paint(frame, columns, rows, style_text, refused=refused)
