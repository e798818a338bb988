"""Copies a whole club into one file and back, between any two databases."""

from __future__ import annotations

import os
import secrets
import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection, delete, insert, select

from club.store.database import ClubDatabase, DatabaseError, Writing, check_version, get
from club.store.running import RunningLock
from club.store.schema import METADATA, meta
from pi_app.system.regular import check_regular, open_regular

AT_ONCE = 1_000
OF_THE_PLACE = ("host", "port", "public")
"""Values of the hub's machine, which do not belong to the club."""


class BackupError(Exception):
    """The file is not a club's backup."""


def back_up(database: ClubDatabase, file: Path) -> None:
    """Write everything into a file that only its owner may read; OSError if that fails."""
    check_regular(file)
    temporary = file.with_name(f".{file.name}.{os.getpid()}.new")
    try:
        os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        target = ClubDatabase(f"sqlite:///{temporary.absolute()}")
        try:
            target.prepare()
            with database.read() as source, target.write() as writing:
                _copy(source, writing)
        finally:
            target.close()
        _settle_file(temporary)
        temporary.replace(file)
    finally:
        for path in temporary.parent.glob(f"{temporary.name}*"):
            path.unlink(missing_ok=True)


def _settle_file(path: Path) -> None:
    """Flush an SQLite database into one file."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE").fetchall()
    with path.open("rb") as stream:
        os.fsync(stream.fileno())


def restore(database: ClubDatabase, file: Path) -> None:
    """Replace everything by a backup's content; BackupError for another file.

    DatabaseError `taken` while a hub runs, `version` before what a newer Beisitzer has written.
    """
    with open_regular(file) as stream:
        if not stream.read(16).startswith(b"SQLite format 3"):
            raise BackupError
    source = ClubDatabase(f"sqlite:///file:{file.absolute()}?mode=ro&uri=true", read_only=True)
    try:
        with source.read() as connection:
            if not get(connection, "hub"):
                raise BackupError
            check_version(get(connection, "schema", "0"))
        lock = RunningLock(database, alone=True)
        try:
            database.prepare()
            with source.read() as connection, database.write() as writing:
                here = {key: writing.get(key) for key in OF_THE_PLACE}
                _copy(connection, writing)
                _become_here(writing, here)
        finally:
            lock.close()
    except DatabaseError as error:
        if error.code in ("version", "taken"):
            raise
        raise BackupError from error
    finally:
        source.close()


def _become_here(writing: Writing, here: dict[str, str]) -> None:
    for key, value in here.items():
        writing.connection.execute(delete(meta).where(meta.c.key == key))
        if value:
            writing.put(key, value)
    writing.put("era", secrets.token_hex(8))
    writing.put("restored", "yes")
    writing.who = "restore"
    writing.act("restore")


def _copy(source: Connection, writing: Writing) -> None:
    for table in METADATA.sorted_tables:
        writing.connection.execute(delete(table))
        rows = source.execute(select(table)).mappings()
        while batch := rows.fetchmany(AT_ONCE):
            writing.connection.execute(insert(table), [dict(row) for row in batch])
