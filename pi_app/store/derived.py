"""A cache of values computed from stored games.

It is a separate file next to the store, so that writing it never makes a move wait for the store's
lock. Nothing in it is needed, and it may be deleted at any time. If it is damaged or of another
version, a new one replaces it; if it is locked, read-only or unreachable, it is not used. None of
that is reported, and nobody waits for it longer than `PATIENCE_S`.
"""

import logging
import sqlite3
import zlib
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import TypeVar

from pi_app.store.check import check_files, sibling
from pi_app.store.database import identity, is_damage
from pi_app.store.migrations import ERRORS, DamagedError

T = TypeVar("T")

PATIENCE_S = 0.1
"""How long to wait for another process or thread that uses the file."""
MOST_BYTES = 32_000_000
"""From a larger file the oldest values are deleted."""
_APPLICATION = 0x42734476  # "BsDv" in ASCII, which marks the file as ours
_VERSION = 1
_TABLE = """CREATE TABLE derived (
 id INTEGER PRIMARY KEY, kind TEXT NOT NULL, key TEXT NOT NULL, version INTEGER NOT NULL,
 value BLOB NOT NULL, crc INTEGER NOT NULL, UNIQUE (kind, key))"""
_PRAGMAS = (f"busy_timeout={int(PATIENCE_S * 1000)}", "journal_mode=MEMORY", "synchronous=OFF")
"""Writing does not wait for the card: what a power cut spoils is found as damage later."""

log = logging.getLogger(__name__)


class Derived:
    """Values by kind and key; callable from any thread.

    A key identifies what a value was computed from (`archive.content_keys`), a version how.
    """

    def __init__(self, path: Path | None, most_bytes: int = MOST_BYTES) -> None:
        """Use a file, opened when it is needed; None stores values for this run only.

        Beyond `most_bytes` the oldest values are deleted.
        """
        self._path = path
        self._most_bytes = most_bytes
        self._db: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None
        """The `identity` of the file that is open: somebody may delete or replace it."""
        self._lock = Lock()

    @classmethod
    def of_store(cls, store: Path | None) -> "Derived":
        """Return the cache of a store's file; for a store in memory one for this run only."""
        return cls(None if store is None else sibling(store, ".derived"))

    def get(self, kind: str, version: int, key: str) -> bytes | None:
        """Return the value; None if there is none, or only one of another version."""
        return self.get_many(kind, version, (key,)).get(key)

    def get_many(self, kind: str, version: int, keys: Collection[str]) -> dict[str, bytes]:
        """Return the values of those keys that have one."""
        if self._path is not None and self._status() is None:
            return {}  # reading creates no file
        return self._transact(lambda db: _read_values(db, kind, version, keys), "BEGIN") or {}

    def put(self, kind: str, version: int, key: str, value: bytes) -> None:
        """Store a value, replacing an earlier one."""
        self.put_many(kind, version, {key: value})

    def put_many(self, kind: str, version: int, values: Mapping[str, bytes]) -> None:
        """Store values: all of them or, if the file cannot be written, none."""

        def write(db: sqlite3.Connection) -> None:
            db.executemany(
                "INSERT OR REPLACE INTO derived (kind, key, version, value, crc)"
                " VALUES (?, ?, ?, ?, ?)",
                [
                    (kind, key, version, value, _checksum(kind, version, key, value))
                    for key, value in values.items()
                ],
            )
            # a damaged index hides rows without an error
            if len(_read_values(db, kind, version, values)) < len(values):
                raise DamagedError("what was put is not found")
            while _bytes_used(db) > self._most_bytes:
                db.execute(_FORGET)

        self._transact(write, "BEGIN IMMEDIATE")

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._lock:
            self._close()

    def _transact(self, act: Callable[[sqlite3.Connection], T], begin: str) -> T | None:
        """Call `act` within a transaction; None if the file cannot be used now."""
        if not self._lock.acquire(timeout=PATIENCE_S):
            return None
        try:
            try:
                return self._run_transaction(act, begin)
            except ERRORS as error:
                if not is_damage(error):
                    raise
                log.info("a new file replaces the damaged cache: %s", error)
                self._close()
                if self._path is not None:
                    self._path.unlink(missing_ok=True)
                return self._run_transaction(act, begin)
        except (*ERRORS, OSError) as error:
            log.debug("the cache is not used: %s", error)
            self._close()
            return None
        finally:
            self._lock.release()

    def _run_transaction(self, act: Callable[[sqlite3.Connection], T], begin: str) -> T:
        if self._db is None or self._file != self._status():
            self._close()
            self._db = _open_file(":memory:" if self._path is None else str(self._path))
            self._file = self._status()
        db = self._db
        db.execute(begin)
        try:
            result = act(db)
            db.execute("COMMIT")
        except BaseException:
            with suppress(*ERRORS):
                db.execute("ROLLBACK")
            raise
        return result

    def _status(self) -> tuple[int, int] | None:
        """Return the file's `identity`, or None if there is no file."""
        with suppress(OSError):
            return None if self._path is None else identity(self._path)
        return None

    def _close(self) -> None:
        if self._db is not None:
            with suppress(*ERRORS):
                self._db.close()
            self._db = None


