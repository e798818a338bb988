"""Reads valid rows: those of acts that were not taken back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, func, select
from sqlalchemy.sql.schema import Column

from club.store.schema import acts, people, rounds, tables

HALL = "hall: "
"""The beginning of `who` for acts on a phone in the hall."""


@dataclass(frozen=True, slots=True)
class EveningRow:
    """An evening. `closed` is the act that closed it, None while it is open.

    With `teams`, two people each play together all evening.
    """

    act: int
    closed: int | None
    began: str
    id: str
    games: list[str]
    mode: str
    per_table: int
    rounds: int
    rules: str
    title: str
    teams: bool


@dataclass(frozen=True, slots=True)
class GroupRow:
    """A group's people, seat 1 first, and its table."""

    table: str | None
    game: str
    rules: str
    seats: list[str]


@dataclass(frozen=True, slots=True)
class RoundRow:
    """A paired round, with its tables in order."""

    id: int
    act: int
    evening: str
    number: int
    rev: int
    byes: list[str]
    given: bool
    groups: list[GroupRow]

    @property
    def everybody(self) -> tuple[str, ...]:
        """Everybody who was present."""
        return (*(p for group in self.groups for p in group.seats), *self.byes)


@dataclass(frozen=True, slots=True)
class PersonRow:
    """A player; `name` is "" if it is unknown."""

    p: str
    name: str
    present: bool


def live(act: Column[int]) -> ColumnElement[bool]:
    """Return the SQL condition that a row has this act, and that it was not taken back."""
    # NOT NULL is NULL in SQL: the first part makes the condition invertible
    return act.is_not(None) & act.in_(select(acts.c.id).where(acts.c.undone.is_(None)))


@dataclass(frozen=True, slots=True)
class ActRow:
    """An act of the journal; `undone` is the act that took it back, None while it counts."""

    id: int
    at: str
    who: str
    kind: str
    facts: Mapping[str, Any]
    undone: int | None


def acts_of(connection: Connection, *kinds: str, after: int = 0) -> list[ActRow]:
    """Return the valid acts of these kinds that are later than act `after`, in order."""
    query = select(acts).where(acts.c.kind.in_(kinds), acts.c.undone.is_(None), acts.c.id > after)
    return [ActRow(**row) for row in connection.execute(query.order_by(acts.c.id)).mappings()]


def last_act(connection: Connection) -> int:
    """Return the id of the last act, taken back or not; 0 if there is none."""
    return connection.scalar(select(func.max(acts.c.id))) or 0


def last_decision(connection: Connection) -> int:
    """Return the id of the last act outside of the hall; 0 if there is none."""
    return connection.scalar(select(func.max(acts.c.id)).where(~acts.c.who.startswith(HALL))) or 0


def all_evenings(connection: Connection) -> list[EveningRow]:
    """Return the evenings, the earliest first."""
    closed = {each.facts["evening"]: each.id for each in acts_of(connection, "close")}
    return [
        EveningRow(act.id, closed.get(act.facts["id"]), act.at, **act.facts)
        for act in acts_of(connection, "evening")
    ]


def current_evening(connection: Connection) -> EveningRow | None:
    """Return the evening that was opened last, if it is still open."""
    known = all_evenings(connection)
    return known[-1] if known and known[-1].closed is None else None


def rounds_of(connection: Connection, evening: str) -> list[RoundRow]:
    """Return an evening's rounds by their numbers."""
    given = live(rounds.c.given).label("given")
    others = [column for column in rounds.c if column.name != "given"]
    query = select(*others, given).where(rounds.c.evening == evening, live(rounds.c.act))
    return [
        RoundRow(**{**row, "groups": [GroupRow(**each) for each in row["groups"]]})
        for row in connection.execute(query.order_by(rounds.c.number, rounds.c.act)).mappings()
    ]


def people_now(
    connection: Connection, evening: EveningRow | None = None
) -> Mapping[str, PersonRow]:
    """Return everybody by number, in the order of registration.

    They are `present` if they were in this evening, with None if they are here now. Closing an
    evening marks everybody as absent.
    """
    closes = [each.closed for each in all_evenings(connection) if each.closed is not None]
    before = [closed for closed in closes if evening is None or closed < evening.act]
    begins, ends = max(before, default=0), evening.closed if evening else None
    found: dict[str, PersonRow] = {}
    for row in connection.execute(
        select(people).where(live(people.c.act)).order_by(people.c.act, people.c.id)
    ):
        known = found.get(row.p, PersonRow(row.p, "", False))  # noqa: FBT003  # in their order
        is_then = row.act > begins and (ends is None or row.act < ends)
        found[row.p] = PersonRow(
            row.p,
            known.name if row.name is None else row.name,
            row.present if is_then else known.present,
        )
    return found


def tables_now(connection: Connection) -> Mapping[str, Row[Any]]:
    """Return the row of each of the club's tables by its id, in the order of joining."""
    query = select(tables).where(belongs()).order_by(tables.c.act, tables.c.id)
    return {row.id: row for row in connection.execute(query)}


def belongs() -> ColumnElement[bool]:
    """Return the SQL condition that a table was confirmed and not removed."""
    return has_joined() & live(tables.c.confirmed)


def has_joined() -> ColumnElement[bool]:
    """Return the SQL condition that a table has joined and was not removed."""
    return live(tables.c.act) & ~live(tables.c.removed)


def current_round(connection: Connection, evening: EveningRow | None) -> RoundRow | None:
    """Return the evening's last round, None if there is none."""
    paired = rounds_of(connection, evening.id) if evening else []
    return paired[-1] if paired else None
