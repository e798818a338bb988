"""The database behind the store, which goes on in memory when its file fails.

Every write goes to the file first and is durable when the transaction ends. When the file
cannot be written (no room, a read-only or dying card), the same statements are carried out on
a copy in memory and kept, and `retry` writes them into the file once that is possible again.
So statements must do the same when carried out a second time: rows are inserted with ids of
their own and with OR REPLACE, because a transaction that failed while it was being finished
may yet turn out to be in the file.
"""

import logging
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from pi_app.store.migrations import checksum, migrate
from pi_app.store.recovery import STATES, Recovered, Salvage, frames, refill, salvage

log = logging.getLogger(__name__)

Connect = Callable[[str], sqlite3.Connection]

_PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON")
CHECKED_BYTES = 4_000_000
"""A file of up to so many bytes (over 1,000 games) is checked whole at each start.

A larger one is checked whole only after a run that did not end properly, as that takes long;
the games that may go on are read at each start, and damage elsewhere is met when it is read.
"""


class Trouble(StrEnum):
    """Why the file cannot be written at the moment."""

    FULL = "full"
    READ_ONLY = "read-only"
    FAILING = "failing"


_TROUBLES = {
    sqlite3.SQLITE_FULL: Trouble.FULL,
    sqlite3.SQLITE_READONLY: Trouble.READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: Trouble.READ_ONLY,
    sqlite3.SQLITE_PERM: Trouble.READ_ONLY,
    sqlite3.SQLITE_IOERR: Trouble.FAILING,
    sqlite3.SQLITE_BUSY: Trouble.FAILING,
    sqlite3.SQLITE_LOCKED: Trouble.FAILING,
    sqlite3.SQLITE_PROTOCOL: Trouble.FAILING,
    sqlite3.SQLITE_CORRUPT: Trouble.FAILING,
    sqlite3.SQLITE_NOTADB: Trouble.FAILING,
}


@dataclass(frozen=True, slots=True)
class News:
    """Something about the store that the table must be told.

    Either a `trouble` that began, or that all is `written` again, or that a damaged file was
    moved to `aside` and what was `recovered` from it.
    """

    trouble: Trouble | None = None
    written: bool = False
    aside: Path | None = None
    recovered: Recovered | None = None


class DamagedError(sqlite3.DatabaseError):
    """The file is a database, but not what was written into it."""


def trouble_of(error: Exception) -> Trouble | None:
    """Return what is wrong with the file; None where the error is our own mistake."""
    if isinstance(error, OSError):
        return Trouble.FULL if error.errno in _NO_ROOM else Trouble.READ_ONLY
    if isinstance(error, DamagedError):
        return Trouble.FAILING
    return _TROUBLES.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)


_NO_ROOM = (28, 122)
"""ENOSPC and EDQUOT."""


def _is_damage(error: Exception) -> bool:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return isinstance(error, DamagedError) or code in (
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
    )


def connect_to(name: str) -> sqlite3.Connection:
    """Open a database in autocommit mode."""
    db = sqlite3.connect(name, isolation_level=None, check_same_thread=False)
    db.text_factory = _text
    return db


def _text(content: bytes) -> str:
    """Return a text of the database; a damaged one must not raise where it is read."""
    return content.decode("utf-8", "replace")


