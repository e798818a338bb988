"""Runs the panel under MicroPython on standard input and output, and tells what a step costs.

`micropython tests/firmware/far_end.py reads` takes a HELLO and then bytes without end of line, and
lets no step of the latter allocate memory. With `writes` it takes lines until the input ends,
presses a key once the line has no room, and goes on until all is written. Both say on standard
error `most STEP ALL QUEUED` when the input has ended: how many bytes one step read at most, how
many were read in all, and how many answers waited at most.
"""

import sys
import time

import micropython

from firmware.panel.app import App
from firmware.panel.session import NO_SESSION, Outputs, Session
from firmware.panel.stream import Stream

FLUSH_MS = 60000
NO_KEYS = [0, 0, 0, 0]


class Counted(Stream):
    """Notes how much is read."""

    most = 0
    total = 0

    def read(self) -> int:
        """Read, and note it."""
        size = Stream.read(self)
        self.most = max(self.most, size)
        self.total += size
        return size


def read_all(app: App, stream: Counted) -> None:
    """Step until the input ends; MemoryError as soon as a step within the session allocates."""
    while app.session.session == NO_SESSION or not stream.clear:
        app.step(NO_KEYS, 0, 0)
    while not stream.hung_up:
        micropython.heap_lock()
        app.step(NO_KEYS, 0, 0)
        micropython.heap_unlock()
    tell(stream, 0)


def write_all(app: App, stream: Counted) -> None:
    """Step until the input ends, then until all is written."""
    queued = 0
    pressed = False
    while not stream.hung_up:
        app.step(NO_KEYS, 0, 0)
        queued = max(queued, len(app.session._out))
        if not pressed and not stream.clear and queued:
            pressed = True
            app.session.press("5", 0)
    tell(stream, queued)
    for _ in range(FLUSH_MS):
        if stream.clear and not queued:
            break
        app.step(NO_KEYS, 0, 0)
        queued = len(app.session._out)
        time.sleep_ms(1)  # type: ignore[attr-defined]


def tell(stream: Counted, queued: int) -> None:
    """Say what was read and what waited."""
    sys.stderr.write(f"most {stream.most} {stream.total} {queued}\n")


if __name__ == "__main__":
    line = Counted(sys.stdin.buffer, sys.stdout.buffer)
    panel = App(Session(Outputs()), line)
    if sys.argv[1] == "reads":
        read_all(panel, line)
    else:
        write_all(panel, line)
