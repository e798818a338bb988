"""Takes a person's name out of everything that the club keeps, on request and for good."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Row, select, update

from club.evening.errors import ActError
from club.evening.seating import issue_seats
from club.store.database import Writing
from club.store.live import people_now
from club.store.schema import people, results
from engines.notation import Fault
from engines.record import parse, write
from engines.seating import player_pairs


def forget(writing: Writing, who: str, p: str) -> None:
    """Replace somebody's name by their number everywhere; results and their hashes stay."""
    known = people_now(writing.connection)
    if p not in known:
        raise ActError("no-person", p=p)
    writing.act(who, "forget", p=p)
    writing.connection.execute(update(people).where(people.c.p == p).values(name=""))
    mentioned = results.c.payload.contains(f'"{p}"', autoescape=True)
    for row in writing.connection.execute(select(results).where(mentioned)).all():
        written = _without(row, p)
        if written is not None:
            writing.connection.execute(
                update(results).where(results.c.id == row.id).values(payload=written)
            )
    issue_seats(writing)


def _without(row: Row[Any], p: str) -> str | None:
    """Return a result's text without a person's name; None if they are not in it."""
    event = json.loads(row.payload)
    seats = event.get("seats") if isinstance(event, dict) else None
    if not isinstance(seats, list):
        return None
    changed = False
    for place, seat in enumerate(seats):
        if isinstance(seat, dict) and seat.get("p") == p:
            seat.pop("show", None)
            if isinstance(event.get("record"), str):
                event["record"] = record_without(event["record"], place, p)
            changed = True
    return json.dumps(event, ensure_ascii=True) if changed else None


def record_without(record: str, seat: int, p: str) -> str | None:
    """Return a record with another name at a seat, without comments; None if it is none."""
    try:
        read = parse(record)
        pairs = player_pairs(read.tags["Players"])
        old = pairs[seat][0]
        pairs[seat] = (p, pairs[seat][1])
    except (Fault, KeyError, IndexError):
        return None
    tags = {**read.tags, "Players": ", ".join(f"{name} {colour}" for name, colour in pairs)}
    # what people wrote beside the game may name anybody
    for name in ("Event", "Site", "Annotator"):
        tags.pop(name, None)
    if tags.get("Start") == old:
        tags["Start"] = p
    tokens = tuple(token.replace(f"to-move={old}>", f"to-move={p}>") for token in read.tokens)
    try:
        return write(type(read)(tags, tokens))
    except ValueError:
        return None
