"""The panel without a Pico: keys from a script, rows and lamps as text. For MicroPython on Unix.

Run by `micropython firmware/unix.py`; `USAGE` describes its options.
"""

import sys

from . import script
from .app import App
from .clock import Clock, sleep_ms
from .keypad import MATRIX
from .session import Outputs, Session
from .stream import Stream

USAGE = """\
usage: micropython firmware/unix.py [--line PATH] [--keys FILE] [--tap MS] [--quit] [--show]

Runs the panel. It speaks the panel protocol on the terminal PATH (a pseudo-terminal or a
serial port), otherwise on standard input and output.

  --line PATH  the terminal to speak on
  --keys FILE  press the keys of this script, and those appended to it later; 5*11*13#,
               ^ v < << ? d4, full names, NAME:MS to hold, ~MS to wait, ; for a comment
  --tap MS     how long a key is down, and then up, unless the script says; from 25
  --quit       end when the script is done and the host has taken all of it
  --show       tell on standard error what display, lamps and buzzer do, a line each
"""
STEP_MS = 5
HANG_UP_MS = 30000


class Desktop(Outputs):
    """Writes what the panel shows to standard error, if `show`."""

    def __init__(self, show: bool) -> None:
        self._show = show
        self._last: dict[str, str] = {}

    def lamp(self, index: int, colour: int) -> None:
        """Write a lamp's colour."""
        self._write("LAMP all" if index < 0 else f"LAMP {index}", f"{colour:06X}")

    def text(self, row: int, text: str) -> None:
        """Write a row of text."""
        self._write(f"TEXT {row}", text)

    def beep(self, kind: str) -> None:
        """Write a beep."""
        self._last.pop("BEEP", None)  # the same beep again is written again
        self._write("BEEP", kind)

    def begin_session(self, session: str) -> None:
        """Write a new session; everything shown after it is written again."""
        self._last.clear()
        self._write("SESSION", session)

    def show_waiting(self) -> None:
        """Write that the host is gone."""
        self._last.clear()
        self._write("WAITING", "")

    def _write(self, part: str, state: str) -> None:
        if self._last.get(part) != state:
            self._last[part] = state
            if self._show:
                sys.stderr.write(part + " " + state + "\n")


class Arguments:
    """The options of the command line; ValueError for an unknown one."""

    def __init__(self, words: list[str]) -> None:
        self.line = ""
        self.keys = ""
        self.tap_ms = script.TAP_MS
        self.quit = False
        self.show = False
        words = list(words)  # the caller keeps its own
        while words:
            word = words.pop(0)
            if word == "--quit":
                self.quit = True
            elif word == "--show":
                self.show = True
            elif word == "--line" and words:
                self.line = words.pop(0)
            elif word == "--keys" and words:
                self.keys = words.pop(0)
            elif word == "--tap" and words:
                self.tap_ms = int(words.pop(0))
            else:
                raise ValueError(word)


def open_line(path: str) -> tuple[Stream, int]:
    """Open the line to the host, without echo or line editing if it is a terminal.

    Also return how many ms to wait for a host that hung up: a terminal's host may come back.
    """
    patience_ms = 0
    source = open(path, "r+b") if path else sys.stdin.buffer
    sink = source if path else sys.stdout.buffer
    try:
        import termios

        termios.setraw(source.fileno())  # type: ignore[attr-defined]
        patience_ms = HANG_UP_MS
    except (ImportError, OSError, AttributeError):
        pass  # a pipe needs no settings
    return Stream(source, sink), patience_ms


def main(words: list[str]) -> int:
    """Run until the line is gone or, with `--quit`, the script is done; return the exit status."""
    try:
        options = Arguments(words)
        fingers = script.Fingers(open(options.keys), options.tap_ms) if options.keys else None
        stream, patience_ms = open_line(options.line)
    except (ValueError, OSError) as error:
        sys.stderr.write(f"{error}\n{USAGE}")
        return 2
    session = Session(Desktop(options.show), "desk")
    app = App(session, stream)
    clock = Clock()
    connected_at = 0  # when the host was last seen; after hanging up it may come back
    now = 0
    while now - connected_at <= patience_ms:
        busy = step(app, fingers, now)
        if options.quit and not busy and session.idle:
            break
        sleep_ms(STEP_MS)
        now = clock.now()
        if not stream.hung_up:
            connected_at = now
    return 0


def step(app: App, fingers: "script.Fingers | None", now: int) -> bool:
    """Do what is due; return True while there are keys to press."""
    if fingers is None:
        app.step([0] * len(MATRIX), 0, now)
        return False
    busy = fingers.step(app.session, now)
    app.step(fingers.rows, fingers.buttons, now)
    return busy
