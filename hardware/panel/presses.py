"""From "down" and "up after so many milliseconds" to the keys the loop hears.

Keys act when they go down. BACK and MENU act when they come up, by the time the panel
measured: an `up` that was held up on the line must not turn a tap into a long press. UP and
DOWN repeat while they are held, but only on proof that they still are: the panel answered a
PING that was sent well after the press, and no `up` came in the time in which it would have.
"""

from math import inf
from typing import Final

from hardware.keys import HOLD_S, Key

REPEAT_S: Final = 0.15
PROOF_S: Final = 0.3
"""An `up` on its way would have come so long after the answer: the panel repeats it thrice."""
WINDOW_S: Final = 1.3
"""One proof is good for so long; a panel that falls silent stops the repeating."""
SILENCE_S: Final = 2.5
"""After so long without an answer an `up` may be lost for good: what is down repeats no more."""

_REPEATING: Final = frozenset((Key.UP, Key.DOWN))


class Presses:
    """The keys that are down on one panel."""

    def __init__(self) -> None:
        self._down: dict[Key, float] = {}
        self._alive_at: float | None = None
        self._repeat_due: float | None = None
        self._repeat_until = 0.0

    def reset(self) -> None:
        """Forget what is down: the panel is gone."""
        self._down.clear()
        self._alive_at = None
        self._repeat_due = None

    def down(self, key: Key, now: float) -> list[Key]:
        """Hear a key go down."""
        self._down.pop(key, None)
        self._down[key] = now
        self._repeat_due = None
        return [] if key.held is not None else [key]

    def up(self, key: Key, ms: int) -> list[Key]:
        """Hear a key come up that was down for `ms`; one never seen going down means nothing."""
        self._repeat_due = None
        if self._down.pop(key, None) is None or key.held is None:
            return []
        return [key.held if ms >= HOLD_S * 1000 else key]

    def alive(self, sent: float, now: float) -> None:
        """Hear that the panel answered a PING sent at `sent`."""
        if self._alive_at is not None and now - self._alive_at > SILENCE_S:
            self._down = dict.fromkeys(self._down, inf)
        self._alive_at = now
        key = self._repeating
        if key is not None and sent >= self._down[key] + HOLD_S:
            if self._repeat_due is None:
                self._repeat_due = now + PROOF_S
            self._repeat_until = now + WINDOW_S

    def tick(self, now: float) -> list[Key]:
        """Give the repeat that is due, if any."""
        key = self._repeating
        if key is None or self._repeat_due is None or now < self._repeat_due:
            return []
        if now > self._repeat_until:
            self._repeat_due = None
            return []
        self._repeat_due = now + REPEAT_S
        return [key]

    def due(self, now: float) -> float | None:
        """Seconds until the next repeat; None while nothing repeats."""
        return None if self._repeat_due is None else max(0.0, self._repeat_due - now)

    @property
    def _repeating(self) -> Key | None:
        """The key that went down last, if it is one that repeats."""
        last = next(reversed(self._down), None)
        return last if last in _REPEATING else None
