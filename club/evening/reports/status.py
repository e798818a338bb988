"""How a round goes: what became of it at each table, so that a dead or refusing one is seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, Row, select

from club.evening.announcements import clock_of
from club.evening.members import is_there
from club.evening.reports.export import proposals
from club.evening.results import CountedResult, counted_results, ranks_of, shown_names
from club.store.live import EveningRow, GroupRow, RoundRow, belongs, current_round
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


@dataclass(frozen=True, slots=True)
class GroupStatus:
    """A group of a round, `place` from 1 on, and what becomes of it."""

    place: int
    group: GroupRow
    progress: GroupProgress


@dataclass(frozen=True, slots=True)
class RoundStatus:
    """The current round; `ends` is when its time is up, None without a clock."""

    paired: RoundRow
    groups: tuple[GroupStatus, ...]
    ends: datetime | None

    @property
    def missing(self) -> int:
        """How many results are still to come."""
        return sum(each.progress != "done" for each in self.groups)


@dataclass(frozen=True, slots=True)
class TableNow:
    """A table that belongs to the club. `state` None: it has said nothing of what it does."""

    online: bool
    heard: float
    """When it was heard last, in seconds since 1970; 0 if never."""
    waiting: int
    """How many results it has not sent yet."""
    is_twice: bool
    """Whether another machine has the same card."""
    rev: int
    """That of the assignment which was issued last."""
    state: Mapping[str, Any] | None

    @property
    def game(self) -> str | None:
        """The game that is played there now."""
        state = self.state if self.online else None
        return state["game"] if state is not None and state["phase"] == "playing" else None


def tables_now(connection: Connection) -> Mapping[str, TableNow]:
    """Return what each table does, by its id, in the order in which they joined."""
    query = select(tables).where(belongs()).order_by(tables.c.act, tables.c.id)
    return {row.id: _table_now(row) for row in connection.execute(query)}


def _table_now(row: Row[Any]) -> TableNow:
    return TableNow(
        online=is_there(row.heard),
        heard=row.heard,
        waiting=row.waiting,
        is_twice=row.rival is not None,
        rev=row.rev,
        state=row.state,
    )


def round_status(
    connection: Connection,
    evening: EveningRow | None,
    there: Mapping[str, TableNow],
    results: Iterable[CountedResult],
) -> RoundStatus | None:
    """Return how an evening's current round goes; None if none is paired.

    `there` are the tables of now, `results` those of the evening that count.
    """
    paired = current_round(connection, evening)
    if paired is None:
        return None
    done = ranks_of(paired.number, results)
    groups = tuple(
        GroupStatus(place, group, progress_of(paired, group, there, frozenset(group.seats) in done))
        for place, group in enumerate(paired.groups, 1)
    )
    return RoundStatus(paired, groups, clock_of(connection, paired))


def progress_of(
    paired: RoundRow,
    group: GroupRow,
    there: Mapping[str, TableNow],
    is_done: bool,  # noqa: FBT001  # a fact, no switch
) -> GroupProgress:
    """Return what became of a group's round."""
    if is_done:
        return "done"
    table = there.get(group.table or "")
    if table is None:
        return "unplaced"
    if not table.online:
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
    status = round_status(connection, evening, tables_now(connection), results)
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
        "given": status.paired.given,
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
