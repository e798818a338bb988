"""The queue for all inputs: bounded, closed until the first frame is shown."""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from threading import Condition, RLock

from hardware.keys import Key

LIMIT = 64
"""The most waiting keys; more are dropped, the oldest stay."""


@dataclass(frozen=True, slots=True)
class Tap:
    """A touch on the picture's cell with this name."""

    name: str


Input = Key | Tap
"""A pressed key, or a touch on the board of a display with a pointer."""

Errand = Callable[[], None]
"""Work for the loop between two keys, such as a key of a phone."""

ERRAND_LIMIT = 16
"""The most waiting errands; more are refused."""


class KeyQueue:
    """A queue of keys and taps between the devices' threads and the loop."""

    def __init__(self) -> None:
        self._keys: deque[Input] = deque()
        self._errands: deque[Errand] = deque()
        self._changed = Condition(RLock())
        """Guards all fields; notified when one of them changes."""
        self._open = False
        """Whether keys are accepted: from the first frame on."""
        self._woken = False
        """Whether `wake` was called since the last `get`."""
        self.stopped = False
        """Whether the program was told to end (signal, closed window, hang-up)."""

    def open(self) -> None:
        """Accept keys from now on; those pressed before the first frame were dropped."""
        with self._changed:
            self._open = True
            self._changed.notify_all()

    def put(self, key: Input) -> bool:
        """Add a key or a tap from any thread; return whether there was room."""
        with self._changed:
            if not self._open or len(self._keys) >= LIMIT:
                return False
            self._keys.append(key)
            self._changed.notify()
            return True

    def post(self, act: Errand) -> bool:
        """Let the loop call `act` when no key waits; return whether there was room.

        Any thread may call this. It is the only way to bring work to the loop.
        """
        with self._changed:
            if not self._open or self.stopped or len(self._errands) >= ERRAND_LIMIT:
                return False
            self._errands.append(act)
            self._changed.notify()
            return True

    def feed(self, keys: Iterable[Key]) -> None:
        """Put in each key as soon as the previous one was taken, then end the program.

        It waits, so it needs a thread of its own.
        """
        for key in keys:
            with self._changed:
                self._changed.wait_for(lambda: self.stopped or (self._open and not self._keys))
                self._keys.append(key)
                self._changed.notify_all()
            if self.stopped:
                return
        with self._changed:
            self._changed.wait_for(lambda: self.stopped or (self._open and not self._keys))
        self.stop()

    def stop(self) -> None:
        """Tell the loop to end; callable from any thread."""
        with self._changed:
            self.stopped = True
            self._changed.notify_all()

    def wake(self) -> None:
        """Let `get` return at once without a key, even if it is just about to wait."""
        with self._changed:
            self._woken = True
            self._changed.notify_all()

    def get(self, timeout_s: float | None) -> Input | Errand | None:
        """Return the next key, else an errand; None after the timeout or `wake`."""
        with self._changed:
            if not (self._keys or self._errands or self.stopped or self._woken):
                self._changed.wait(timeout_s)
            self._woken = False  # one `wake` ends one wait
            key = self._keys.popleft() if self._keys else None
            if not self._keys:
                self._changed.notify_all()  # `feed` waits for an empty queue
            if key is None and self._errands:
                return self._errands.popleft()
            return key
