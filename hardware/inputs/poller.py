"""One thread that polls all inputs and the buzzer, and sleeps while nothing happens."""

import logging
import os
import select
import threading
from collections.abc import Callable
from typing import Final, Protocol

log = logging.getLogger(__name__)

IDLE_S: Final = 1.0
"""The longest sleep while nothing moves; an edge ends it."""


class Polled(Protocol):
    """A part that is polled regularly; an input also has `sources` of edges."""

    def poll(self, now: float) -> bool:
        """Do what is due; tell whether to call again soon."""


class Poller:
    """Polls parts by name; a part that raises is removed and reported to `failed`."""

    def __init__(
        self,
        clock: Callable[[], float],
        scan_s: float,
        failed: Callable[[str, Exception], None],
    ) -> None:
        self._clock = clock
        self._scan_s = scan_s
        self._failed = failed
        self._parts: dict[str, Polled] = {}
        self._wake_reader, self._wake_writer = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._wake_sent = threading.Event()
        """Whether a byte is in the pipe: one is enough to wake the thread."""
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def add(self, name: str, part: Polled) -> None:
        """Poll this part from now on."""
        # a new dictionary, here and in `remove`: the thread may be going through the old one
        self._parts = {**self._parts, name: part}
        self.wake()

    def remove(self, name: str) -> None:
        """Stop polling this part."""
        self._parts = {key: part for key, part in self._parts.items() if key != name}
        self.wake()

    def wake(self) -> None:
        """Poll at once: something moved."""
        if not self._wake_sent.is_set():
            self._wake_sent.set()
            try:
                os.write(self._wake_writer, b"!")
            except OSError:
                return  # it is being closed

    def poll(self) -> bool:
        """Poll every part once; tell whether to poll again soon."""
        busy = False
        now = self._clock()
        for name, part in self._parts.items():
            try:
                busy = part.poll(now) or busy  # in this order: every part is polled
            except Exception as error:  # pin libraries raise anything: the other parts continue
                log.debug("%s failed", name, exc_info=True)
                self.remove(name)
                self._failed(name, error)
        return busy

    def start(self) -> None:
        """Start the thread."""
        self._thread = threading.Thread(target=self._run, name="rig", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._stopped.is_set():
            if self.poll():
                self._stopped.wait(self._scan_s)
            else:
                self._sleep()

    def _sleep(self) -> None:
        """Wait for an edge or a call of `wake`, or until the next poll without either."""
        waits = select.poll()
        waits.register(self._wake_reader, select.POLLIN)
        longest = IDLE_S
        for part in self._parts.values():
            for source in part.sources() if hasattr(part, "sources") else ():
                if source.every_s is not None:
                    longest = min(longest, source.every_s)
                if (fd := source.fileno()) is not None:
                    waits.register(fd, select.POLLIN)
        if any(fd == self._wake_reader for fd, _ in waits.poll(longest * 1000)):
            # cleared before reading: a call of `wake` in between then writes a new byte
            self._wake_sent.clear()
            os.read(self._wake_reader, 4096)

    def close(self) -> None:
        """Stop the thread and wait for it."""
        if self._stopped.is_set():
            return
        self._stopped.set()
        self.wake()
        if self._thread:
            self._thread.join()
        self._wake_sent.set()  # from now on `wake` does nothing
        for fd in (self._wake_reader, self._wake_writer):
            os.close(fd)
