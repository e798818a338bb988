"""The database behind the store, which continues in memory when its file fails.

It has two states: on file, where each write is durable when its transaction ends, and in memory,
where the same statements run on a copy and are queued until `retry` can write them into the file.
So a statement must have the same effect when it runs twice: rows are inserted with explicit ids,
and an existing row must be identical.

Damage, whether found by SQLite, a checksum or a decoder, is handled only here: the file is
rewritten from what can be read, and the query is repeated.
"""

import json
import logging
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from pi_app.files.host import utc_now
from pi_app.store.check import check, check_files, content, read_only, sibling
from pi_app.store.lock import FileLock
from pi_app.store.migrations import ERRORS, PAGE_BYTES, DamagedError, VersionError, migrate
from pi_app.store.pages import Progress
from pi_app.store.recovery import (
    NOTE,
    Recovered,
    finish,
    hand_on_outbox,
    put_in_place,
    refill,
    rescue,
)

log = logging.getLogger(__name__)

Connect = Callable[[str], sqlite3.Connection]
Statement = tuple[str, tuple[Any, ...]]
"""SQL, and the values for its placeholders."""
Ask = Callable[[str, Iterable[Any]], list[Any]]
"""Runs a query with the values for its placeholders; returns all rows."""
T = TypeVar("T")

CHECKPOINT_PAGES = 64
"""At this size in pages the log is copied into the database and overwritten from its start: while
it grows, the file system has to write its new length with each move.
"""
_PRAGMAS = (
    f"page_size={PAGE_BYTES}",
    "journal_mode=WAL",
    "synchronous=FULL",
    f"wal_autocheckpoint={CHECKPOINT_PAGES}",
)


class Trouble(StrEnum):
    """Why the file cannot be written at the moment."""

    FULL = "full"
    READ_ONLY = "read-only"
    FAILING = "failing"
    GONE = "gone"
    """Somebody removed or replaced it."""


_TROUBLES = {
    sqlite3.SQLITE_FULL: Trouble.FULL,
    sqlite3.SQLITE_READONLY: Trouble.READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: Trouble.READ_ONLY,
    sqlite3.SQLITE_PERM: Trouble.READ_ONLY,
    sqlite3.SQLITE_IOERR: Trouble.FAILING,
    sqlite3.SQLITE_BUSY: Trouble.FAILING,
    sqlite3.SQLITE_LOCKED: Trouble.FAILING,
    sqlite3.SQLITE_PROTOCOL: Trouble.FAILING,
}
"""What an error of SQLite means, by the lowest byte of its code; the others give details."""
_NO_ROOM = (28, 122)
"""ENOSPC and EDQUOT."""


@dataclass(frozen=True, slots=True)
class News:
    """Something about the store that people at the table must learn.

    Either a `trouble` began, or everything is `written` again, or a damaged file was moved to
    `aside` and `recovered` says what was saved from it.
    """

    trouble: Trouble | None = None
    written: bool = False
    aside: Path | None = None
    recovered: Recovered | None = None


class GoneError(OSError):
    """The open file lost its name: it was removed or replaced, so writing to it would be lost."""


@dataclass(frozen=True, slots=True)
class Damage:
    """Damage that a reader found in the store's file: the error, and which file it was.

    `file` distinguishes that file from another of the same name (`identity`).
    """

    error: Exception
    file: tuple[int, int]


def identity(path: Path) -> tuple[int, int]:
    """Return what distinguishes a file from another of the same name; OSError if there is none."""
    status = path.stat()
    return status.st_dev, status.st_ino


@dataclass(slots=True)
class OnFile:
    """Everything is in the file."""

    db: sqlite3.Connection


@dataclass(slots=True)
class InMemory:
    """The file cannot be used (`trouble`), or there is none (None)."""

    db: sqlite3.Connection
    trouble: Trouble | None = None
    whole: bool = True
    """Whether everything in the file is here too."""
    damaged: bool = False
    """Whether the file has to be rewritten before it is used again."""
    gone: bool = False
    """Whether the file was removed or replaced: everything is written into a new one."""
    waiting: list[list[Statement]] = field(default_factory=list)
    """Transactions that are not yet in the file."""


