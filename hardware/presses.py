"""From contacts to keys: debounce, ghosts, long presses, repeats. Pure, the clock comes in.

All times are seconds of one clock that never goes back.
"""

from collections.abc import Collection, Mapping
from itertools import combinations

from hardware.keys import HOLD_S, Key

REPEATING = frozenset({Key.UP, Key.DOWN})


class Contact:
    """One contact: closed or open once it has been so without a break for `quiet_s`."""

    __slots__ = ("_quiet_s", "_since", "closed")

    def __init__(self, quiet_s: float) -> None:
        self._quiet_s = quiet_s
        self._since: float | None = None
        self.closed = False

    @property
    def settling(self) -> bool:
        """Whether it looked different lately and the last word is not spoken."""
        return self._since is not None

    def feed(self, now: float, *, closed: bool) -> bool:
        """Take what the pin says now; tell whether the contact changed by that."""
        if closed == self.closed:
            self._since = None
            return False
        if self._since is None:
            self._since = now
        if now - self._since < self._quiet_s:
            return False
        self._since = None
        self.closed = closed
        return True


class Presses:
    """Keys that go down and up become keys that are heard.

    BACK and MENU, which have a long form, are heard on release or as the long form while
    still held; UP and DOWN repeat; every other key is heard when it goes down.
    """

    def __init__(self, repeat_after_s: float = 0.5, repeat_every_s: float = 0.15) -> None:
        self._repeat_after_s = repeat_after_s
        self._repeat_every_s = repeat_every_s
        self._due: dict[Key, float] = {}
        """When a key that is down will be heard next."""

    @property
    def waiting(self) -> bool:
        """Whether time alone will bring a key."""
        return bool(self._due)

    def down(self, key: Key, now: float) -> list[Key]:
        """Take note of a key that goes down; return what is heard at once."""
        if key.held is not None:
            self._due[key] = now + HOLD_S
            return []
        if key in REPEATING and self._repeat_after_s > 0:
            self._due[key] = now + self._repeat_after_s
        return [key]

    def up(self, key: Key, now: float) -> list[Key]:
        """Take note of a key that goes up; return what is heard."""
        due = self._due.pop(key, None)
        if key.held is None or due is None:
            return []
        return [key if now < due else key.held]

    def passed(self, now: float) -> list[Key]:
        """Return what is heard because keys are still down."""
        heard = []
        for key, due in list(self._due.items()):
            if now < due:
                continue
            if key.held is not None:
                del self._due[key]
                heard.append(key.held)
            else:
                # after a pause of the whole program one repeat is enough
                self._due[key] = max(due + self._repeat_every_s, now)
                heard.append(key)
        return heard


Cross = tuple[int, int]
"""A row and a column, both from 0."""


def doubtful(closed: Collection[Cross]) -> set[Cross]:
    """Return the crossings that may be ghosts: all corners of every closed rectangle.

    Three keys at the corners of a rectangle close the fourth electrically; which of the four
    is not pressed cannot be seen.
    """
    there = set(closed)
    found: set[Cross] = set()
    for (row, column), (row2, column2) in combinations(sorted(there), 2):
        corners = {(row, column), (row2, column2), (row, column2), (row2, column)}
        if row != row2 and column != column2 and corners <= there:
            found |= corners
    return found


class Matrix:
    """A keypad's crossings over time. Any two keys at once are heard, whatever they are."""

    def __init__(
        self, keys: Mapping[Cross, Key], quiet_s: float = 0.02, presses: Presses | None = None
    ) -> None:
        self._keys = keys
        self._contacts = {cross: Contact(quiet_s) for cross in keys}
        self._presses = presses or Presses()

    @property
    def busy(self) -> bool:
        """Whether it must be scanned again soon."""
        return any(contact.closed or contact.settling for contact in self._contacts.values())

    def scan(self, closed: Collection[Cross], now: float) -> list[Key]:
        """Take the crossings that conduct now; return the keys heard."""
        ghosts = doubtful(closed)
        heard: list[Key] = []
        for cross, contact in self._contacts.items():
            conducts = cross in closed
            if conducts and cross in ghosts and not contact.closed:
                conducts = False
            if contact.feed(now, closed=conducts):
                change = self._presses.down if contact.closed else self._presses.up
                heard += change(self._keys[cross], now)
        return heard + self._presses.passed(now)


_TURNS = {
    0b0001: -1,
    0b0111: -1,
    0b1110: -1,
    0b1000: -1,
    0b0010: 1,
    0b1011: 1,
    0b1101: 1,
    0b0100: 1,
}
"""Pins A and B before and after an edge; what is missing here skipped an edge or is none."""


class Quadrature:
    """A rotary encoder's two pins: a bounce goes one edge forth and back and cancels out."""

    def __init__(self, steps: int = 4) -> None:
        self._steps = steps
        self._state = 0
        self._edges = 0

    def feed(self, *, a: bool, b: bool) -> int:
        """Take both pins (True: closed); return 1 for a click to the right, -1 to the left."""
        state = a << 1 | b
        self._edges += _TURNS.get(self._state << 2 | state, 0)
        self._state = state
        edges = self._edges
        if self._steps == 4:
            # at rest both contacts are open: more than half of the way counts, so that an
            # edge seen too late does not lose a click
            if state:
                return 0
            self._edges = 0
            return (edges >= 2) - (edges <= -2)
        if abs(edges) < self._steps:
            return 0
        self._edges = 0
        return 1 if edges > 0 else -1