class Database:
    """One SQLite database; ":memory:" is kept nowhere and is never in trouble.

    `connect` opens a connection by file name (tests hand in failing ones). TooNewError if a
    newer version of the program wrote the file.
    """

    def __init__(self, path: Path | str, connect: Connect = connect_to) -> None:
        self.path = None if str(path) == ":memory:" else Path(path)
        self.trouble: Trouble | None = None
        self.news: list[News] = []
        self._connect = connect
        self._open: list[tuple[str, tuple[Any, ...]]] | None = None
        self._waiting: list[list[tuple[str, tuple[Any, ...]]]] = []
        self.whole = True
        """Whether all that the file holds can be read here."""
        self._salvaged: Salvage | None = None
        """What was read from a damaged file, until it is in the new one."""
        try:
            self._db = self._file()
        except (sqlite3.Error, OSError) as error:
            if not self._leave_file(error):
                raise

    # --- statements

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Carry out what is written inside as a whole, durable at the end, or not at all."""
        self.execute("BEGIN IMMEDIATE")
        self._open = []
        try:
            yield
            self._run("COMMIT", ())
        except BaseException:
            self._open = None
            with suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            raise
        if self.trouble is not None:
            self._waiting.append(self._open)
        self._open = None

    def execute(self, sql: str, values: Iterable[Any] = ()) -> sqlite3.Cursor:
        """Carry out a statement, on the copy in memory if the file fails."""
        values = tuple(values)
        cursor = self._run(sql, values)
        if self._open is not None:
            self._open.append((sql, values))
        return cursor

    def rows(self, sql: str, values: Iterable[Any] = ()) -> list[Any]:
        """Return all rows of a query."""
        values = tuple(values)
        try:
            return self._db.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            if not self._leave_file(error):
                raise
            return self._db.execute(sql, values).fetchall()

    def _run(self, sql: str, values: tuple[Any, ...]) -> sqlite3.Cursor:
        try:
            return self._db.execute(sql, values)
        except sqlite3.Error as error:
            if not self._leave_file(error):
                raise
            return self._db.execute(sql, values)

    # --- the file

    def _file(self) -> sqlite3.Connection:
        """Open the file: checked, repaired if need be, with the newest schema, writable."""
        if self.path is None:
            return self._prepared(":memory:")
        self.path.parent.mkdir(parents=True, exist_ok=True)
        log_before = _bytes(_beside(self.path, "-wal"))
        try:
            if log_before and not _size(self.path):
                raise DamagedError("the database is empty, but has a log")
            return self._prepared(str(self.path), log_before)
        except sqlite3.DatabaseError as error:
            if not _is_damage(error):
                raise
            log.warning("the store %s is damaged: %s", self.path, error)
        return self._repaired(self.path, log_before)

    def _prepared(self, name: str, log_before: bytes = b"") -> sqlite3.Connection:
        db = self._connect(name)
        try:
            for pragma in _PRAGMAS:
                db.execute(f"PRAGMA {pragma}")
            if log_before:
                _check_log(db, log_before)
            if log_before or _size(name) <= CHECKED_BYTES:
                _check(db)
            migrate(db)
            _check_unfinished(db)
            db.execute("BEGIN IMMEDIATE")  # a read-only file says so here, not in mid-game
            db.execute("ROLLBACK")
        except BaseException:
            with suppress(sqlite3.Error):
                db.close()
            raise
        return db

    def _repaired(self, path: Path, log_before: bytes) -> sqlite3.Connection:
        """Move the damaged file aside and return a new one with what could be read."""
        found = self._salvaged = salvage(_bytes(path), log_before)
        aside = _move_aside(path, log_before)
        db = self._prepared(str(path))
        try:
            recovered = refill(db, found)
        except BaseException:
            with suppress(sqlite3.Error):
                db.close()
            raise
        self._salvaged = None
        self.news.append(News(aside=aside, recovered=recovered))
        log.warning("recovered %s; the damaged file is %s", recovered, aside)
        return db

    # --- without the file

    def _leave_file(self, error: Exception) -> bool:
        """Go on in memory if the error is the file's; tell whether it was."""
        trouble = trouble_of(error)
        if trouble is None or self.path is None or self.trouble is not None:
            return False
        log.error("the store %s cannot be used (%s), going on in memory", self.path, str(error))
        file = getattr(self, "_db", None)
        if file is not None:
            with suppress(sqlite3.Error):
                file.rollback()
        memory = self._copy(file, damaged=_is_damage(error))
        if file is not None:
            with suppress(sqlite3.Error):
                file.close()
        self._db = memory
        self.trouble = trouble
        self.news.append(News(trouble=trouble))
        if self._open is not None:
            memory.execute("BEGIN")
            for sql, values in self._open:
                memory.execute(sql, values)
        return True

    def _copy(self, file: sqlite3.Connection | None, *, damaged: bool) -> sqlite3.Connection:
        """Return a database in memory with as much of the file as can be read."""
        memory = connect_to(":memory:")
        if file is not None and not damaged and not file.in_transaction:
            try:
                file.backup(memory)
                migrate(memory)
            except sqlite3.Error as error:
                log.warning("the store cannot be copied: %s", error)
            else:
                return memory
            memory.close()
            memory = connect_to(":memory:")
        migrate(memory)
        if self._salvaged is not None:
            refill(memory, self._salvaged)
        elif self.path is not None:
            found = salvage(_bytes(self.path), _bytes(_beside(self.path, "-wal")))
            recovered = refill(memory, found)
            self.whole = False
            log.info("read from the store: %s", recovered)
        return memory

    def retry(self) -> bool:
        """Try to write what waits in memory into the file; tell whether all is written."""
        if self.trouble is None:
            return True
        known = len(self.news)
        try:
            file = self._file()
        except (sqlite3.Error, OSError) as error:
            del self.news[known:]
            self.trouble = trouble_of(error) or self.trouble
            return False
        try:
            self._write_back(file, repaired=len(self.news) > known)
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):
                file.close()
            log.info("the store still cannot be written: %s", error)
            return False
        self._db.close()
        self._db = file
        self._waiting.clear()
        self._salvaged = None
        self.whole = True
        self.trouble = None
        self.news.append(News(written=True))
        log.info("the store %s is written again", self.path)
        return True

    def _write_back(self, file: sqlite3.Connection, *, repaired: bool) -> None:
        empty = file.execute("SELECT 1 FROM game LIMIT 1").fetchone() is None
        if self.whole and (repaired or empty):
            self._db.backup(file)
            return
        file.execute("PRAGMA foreign_keys=OFF")  # what they refer to may be what is damaged
        file.execute("BEGIN IMMEDIATE")
        for transaction in self._waiting:
            for sql, values in transaction:
                file.execute(sql, values)
        file.execute("COMMIT")
        file.execute("PRAGMA foreign_keys=ON")

    def close(self) -> None:
        """Write what waits, if that is possible by now, and let go of the file."""
        self.retry()
        with suppress(sqlite3.Error):
            self._db.close()


