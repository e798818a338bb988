"""An evening as JSON: what came, what counts, the standings and the rounds."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Connection, Row, select

from club.evening.results import (
    belongs,
    counts_here,
    paired_round,
    standing_lines,
)
from club.judging.settling import keyed_that_count
from club.pairing.exports import round_json, standings_json
from club.store.live import EveningRow, all_evenings, live, people_now, rounds_of
from club.store.schema import acts, events, keyed

SCHEMA = "beisitzer-club"
VERSION = 1
"""Raised when a key is renamed, removed or changes its meaning; keys may be added at any time."""


def export(connection: Connection, evening: EveningRow | None) -> dict[str, Any]:
    """Return an evening, None: what came while there was none."""
    paired = rounds_of(connection, evening.id) if evening else []
    names = {p: person.name for p, person in people_now(connection).items()}
    standings = standings_json(standing_lines(connection, evening))
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "evening": evening.id if evening else None,
        "mode": evening.mode if evening else None,
        "games": list(evening.games) if evening else [],
        "closed": evening is not None and evening.closed is not None,
        "results": [*_sent_results(connection, evening), *_keyed_results(connection, evening)],
        "standings": [{**line, "name": names.get(line["p"], "")} for line in standings],
        "rounds": [
            round_json(
                paired_round(row),
                era=row.era,
                rev=row.rev,
                tables=[group.table for group in row.groups],
            )
            for row in paired
        ],
    }


def chosen_evening(connection: Connection, wanted: str | None) -> EveningRow | None:
    """Return the evening with this id, or the last one; KeyError if there is no such evening."""
    known = all_evenings(connection)
    if wanted is None:
        return known[-1] if known else None
    return {evening.id: evening for evening in known}[wanted]


def _sent_results(connection: Connection, evening: EveningRow | None) -> list[dict[str, Any]]:
    found, seen = [], set()
    for row in connection.execute(
        select(events).where(belongs(evening), events.c.kind == "result").order_by(events.c.id)
    ):
        again = (row.table_id, row.game_id, row.revision, row.content)
        if row.game_id is not None and row.content is not None and again in seen:
            continue  # sent again from a new store
        seen.add(again)
        found.append(_sent_result(row, evening))
    return found


def _sent_result(row: Row[Any], evening: EveningRow | None) -> dict[str, Any]:
    event = json.loads(row.payload)
    here = counts_here(evening, row.round)
    why = row.why if row.why or here or not row.counted else "free"
    return {
        "table": row.table_id,
        "store": row.store,
        "seq": row.seq,
        "game_id": row.game_id,
        "revision": row.revision,
        "round": row.round,
        "game": row.game,
        "seats": event["seats"] if row.game_id is not None else [],
        "reason": event["reason"] if row.game_id is not None else None,
        "counted": row.counted and here,
        "why": why,
        "at": row.at,
    }


def _keyed_results(connection: Connection, evening: EveningRow | None) -> list[dict[str, Any]]:
    if evening is None:
        return []
    valid = keyed_that_count(connection, evening.id)
    rows = connection.execute(
        select(keyed, acts.c.at)
        .join(acts, acts.c.id == keyed.c.act)
        .where(keyed.c.evening == evening.id, live(keyed.c.act))
        .order_by(keyed.c.id)
    )
    return [
        {
            "table": None,
            "store": None,
            "seq": None,
            "game_id": None,
            "revision": None,
            "round": row.round,
            "game": row.game,
            "seats": [
                {"seat": seat, "p": p, "rank": rank, "points": None, "won": rank == 1}
                for seat, (p, rank) in enumerate(json.loads(row.ranks), 1)
            ],
            "reason": "keyed",
            "counted": row.id in valid,
            "why": None if row.id in valid else "replaced",
            "at": row.at,
        }
        for row in rows
    ]
