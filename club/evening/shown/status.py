"""How a round goes: what became of it at each table, so that a dead or refusing one is seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, select

from club.evening.clock import clock_of
from club.evening.results import counted_results, ranks_of
from club.evening.seating import current_round
from club.judging.states import read_state
from club.store.live import EveningRow, GroupRow, RoundRow, active_tables
from club.store.schema import table_states, tables
from pi_app.link.protocol import TableState

PROGRESS = (
    "done",
    "unplaced",
    "offline",
    "silent",
    "unheard",
    "offered",
    "busy",
    "refused",
    "playing",
    "left",
    "over",
)
"""What becomes of a group: its result counts (`done`); it has no table (`unplaced`), or one that
is not connected (`offline`), says nothing of what it does (`silent`), has not heard of the round
(`unheard`), offers it (`offered`) or does so as soon as another game is over (`busy`); there it was
refused (`refused`), is played (`playing`), was left before its end (`left`), or is over without a
result here (`over`)."""


@dataclass(frozen=True, slots=True)
class GroupStatus:
    """A group of a round, `place` from 1 on, and one of PROGRESS."""

    place: int
    group: GroupRow
    progress: str


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
    pair: tuple[int, int]
    """That of the assignment which was issued last."""
    state: TableState | None

    @property
    def game(self) -> str | None:
        """The game that is played there now."""
        state = self.state if self.online else None
        return state.game if state is not None and state.phase == "playing" else None


def tables_now(connection: Connection) -> Mapping[str, TableNow]:
    """Return what each table does, by its id, in the order in which they joined."""
    said = {row.table_id: read_state(row.facts) for row in connection.execute(select(table_states))}
    rows = {row.id: row for row in connection.execute(select(tables))}
    return {table: _table_now(rows[table], said.get(table)) for table in active_tables(connection)}


def _table_now(row: Row[Any], state: TableState | None) -> TableNow:
    return TableNow(bool(row.online), (row.era, row.rev), state)


def round_status(
    connection: Connection,
    evening: EveningRow | None,
    there: Mapping[str, TableNow] | None = None,
) -> RoundStatus | None:
    """Return how an evening's current round goes; None if none is paired.

    `there` is what `tables_now` has found, if that was looked up already.
    """
    paired = current_round(connection, evening)
    if paired is None:
        return None
    if there is None:
        there = tables_now(connection)
    done = ranks_of(paired.number, counted_results(connection, evening))
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
) -> str:
    """Return what became of a group's round, one of PROGRESS."""
    if is_done:
        return "done"
    table = there.get(group.table or "")
    if table is None:
        return "unplaced"
    if not table.online:
        return "offline"
    if table.state is None:
        return "silent"
    answer = table.state.assignment
    if answer is None or (answer.evening, answer.round) != (paired.evening, paired.number):
        return "unheard"
    if answer.answer == "started":
        return {"playing": "playing", "over": "over"}.get(table.state.phase, "left")
    if (answer.era, answer.rev) < table.pair:
        return "unheard"
    if answer.answer == "refused":
        return "refused"
    return "busy" if table.state.phase == "playing" else "offered"