def _check(db: sqlite3.Connection) -> None:
    """Raise DamagedError if SQLite finds the file's structure broken."""
    found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise DamagedError(found)


def _check_unfinished(db: sqlite3.Connection) -> None:
    """Raise DamagedError if a game that may go on is not what was written.

    Finished games are not read at the start: there may be thousands.
    """
    for row in db.execute("SELECT id, tags, began, crc FROM game WHERE result IS NULL"):
        if row[-1] != checksum(*row[:-1]):
            raise DamagedError(f"game {row[0]} was altered")
    plies = db.execute(
        "SELECT id, game, n, token, at, crc, state FROM ply"
        " WHERE game IN (SELECT id FROM game WHERE result IS NULL)"
    )
    for *row, crc, state in plies:
        if crc != checksum(*row) or state not in STATES:
            raise DamagedError(f"a move of game {row[1]} was altered")


def _check_log(db: sqlite3.Connection, log_before: bytes) -> None:
    """Raise DamagedError if SQLite leaves out finished transactions of a damaged log.

    It stops reading at the first wrong checksum. One transaction beyond may be the one that a
    power cut interrupted; more than that were finished, and shown.
    """
    read = int(db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()[1])
    beyond = sum(ends for number, ends, _ in frames(log_before) if number > read)
    if beyond > 1:
        raise DamagedError(f"the log is damaged before its last {beyond} transactions")


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _size(path: Path | str) -> int:
    """Return a file's size in bytes, 0 where there is none."""
    try:
        return Path(path).stat().st_size
    except OSError:
        return 0


def _bytes(path: Path) -> bytes:
    """Return a file's content, as far as it can be read."""
    content = bytearray()
    try:
        with path.open("rb", buffering=0) as file:
            while part := file.read(1 << 16):
                content += part
    except OSError:
        log.debug("%s cannot be read beyond byte %s", path, len(content))
    return bytes(content)


def _move_aside(path: Path, log_before: bytes) -> Path:
    """Rename the damaged database; its log, which SQLite may have taken away, goes with it."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    aside = _beside(path, f".damaged-{stamp}")
    count = 1
    while aside.exists():
        count += 1
        aside = _beside(path, f".damaged-{stamp}-{count}")
    path.replace(aside)
    for suffix in ("-wal", "-shm"):
        with suppress(OSError):
            _beside(path, suffix).unlink()
    if log_before:
        with suppress(OSError):
            _beside(aside, "-wal").write_bytes(log_before)
    return aside
