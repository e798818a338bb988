"""Starts and ends the web server with the companion: `beisitzer play --web`."""

import logging
import subprocess
from collections.abc import Callable
from typing import Protocol

from pi_app.system.own_process import own_command, own_environment
from pi_app.view.frame import Frame
from pi_app.view.output import Output

log = logging.getLogger(__name__)

ENDS_S = 5
"""How long the server may take to end before it is killed, in seconds."""
LOOK_S = 2.0
"""How often to check whether it is still running."""
PAUSE_S = 1.0
"""The pause before it is started again; each further pause is twice as long."""
LONGEST_PAUSE_S = 60.0
STEADY_S = 600.0
"""After running this long, a server that ends counts as the first failure again."""
FAILURE_LIMIT = 3
"""After this many failures an alert says so at the table."""


class Served(Protocol):
    """A process that serves pages."""

    def poll(self) -> int | None:
        """Return its exit status; None while it is running."""

    def close(self) -> None:
        """End it and release its resources."""


class WebProcess(Output):
    """Starts the web server with the first frame, and again after a pause if it ends.

    `tell` is called when it has ended FAILURE_LIMIT times.
    """

    name = "pages"

    def __init__(
        self, begin: Callable[[], Served], tell: Callable[[], None], clock: Callable[[], float]
    ) -> None:
        self._begin = begin
        self._tell = tell
        self._clock = clock
        self._pages: Served | None = None
        self._start_at = clock()
        """When the server was started or, if it is not running, when to start it."""
        self._ends = 0
        """How often it has ended since it last ran for STEADY_S."""

    def show(self, frame: Frame) -> None:
        del frame
        self.poll()

    def poll(self) -> None:
        now = self._clock()
        status = None if self._pages is None else self._pages.poll()
        if status is not None:
            self._ended(f"they ended with status {status}", now)
        elif self._pages is None and now >= self._start_at:
            try:
                self._pages, self._start_at = self._begin(), now
            except OSError as error:
                self._ended(str(error), now)

    def poll_every_s(self) -> float:
        return LOOK_S if self._pages else max(0.0, self._start_at - self._clock())

    def _ended(self, why: str, now: float) -> None:
        """Plan the next start, and tell the table if this happens again and again."""
        log.warning("no pages for phones: %s", why)
        was_steady = self._pages is not None and now - self._start_at >= STEADY_S
        self.close()
        self._ends = 1 if was_steady else self._ends + 1
        # limits the exponent, as the number of failures is unlimited
        self._start_at = now + min(PAUSE_S * 2 ** min(self._ends - 1, 10), LONGEST_PAUSE_S)
        if self._ends == FAILURE_LIMIT:
            self._tell()

    def close(self) -> None:
        pages, self._pages = self._pages, None
        if pages is not None:
            pages.close()


class Process:
    """The process `beisitzer web`, which ends when its standard input is closed.

    Only the companion has the other end of that pipe, so the system closes it however the
    companion ends, even by a kill. Linux's PR_SET_PDEATHSIG would send a signal when the starting
    thread ends, not the process, and other systems do not have it.
    """

    def __init__(self, port: int) -> None:
        self._process = subprocess.Popen(  # noqa: S603  # this program
            own_command("pi_app", "web", "--port", str(port), "--attached"),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            env=own_environment(),
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
