"""Short and long presses of keys that tell them apart, from mouse, finger and keyboard."""

from collections.abc import Callable

from hardware.keys import HOLD_S, Key


class Presses:
    """Turns going down and up into keys: BACK and MENU send a key of their own when held."""

    def __init__(self, put: Callable[[Key], object], clock: Callable[[], float]) -> None:
        self._put = put
        self._clock = clock
        self._waiting: tuple[Key, float] | None = None

    @property
    def waiting(self) -> bool:
        """Whether a key is down that may become a long press."""
        return self._waiting is not None

    def down(self, key: Key) -> None:
        """Take a key that goes down; most count at once."""
        if key.held is None:
            self._put(key)
        else:
            self._waiting = (key, self._clock() + HOLD_S)

    def up(self) -> None:
        """Take the key going up: if it was short, it counts now."""
        if self._waiting is not None:
            self._put(self._waiting[0])
            self._waiting = None

    def cancel(self) -> None:
        """Forget the key: the finger slid away from it."""
        self._waiting = None

    def poll(self) -> None:
        """Send the long press as soon as it is long enough."""
        if self._waiting is None:
            return
        key, due = self._waiting
        if key.held is not None and self._clock() >= due:
            self._put(key.held)
            self._waiting = None
