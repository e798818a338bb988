"""Issues each table's assignment, with a number that grows with each change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, select, update

from club.evening.results import names_of
from club.pairing.exports import round_json, seats_json, team_of
from club.store.database import Writing
from club.store.live import (
    EveningRow,
    RoundRow,
    current_evening,
    current_round,
    people_now,
    tables_now,
)
from club.store.schema import rounds, tables

NOTHING: Mapping[str, Any] = {
    **dict.fromkeys(("evening", "round", "game", "board")),
    "rules": "",
    "seats": [],
}
"""The assignment, without its number, of a table that has no group."""


def issue_seats(writing: Writing) -> None:
    """Update the assignment of each table; a changed one gets a higher number."""
    connection = writing.connection
    evening = current_evening(connection)
    wanted = _wanted(connection, evening)
    rows = connection.execute(select(tables.c.id, tables.c.seat).where(tables.c.id.in_(wanted)))
    changed = [row.id for row in rows if row.seat != wanted[row.id]]
    current = current_round(connection, evening)
    if not changed and (current is None or current.rev):
        return
    rev = writing.next("rev")
    writing.tick()
    if current is not None:
        connection.execute(update(rounds).where(rounds.c.id == current.id).values(rev=rev))
    for table in changed:
        connection.execute(
            update(tables).where(tables.c.id == table).values(seat=wanted[table], rev=rev)
        )


def _wanted(connection: Connection, evening: EveningRow | None) -> dict[str, Mapping[str, Any]]:
    """Return each table's assignment, without its number."""
    told = {**NOTHING, "evening": evening.id if evening else None}
    wanted: dict[str, Mapping[str, Any]] = dict.fromkeys(tables_now(connection), told)
    current = current_round(connection, evening)
    if current is not None and current.given:
        names = names_of(people_now(connection))
        for group in current.groups:
            if group.table in wanted:
                wanted[group.table] = {
                    "evening": current.evening,
                    "round": current.number,
                    "game": group.game,
                    "rules": group.rules,
                    "board": None,
                    "seats": seats_json(group.game, group.seats, names),
                }
    return wanted


def teams_at(game: str, seats: int) -> list[int]:
    """Return each seat's team, in order; [] without partners."""
    found = [team_of(game, seat, seats) for seat in range(1, seats + 1)]
    return found if len(set(found)) < seats else []


def exported_round(row: RoundRow) -> dict[str, Any]:
    """Return a round in the export's form."""
    groups = ((group.table, group.game, group.seats) for group in row.groups)
    return round_json(row.number, groups, row.byes, row.rev)
