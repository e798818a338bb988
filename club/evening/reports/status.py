"""How a round goes: what became of it at each table, so that a dead or refusing one is seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from sqlalchemy import Connection, Row, select

from club.evening.announcements import clock_of
from club.evening.members import is_there
from club.evening.reports.export import proposals
from club.evening.results import CountedResult, counted_results, ranks_of, shown_names
from club.store.live import EveningRow, RoundRow, belongs, current_round
from club.store.schema import tables

GroupProgress = Literal[
    "done", "unplaced", "offline", "silent", "unheard", "offered", "busy", "refused", "playing",
    "left", "over",
]  # fmt: skip
"""What becomes of a group: its result counts (`done`); it has no table (`unplaced`), or one that
is not connected (`offline`), says nothing of what it does (`silent`), has not heard of the round
(`unheard`), offers it (`offered`) or does so as soon as another game is over (`busy`); there it was
refused (`refused`), is played (`playing`), was left before its end (`left`), or is over without a
result here (`over`)."""


def tables_now(connection: Connection) -> Mapping[str, Row[Any]]:
    """Return the row of each table of the club by its id, in the order in which they joined."""
    query = select(tables).where(belongs()).order_by(tables.c.act, tables.c.id)
    return {row.id: row for row in connection.execute(query)}


def round_status(
    connection: Connection,
    evening: EveningRow | None,
    there: Mapping[str, Row[Any]],
    results: Iterable[CountedResult],
) -> dict[str, Any] | None:
    """Return the progress of an evening's current round as JSON; None before the first pairing.

    `there` are the current tables, `results` the evening's results that count. In the JSON, `ends`
    is the end of the round's time.
    """
    paired = current_round(connection, evening)
    if paired is None:
        return None
    done, ends = ranks_of(paired.number, results), clock_of(connection, paired)
    groups = [
        {
            "place": place,
            "table": group.table,
            "game": group.game,
            "seats": group.seats,
            "progress": "done"
            if frozenset(group.seats) in done
            else progress_at(paired, there.get(group.table or "")),
        }
        for place, group in enumerate(paired.groups, 1)
    ]
    return {
        "round": paired.number,
        "given": paired.given,
        "missing": sum(each["progress"] != "done" for each in groups),
        "ends": ends.isoformat() if ends else None,
        "byes": paired.byes,
        "tables": groups,
    }


def progress_at(paired: RoundRow, table: Row[Any] | None) -> GroupProgress:
    """Return the progress of a group without a result, seen from its table."""
    if table is None:
        return "unplaced"
    if not is_there(table.heard):
        return "offline"
    if table.state is None:
        return "silent"
    answer, phase = table.state["assignment"], table.state["phase"]
    if answer is None or (answer["evening"], answer["round"]) != (paired.evening, paired.number):
        return "unheard"
    if answer["answer"] == "started":
        return "left" if phase == "idle" else "over" if phase == "over" else "playing"
    if answer["rev"] < table.rev:
        return "unheard"
    if answer["answer"] == "refused":
        return "refused"
    return "busy" if phase == "playing" else "offered"


def overview(connection: Connection, evening: EveningRow | None) -> dict[str, Any]:
    """Return how an evening goes, as JSON has it."""
    results = counted_results(connection, evening)
    return {
        "evening": evening.id if evening else None,
        "closed": evening is not None and evening.closed is not None,
        "names": dict(shown_names(connection)),
        "round": round_status(connection, evening, tables_now(connection), results),
        "proposals": proposals(connection, evening),
    }
