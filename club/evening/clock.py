"""The clock of a round: when its time is up. What a table does then is the table's."""

from __future__ import annotations

import json
from datetime import datetime, timedelta

from sqlalchemy import Connection, select

from club.evening.acts import ActError
from club.evening.seating import current_round
from club.store.database import Writing
from club.store.live import RoundRow, current_evening
from club.store.schema import acts

CLOCK = "clock"
MOST_MINUTES = 600


def set_clock(writing: Writing, who: str, minutes: int) -> str | None:
    """Let the current round end in so many minutes, 0: no clock; return the time of its end."""
    evening = current_evening(writing.connection)
    if evening is None:
        raise ActError("no-evening")
    paired = current_round(writing.connection, evening)
    if paired is None:
        raise ActError("no-rounds", evening=evening.id)
    ends = None
    if minutes:
        begun = datetime.fromisoformat(writing.now)
        ends = (begun + timedelta(minutes=minutes)).isoformat(timespec="milliseconds")
    writing.act(who, CLOCK, evening=evening.id, round=paired.number, paired=paired.id, ends=ends)
    return ends


def clock_of(connection: Connection, paired: RoundRow) -> datetime | None:
    """Return when the time of a round is up, in UTC; None without a clock."""
    written = connection.scalar(
        select(acts.c.facts)
        .where(acts.c.kind == CLOCK, acts.c.undone.is_(None), acts.c.id > paired.act)
        .order_by(acts.c.id.desc())
        .limit(1)
    )
    facts = json.loads(written) if written else {}
    if facts.get("paired") != paired.id or facts["ends"] is None:
        return None
    return datetime.fromisoformat(facts["ends"])
