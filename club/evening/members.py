"""The club's tables: joining, the holder of each token, and their own reports."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Row, delete, func, select, update

from club.store.database import Writing, get
from club.store.live import belongs, has_joined, live
from club.store.schema import tables
from pi_app.link.contract import CODE_DIGITS, random_word

CODE_S = 10 * 60
"""How long a code is valid; any number of tables may use it."""
SILENT_S = 10 * 60
"""After this time without its holder, another machine becomes the holder of a token."""
THERE_S = 60
"""A table is connected if it was heard at most this long ago."""
NOTED_S = 10
"""The precision of the stored time at which a table was heard."""
BOOT_LIMIT = 50
UNCONFIRMED_LIMIT = 100


class RequestError(Exception):
    """A refused request: status and code of the contract."""

    def __init__(self, status: int, code: str, retry_s: int = 0, **facts: object) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.retry_s = retry_s
        self.facts: Mapping[str, object] = facts


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def table_of(connection: Connection, token: str) -> Row[Any]:
    """Return the table with this token; RequestError 401, or 403 before it is confirmed."""
    row = connection.execute(
        select(
            tables, belongs().label("belongs"), live(tables.c.removed).label("is_removed")
        ).where(tables.c.token == hash_token(token))
    ).first()
    if row is None or row.is_removed:
        raise RequestError(401, "token")
    if not row.belongs:
        raise RequestError(403, "unconfirmed")
    return row


# --- the holder of a token


def hear(
    writing: Writing, row: Row[Any], machine: str, boot: str | None = None
) -> dict[str, Any] | None:
    """Return the values to store for a table that was heard; None for a rival machine.

    `boot` comes with a hello. An older boot means another machine with a copy of the card.
    """
    now = time.time()
    old_boots: list[str] = row.old_boots
    is_silent = now - row.heard > SILENT_S
    is_other = row.machine not in (None, machine)
    if (is_other or boot in old_boots) and not is_silent:
        _note_rival(writing, row, machine, boot, now)
        return None
    noted: dict[str, Any] = {"heard": now} if now - row.heard > NOTED_S else {}
    if row.machine != machine:
        noted |= {"machine": machine, "heard": now, "boot": boot}
        noted |= {"old_boots": [], "rival": None, "rival_boot": None}
    elif boot is not None and boot != row.boot:
        kept = [each for each in [*old_boots, row.boot] if each not in (None, boot)]
        noted |= {"boot": boot, "old_boots": kept[-BOOT_LIMIT:]}
    return noted


def _note_rival(
    writing: Writing, row: Row[Any], machine: str, boot: str | None, now: float
) -> None:
    is_noted = row.rival == machine and boot in (None, row.rival_boot)
    if is_noted and now - row.rival_heard < NOTED_S:
        return
    if machine == row.machine and row.rival not in (None, machine):
        return  # only another machine can replace the holder, not an older start of this one
    note(writing, row.id, rival=machine, rival_boot=boot or row.rival_boot, rival_heard=now)
    if row.rival != machine:
        writing.who = row.id
        writing.act("twice", table=row.id)


def note(writing: Writing, table: str, **values: Any) -> None:
    """Store facts about a table, and refresh the pages that show tables."""
    if values:
        writing.connection.execute(update(tables).where(tables.c.id == table).values(**values))
    if values.keys() - {"heard", "boot", "old_boots", "stream", "rival_heard"}:
        writing.next("touched")


def replace_machine(writing: Writing, row: Row[Any]) -> None:
    """Make the refused machine the holder; without one, the next machine to come."""
    old = [each for each in [*row.old_boots, row.boot] if each is not None]
    old = [each for each in old if each != row.rival_boot]
    is_copy = row.rival is not None
    note(
        writing,
        row.id,
        machine=row.rival,
        boot=row.rival_boot,
        old_boots=old if is_copy else [],
        rival=None,
        rival_boot=None,
        heard=time.time() if is_copy else 0.0,
    )


# --- reports of tables


def note_said(
    writing: Writing,
    row: Row[Any],
    machine: str,
    boot: str | None = None,
    **said: Any,
) -> bool:
    """Note what a table says of itself; False if another machine has its token."""
    noted = hear(writing, row, machine, boot)
    if noted is None:
        return False
    if said.get("waiting") == 0:
        said["empty_in"] = writing.get("era")
    changed = {name: value for name, value in said.items() if value != getattr(row, name)}
    note(writing, row.id, **noted, **changed)
    return True


def is_there(heard: float) -> bool:
    return time.time() - heard <= THERE_S


# --- joining


def open_joining(writing: Writing) -> str:
    """Let tables join with a new code, and return it."""
    code = f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}}"
    writing.put("join_code", code)
    writing.put("join_until", str(time.time() + CODE_S))
    return code


def code_now(connection: Connection) -> str:
    """Return the code for joining, "" if joining is closed."""
    until = float(get(connection, "join_until", "0"))
    return get(connection, "join_code") if time.time() < until else ""


def is_code(connection: Connection, code: str) -> bool:
    """Return whether this is the current code; RequestError 403 if no table may join."""
    right = code_now(connection)
    if not right:
        raise RequestError(403, "closed")
    return hmac.compare_digest(code.encode("utf-8", "replace"), right.encode())


def join(
    writing: Writing, *, nonce: str, software: str, machine: str, address: str, token: str
) -> tuple[str, str]:
    """Let a table with the code join; return its id and its new token.

    With an earlier `token` it keeps its id, and if the machine (which may be "", unknown) is the
    same too it needs no new confirmation. A repeated `nonce` is a table that missed the answer.
    """
    fresh = secrets.token_urlsafe(32)
    values: dict[str, Any] = {
        "token": hash_token(fresh),
        "nonce": hash_token(nonce),
        "software": software,
        "address": address,
        "machine": machine or None,
        "boot": None,
        "old_boots": [],
        "rival": None,
        "rival_boot": None,
    }
    known = tables.c.token == hash_token(token) if token else None
    again = tables.c.nonce == hash_token(nonce)
    for condition in (known, again):
        row = None
        if condition is not None:
            found = select(tables, live(tables.c.removed).label("is_removed")).where(condition)
            row = writing.connection.execute(found).first()
        if row is None:
            continue
        writing.who = row.id
        act = writing.act("join", table=row.id)
        if row.is_removed or row.machine != machine:
            values |= {"confirmed": None, "removed": None, "act": act}
        note(writing, row.id, **values, heard=time.time())
        return row.id, fresh
    _make_room(writing)
    writing.who = table = new_id(writing)
    act = writing.act("join", table=table)
    add(writing, table, act, **values, heard=time.time())
    return table, fresh


def _make_room(writing: Writing) -> None:
    """If too many tables are unconfirmed, forget the oldest of the address with most."""
    waiting = unconfirmed(writing.connection)
    if len(waiting) < UNCONFIRMED_LIMIT:
        return
    addresses = [row.address for row in waiting]
    most = max(addresses, key=addresses.count)
    oldest = next(row for row in waiting if row.address == most)
    writing.connection.execute(delete(tables).where(tables.c.id == oldest.id))


def unconfirmed(connection: Connection) -> list[Row[Any]]:
    """Return the unconfirmed tables, in the order of joining."""
    query = select(tables).where(has_joined(), ~live(tables.c.confirmed))
    return list(connection.execute(query.order_by(tables.c.act)))


def new_id(writing: Writing) -> str:
    """Return a new table's id, with a number for people and a random part."""
    highest = writing.connection.scalar(select(func.count()).select_from(tables)) or 0
    number = max(highest, int(writing.get("tables", "0"))) + 1
    writing.put("tables", str(number))
    return f"table-{number:02}-{random_word(4)}"


def add(writing: Writing, table: str, act: int, **values: Any) -> None:
    """Add a table; the caller issues its assignment."""
    writing.connection.execute(tables.insert().values(id=table, act=act, **values))
    writing.next("touched")
