"""How a round goes: what became of it at each table, so that a dead or refusing one is seen."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any, Literal

from sqlalchemy import Connection, Row, select

from club.store.live import RoundRow, belongs
from club.store.schema import tables

GroupProgress = Literal[
    "done", "silent", "unheard", "offered", "busy", "refused", "playing", "left", "over"
]
"""What becomes of a group at a table that is connected: its result counts (`done`); the table says
nothing of what it does (`silent`), has not heard of the round (`unheard`), offers it (`offered`) or
does so as soon as another game is over (`busy`); there it was refused (`refused`), is played
(`playing`), was left before its end (`left`), or is over without a result here (`over`)."""


def tables_now(connection: Connection) -> Mapping[str, Row[Any]]:
    """Return the row of each table of the club by its id, in the order in which they joined."""
    query = select(tables).where(belongs()).order_by(tables.c.act, tables.c.id)
    return {row.id: row for row in connection.execute(query)}


def progress_at(
    paired: RoundRow | None, table: Row[Any], done: Container[frozenset[str]]
) -> GroupProgress | None:
    """Return the progress of the group at a table, None where there is none.

    `done` are the groups of the round with a result.
    """
    groups = {each.table: each for each in paired.groups} if paired else {}
    group = groups.get(table.id)
    if paired is None or group is None:
        return None
    if frozenset(group.seats) in done:
        return "done"
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
