"""Tables that belong to the club, and people who want their names gone."""

from __future__ import annotations

import base64
import hashlib
import secrets
from typing import Any

from sqlalchemy import Connection, Row, func, insert, select, update

from club.evening.acts import ActError
from club.evening.seating import issue_seats
from club.evening.shown.status import round_status, tables_now
from club.judging.acks import missing_of
from club.store.database import Writing
from club.store.live import active_tables, current_evening
from club.store.schema import events, stores, tables

ITERATIONS = 101
"""Mosquitto's own number; the passwords are long and random, so more would protect nothing."""


def new_password() -> str:
    return secrets.token_urlsafe(24)


def broker_hash(password: str) -> str:
    """Return a password as Mosquitto's password file has it."""
    salt = secrets.token_bytes(12)
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ITERATIONS)
    words = (base64.b64encode(part).decode() for part in (salt, digest))
    return f"$7${ITERATIONS}${'$'.join(words)}"


def add_table(writing: Writing, who: str, *, joined: bool = False) -> tuple[str, str]:
    """Add a table to the club; return its id and its password, which only the table keeps."""
    number = (writing.connection.scalar(select(func.count()).select_from(tables)) or 0) + 1
    table, password = f"table-{number:02}", new_password()
    # a table that joined by itself is no act of the organiser, who removes it with `remove-table`
    act = writing.act(who, "join" if joined else "add-table", table=table)
    writing.connection.execute(
        insert(tables).values(id=table, password=broker_hash(password), act=act, online=False)
    )
    issue_seats(writing)
    return table, password


def remove_table(writing: Writing, who: str, table: str) -> None:
    """Take a table out of the club: its user is gone, its results stay."""
    if table not in active_tables(writing.connection):
        raise ActError("no-table", table=table)
    act = writing.act(who, "remove-table", table=table)
    writing.connection.execute(update(tables).where(tables.c.id == table).values(removed=act))


def let_home_in(writing: Writing, who: str) -> str:
    """Give the smart home a new password and return it."""
    password = new_password()
    writing.put("home_hash", broker_hash(password))
    writing.act(who, "smart-home")
    return password


def list_tables(connection: Connection) -> list[dict[str, Any]]:
    """Return the club's tables: whether they are there, what they do, what is missing or odd."""
    rows = {row.id: row for row in connection.execute(select(tables))}
    there = tables_now(connection)
    status = round_status(connection, current_evening(connection), there)
    progress = {each.group.table: each.progress for each in status.groups} if status else {}
    return [
        {
            "table": table,
            "online": bool(rows[table].online),
            "seen": rows[table].seen,
            "store": rows[table].store,
            "missing": _missing(connection, rows[table]),
            "doubt": rows[table].doubt,
            "game": there[table].game,
            "assignment": progress.get(table),
        }
        for table in there
    ]


def _missing(connection: Connection, table: Row[Any]) -> list[int]:
    """Return the numbers of a table's store that the hub knows to be missing, or to be lost."""
    if table.store is None:
        return []
    lost = connection.scalars(
        select(events.c.seq).where(events.c.store == table.store, events.c.kind == "lost")
    )
    upto = connection.scalar(select(stores.c.upto).where(stores.c.id == table.store)) or 0
    return sorted({*lost, *missing_of(connection, table.store, upto)})
