"""A round's progress at each table, so you can spot tables that are offline or declined."""

from __future__ import annotations

from collections.abc import Container
from typing import Any, Literal

from sqlalchemy import Row

from club.store.live import RoundRow

GroupProgress = Literal[
    "done", "silent", "unheard", "offered", "busy", "refused", "playing", "left", "over"
]
"""A group's progress at a connected table: its result counts (`done`); the table reports no state
(`silent`), has not received the round (`unheard`), offers it (`offered`) or will after another game
(`busy`); people refused it (`refused`), are playing (`playing`), left the game (`left`), or
finished it, but no result has come (`over`)."""


def progress_at(
    paired: RoundRow | None, table: Row[Any], done: Container[frozenset[str]]
) -> GroupProgress | None:
    """Return the progress of the group at a table, None without a group.

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
