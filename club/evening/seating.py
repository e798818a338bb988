"""Issues assignments: what each table is told, with a pair that grows whenever it changes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import select, update

from club.evening.results import seats_json, shown_names
from club.store.database import Writing
from club.store.live import EveningRow, RoundRow, active_tables, current_evening, rounds_of
from club.store.schema import rounds, tables

NOTHING: Mapping[str, Any] = {
    "evening": None,
    "round": None,
    "game": None,
    "rules": "",
    "board": None,
    "seats": [],
}
"""What a table is told that nothing is assigned to, apart from the pair."""


def current_round(writing_or_connection: Any, evening: EveningRow | None) -> RoundRow | None:
    """Return the evening's last round, None if there is none."""
    paired = rounds_of(writing_or_connection, evening.id) if evening else []
    return paired[-1] if paired else None


def issue_seats(writing: Writing) -> None:
    """Bring what each table is told up to date; whatever changes gets a higher pair."""
    connection = writing.connection
    evening = current_evening(connection)
    current = current_round(connection, evening)
    wanted = _wanted(writing, evening, current)
    rows = connection.execute(
        select(tables.c.id, tables.c.seat, tables.c.era, tables.c.rev).where(
            tables.c.id.in_(wanted)
        )
    ).all()
    changed = [row for row in rows if row.seat != wanted[row.id]]
    if not changed:
        return
    pair = (current.era, current.rev) if current else (0, 0)
    if any((row.era, row.rev) >= pair for row in changed):
        # above all that was said before, as after a round that was taken back
        pair = writing.next_pair()
        if current is not None:
            connection.execute(
                update(rounds).where(rounds.c.id == current.id).values(era=pair[0], rev=pair[1])
            )
            changed = list(rows)  # a round has one pair
    for row in changed:
        connection.execute(
            update(tables)
            .where(tables.c.id == row.id)
            .values(seat=wanted[row.id], era=pair[0], rev=pair[1])
        )


def _wanted(
    writing: Writing, evening: EveningRow | None, current: RoundRow | None
) -> dict[str, str]:
    """Return what each table should be told, as text without the pair."""
    told = dict.fromkeys(active_tables(writing.connection), _text(dict(NOTHING)))
    if evening is None:
        return told
    told = dict.fromkeys(told, _text({**NOTHING, "evening": evening.id}))
    names = shown_names(writing.connection)
    for group in current.groups if current else ():
        if group.table in told:
            told[group.table] = _text(
                {
                    "evening": evening.id,
                    "round": current.number if current else None,
                    "game": group.game,
                    "rules": group.rules,
                    "board": group.board,
                    "seats": seats_json(group.seats, names),
                }
            )
    return told


def reissue(writing: Writing) -> None:
    """Tell every table anew what it was told, with a pair above all that was said before."""
    pair = writing.next_pair()
    current = current_round(writing.connection, current_evening(writing.connection))
    if current is not None:
        writing.connection.execute(
            update(rounds).where(rounds.c.id == current.id).values(era=pair[0], rev=pair[1])
        )
    writing.connection.execute(update(tables).values(era=pair[0], rev=pair[1]))


def _text(facts: Mapping[str, Any]) -> str:
    return json.dumps(facts, ensure_ascii=False, sort_keys=True)
