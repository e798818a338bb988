"""Lets tables into the club, removes them, and shows texts on them."""

from __future__ import annotations

import secrets
from typing import Annotated, Any

from sqlalchemy import Row, select

from club.evening import members
from club.evening.acts.shared import ActFacts, act
from club.evening.errors import ActError
from club.evening.seating import issue_seats
from club.store.database import Writing
from club.store.identity import place_of
from club.store.live import has_joined, tables_now
from club.store.schema import tables
from pi_app.link.contract import TableId
from pi_app.wire.messages import String, Whole


def table_of_club(writing: Writing, table: str) -> Row[Any]:
    query = select(tables).where(tables.c.id == table, has_joined())
    row = writing.connection.execute(query).first()
    if row is None:
        raise ActError("no-table", table=table)
    return row


@act("add-table", "{table} added", undoable=True)
def add_table(writing: Writing) -> ActFacts:
    """Add a confirmed table; its token is shown only once."""
    table, token = members.new_id(writing), secrets.token_urlsafe(32)
    noted = writing.act("add-table", table=table)
    members.add(writing, table, noted, token=members.hash_token(token), confirmed=noted)
    issue_seats(writing)
    return {"table": table, "token": token, **place_of(writing.connection)}


@act("code", "tables may join")
def open_code(writing: Writing) -> ActFacts:
    """Let tables join with a code."""
    code = members.open_joining(writing)
    writing.act("code")
    return {"code": code, "for_s": members.CODE_S, **place_of(writing.connection)}


@act("confirm", "{table} let in", undoable=True)
def confirm_table(writing: Writing, table: TableId) -> None:
    """Confirm a table that has joined with a code."""
    table_of_club(writing, table)
    if table not in tables_now(writing.connection):
        members.note(writing, table, confirmed=writing.act("confirm", table=table))
        issue_seats(writing)


@act("remove-table", "{table} taken out", undoable=True)
def remove_table(writing: Writing, table: TableId) -> None:
    """Remove a table from the club: its token becomes invalid, its results stay."""
    table_of_club(writing, table)
    members.note(writing, table, removed=writing.act("remove-table", table=table))


@act("replace", "{table} has another machine")
def replace_machine(writing: Writing, table: TableId) -> None:
    """Make the refused machine the holder of a table's token."""
    row = table_of_club(writing, table)
    writing.act("replace", table=table)
    members.replace_machine(writing, row)


@act("say", "said at the tables: {text}")
def say(
    writing: Writing,
    text: Annotated[str, String(200, r"(?s).*\S.*", cut=True)],
    for_s: Annotated[int, Whole(1, 24 * 3600)] = 600,
) -> None:
    """Let every table show and say a text for some seconds."""
    active = [*tables_now(writing.connection)]
    if not active:
        raise ActError("no-tables")
    writing.act("say", text=text, for_s=for_s, tables=active, id=secrets.token_hex(8))