# ?1 kind, ?2 version, ?3 key
_FIND = "SELECT value, crc FROM derived WHERE kind=?1 AND key=?3 AND version=?2"
_FORGET = """DELETE FROM derived WHERE id <=
 (SELECT min(id) + (max(id) - min(id)) / 4 FROM derived)"""
"""Deletes about the oldest quarter; ids rise with time."""


def _open_file(name: str) -> sqlite3.Connection:
    """Open the file and create its table if needed; DamagedError if it has any other table."""
    check_files(Path(name))
    db = sqlite3.connect(name, isolation_level=None, check_same_thread=False)
    try:
        for pragma in _PRAGMAS:
            db.execute(f"PRAGMA {pragma}")
        if not db.execute("SELECT 1 FROM sqlite_schema").fetchone():
            db.execute("BEGIN IMMEDIATE")
            if not db.execute("SELECT 1 FROM sqlite_schema").fetchone():  # no other process did it
                db.execute(_TABLE)
                db.execute(f"PRAGMA application_id={_APPLICATION}")
                db.execute(f"PRAGMA user_version={_VERSION}")
            db.execute("COMMIT")
        _check(db)
    except BaseException:
        db.close()
        raise
    return db


def _check(db: sqlite3.Connection) -> None:
    pragmas = ("application_id", "user_version")
    marks = [int(db.execute(f"PRAGMA {pragma}").fetchone()[0]) for pragma in pragmas]
    tables = db.execute("SELECT sql FROM sqlite_schema WHERE type<>'index'").fetchall()
    if marks != [_APPLICATION, _VERSION] or tables != [(_TABLE,)]:
        raise DamagedError("it is of another version")


def _read_values(
    db: sqlite3.Connection, kind: str, version: int, keys: Collection[str]
) -> dict[str, bytes]:
    """Return the values that exist; DamagedError if one is not what was stored."""
    values: dict[str, bytes] = {}
    for key in keys:
        row = db.execute(_FIND, (kind, version, key)).fetchone()
        if row is not None:
            value, crc = row
            if crc != _checksum(kind, version, key, value):
                raise DamagedError(f"{kind} {key} was altered")
            values[key] = value
    return values


def _bytes_used(db: sqlite3.Connection) -> int:
    pages, free, size = (
        int(db.execute(f"PRAGMA {pragma}").fetchone()[0])
        for pragma in ("page_count", "freelist_count", "page_size")
    )
    return (pages - free) * size


def _checksum(kind: str, version: int, key: str, value: object) -> int | None:
    """Return the checksum of a row; None for a value that was never stored."""
    if not isinstance(value, bytes):
        return None
    return zlib.crc32(value, zlib.crc32(ascii((kind, version, key)).encode()))