def trouble_of(error: Exception) -> Trouble | None:
    """Return what is wrong with the file; None if the error is a bug of this program."""
    if isinstance(error, GoneError):
        return Trouble.GONE
    if isinstance(error, OSError):
        return Trouble.FULL if error.errno in _NO_ROOM else Trouble.READ_ONLY
    if is_damage(error):
        return Trouble.FAILING
    return _TROUBLES.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)


def is_damage(error: Exception) -> bool:
    """Return whether an error means that the file is not what was written into it."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    damaged = (DamagedError, UnicodeDecodeError)
    return isinstance(error, damaged) or code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def connect_to(name: str) -> sqlite3.Connection:
    """Open a database in autocommit mode."""
    return sqlite3.connect(name, isolation_level=None, check_same_thread=False)


def no_progress(share: float) -> None:
    """Ignore how far a rescue is."""


class Database:
    """One SQLite database; ":memory:" has no file and is never in trouble.

    `connect` opens a connection by file name (tests pass failing ones); `progress` is called with
    the share of a long rescue that is done, 0 to 1. VersionError if this program does not know the
    file's tables.
    """

    def __init__(
        self,
        path: Path | str,
        connect: Connect = connect_to,
        progress: Progress = no_progress,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        self.path = None if str(path) == ":memory:" else Path(path).resolve()
        self.news: list[News] = []
        self._connect = connect
        self._progress = progress
        self._now = now
        self._statements: list[Statement] | None = None
        """The statements of the open transaction, to be repeated in memory; None outside of one."""
        self._lock: FileLock | None = None
        """The lock on a rewritten file: the companion's own lock is on the old one."""
        self._note_pending = False
        """Whether the file still has the note of a rescue that people must see."""
        self._file = self._log_file = (0, 0)
        """The `identity` of the file that is open, and of its log."""
        self.losses = 0
        """How often the file was found damaged in mid-game: it may hold less than was written."""
        if self.path is None:
            self._state: OnFile | InMemory = InMemory(_empty_store())
            return
        try:
            self._state = OnFile(self._open_file(self.path))
        except (*ERRORS, OSError) as error:
            if trouble_of(error) is None:
                raise
            self._state = self._memory_state(error, None)

    @property
    def trouble(self) -> Trouble | None:
        """Why everything is in memory only at the moment; None while the file works."""
        return self._state.trouble if isinstance(self._state, InMemory) else None

    @property
    def whole(self) -> bool:
        """Whether everything in the file can be read here."""
        return isinstance(self._state, OnFile) or self._state.whole

    @property
    def stamp(self) -> tuple[object, int]:
        """A value that differs after each change of a row, and for another file."""
        return self._state.db, self._state.db.total_changes

    def take_news(self) -> list[News]:
        """Return the news and clear it."""
        news, self.news = self.news, []
        return news

    # --- statements

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run the statements of the block completely, durable at the end, or not at all."""
        self._check_place()
        self.execute("BEGIN IMMEDIATE")
        self._statements = []  # without BEGIN: `_leave_file` begins itself, then repeats these
        try:
            # the news of the rescue was shown and play goes on: its note has done its work
            if self._note_pending and not self.news:
                self.execute("DELETE FROM memory WHERE key=?", (NOTE,))
            yield
            self._run("COMMIT", ())  # not `execute`: COMMIT is not to be repeated
        except BaseException:
            self._statements = None
            with suppress(sqlite3.Error):
                self._state.db.execute("ROLLBACK")
            raise
        if not self.news:
            self._note_pending = False
        # without trouble there is no file into which it could be written later
        if isinstance(self._state, InMemory) and self._state.trouble is not None:
            self._state.waiting.append(self._statements)
        self._statements = None

    def execute(self, sql: str, values: Iterable[Any] = ()) -> sqlite3.Cursor:
        """Run a statement, on the copy in memory if the file fails."""
        values = tuple(values)
        cursor = self._run(sql, values)
        if self._statements is not None:
            self._statements.append((sql, values))
        return cursor

    def _run(self, sql: str, values: tuple[Any, ...]) -> sqlite3.Cursor:
        try:
            return self._state.db.execute(sql, values)
        except ERRORS as error:
            self._leave_file(error)
            return self._state.db.execute(sql, values)

    def rows(self, sql: str, values: Iterable[Any] = ()) -> list[Any]:
        """Return all rows of a query."""
        return self.read(lambda ask: ask(sql, values))

    def read(self, find: Callable[[Ask], T]) -> T:
        """Return what `find` makes of the rows that it queries.

        If `find` raises a DamagedError, the file is rewritten and `find` called once more.
        """
        try:
            return find(self._ask)
        except ERRORS as error:
            self._leave_file(error)
        if self._statements is None:  # an open transaction is finished in memory first
            self._mend()
        return find(self._ask)

    def _ask(self, sql: str, values: Iterable[Any] = ()) -> list[Any]:
        return self._state.db.execute(sql, tuple(values)).fetchall()

    # --- the file

    def _open_file(self, path: Path, *, damaged: bool = False) -> sqlite3.Connection:
        """Check the file, rewrite it if needed, migrate it, and open it for writing."""
        path.parent.mkdir(parents=True, exist_ok=True)
        check_files(path)
        self._hold_lock(finish(path))  # an earlier rescue may have been interrupted
        try:
            if damaged:
                raise DamagedError("something in it was altered")
            check(path, self._progress)
        except ERRORS as error:
            # the file may be sound and only unusable now, such as locked
            if not is_damage(error) and trouble_of(error) is not None:
                raise
            log.warning("the store %s is damaged: %s", path, error)
            self._hold_lock(rescue(path, self._progress, self._now()))
        was_cut_off = bool(content(sibling(path, "-wal")))
        db = self._connect(str(path))
        try:
            prepare(db)
            if was_cut_off:
                _begin_log_anew(db)
            self._read_note(db, path)
            self._file, self._log_file = identity(path), identity(sibling(path, "-wal"))
        except BaseException:
            with suppress(sqlite3.Error):
                db.close()
            raise
        return db

    def _hold_lock(self, lock: FileLock | None) -> None:
        """Hold this lock instead of the one before, if there is a new one."""
        if lock is not None:
            self._lock, old = lock, self._lock
            if old is not None:
                old.release()

    def _read_note(self, db: sqlite3.Connection, path: Path) -> None:
        """Add a rescue that people have not seen yet to the news, maybe from an earlier start."""
        row = db.execute("SELECT value FROM memory WHERE key=?", (NOTE,)).fetchone()
        if row is None:
            return
        note = json.loads(row[0])
        aside = path.with_name(note.pop("aside"))
        self.news.append(News(aside=aside, recovered=Recovered(**note)))
        self._note_pending = True
        log.warning("recovered %s; the damaged file is %s", note, aside)

    def _check_place(self) -> None:
        """Write everything into a new file if somebody removed or replaced the file."""
        if self.path is None or isinstance(self._state, InMemory):
            return
        try:
            gone = identity(self.path) != self._file
        except OSError as error:  # the others come from writing too
            gone = isinstance(error, FileNotFoundError | NotADirectoryError)
        if gone:
            self._leave_file(GoneError("it was removed or replaced"))
            if self.retry():
                self.news.pop()  # "written again": the alert says so already

    def _begin_file(self, path: Path) -> None:
        """Create and lock a new file; another one that has its name is moved aside."""
        log_file = sibling(path, "-wal")
        with suppress(FileNotFoundError, NotADirectoryError):
            if identity(log_file) == self._log_file:  # it belongs to the file that is gone
                log_file.unlink()
        aside = sibling(path, f".replaced-{self._now():%Y%m%dT%H%M%SZ}")
        for suffix in ("", "-wal"):
            if sibling(path, suffix).exists():
                sibling(path, suffix).rename(sibling(aside, suffix))
        sibling(path, "-shm").unlink(missing_ok=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        self._hold_lock(FileLock.of(path, os.O_RDWR | os.O_CREAT))

    # --- without the file

    def _leave_file(self, error: Exception) -> None:
        """Continue in memory if the file caused the error; else raise it."""
        if trouble_of(error) is None or isinstance(self._state, InMemory):
            raise error
        file = self._state.db
        with suppress(sqlite3.Error):
            file.rollback()
        self._state = self._memory_state(error, file)
        with suppress(sqlite3.Error):
            file.close()
        if self._statements is not None:  # what the open transaction has done so far
            self._state.db.execute("BEGIN")
            for sql, values in self._statements:
                self._state.db.execute(sql, values)

    def _memory_state(self, error: Exception, file: sqlite3.Connection | None) -> InMemory:
        """Return a state in memory with everything that can be read from the file."""
        trouble, damaged = trouble_of(error), is_damage(error)
        fields = {"EVENT": "store-failed", "TROUBLE": trouble}
        log.error(
            "the store %s cannot be used (%s), going on in memory",
            self.path,
            str(error),
            extra={"journal": fields},
        )
        self.news.append(News(trouble=trouble))
        copy = None if damaged else self._copy_file(file)
        if copy is not None:
            return InMemory(copy, trouble, gone=trouble is Trouble.GONE)
        self.losses += damaged
        if self.path is None:
            memory = _empty_store()
        else:
            memory, recovered = salvage_store(self.path, self._progress)
            log.info("read from the store: %s", recovered)
        memory.execute("PRAGMA foreign_keys=OFF")  # what they refer to may be what is damaged
        gone = trouble is Trouble.GONE
        return InMemory(memory, trouble, whole=False, damaged=damaged, gone=gone)

    def _copy_file(self, file: sqlite3.Connection | None) -> sqlite3.Connection | None:
        """Return a copy of the whole file in memory, or None if SQLite cannot read all of it."""
        try:
            # a copy in mid-transaction would have only a part of its changes
            if file is not None and not file.in_transaction:
                return copy_of(file)
            # without a connection (the start failed) the file itself, unless it is empty
            if self.path is None or file is not None or not check(self.path, self._progress):
                return None
            wal = content(sibling(self.path, "-wal"))
            with closing(read_only(self.path, immutable=not wal)) as reader:
                return copy_of(reader)
        except (*ERRORS, OSError) as error:
            log.warning("the store cannot be copied: %s", error)
            return None

    def mend(self, damage: Damage) -> None:
        """Rewrite the file because a reader found damage in it, unless that was done since."""
        if self.path is None or isinstance(self._state, InMemory):
            return
        try:
            if identity(self.path) != damage.file:
                return
        except OSError:  # the file is gone, so there is nothing to repair
            return
        self._leave_file(damage.error)
        self._mend()

    def _mend(self) -> None:
        """Rewrite a file that has just been found damaged; drop the news of the trouble itself."""
        if isinstance(self._state, InMemory) and self._state.damaged:
            count = len(self.news) - 1  # the news before the trouble, which came last
            if self.retry():
                # without the trouble, and without the last news: that everything is written again
                self.news = [*self.news[:count], *self.news[count + 1 : -1]]

    def retry(self) -> bool:
        """Try to write what waits in memory into the file; return whether everything is written."""
        state = self._state
        if not isinstance(state, InMemory) or state.trouble is None or self.path is None:
            return True
        count = len(self.news)
        try:
            if state.gone:
                self._begin_file(self.path)
                state.gone = False
            file = self._open_file(self.path, damaged=state.damaged)
        except (*ERRORS, OSError, VersionError) as error:
            del self.news[count:]  # of a rescue that did not come to an end
            state.trouble = trouble_of(error) or state.trouble
            return False
        state.damaged = False
        try:
            # opening the file adds news only if it was rescued
            _write_back(state, file, rescued=len(self.news) > count)
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):
                file.close()
            log.info("the store still cannot be written: %s", error)
            return False
        state.db.close()
        self._state = OnFile(file)
        self.news.append(News(written=True))
        fields = {"EVENT": "store-written"}
        log.info("the store %s is written again", self.path, extra={"journal": fields})
        return True

    def for_another_thread(self) -> Callable[[], sqlite3.Connection]:
        """Return a function that opens everything stored for reading, in any thread, once."""
        state, path = self._state, self.path
        if isinstance(state, InMemory) or path is None:
            copy = copy_of(state.db)
            return lambda: copy
        return lambda: read_only(path)

    def replace_all(self, new: Path) -> None:
        """Replace the file by another store of the newest version, in the same file system.

        What waits for a hub here waits there too. OSError or sqlite3.Error: nothing has changed.
        """
        if self.path is None or not isinstance(self._state, OnFile):
            raise sqlite3.OperationalError("there is no file to replace")
        with closing(self._connect(str(new))) as other:
            hand_on_outbox(self._state.db, other)
        # one file without a log: a single renaming decides which store a power cut leaves
        busy, *_ = self._state.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            raise sqlite3.OperationalError("somebody reads the log")
        self._state.db.close()
        try:
            self._hold_lock(put_in_place(new, self.path))
        finally:
            self._state = OnFile(self._open_file(self.path))

    def close(self) -> None:
        """Write what waits, if that is possible by now, and close the file."""
        self._check_place()
        self.retry()
        with suppress(sqlite3.Error):
            self._state.db.close()
        if self._lock is not None:
            self._lock.release()


def _write_back(state: InMemory, file: sqlite3.Connection, *, rescued: bool) -> None:
    """Write into the file what was done in memory, or the whole copy into a new file."""
    empty = file.execute("SELECT 1 FROM game LIMIT 1").fetchone() is None
    if state.whole and (rescued or empty):
        state.db.backup(file)
        return
    file.execute("PRAGMA foreign_keys=OFF")  # what they refer to may be what is damaged
    file.execute("BEGIN IMMEDIATE")
    for transaction in state.waiting:
        for sql, values in transaction:
            file.execute(sql, values)
    file.execute("COMMIT")
    file.execute("PRAGMA foreign_keys=ON")


def _empty_store() -> sqlite3.Connection:
    memory = connect_to(":memory:")
    prepare(memory, file=False)
    return memory


def copy_of(db: sqlite3.Connection) -> sqlite3.Connection:
    """Copy a store into memory and migrate the copy to the newest version."""
    memory = connect_to(":memory:")
    try:
        db.backup(memory)
        prepare(memory, file=False)
    except BaseException:
        memory.close()
        raise
    return memory


def salvage_store(path: Path, progress: Progress) -> tuple[sqlite3.Connection, Recovered]:
    """Read as much as possible of a damaged file into a store in memory; return both counts."""
    memory = connect_to(":memory:")
    recovered = refill(memory, path, progress)
    prepare(memory, file=False)
    return memory, recovered


def _begin_log_anew(db: sqlite3.Connection) -> None:
    """Take a log in that an earlier run has left.

    What a power cut left behind its end would look like damage after the next one.
    """
    (patience,) = db.execute("PRAGMA busy_timeout").fetchone()
    db.execute("PRAGMA busy_timeout=0")  # somebody may read it, for as long as he likes
    with suppress(sqlite3.Error):  # without room on the card it stays as it was
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    db.execute(f"PRAGMA busy_timeout={patience}")


def prepare(db: sqlite3.Connection, *, file: bool = True) -> None:
    """Prepare a connection for the statements of the store, migrated to the newest version.

    Without `file` it is a database in memory, which has no log and is always writable.
    """
    # a damaged text must be readable, so that its checksum can show the damage
    db.text_factory = lambda text: text.decode("utf-8", "replace")
    for pragma in _PRAGMAS if file else ():
        db.execute(f"PRAGMA {pragma}")
    migrate(db)
    db.execute("PRAGMA foreign_keys=ON")
    if file:
        db.execute("BEGIN IMMEDIATE")
        db.execute("DELETE FROM memory WHERE 0")  # a read-only file says so here, not in mid-game
        db.execute("ROLLBACK")
