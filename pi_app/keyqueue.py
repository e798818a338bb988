"""Where all inputs put their keys: bounded, closed until the first frame is shown."""

from collections import deque
from threading import Condition, RLock

from hardware.keys import Key

LIMIT = 64
"""Keys that may wait; a flood beyond that is dropped, the oldest keys stay."""


class KeyQueue:
    """A queue of keys between the devices' threads and the loop."""

    def __init__(self) -> None:
        self._keys: deque[Key] = deque()
        self._changed = Condition(RLock())
        self._open = False
        self.stopped = False
        """Whether the program was told to end (signal, closed window, hang-up)."""

    def open(self) -> None:
        """Take keys from now on; those pressed before the first frame were dropped."""
        with self._changed:
            self._open = True

    def put(self, key: Key) -> bool:
        """Add a key from any thread; tell whether there was room for it."""
        with self._changed:
            if not self._open or len(self._keys) >= LIMIT:
                return False
            self._keys.append(key)
            self._changed.notify()
            return True

    def stop(self) -> None:
        """Tell the loop to end; callable from a signal handler and from any thread."""
        self.stopped = True
        self.wake()

    def wake(self) -> None:
        """Let a waiting `get` return at once, without a key."""
        with self._changed:
            self._changed.notify()

    def get(self, timeout_s: float | None) -> Key | None:
        """Return the next key, or None when the time is up or `wake` was called."""
        with self._changed:
            if not self._keys and not self.stopped:
                self._changed.wait(timeout_s)
            return self._keys.popleft() if self._keys else None
