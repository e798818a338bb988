"""One thread that looks at all inputs and steps the buzzer, and sleeps while nothing happens."""

import logging
import threading
from collections.abc import Callable
from typing import Protocol

log = logging.getLogger(__name__)

IDLE_S = 0.1
"""How long to sleep at most while nothing moves; an edge on a pin ends the sleep."""


class Polled(Protocol):
    """Something that is looked at regularly."""

    def poll(self, now: float) -> bool:
        """Look once; tell whether to look again soon."""


class Poller:
    """Polls parts by name; one that raises is dropped and handed to `failed`."""

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
        self._awake = threading.Event()
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def add(self, name: str, part: Polled) -> None:
        """Look at this part from now on."""
        self._parts = {**self._parts, name: part}
        self.wake()

    def remove(self, name: str) -> None:
        """Look at this part no more."""
        self._parts = {key: part for key, part in self._parts.items() if key != name}

    def wake(self) -> None:
        """Look at once: something moved."""
        self._awake.set()

    def poll(self) -> bool:
        """Look at everything once; tell whether to look again soon."""
        busy = False
        now = self._clock()
        for name, part in self._parts.items():
            try:
                busy = part.poll(now) or busy
            except Exception as error:  # whatever a pin library raises: the others go on
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
            self._awake.clear()
            if self.poll():
                self._stopped.wait(self._scan_s)
            else:
                self._awake.wait(IDLE_S)

    def close(self) -> None:
        """Stop the thread and wait for it."""
        self._stopped.set()
        self._awake.set()
        if self._thread:
            self._thread.join()
