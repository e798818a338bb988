"""Texts shown and spoken at the tables: the organiser's, and the end of a round's time.

What a table does then is the table's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from club.evening.results import EveningNow
from club.store.live import acts_of

ANNOUNCEMENT_LIMIT = 50
"""The most announcements of the organiser at a time."""
TIME_UP_S = 300
"""How long a table shows that the time is up."""


@dataclass(frozen=True, slots=True)
class TimedText:
    """A text for some tables, shown from `begins` until `ends`."""

    id: str
    text: str
    tables: tuple[str, ...]
    begins: datetime
    ends: datetime

    def at(self, now: datetime) -> dict[str, Any] | None:
        """Return the text with its remaining time; None before and after."""
        left = int((self.ends - now).total_seconds())
        if now < self.begins or left < 1:
            return None
        return {"id": self.id, "text": self.text, "for_s": left}


def timed(evening: EveningNow, time_up: Callable[[int], str]) -> Iterator[TimedText]:
    """Yield the last texts, also past ones; `time_up` makes the text for a round's number."""
    for act in acts_of(evening.connection, "say")[: -ANNOUNCEMENT_LIMIT - 1 : -1]:
        facts, begins = act.facts, datetime.fromisoformat(act.at)
        ends = begins + timedelta(seconds=facts["for_s"])
        yield TimedText(facts["id"], facts["text"], tuple(facts["tables"]), begins, ends)
    paired, ends_at = evening.open_round, clock_of(evening)
    if paired is None or ends_at is None:
        return
    over = evening.ranks(paired.number)
    told = tuple(
        group.table
        for group in paired.groups
        if group.table is not None and frozenset(group.seats) not in over
    )
    known_as = f"time-{paired.evening}-{paired.number}-{int(ends_at.timestamp() * 1000)}"
    until = ends_at + timedelta(seconds=TIME_UP_S)
    yield TimedText(known_as, time_up(paired.number), told, ends_at, until)


def clock_of(evening: EveningNow) -> datetime | None:
    """Return the end of the last round's time, in UTC; None without a clock."""
    paired = evening.open_round
    clocks = acts_of(evening.connection, "clock", after=paired.act) if paired else []
    ends = clocks[-1].facts["ends"] if clocks else None
    return datetime.fromisoformat(ends) if ends else None
