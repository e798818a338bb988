"""What is said at the tables: the organiser's words, and that the time of a round is up."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, select

from club.evening.acts import ActError
from club.evening.clock import clock_of
from club.evening.results import counted_results, ranks_of
from club.evening.seating import current_round
from club.store.database import Writing
from club.store.live import active_tables, current_evening
from club.store.schema import acts
from pi_app.link.contract import Say

ANNOUNCE = "announce"
MOST_WAITING = 50
"""No more of the organiser's announcements are said at once."""
TIME_UP_S = 300
"""How long a table shows that the time is up."""


@dataclass(frozen=True, slots=True)
class Announcement:
    """A text for some tables, to be said within `say.for_s` seconds from now."""

    tables: tuple[str, ...]
    say: Say


@dataclass(frozen=True, slots=True)
class TimedText:
    """A text for some tables, said from `begins` on until `ends`."""

    id: str
    text: str
    tables: tuple[str, ...]
    begins: datetime
    ends: datetime

    def at(self, now: datetime) -> Announcement | None:
        """Return it with the time that is left; None before and after."""
        left = int((self.ends - now).total_seconds())
        if now < self.begins or left < 1:
            return None
        return Announcement(self.tables, Say(self.id, self.text, left))


def announce(writing: Writing, who: str, text: str, for_s: int, table: str | None = None) -> None:
    """Let a table, None: every table, show and say a text for some seconds from now on."""
    active = active_tables(writing.connection)
    if table is not None and table not in active:
        raise ActError("no-table", table=table)
    if not active:
        raise ActError("no-tables")
    told = active if table is None else [table]
    known_as = secrets.token_hex(8)
    writing.act(who, ANNOUNCE, text=text, for_s=for_s, tables=told, id=known_as)


def timed(connection: Connection, time_up: Callable[[int], str], now: datetime) -> list[TimedText]:
    """Return what is to be said now or later; `time_up` says it of the round with a number."""
    return [each for each in _all(connection, time_up) if each.ends > now]


def _all(connection: Connection, time_up: Callable[[int], str]) -> Iterator[TimedText]:
    query = select(acts.c.at, acts.c.facts).where(acts.c.kind == ANNOUNCE, acts.c.undone.is_(None))
    for row in connection.execute(query.order_by(acts.c.id.desc()).limit(MOST_WAITING)):
        facts, begins = json.loads(row.facts), datetime.fromisoformat(row.at)
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
