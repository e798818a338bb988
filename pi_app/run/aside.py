"""Work beside the loop: one thread, which is there only while there is something to do."""

import logging
from collections import deque
from collections.abc import Callable
from threading import Lock, Thread

log = logging.getLogger(__name__)

MOST = 8
"""Jobs that may wait."""


class Aside:
    """Does one job after the other; a job that fails says so itself."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._jobs: deque[Callable[[], None]] = deque()
        self._lock = Lock()
        self._busy = False

    def do(self, job: Callable[[], None]) -> bool:
        """Do something soon; tell whether there was room for it. Callable from any thread."""
        with self._lock:
            if len(self._jobs) >= self._most:
                return False
            self._jobs.append(job)
            if not self._busy:
                self._busy = True
                Thread(target=self._work, name="aside", daemon=True).start()
            return True

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._jobs:
                    self._busy = False
                    return
                job = self._jobs.popleft()
            job()
