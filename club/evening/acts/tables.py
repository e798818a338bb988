"""Lets tables into the club, takes them out, and says something at them."""

from __future__ import annotations

import secrets
from typing import Annotated, Any

from sqlalchemy import Row, select

from club.evening import members
from club.evening.acts.shared import ActFacts, Nothing
from club.evening.announcements import announce
from club.evening.errors import ActError
from club.evening.seating import issue_seats
from club.store.database import Writing
from club.store.identity import place_of
from club.store.live import active_tables, has_joined
from club.store.schema import tables
from pi_app.link.contract import TableId
from pi_app.wire.messages import Message, String, Whole


class OneTable(Message):
    table: TableId


def table_of_club(writing: Writing, table: str) -> Row[Any]:
    query = select(tables).where(tables.c.id == table, has_joined())
    row = writing.connection.execute(query).first()
    if row is None:
        raise ActError("no-table", table=table)
    return row


def add_table(writing: Writing, who: str, _asked: Nothing) -> ActFacts:
    """Add a table that is confirmed already; its token is shown only now."""
    table, token = members.new_id(writing), secrets.token_urlsafe(32)
    act = writing.act(who, "add-table", table=table)
    members.add(writing, table, act, token=members.hash_token(token), confirmed=act)
    issue_seats(writing)
    return members.access(writing.connection, table, token)


def open_code(writing: Writing, who: str, _asked: Nothing) -> ActFacts:
    """Let tables join with a code."""
    code = members.open_joining(writing)
    writing.act(who, "code")
    return {"code": code, "for_s": members.CODE_S, **place_of(writing.connection)}


def end_code(writing: Writing, who: str, _asked: Nothing) -> None:
    """Let no table join any more."""
    writing.put("join_code", "")
    writing.act(who, "end-code")


def confirm_table(writing: Writing, who: str, asked: OneTable) -> None:
    """Let a table in that has joined with a code."""
    table_of_club(writing, asked.table)
    if asked.table not in active_tables(writing.connection):
        act = writing.act(who, "confirm", table=asked.table)
        members.note(writing, asked.table, confirmed=act)
        issue_seats(writing)


def remove_table(writing: Writing, who: str, asked: OneTable) -> None:
    """Take a table out of the club: its token is worth nothing any more, its results stay."""
    table_of_club(writing, asked.table)
    act = writing.act(who, "remove-table", table=asked.table)
    members.note(writing, asked.table, removed=act)


def replace_machine(writing: Writing, who: str, asked: OneTable) -> None:
    """Let the other machine have a table's token."""
    row = table_of_club(writing, asked.table)
    writing.act(who, "replace", table=asked.table)
    members.replace_machine(writing, row)


class Announced(Message):
    text: Annotated[str, String(200, r"(?s).*\S.*", cut=True)]
    for_s: Annotated[int, Whole(1, 24 * 3600)] = 600
    table: TableId | None = None


def say(writing: Writing, who: str, asked: Announced) -> None:
    announce(writing, who, asked.text, asked.for_s, asked.table)
