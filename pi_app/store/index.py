"""The index: an SQLite file for looking back, derived from the games' files and from nothing else.

Anybody may delete it. If it is missing, damaged or of another version it is made anew. A row is
known by its file's name, length and last checksum.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar
from zlib import crc32

from pi_app.store.disk import Disk
from pi_app.store.game import (
    CLOCK_UNSET,
    DAY_ALONE,
    SESSION,
    GameEntry,
    StoredGame,
    content_key,
    from_lines,
    lines_of,
)
from pi_app.system.host import FIRST_YEAR
from pi_app.system.regular import check_regular

if TYPE_CHECKING:  # a start does not need it
    from sqlite3 import Connection

T = TypeVar("T")
IndexRow = tuple[Any, ...]
log = logging.getLogger(__name__)

NAME = "index.db"
AT_ONCE = 20
"""Games that are read between two commits, while nobody else can use the index."""
_SOON = 200
"""So many files are read at once for a new index; more are read in the background."""
_PATIENCE_S = 0.1
"""How long to wait for another program that looks into the file."""
_LONG = {"comments", "edits"}
"""Notes that no list needs."""
# whoever changes it raises the version: an index of another one is made anew
_TABLES = """
CREATE TABLE game (id INTEGER PRIMARY KEY, file TEXT, happened TEXT, listed INTEGER, waits INTEGER,
 content TEXT, entry TEXT, crc INTEGER);
