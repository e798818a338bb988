"""Turns keys that go down and up into key presses: long presses, repeats, stuck keys.

The same for the keys of header, serial panel and window. Its caller reports which keys go down and
up, and until what time the others were certainly down: a scan of the header and the window know
that at once, a panel has to prove it. A key that may have been released causes no press. The
module reads no clock: all times are seconds of one clock that never goes back.
"""

from dataclasses import dataclass, field, replace

from hardware.keys import TIMES, Key, Times

REPEATING = frozenset({Key.UP, Key.DOWN, Key.STICK_UP, Key.STICK_DOWN})


@dataclass(frozen=True, slots=True)
class _Down:
    """A key that is down since `since`; at `due` it sends its next press, with None never."""

    since: float
    due: float | None
    stuck: bool = False


@dataclass(slots=True)
class Presses:
    """The keys that are down.

    A key with a long form sends its short form on release, or its long form while still held; up
    and down repeat; every other key is sent when it goes down. A key that is down for ten seconds
    is stuck and sends nothing more until it is released.
    """

    times: Times = TIMES
    _down: dict[Key, _Down] = field(default_factory=dict)

    def copy(self) -> "Presses":
        """Return an independent copy."""
        return Presses(self.times, dict(self._down))

    def reset(self) -> None:
        """Forget the keys that are down."""
        self._down.clear()

    @property
    def stuck(self) -> tuple[Key, ...]:
        """The keys that have been down too long to be held by a finger."""
        return tuple(key for key, down in self._down.items() if down.stuck)

    @property
    def due(self) -> float | None:
        """When the next key that stays down is sent again or counts as stuck."""
        waits = (self._next(down) for down in self._down.values() if not down.stuck)
        return min(waits, default=None)

    def _next(self, down: _Down) -> float:
        stuck = down.since + self.times.stuck_s
        return stuck if down.due is None else min(down.due, stuck)

    def down(self, key: Key, now: float) -> list[Key]:
        """Note that a key goes down; return the keys to send at once."""
        due = None
        if key.held is not None:
            due = now + self.times.hold_s
        elif key in REPEATING and self.times.repeat_after_s > 0:
            due = now + self.times.repeat_after_s
        self._down[key] = _Down(now, due)
        return [] if key.held is not None else [key]

    def up(self, key: Key, now: float, ms: int | None = None) -> list[Key]:
        """Note that a key goes up; return the keys to send.

        `ms` is how long it was down if the device measured that.
        """
        down = self._down.pop(key, None)
        # without a due time its long press has been sent already, or it is stuck
        if key.held is None or down is None or down.due is None:
            return []
        held_s = now - down.since if ms is None else ms / 1000
        return [key.held if held_s >= self.times.hold_s else key]

    def note_held(self, until: float) -> list[Key]:
        """Note that all keys that are down stayed down until then; return the keys to send."""
        keys = []
        for key, down in list(self._down.items()):
            if down.stuck or until < self._next(down):
                continue
            if until >= down.since + self.times.stuck_s:
                self._down[key] = replace(down, due=None, stuck=True)
            elif key.held is not None:
                self._down[key] = replace(down, due=None)
                keys.append(key.held)
            elif down.due is not None:
                # after a pause of the whole program one repeat is enough
                late = until - down.due > self.times.repeat_every_s
                due = (until if late else down.due) + self.times.repeat_every_s
                self._down[key] = replace(down, due=due)
                keys.append(key)
        return keys
