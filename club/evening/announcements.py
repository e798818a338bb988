"""Texts shown and spoken at the tables: the organiser's, and the end of a round's time.

What a table does then is the table's.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from club.evening.errors import ActError
from club.evening.results import counted_results, ranks_of
from club.store.database import Writing
from club.store.live import RoundRow, active_tables, acts_of, current_evening, current_round

ANNOUNCE = "say"
CLOCK = "clock"
MOST_MINUTES = 600
MOST_WAITING = 50
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


def announce(writing: Writing, text: str, for_s: int) -> None:
    """Let every table show and say a text for some seconds."""
    active = active_tables(writing.connection)
    if not active:
        raise ActError("no-tables")
    writing.act(ANNOUNCE, text=text, for_s=for_s, tables=active, id=secrets.token_hex(8))


def timed(connection: Connection, time_up: Callable[[int], str], now: datetime) -> list[TimedText]:
    """Return all current and coming texts; `time_up` makes the text for a round's number."""
    return [each for each in _all(connection, time_up) if each.ends > now]


def _all(connection: Connection, time_up: Callable[[int], str]) -> Iterator[TimedText]:
    for act in acts_of(connection, ANNOUNCE)[: -MOST_WAITING - 1 : -1]:
        facts, begins = act.facts, datetime.fromisoformat(act.at)
        ends = begins + timedelta(seconds=facts["for_s"])
        yield TimedText(facts["id"], facts["text"], tuple(facts["tables"]), begins, ends)
    evening = current_evening(connection)
    paired = current_round(connection, evening)
    ends_at = clock_of(connection, paired) if paired else None
    if paired is None or ends_at is None:
        return
    over = ranks_of(paired.number, counted_results(connection, evening))
    told = tuple(
        group.table
        for group in paired.groups
        if group.table is not None and frozenset(group.seats) not in over
    )
    known_as = f"time-{paired.evening}-{paired.number}-{int(ends_at.timestamp() * 1000)}"
    until = ends_at + timedelta(seconds=TIME_UP_S)
    yield TimedText(known_as, time_up(paired.number), told, ends_at, until)


def set_clock(writing: Writing, paired: RoundRow, minutes: int) -> str | None:
    """Set the end of a round in minutes from now, 0: no clock; return that time."""
    ends = None
    if minutes:
        begun = datetime.fromisoformat(writing.now)
        ends = (begun + timedelta(minutes=minutes)).isoformat(timespec="milliseconds")
    writing.act(CLOCK, evening=paired.evening, round=paired.number, paired=paired.id, ends=ends)
    return ends


def clock_of(connection: Connection, paired: RoundRow) -> datetime | None:
    """Return the end of a round's time, in UTC; None without a clock."""
    clocks = acts_of(connection, CLOCK, after=paired.act)
    facts = clocks[-1].facts if clocks else {}
    if facts.get("paired") != paired.id or facts["ends"] is None:
        return None
    return datetime.fromisoformat(facts["ends"])
