"""From keys that go down and up to keys that are heard: long presses, repeats, stuck keys.

One machine for the header's keys, the panel's and the window's. It is told what goes down and
up, and until when the keys that are down are known to be down: a scan of the header and the
window know it at once, a panel has to prove it. Nothing acts on a key that may have been let go
of since. Pure, the clock comes in: all times are seconds of one clock that never goes back.
"""

from dataclasses import dataclass, field, replace

from hardware.keys import TIMES, Key, Times

REPEATING = frozenset({Key.UP, Key.DOWN})


@dataclass(frozen=True, slots=True)
class _Down:
    """A key that is down: since when, and when it acts next unless it comes up before."""

    since: float
    due: float | None
    stuck: bool = False


@dataclass(slots=True)
class Presses:
    """The keys that are down.

    BACK and MENU, which have a long form, are heard on release or as the long form while
    still held; UP and DOWN repeat; every other key is heard when it goes down. A key that is
    down for ten seconds is stuck and does nothing more until it was released.
    """

    times: Times = TIMES
    _down: dict[Key, _Down] = field(default_factory=dict)

    def copy(self) -> "Presses":
        """Return one that goes its own way from here."""
        return Presses(self.times, dict(self._down))

    def reset(self) -> None:
        """Forget what is down."""
        self._down.clear()

    @property
    def stuck(self) -> tuple[Key, ...]:
        """The keys that are down for so long that no finger can be on them."""
        return tuple(key for key, down in self._down.items() if down.stuck)

    @property
    def due(self) -> float | None:
        """When a key that stays down acts next, or counts as stuck."""
        waits = (self._next(down) for down in self._down.values() if not down.stuck)
        return min(waits, default=None)

    def _next(self, down: _Down) -> float:
        stuck = down.since + self.times.stuck_s
        return stuck if down.due is None else min(down.due, stuck)

    def down(self, key: Key, now: float) -> list[Key]:
        """Take note of a key that goes down; return what is heard at once."""
        due = None
        if key.held is not None:
            due = now + self.times.hold_s
        elif key in REPEATING and self.times.repeat_after_s > 0:
            due = now + self.times.repeat_after_s
        self._down[key] = _Down(now, due)
        return [] if key.held is not None else [key]

    def up(self, key: Key, now: float, ms: int | None = None) -> list[Key]:
        """Take note of a key that goes up; return what is heard.

        `ms` is how long it was down if that was measured where it was pressed.
        """
        down = self._down.pop(key, None)
        if key.held is None or down is None or down.due is None:
            return []
        held_s = now - down.since if ms is None else ms / 1000
        return [key.held if held_s >= self.times.hold_s else key]

    def note_held(self, until: float) -> list[Key]:
        """Take note that whatever is down was down until then; return what is heard by that."""
        heard = []
        for key, down in list(self._down.items()):
            if down.stuck or until < self._next(down):
                continue
            if until >= down.since + self.times.stuck_s:
                self._down[key] = replace(down, due=None, stuck=True)
            elif key.held is not None:
                self._down[key] = replace(down, due=None)
                heard.append(key.held)
            elif down.due is not None:
                # after a pause of the whole program one repeat is enough
                late = until - down.due > self.times.repeat_every_s
                due = (until if late else down.due) + self.times.repeat_every_s
                self._down[key] = replace(down, due=due)
                heard.append(key)
        return heard
