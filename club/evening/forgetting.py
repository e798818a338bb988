"""Removes a person's name from all the club's data, on request and for good."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Text, select, type_coerce, update

from club.evening.errors import ActError
from club.evening.seating import issue_seats
from club.store.database import Writing
from club.store.live import people_now
from club.store.schema import people, results


def forget(writing: Writing, p: str) -> None:
    """Replace a person's name by the number everywhere; results and their hashes stay."""
    if p not in people_now(writing.connection):
        raise ActError("no-person", p=p)
    writing.act("forget", p=p)
    writing.connection.execute(update(people).where(people.c.p == p).values(name=""))
    mentioned = type_coerce(results.c.payload, Text).contains(f'"{p}"', autoescape=True)
    for row in writing.connection.execute(select(results).where(mentioned)).all():
        written = without_name(row.payload, p)
        if written != row.payload:
            of_row = update(results).where(results.c.id == row.id)
            writing.connection.execute(of_row.values(payload=written))
    issue_seats(writing)


def without_name(sent: Any, p: str) -> Any:
    """Return a result without a person's name and without its record, which may contain it."""
    seats = sent.get("seats") if isinstance(sent, dict) else None
    places = [seat for seat in seats if isinstance(seat, dict)] if isinstance(seats, list) else []
    if all(seat.get("p") != p for seat in places):
        return sent
    kept = [{k: v for k, v in seat.items() if k != "show" or seat.get("p") != p} for seat in places]
    return {**sent, "seats": kept, "record": None}
