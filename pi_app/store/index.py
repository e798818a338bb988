"""The index: an SQLite file for looking back, derived from the games' files and from nothing else.

Anybody may delete it: a missing, damaged or differently versioned index is built again. A row is
valid only for a file with the same name, length and checksum.
"""

from __future__ import annotations

import json
import logging
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar
from zlib import crc32

from pi_app.store.disk import Disk, number_of
from pi_app.store.game import GameEntry, StoredGame, content_key, game_in

if TYPE_CHECKING:  # not needed at a start
    from sqlite3 import Connection

T = TypeVar("T")
IndexRow = tuple[Any, ...]
log = logging.getLogger(__name__)

NAME = "index.db"
AT_ONCE = 20
"""Games read between two commits, during which the index is locked."""
_SOON = 200
"""Up to so many missing files are read at once; more are read in the background."""
_PATIENCE_S = 0.1
"""How long to wait for another program that uses the file."""
_LONG = {"comments", "edits"}
"""Notes that no list needs."""
_TABLES = """
CREATE TABLE game (id INTEGER PRIMARY KEY, file TEXT, happened TEXT, listed INTEGER, content TEXT,
 game_id TEXT, entry TEXT, crc INTEGER);
CREATE INDEX by_time ON game (happened) WHERE listed;
CREATE INDEX by_content ON game (content);
CREATE INDEX by_game_id ON game (game_id);
PRAGMA user_version=4;
"""
_PRAGMAS = "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-100;"
_VERSION = 4
"""Raise both when the table changes: an index of another version is built again."""


def _row_of(file: str, game: StoredGame) -> IndexRow:
    notes = {key: text for key, text in game.notes.items() if key not in _LONG}
    values = [getattr(game, name) for name in GameEntry.__slots__[:-1]]
    # an abandoned game without a move is not listed
    listed = bool(game.result is not None or game.moves or game.damage or game.newer)
    content, entry = content_key(game.tags, game.tokens), json.dumps([*values, notes])
    row = (game.id, file, game.happened, int(listed), content, game.game_id, entry)
    return (*row, _checksum(row))


def _entry_of(row: IndexRow) -> GameEntry:
    """Return a row as an entry; ValueError if it is damaged."""
    if row[-1] != _checksum(row[:-1]):
        raise ValueError(f"row {row[0]} was altered")
    number, game, players, *rest = json.loads(row[-2])
    return GameEntry(number, game, tuple(players), *rest)


def _checksum(row: IndexRow) -> int:
    return crc32(ascii(row).encode())


