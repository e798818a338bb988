"""The store's tables, and the steps that migrate a file of an earlier version.

A version is recognised by its tables, not by its number alone: one flipped bit changes the number,
but not the tables. So each step must change the text of the tables.
"""

import sqlite3
import zlib
from contextlib import closing

PAGE_BYTES = 1024
"""A move changes one page, which is written completely: small pages wear the card less."""
GAME_BITS = 24
"""A move's id is its game's id followed by a number of this many bits. So moves are found without
an index, which would be one more page to write for each move, and one more to be damaged.
"""
LAST_GAME = 2 ** (63 - GAME_BITS) - 1
"""The highest id of a game: the ids of its moves still fit SQLite's 63 bits."""
STATES = ("played", "undone", "replaced")
"""The states of a stored move."""

STEPS: dict[int, tuple[str, ...]] = {
    3: (
        """CREATE TABLE game (
 id INTEGER PRIMARY KEY, tags TEXT NOT NULL, began TEXT NOT NULL, ended TEXT, result TEXT,
 shelved INTEGER NOT NULL DEFAULT 0 , crc INTEGER NOT NULL)""",
        """CREATE TABLE ply (
 id INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES game (id), n INTEGER NOT NULL,
 token TEXT NOT NULL, state TEXT NOT NULL CHECK (state IN ('played', 'undone', 'replaced')),"""
        " at TEXT NOT NULL , crc INTEGER NOT NULL)",
        """CREATE TABLE memory (
 id INTEGER PRIMARY KEY, key TEXT NOT NULL, value TEXT NOT NULL, crc INTEGER NOT NULL)""",
    ),
    # what a club's hub must get; `seq` is 0 until the event has its number
    4: (
        """CREATE TABLE outbox (
 id INTEGER PRIMARY KEY, game INTEGER NOT NULL, seq INTEGER NOT NULL, body TEXT NOT NULL,"""
        " crc INTEGER NOT NULL)",
    ),
}
"""The statements that make each version from the one before it, or from an empty file.

An existing step never changes, not even by a space: files contain its text. What the next step must
do is in docs/decisions/sqlite.md.
"""
OLDEST = min(STEPS)


class DamagedError(sqlite3.DatabaseError):
    """The file is not, or no longer, what was written into it."""


ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""What SQLite raises: its messages may contain damaged text, which cannot be decoded."""


class VersionError(Exception):
    """This program does not know the store's tables: they are newer than it, or too old."""

    def __init__(self, version: int) -> None:
        super().__init__(f"schema {version}, known are {OLDEST} to {newest_version()}")
        self.newer = version > newest_version()


def newest_version() -> int:
    """Return the version to which every store is migrated."""
    return max(STEPS)


def checksum(*values: object) -> int:
    """Return the checksum of a row's values in their order; different types give different ones."""
    return zlib.crc32(ascii(values).encode())


def migrate(db: sqlite3.Connection, version: int | None = None) -> None:
    """Migrate an empty database or an earlier store to a version, by default the newest.

    All steps are one transaction: after a power cut the file is as it was. Foreign keys must be
    off, so that a step can replace a table to which another one refers.
    """
    db.create_function("checksum", -1, checksum, deterministic=True)
    number, version = _number(db), version or newest_version()
    if number >= version:
        return
    db.execute("BEGIN IMMEDIATE")
    for step, statements in STEPS.items():
        if number < step <= version:
            for statement in statements:
                db.execute(statement)
    db.execute(f"PRAGMA user_version={version}")
    db.execute("COMMIT")


def version_of(db: sqlite3.Connection) -> int:
    """Return the version of a store, 0 for an empty database.

    VersionError for tables that only a newer program can know, DamagedError if number and tables
    contradict each other.
    """
    number, schema = _number(db), _schema(db)
    if number in (0, *STEPS) and schema == _schema_at(number):
        return number
    if number > newest_version() and all(schema != _schema_at(version) for version in (0, *STEPS)):
        raise VersionError(number)
    raise DamagedError(f"the tables are not those of version {number}")


def _number(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def _schema(db: sqlite3.Connection) -> set[tuple[object, ...]]:
    return set(db.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall())


def _schema_at(version: int) -> set[tuple[object, ...]]:
    """Return the tables that the steps up to a version make in an empty database."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        if version:
            migrate(db, version)
        return _schema(db)
