"""An evening as JSON: all results with their verdicts, the standings and the rounds."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, select

from club.evening.results import EveningNow, belongs, counts_here, keyed_results
from club.evening.seating import exported_round
from club.pairing.exports import SCHEMA, VERSION, standings_json
from club.store.live import EveningRow, all_evenings
from club.store.schema import results
from pi_app.wire.messages import clean

NO_PROPOSAL = ("counted", "known")
"""Verdicts of results that need no decision."""
_COLUMNS = (
    "id", "game_id", "revision", "evening", "round", "game", "withdrawn", "verdict", "at",
)  # fmt: skip
"""Columns of a result that the export copies."""


class NoSuchEveningError(Exception):
    """There is no evening with this id."""


def export(connection: Connection, evening: EveningRow | None) -> dict[str, Any]:
    """Return an evening, or with None the results outside of evenings."""
    now = EveningNow(connection, evening)
    # a revision that withdraws its game is no result, unless it needs a decision
    is_game = ~results.c.withdrawn | results.c.verdict.not_in(NO_PROPOSAL)
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "evening": evening.id if evening else None,
        "title": evening.title if evening else "",
        "began": evening.began if evening else None,
        "mode": evening.mode if evening else None,
        "games": list(evening.games) if evening else [],
        "closed": evening is not None and evening.closed is not None,
        "results": [
            *_sent_results(connection, evening, is_game),
            *_keyed_results(connection, evening),
        ],
        "standings": named_standings(now),
        "rounds": [exported_round(row) for row in now.rounds],
    }


def named_standings(now: EveningNow) -> list[dict[str, Any]]:
    """Return the standings with everybody's name."""
    names = {p: each.name for p, each in now.people.items()}
    return [{**line, "name": names.get(line["p"], "")} for line in standings_json(now.lines)]


def proposals(connection: Connection, evening: EveningRow | None) -> list[dict[str, Any]]:
    """Return results that need a decision."""
    is_open = results.c.why.is_(None) | (results.c.why != "organiser")
    return _sent_results(connection, evening, is_open & results.c.verdict.not_in(NO_PROPOSAL))


def chosen_evening(connection: Connection, wanted: str | None) -> EveningRow | None:
    """Return the evening with this id, or the last one; NoSuchEveningError."""
    known = all_evenings(connection)
    if wanted is None:
        return known[-1] if known else None
    found = next((evening for evening in known if evening.id == wanted), None)
    if found is None:
        raise NoSuchEveningError
    return found


def _sent_results(
    connection: Connection, evening: EveningRow | None, wanted: ColumnElement[bool]
) -> list[dict[str, Any]]:
    query = select(results).where(belongs(connection, evening), wanted).order_by(results.c.id)
    return [_sent_result(row, evening) for row in connection.execute(query)]


def _sent_result(row: Row[Any], evening: EveningRow | None) -> dict[str, Any]:
    facts = row.payload
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
    found = []
    for act, counts in keyed_results(connection, evening):
        facts = act.facts
        found.append(
            {
                **dict.fromkeys(("id", "table", "game_id", "revision")),
                "evening": facts["evening"],
                "round": facts["round"],
                "game": facts["game"],
                "seats": [
                    {"seat": seat, "p": p, "rank": rank, "points": None, "won": rank == 1}
                    for seat, p in enumerate(facts["seats"], 1)
                    for rank in (facts["ranks"][p],)
                ],
                "reason": "keyed",
                "withdrawn": False,
                "verdict": "counted" if counts else "known",
                "why": None if counts else "replaced",
                "at": act.at,
            }
        )
    return found