CREATE INDEX by_time ON game (happened) WHERE listed;
CREATE INDEX by_waiting ON game (waits) WHERE waits;
CREATE INDEX by_content ON game (content);
PRAGMA user_version=2;
"""
_VERSION = (2,)


def _has_no_time(game: GameEntry) -> bool:
    """Tell whether the clock was not set when a game began here."""
    is_early = game.began < str(FIRST_YEAR) and not game.began.endswith(DAY_ALONE)
    return is_early or game.notes.get(SESSION, "").endswith(f" {CLOCK_UNSET}")


def _row_of(file: str, game: StoredGame, happened: str) -> IndexRow:
    notes = {key: text for key, text in game.notes.items() if key not in _LONG}
    values = [getattr(game, name) for name in GameEntry.__slots__[:-1]]
    # not one that was left without a move
    listed = game.result is not None or game.moves or game.damage or game.newer
    waits = 1 + (not game.shelved) if game.waits else 0
    content = content_key(game.tags, game.tokens)
    text = json.dumps([*values, notes])
    row = (game.id, file, happened, int(bool(listed)), waits, content, text)
    return (*row, _checksum(row))


def _entry_of(row: IndexRow) -> GameEntry:
    """Return a row as an entry; ValueError if it is not what was written."""
    if row[-1] != _checksum(row[:-1]):
        raise ValueError(f"row {row[0]} was altered")
    number, game, players, *rest = json.loads(row[-2])
    return GameEntry(number, game, tuple(players), *rest)


def _checksum(row: IndexRow) -> int:
    return crc32(ascii(row).encode())


class Index:
    """The index of one folder, for any thread. No method raises an error of SQLite.

    `stored`: it is a file in the folder, if that can be written; else it is in memory.
    """

    def __init__(self, disk: Disk, *, stored: bool) -> None:
        self.progress: tuple[int, int] | None = None
        """How many games are in a new index, and of how many; None while nobody has to wait."""
        self._disk, self._stored = disk, stored
        self._lock = RLock()
        self._is_closed = False
        self._db: Connection | None = None

    @property
    def is_open(self) -> bool:
        """Whether it was used since the start."""
        return self._db is not None

    def _open(self, *, anew: bool = False) -> Connection:
        """Return the index, or a new one; in memory if the folder cannot have it."""
        import sqlite3

        if self._db is not None:
            return self._db
        for is_new in (True,) if anew else (False, True):
            with suppress(sqlite3.Error, OSError):
                if self._stored:
                    self._db = self._connect(self._disk.folder / NAME, is_new=is_new)
                    break
        else:
            self._db = self._connect(None, is_new=True)
        if is_new or not self._stored:
            self.refresh(most=_SOON if self._stored and not anew else None)
        return self._db

    def _connect(self, file: Path | None, *, is_new: bool) -> Connection:
        """Open the file, None: memory; OSError, or an error of SQLite if it is no such index."""
        import sqlite3

        if file is not None:
            check_regular(file)
            for suffix in ("", "-wal", "-shm") if is_new else ():
                self._disk.remove(NAME + suffix)
        db = sqlite3.connect(
            file or ":memory:", _PATIENCE_S, isolation_level=None, check_same_thread=False
        )
        try:
            # a power cut takes the last rows with it, and the check of the files finds that
            db.executescript(
                "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-500"
            )
            if is_new:
                db.executescript(_TABLES)
            if db.execute("PRAGMA user_version").fetchone() != _VERSION:
                raise sqlite3.DatabaseError("another version")
        except sqlite3.Error as error:
            log.info("the index is made anew: %s", error)
            db.close()
            raise
        return db

    def close(self) -> None:
        """Close the file for good."""
        with self._lock:
            self._is_closed = True
            if self._db is not None:
                self._db.close()

    def count(self) -> int:
        """Return how many games are listed."""
        return int(
            self._read("SELECT count(*) FROM game WHERE listed", (), lambda rows: rows[0][0])
        )

    def entries(self, rest: str, *values: object) -> list[GameEntry]:
        """Return the games of a query."""
        query = f"SELECT * FROM game WHERE {rest}"
        return self._read(query, values, lambda rows: list(map(_entry_of, rows)))

    def _read(self, query: str, values: Sequence[object], read: Callable[[list[IndexRow]], T]) -> T:
        """Return what is read from a query's rows; of a spoiled index after it was made anew."""
        import sqlite3

        try:
            with self._lock:
                rows = self._open().execute(query, values).fetchall()
            return read(rows)  # it takes longer, and nobody waits meanwhile
        except (sqlite3.Error, ValueError) as error:
            if self._is_closed:
                raise
            log.warning("the index is spoiled and made anew: %s", error)
        with self._lock:
            self._db = None
            return read(self._open(anew=True).execute(query, values).fetchall())

    def refresh(self, pause: Callable[[], None] = lambda: None, *, most: int | None = None) -> None:
        """Read every game's file, and write the rows that differ from it.

        `pause` is called every few milliseconds. If there are more than `most`, only `progress`
        is set: they are to be read in the background.
        """
        with self._lock:
            query = "SELECT id FROM game"
            rows = [] if self._is_closed else self._read(query, (), lambda rows: rows)
            # after the rows: a game that another thread has just stored has a file by now
            names = self._disk.games()
            if most is not None and len(names) > most:
                self.progress = 0, len(names)
                return
            self._write((), [number for (number,) in rows if number not in names])
        games, done = iter(names.items()), 0
        while part := dict(islice(games, AT_ONCE)):
            self.update(part)
            done += len(part)
            if self.progress is not None:
                self.progress = done, len(names)
            pause()
        self.progress = None

    def update(self, names: Mapping[int, str]) -> bool:
        """Write the rows of these games as their files are now, and none without a file.

        False if they cannot be written at the moment.
        """
        games, gone = [], []
        with self._lock:  # what is read here is written before anything later is
            for number, name in names.items() if not self._is_closed else ():
                query = "SELECT file FROM game WHERE id=?"
                known = self._read(query, (number,), lambda rows: rows)
                try:
                    lines = lines_of(self._disk, name)
                except FileNotFoundError:
                    gone.append(number)
                    continue
                file = f"{name} {lines.end} {lines.mark}{'!' * lines.damaged}"
                if known != [(file,)] and (game := from_lines(number, name, lines)) is not None:
                    games.append((file, game))
            return self._write(games, gone)

    def _write(self, games: Iterable[tuple[str, StoredGame]], gone: Iterable[int]) -> bool:
        import sqlite3

        db = self._open()
        try:
            db.execute("BEGIN")
            db.executemany("DELETE FROM game WHERE id=?", ((number,) for number in gone))
            for file, game in games:
                happened = game.began
                if _has_no_time(game):  # its number tells when
                    query = "SELECT happened FROM game WHERE listed AND id<? ORDER BY happened"
                    before = db.execute(f"{query} DESC LIMIT 1", (game.id,)).fetchone()
                    happened = max(happened, *(before or ("",)))
                row = _row_of(file, game, happened)
                db.execute("INSERT OR REPLACE INTO game VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
            db.execute("COMMIT")
        except sqlite3.Error as error:
            log.debug("the index is not written now: %s", error)
            if db.in_transaction:
                db.execute("ROLLBACK")
            return False
        return True
