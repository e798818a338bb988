"""What several acts need."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from sqlalchemy import select

from club.evening.errors import ActError
from club.evening.seating import issue_seats
from club.judging.settling import settle_evening
from club.store.database import Writing
from club.store.live import EveningRow, active_tables, current_evening
from club.store.schema import tables
from pi_app.link.contract import person
from pi_app.wire.messages import Message, String

ActFacts = Mapping[str, Any]
Person = Annotated[str, String(16, r"[pP]?[0-9]{1,9}")]


class Nothing(Message):
    """An act without facts."""


def person_number(keyed_as: str) -> str:
    """Return `p17` for `17` or `p017`, and any other text unchanged."""
    return person(keyed_as) or keyed_as


def require_evening(writing: Writing) -> EveningRow:
    """Return the evening that is open; ActError if none is."""
    evening = current_evening(writing.connection)
    if evening is None:
        raise ActError("no-evening")
    return evening


def follow(writing: Writing, evening: str | None) -> None:
    """Judge the results of an evening again, and issue the tables' seats."""
    settle_evening(writing, evening)
    issue_seats(writing)


def check_restored(writing: Writing, *, anyway: bool) -> None:
    """Raise ActError if after a restore tables may still have results that only they have."""
    if anyway or not writing.get("restored"):
        return
    wanted = active_tables(writing.connection)
    rows = writing.connection.execute(select(tables.c.id, tables.c.empty_in))
    empty = {row.id for row in rows if row.empty_in == writing.get("era")}
    if missing := [table for table in wanted if table not in empty]:
        raise ActError("not-empty", tables=", ".join(missing))
