"""The pages, started and ended with a companion: `beisitzer play --web`."""

import logging
import subprocess
import sys
from collections.abc import Callable
from typing import Protocol

from pi_app.view.frame import Frame
from pi_app.view.output import Output

log = logging.getLogger(__name__)

ENDS_S = 5
"""It is given so long to end by itself, in seconds."""
LOOK_S = 2.0
"""So often it is looked at whether it is still there."""
PAUSE_S = 1.0
"""Before it is started again; each further pause is twice as long."""
LONGEST_PAUSE_S = 60.0
STEADY_S = 600.0
"""One that was there for so long is no trouble."""
MOST_ENDS = 3
"""After so many ends the table is told."""


class Served(Protocol):
    """A process that serves pages."""

    def poll(self) -> int | None:
        """Return its exit status; None while it is running."""

    def close(self) -> None:
        """End it, or let go of what is left of it."""


class WebProcess(Output):
    """Keeps pages served from the first frame on: those that end are served again after a pause.

    `tell` is called when they have ended again and again.
    """

    name = "pages"

    def __init__(
        self, begin: Callable[[], Served], tell: Callable[[], None], clock: Callable[[], float]
    ) -> None:
        self._begin = begin
        self._tell = tell
        self._clock = clock
        self._pages: Served | None = None
        self._at = clock()
        """When the pages were begun, or are to be."""
        self._ends = 0

    def show(self, frame: Frame) -> None:
        del frame
        self.poll()

    def poll(self) -> None:
        now = self._clock()
        status = None if self._pages is None else self._pages.poll()
        if status is not None:
            self._ended(f"they ended with status {status}", now)
        elif self._pages is None and now >= self._at:
            try:
                self._pages, self._at = self._begin(), now
            except OSError as error:
                self._ended(str(error), now)

    def poll_every_s(self) -> float:
        return LOOK_S if self._pages else max(0.0, self._at - self._clock())

    def _ended(self, why: str, now: float) -> None:
        """Plan the next start, and tell the table if this happens again and again."""
        log.warning("no pages for phones: %s", why)
        steady = self._pages is not None and now - self._at >= STEADY_S
        self.close()
        self._ends = 1 if steady else self._ends + 1
        self._at = now + min(PAUSE_S * 2 ** min(self._ends - 1, 10), LONGEST_PAUSE_S)
        if self._ends == MOST_ENDS:
            self._tell()

    def close(self) -> None:
        pages, self._pages = self._pages, None
        if pages is not None:
            pages.close()


class Process:
    """`beisitzer web`, which ends when its standard input does.

    The other end of that pipe is ours alone, so that the system closes it however we end: killed
    too. Linux could send it a signal instead (PR_SET_PDEATHSIG), but does so already when the
    thread ends that started it, and no other system can.
    """

    def __init__(self, port: int) -> None:
        command = [sys.executable, "-m", "pi_app", "web", "--port", str(port), "--attached"]
        self._process = subprocess.Popen(  # noqa: S603  # this program
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
        )

    def poll(self) -> int | None:
        return self._process.poll()

    def close(self) -> None:
        process = self._process
        process.terminate()
        try:
            process.wait(ENDS_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdin is not None:
            process.stdin.close()
