"""Debounces contacts and ignores ghost keys, which a keypad shows though nobody presses them.

The module reads no clock: all times are seconds of one clock that never goes back.
"""

from collections.abc import Collection, Mapping
from itertools import combinations

from hardware.keys import TIMES, Key
from hardware.presses import Presses


class Contact:
    """One contact, which changes once its new state has lasted for `quiet_s`."""

    __slots__ = ("_quiet_s", "_since", "closed")

    def __init__(self, quiet_s: float) -> None:
        self._quiet_s = quiet_s
        self._since: float | None = None
        self.closed = False

    @property
    def changing(self) -> bool:
        """Whether a change has begun and is not yet certain."""
        return self._since is not None

    def feed(self, now: float, *, closed: bool) -> bool:
        """Take the state of the pin; tell whether the contact changed now."""
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


Cross = tuple[int, int]
"""A row and a column, both from 0."""


def doubtful(closed: Collection[Cross]) -> set[Cross]:
    """Return the crossings that may be ghosts: all corners of every closed rectangle.

    Three keys at the corners of a rectangle also close the fourth electrically; it is impossible
    to see which of the four is not pressed.
    """
    crosses = set(closed)
    ghosts: set[Cross] = set()
    for (row, column), (row2, column2) in combinations(sorted(crosses), 2):
        corners = {(row, column), (row2, column2), (row, column2), (row2, column)}
        if row != row2 and column != column2 and corners <= crosses:
            ghosts |= corners
    return ghosts


class Matrix:
    """A keypad's crossings over time. Any two keys may be pressed at once."""

    def __init__(
        self,
        keys: Mapping[Cross, Key],
        quiet_s: float = TIMES.debounce_s,
        presses: Presses | None = None,
    ) -> None:
        self._keys = keys
        self._contacts = {cross: Contact(quiet_s) for cross in keys}
        self.presses = presses or Presses()

    @property
    def busy(self) -> bool:
        """Whether it must be scanned again soon."""
        return any(contact.closed or contact.changing for contact in self._contacts.values())

    def scan(self, closed: Collection[Cross], now: float) -> list[Key]:
        """Take the crossings that conduct now; return the keys to send."""
        ghosts = doubtful(closed)
        keys: list[Key] = []
        for cross, contact in self._contacts.items():
            is_closed = cross in closed
            # a key that is already down may be at a doubtful crossing; no other can go down there
            if cross in ghosts and not contact.closed:
                is_closed = False
            if contact.feed(now, closed=is_closed):
                change = self.presses.down if contact.closed else self.presses.up
                keys += change(self._keys[cross], now)
        return keys + self.presses.note_held(now)
