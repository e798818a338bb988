"""What the organiser has to look at: how the round goes, and which results need a decision."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, select

from club.evening.results import shown_names
from club.evening.shown.export import export
from club.evening.shown.status import RoundStatus, round_status
from club.store.live import EveningRow, live
from club.store.schema import decisions, events, keyed

NO_PROPOSAL = (None, "free", "replaced")
"""What stands in the export of results that need no decision."""


def overview(connection: Connection, evening: EveningRow | None) -> dict[str, Any]:
    """Return how an evening goes, as JSON has it."""
    status = round_status(connection, evening)
    return {
        "evening": evening.id if evening else None,
        "closed": evening is not None and evening.closed is not None,
        "names": dict(shown_names(connection)),
        "round": _round(status) if status else None,
        "proposals": proposals(connection, evening),
    }


def _round(status: RoundStatus) -> dict[str, Any]:
    return {
        "round": status.paired.number,
        "missing": status.missing,
        "ends": status.ends.isoformat() if status.ends else None,
        "byes": list(status.paired.byes),
        "tables": [
            {
                "place": each.place,
                "table": each.group.table,
                "game": each.group.game,
                "seats": list(each.group.seats),
                "progress": each.progress,
            }
            for each in status.groups
        ],
    }


def proposals(connection: Connection, evening: EveningRow | None) -> list[Mapping[str, Any]]:
    """Return the results that need a decision: those that were refused and not decided yet.

    A result that the organiser had before keying another one for the same people is decided too.
    """
    rows = connection.execute(
        select(events.c.store, events.c.seq)
        .join(decisions, decisions.c.event_id == events.c.id)
        .where(live(decisions.c.act))
    )
    decided = {(row.store, row.seq) for row in rows} | _overruled(connection, evening)
    return [
        each
        for each in export(connection, evening)["results"]
        if each["why"] not in NO_PROPOSAL and (each["store"], each["seq"]) not in decided
    ]


def _overruled(connection: Connection, evening: EveningRow | None) -> set[tuple[str, int]]:
    """Return the results that were here when another one was keyed for the same people."""
    if evening is None:
        return set()
    last: dict[tuple[int, frozenset[str]], int] = {}
    for row in connection.execute(
        select(keyed).where(keyed.c.evening == evening.id, live(keyed.c.act)).order_by(keyed.c.act)
    ):
        last[row.round, frozenset(p for p, _ in json.loads(row.ranks))] = row.act
    sent = connection.execute(
        select(events).where(events.c.evening == evening.id, events.c.why == "locked")
    )
    return {
        (row.store, row.seq)
        for row in sent
        if row.seats and row.after_act < last.get((row.round, _people(row.seats)), 0)
    }


def _people(seats: str) -> frozenset[str]:
    return frozenset(seat["p"] for seat in json.loads(seats) if seat["p"] is not None)
