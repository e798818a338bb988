"""What goes up next, and when again: no I/O, and the clock is an argument.

Only the hub's acks count. What it says to have is left out, the gaps that it names go first, and
what it does not acknowledge is sent again, ever more rarely.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, TypeVar

from pi_app.link.contract import MOST_EVENTS, MOST_GAPS, Ack
from pi_app.link.protocol import OutboxState

T = TypeVar("T")

PACE_S = 0.6
"""The time between two: however a second is laid, it holds at most two."""

WINDOW = 4
"""How many messages with events may be under way before the hub has answered one of them."""
GREETING_S = 3.0
"""How long the answer to a hello is waited for before events go up without one."""
RETRIES_S = (5.0, 10.0, 20.0, 30.0)
"""The pauses before what was not acknowledged is sent again; the last one repeats."""


class Uplink:
    """What was sent over one connection, and what the hub said about it; times in seconds."""

    _upto: int
    _gaps: tuple[int, ...]
    """What the hub named as missing."""
    _gaps_at: float
    """When the same gaps may be filled again."""
    _refused: set[int]
    _left: list[tuple[int, int]]
    """First number and length of what fills the gaps."""
    _cursor: int
    """The next number to send, beside the gaps."""
    _under_way: int
    _tries: int
    _again_at: float
    _greeting_until: float

    def __init__(self, outbox: OutboxState, now: float) -> None:
        self.outbox = outbox
        self.heard = False
        """Whether a hub has answered on this connection."""
        self._begin(now)

    def changed(self, outbox: OutboxState, now: float) -> bool:
        """Take what the table says of its outbox; True if it has become another store."""
        other = outbox.store != self.outbox.store
        self.outbox = outbox
        if other:
            self._begin(now)
        return other

    def acked(self, ack: Ack, outbox: OutboxState, now: float) -> bool:
        """Take an ack that the table has kept, and its outbox since; True for another store."""
        self.heard = True
        if self.changed(outbox, now):
            return True
        self._tries = 0
        self._under_way = max(0, self._under_way - 1)
        upto, fell = outbox.upto, outbox.upto < self._upto
        self._upto = upto
        refused = {each.seq for each in ack.refused}
        # a restored hub knows nothing of what it refused later
        self._refused = {seq for seq in refused | (set() if fell else self._refused) if seq > upto}
        gaps = tuple(sorted(seq for seq in set(ack.missing) if upto < seq <= outbox.last))
        if gaps != self._gaps or now >= self._gaps_at:
            self._gaps = gaps
            self._left = list(_runs(gaps))
            self._gaps_at = now + RETRIES_S[0]
        if fell or self._cursor <= upto:
            self._cursor = self._first()
        self._again_at = now + RETRIES_S[0]
        return False

    def take(self, now: float) -> tuple[int, int] | None:
        """Return the next number to send and how many from there on at most; None: not now."""
        if not self.heard and now < self._greeting_until:
            return None
        if self._is_overdue(now):
            self._go_back(now)
        if self._under_way >= (WINDOW if self.heard and not self._tries else 1):
            return None
        if self._left:
            return self._left.pop(0)
        while self._cursor in self._refused:  # the table never sends those again by itself
            self._cursor += 1
        if self._cursor <= self.outbox.last:
            ahead = min((seq for seq in self._refused if seq > self._cursor), default=2**63)
            return self._cursor, min(MOST_EVENTS, ahead - self._cursor)
        return None

    def sent(self, first: int, last: int, now: float) -> None:
        """Note that a message with these numbers has gone."""
        if first <= self._cursor <= last:
            self._cursor = last + 1
        self._under_way += 1
        self._again_at = now + self._pause_s()

    def due(self, now: float) -> float:
        """Return after how many seconds there may be something to send; inf: after an ack."""
        if self.outbox.waiting == 0 and not self._left and self._cursor > self.outbox.last:
            return float("inf")
        if not self.heard and now < self._greeting_until:
            return self._greeting_until - now
        return max(0.0, self._again_at - now)

    # --- inside

    def _begin(self, now: float) -> None:
        self._upto = self.outbox.upto
        self._gaps = ()
        self._gaps_at = now
        self._refused = set()
        self._left = []
        self._cursor = self.outbox.upto + 1
        self._under_way = 0
        self._tries = 0
        self._again_at = now
        self._greeting_until = now + GREETING_S

    def _first(self) -> int:
        """Return the lowest number of which the hub has not said whether it is there."""
        known = {*self._gaps} if len(self._gaps) >= MOST_GAPS else {*self._gaps, *self._refused}
        return max(self._upto, *known, 0) + 1 if self._gaps else self._upto + 1

    def _pause_s(self) -> float:
        return RETRIES_S[min(self._tries, len(RETRIES_S) - 1)]

    def _is_overdue(self, now: float) -> bool:
        sent = self._under_way or self._cursor > self._first()
        return bool(sent) and now >= self._again_at and self.outbox.waiting > 0

    def _go_back(self, now: float) -> None:
        self._tries += 1
        self._under_way = 0
        self._left = list(_runs(self._gaps))
        self._cursor = self._first()
        self._again_at = now + self._pause_s()


@dataclass
class Newest(Generic[T]):
    """Holds the newest value until it may go; times in seconds."""

    interval_s: float = PACE_S
    _waiting: T | None = None
    _next_s: float = 0.0

    def put(self, value: T) -> None:
        """Take a value in place of one that has not gone."""
        self._waiting = value

    def take(self, now: float) -> T | None:
        """Return the value that may go now, once; else None."""
        if self._waiting is None or now < self._next_s:
            return None
        value, self._waiting = self._waiting, None
        self._next_s = now + self.interval_s
        return value

    def due(self, now: float) -> float:
        """Return after how many seconds a value may go; inf without one."""
        return float("inf") if self._waiting is None else max(0.0, self._next_s - now)


def _runs(numbers: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Yield first number and length of each run of neighbours, none longer than a message."""
    if not numbers:
        return
    first, length = numbers[0], 1
    for one, two in pairwise(numbers):
        if two == one + 1 and length < MOST_EVENTS:
            length += 1
        else:
            yield first, length
            first, length = two, 1
    yield first, length
