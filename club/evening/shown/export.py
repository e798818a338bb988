"""An evening as JSON: what came, what counts, the standings and the rounds."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Connection, Row, select

from club.evening.results import belongs, counts_here, standing_lines
from club.evening.seating import exported_round
from club.judging.settling import keyed_that_count
from club.pairing.exports import standings_json
from club.store.live import EveningRow, all_evenings, live, people_now, rounds_of
from club.store.schema import acts, keyed, results
from pi_app.wire.messages import clean

SCHEMA = "beisitzer-club"
VERSION = 2
"""Raised when a key is renamed, removed or changes its meaning; keys may be added at any time."""
_COLUMNS = (
    "id", "game_id", "revision", "evening", "round", "game", "withdrawn", "verdict", "at",
)  # fmt: skip
"""What a result in the export has as it is in its row."""


def export(connection: Connection, evening: EveningRow | None) -> dict[str, Any]:
    """Return an evening, None: what came while there was none."""
    paired = rounds_of(connection, evening.id) if evening else []
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "evening": evening.id if evening else None,
        "title": evening.title if evening else "",
        "began": evening.began if evening else None,
        "mode": evening.mode if evening else None,
        "games": list(evening.games) if evening else [],
        "closed": evening is not None and evening.closed is not None,
        "results": [*_sent_results(connection, evening), *_keyed_results(connection, evening)],
        "standings": named_standings(connection, evening),
        "rounds": [exported_round(row) for row in paired],
    }


def named_standings(connection: Connection, evening: EveningRow | None) -> list[dict[str, Any]]:
    """Return the standings with everybody's name."""
    names = {p: each.name for p, each in people_now(connection).items()}
    lines = standings_json(standing_lines(connection, evening))
    return [{**line, "name": names.get(line["p"], "")} for line in lines]


def chosen_evening(connection: Connection, wanted: str | None) -> EveningRow | None:
    """Return the evening with this id, or the last one; KeyError if there is no such evening."""
    known = all_evenings(connection)
    if wanted is None:
        return known[-1] if known else None
    return {evening.id: evening for evening in known}[wanted]


def _sent_results(connection: Connection, evening: EveningRow | None) -> list[dict[str, Any]]:
    rows = connection.execute(select(results).where(belongs(evening)).order_by(results.c.id))
    return [
        _sent_result(row, evening)
        for row in rows
        # a game that was taken out is none, as long as it is
        if not (row.withdrawn and row.verdict in ("counted", "known"))
    ]


def _sent_result(row: Row[Any], evening: EveningRow | None) -> dict[str, Any]:
    facts = json.loads(row.payload)
    shown = [
        {**seat, "show": clean(str(seat.get("show") or ""), 80)} if "show" in seat else seat
        for seat in (facts["seats"] if row.game else [])
    ]
    is_free = row.verdict == "counted" and not counts_here(evening, row.round)
    return {
        **{name: getattr(row, name) for name in _COLUMNS},
        "table": row.table_id,
        "seats": shown,
        "reason": facts.get("reason"),
        "why": "free" if is_free else row.why,
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
    found = []
    for row in rows:
        counts = row.round is None or row.id in valid
        found.append(
            {
                **dict.fromkeys(("id", "table", "game_id", "revision")),
                "evening": evening.id,
                "round": row.round,
                "game": row.game,
                "seats": [
                    {"seat": seat, "p": p, "rank": rank, "points": None, "won": rank == 1}
                    for seat, (p, rank) in enumerate(json.loads(row.ranks), 1)
                ],
                "reason": "keyed",
                "withdrawn": False,
                "verdict": "counted" if counts else "known",
                "why": None if counts else "replaced",
                "at": row.at,
            }
        )
    return found