class Index:
    """The index of one folder, for any thread. No method raises an error of SQLite.

    `stored`: it is a file in the folder if the folder can be written. Otherwise it is in memory,
    and starts with the rows of that file.
    """

    def __init__(self, disk: Disk, *, stored: bool) -> None:
        self.progress: tuple[int, int] | None = None
        """How many games are in a new index, and of how many; None while nobody has to wait."""
        self.due: deque[str] = deque()
        """Files of changed games; the next query updates their rows first."""
        self._disk, self._stored = disk, stored
        self._lock = RLock()
        self._db: Connection | None = None

    def _open(self, *, anew: bool = False) -> Connection:
        """Return the index, or a new one; in memory if the folder cannot have it."""
        import sqlite3

        if self._db is not None:
            return self._db
        file = self._disk.folder / NAME
        with suppress(sqlite3.Error):
            if self._stored and not anew and file.is_file():
                self._db = _connect(str(file))
                return self._db
        with suppress(sqlite3.Error, OSError):
            for suffix in ("", "-wal", "-shm") if self._stored else ():
                file.with_name(NAME + suffix).unlink(missing_ok=True)
            self._db = _connect(str(file) if self._stored else ":memory:", _TABLES)
        self._db = self._db or _connect(":memory:", _TABLES)
        if file.is_file() and not (self._stored or anew):
            _copy(file, self._db)
        games = sum(1 for _ in self._disk.games())
        if self._stored and not anew and games > _SOON:
            self.progress = 0, games
        else:
            self.refresh()
        return self._db

    def close(self) -> None:
        """Close the file for good."""
        with self._lock:
            if self._db is not None:
                self._db.close()

    def count(self) -> int:
        """Return how many games are listed."""
        return int(self._read("SELECT count(*) FROM game WHERE listed", (), tuple)[0][0])

    def entries(self, rest: str, *values: object) -> list[GameEntry]:
        """Return the games of a query."""
        return self._read(f"SELECT * FROM game WHERE {rest}", values, _entry_of)

    def _read(self, query: str, values: Sequence[object], read: Callable[[IndexRow], T]) -> list[T]:
        """Return `read` of each row of a query; rebuild a spoiled index first."""
        import sqlite3

        try:
            with self._lock:
                due = [self.due.popleft() for _ in range(len(self.due))]
                if due and not self._write(due):
                    self.due.extend(due)
                rows = self._open().execute(query, values).fetchall()
            return list(map(read, rows))  # slower, so outside of the lock
        except sqlite3.ProgrammingError:  # it was closed
            raise
        except (sqlite3.Error, ValueError) as error:
            log.warning("the index is spoiled and made anew: %s", error)
        with self._lock:
            self._db = None
            return list(map(read, self._open(anew=True).execute(query, values)))

    def refresh(self, pause: Callable[[], None] = lambda: None) -> list[str]:
        """Make all rows as their files are, and add one for each file without.

        Return the files that share another one's number. `pause` is called every few milliseconds.
        """
        last, query = 0, "SELECT id, file FROM game WHERE id>? ORDER BY id LIMIT ?"
        while rows := self._read(query, (last, AT_ONCE), tuple):
            last = rows[-1][0]
            self._write(file.split(" ")[0] for _, file in rows)
            pause()
        names, doubles = self._disk.games(), list[str]()
        while part := list(islice(names, AT_ONCE)):
            known = {name: self.known(name) for name in part}
            others = [name for name in part if known[name] != name]
            new = {number_of(name): name for name in others if known[name] is None}
            self._write(new.values())
            doubles += (name for name in others if self.known(name) not in (name, None))
            if self.progress is not None:
                self.progress = self.progress[0] + len(part), self.progress[1]
            pause()
        self.progress = None
        return doubles

    def known(self, name: str) -> str | None:
        """Return the name of the file that has this one's number in the index, or None."""
        rows = self._read("SELECT file FROM game WHERE id=?", (number_of(name),), tuple)
        return str(rows[0][0]).split(" ")[0] if rows else None

    def _write(self, names: Iterable[str]) -> bool:
        """Write the rows of these files as they are now; False if that cannot be at the moment."""
        with self._lock:  # the lock keeps later changes behind these
            db = self._open()
            try:
                with db:
                    db.execute("BEGIN")
                    for name in names:
                        self._update(db, name)
            except db.Error as error:
                log.debug("the index is not written now: %s", error)
                return False
        return True

    def _update(self, db: Connection, name: str) -> None:
        """Make a row as its file is now, or remove it if there is no such file."""
        number, data = number_of(name), self._disk.read(name)
        known = db.execute("SELECT file FROM game WHERE id=?", (number,)).fetchone()
        file = f"{name} {len(data)} {crc32(data):08x}"
        if known == (file,):
            return
        game = game_in(data, name)
        if game is None:
            db.execute("DELETE FROM game WHERE id=?", (number,))
        else:
            query = "INSERT OR REPLACE INTO game VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
            db.execute(query, _row_of(file, game))


def _connect(file: str, tables: str = "") -> Connection:
    """Open an index; an error of SQLite if that fails, or it is of another version."""
    import sqlite3

    db = sqlite3.connect(file, _PATIENCE_S, isolation_level=None, check_same_thread=False, uri=True)
    try:
        # a power cut may lose the last rows, which the check of the files finds
        db.executescript(f"{_PRAGMAS} {tables}")
        if db.execute("PRAGMA user_version").fetchone() != (_VERSION,):
            raise sqlite3.DatabaseError("another version")
    except sqlite3.Error as error:
        log.info("the index is made anew: %s", error)
        db.close()
        raise
    return db


def _copy(file: Path, db: Connection) -> None:
    """Add the rows of a file that another program may be writing; checksums reveal stale ones."""
    with suppress(db.Error):
        # without a lock, and so without a file of its own
        db.execute("ATTACH ? AS stored", (f"{file.as_uri()}?mode=ro&immutable=1",))
        if db.execute("PRAGMA stored.user_version").fetchone() == (_VERSION,):
            db.execute("INSERT INTO game SELECT * FROM stored.game")
