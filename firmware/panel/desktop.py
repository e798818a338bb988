"""The panel without a Pico: keys from a script, rows and lamps as text. For MicroPython on Unix.

Run by `micropython firmware/unix.py`; `USAGE` tells what it takes.
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
    """Tells what the panel shows on standard error, if wanted."""

    def __init__(self, show: bool) -> None:
        self._show = show
        self._lit: dict[str, str] = {}

    def lamp(self, index: int, colour: int) -> None:
        """Tell of a lamp."""
        self._tell("LAMP all" if index < 0 else f"LAMP {index}", f"{colour:06X}")

    def text(self, row: int, text: str) -> None:
        """Tell of a row of text."""
        self._tell(f"TEXT {row}", text)

    def beep(self, kind: str) -> None:
        """Tell of a beep."""
        self._lit.pop("BEEP", None)
        self._tell("BEEP", kind)

    def begin_session(self, session: str) -> None:
        """Tell of a new session; what follows is told anew."""
        self._lit.clear()
        self._tell("SESSION", session)

    def show_waiting(self) -> None:
        """Tell that the host is gone."""
        self._lit.clear()
        self._tell("WAITING", "")

    def _tell(self, what: str, how: str) -> None:
        if self._lit.get(what) != how:
            self._lit[what] = how
            if self._show:
                sys.stderr.write(what + " " + how + "\n")


class Arguments:
    """What the command line asks for; ValueError for what nobody understands."""

    def __init__(self, words: list[str]) -> None:
        self.line = ""
        self.keys = ""
        self.tap_ms = script.TAP_MS
        self.quit = False
        self.show = False
        words = list(words)
        while words:
            word = words.pop(0)
            if word == "--quit":
                self.quit = True
            elif word == "--show":
                self.show = True
            elif word in ("--line", "--keys", "--tap") and words:
                self._take(word, words.pop(0))
            else:
                raise ValueError(word)

    def _take(self, word: str, value: str) -> None:
        if word == "--line":
            self.line = value
        elif word == "--keys":
            self.keys = value
        else:
            self.tap_ms = int(value)


def open_line(path: str) -> tuple[Stream, int]:
    """Open the way to the host, without echo or line editing where it is a terminal.

    Also gives the patience with a host that hung up, in ms: a terminal's may come back.
    """
    patience = 0
    source = open(path, "r+b") if path else sys.stdin.buffer
    sink = source if path else sys.stdout.buffer
    try:
        import termios

        termios.setraw(source.fileno())  # type: ignore[attr-defined]
        patience = HANG_UP_MS
    except (ImportError, OSError, AttributeError):
        pass  # a pipe needs no settings
    return Stream(source, sink), patience


def main(words: list[str]) -> int:
    """Run until the line is gone, or the script is done with `--quit`; the exit status."""
    try:
        options = Arguments(words)
        fingers = script.Fingers(open(options.keys), options.tap_ms) if options.keys else None
        stream, patience = open_line(options.line)
    except (ValueError, OSError) as error:
        sys.stderr.write(f"{error}\n{USAGE}")
        return 2
    session = Session(Desktop(options.show), "desk")
    app = App(session, stream)
    clock = Clock()
    connected = 0
    now = 0
    while now - connected <= patience:
        busy = step(app, fingers, now)
        if options.quit and not busy and session.idle:
            break
        sleep_ms(STEP_MS)
        now = clock.now()
        if not stream.hung_up:
            connected = now
    return 0


def step(app: App, fingers: "script.Fingers | None", now: int) -> bool:
    """Do what is to be done now; True while there is something to press."""
    if fingers is None:
        app.step([0] * len(MATRIX), 0, now)
        return False
    busy = fingers.step(app.session, now)
    app.step(fingers.rows, fingers.buttons, now)
    return busy
