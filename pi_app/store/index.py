"""The index: an SQLite file for looking back, derived from the games' files and from nothing else.

Anybody may delete it. If it is missing, damaged or of another version it is made anew. A row is
known by its file's name, length and last checksum.
"""

from __future__ import annotations

import json
import logging
import os
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from urllib.parse import quote

from engines.seating import player_pairs
from pi_app.store.disk import Disk
from pi_app.store.game import (
    CLOCK_UNSET,
    DAY_ALONE,
    SESSION,
    GameEntry,
    StoredGame,
    fingerprint,
    from_lines,
    unreadable,
)
from pi_app.store.journal import FactLines
from pi_app.system.host import FIRST_YEAR
from pi_app.system.regular import check_regular

T = TypeVar("T")
log = logging.getLogger(__name__)

NAME = "index.db"
VERSION = 1
"""Raised when the tables change: an index of another version is made anew."""
AT_ONCE = 200
"""Games that are read between two commits."""
PATIENCE_S = 0.1
"""How long to wait for another process or thread that uses the file."""
_LONG = {"comments", "edits"}
"""Notes that no list needs."""
_TABLES = f"""
CREATE TABLE game (
 id INTEGER PRIMARY KEY, name TEXT, size INTEGER, mark TEXT, game_id TEXT, tags TEXT, began TEXT,
 ended TEXT, result TEXT, shelved INTEGER, moves INTEGER, revision INTEGER, damage INTEGER,
 newer INTEGER, notes TEXT, unset INTEGER, likeness INTEGER, crc INTEGER);
CREATE INDEX by_time ON game (began, id);
CREATE INDEX by_likeness ON game (likeness);
PRAGMA user_version={VERSION};
"""
COLUMNS = (
    "id, name, size, mark, game_id, tags, began, ended, result, shelved, moves, revision, damage,"
    " newer, notes, unset, likeness, crc"
)
_PUT = (
    f"INSERT INTO game ({COLUMNS}) VALUES ({', '.join('?' * 18)}) ON CONFLICT (id) DO UPDATE SET"
    + ", ".join(f" {name}=excluded.{name}" for name in COLUMNS.split(", ")[1:])
    # the background may have read the file before the last move; files only grow
    + " WHERE excluded.size>=size OR excluded.name<>name"
)


class IndexRow(NamedTuple):
    """A game with its file's name, confirmed length and last checksum."""

    name: str
    size: int
    mark: str
    game: StoredGame


def _values(row: IndexRow) -> tuple[Any, ...]:
    name, size, mark, game = row
    notes = {key: text for key, text in game.notes.items() if key not in _LONG}
    no_clock = game.began < str(FIRST_YEAR) and not game.began.endswith(DAY_ALONE)
    columns = (
        game.id, name, size, mark, game.game_id, json.dumps(dict(game.tags)), game.began,
        game.ended, None if game.result is None else json.dumps(dict(game.result)), game.shelved,
        len(game.tokens), game.revision, game.damage, game.newer, json.dumps(notes),
        no_clock or game.notes.get(SESSION, "").endswith(f" {CLOCK_UNSET}"),
        zlib.crc32(fingerprint(game.tags).encode()),
    )  # fmt: skip
    values = tuple(int(value) if isinstance(value, bool) else value for value in columns)
    return (*values, _checksum(values))


def _checksum(values: Sequence[object]) -> int:
    return zlib.crc32(ascii(values).encode())


class SpoiledError(sqlite3.DatabaseError):
    """A row is not what was written."""


def entry_of(row: Sequence[Any]) -> GameEntry:
    """Return a row as an entry; SpoiledError if it is not what was written."""
    if row[-1] != _checksum(tuple(row[:-1])):
        raise SpoiledError(f"row {row[0]} was altered")
    (game, _, _, _, game_id, tags, began, ended, result, shelved, moves, revision, damage, newer,
     notes, *_) = row  # fmt: skip
    tags = json.loads(tags)
    # an empty text gives one empty pair
    players = tuple(name for name, colour in player_pairs(tags.get("Players", "")) if colour)
    result = None if result is None else json.loads(result)
    return GameEntry(
        game, tags.get("Game", ""), players, began, ended, result, bool(shelved), tags, game_id,
        moves, revision, damage, bool(newer), json.loads(notes),
    )  # fmt: skip


class Index:
    """The index of one folder, for one thread. No method raises an error of SQLite.

    `writes`: it is stored in the folder. Otherwise what is there is copied into memory.
    """

    def __init__(self, disk: Disk, *, writes: bool) -> None:
        self._disk = disk
        self._file = disk.folder / NAME if writes else None
        self.fresh = self.in_memory = False
        """Whether it was made anew and holds nothing yet, and whether the folder has it not."""
        self._db = self._open()

    def _open(self) -> sqlite3.Connection:
        path = self._disk.folder / NAME
        try:
            if self._file is not None:
                return self._checked(connect(self._file))
            if path.exists():
                with closing(connect(path, mode="ro")) as source:
                    memory = sqlite3.connect(":memory:", isolation_level=None)
                    source.backup(memory)
                return self._checked(memory)
        except (sqlite3.Error, OSError) as error:
            log.info("the index is made anew: %s", error)
        return self._anew()

    def _checked(self, db: sqlite3.Connection) -> sqlite3.Connection:
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version != VERSION:
            db.close()
            raise SpoiledError(f"it is of version {version}")
        return db

    def _anew(self) -> sqlite3.Connection:
        """Return an empty index; in memory if the folder cannot be written."""
        self.fresh = True
        if self._file is not None:
            try:
                for suffix in ("", "-journal"):
                    self._disk.remove(NAME + suffix)
                db = connect(self._file)
                db.executescript(f"BEGIN;{_TABLES}COMMIT;")
            except (sqlite3.Error, OSError) as error:
                log.info("the index is in memory only: %s", error)
            else:
                return db
        self.in_memory = True
        db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        db.executescript(_TABLES)
        return db

    def close(self) -> None:
        """Close the file."""
        with suppress(sqlite3.Error):
            self._db.close()

    def read(self, find: Callable[[sqlite3.Connection], T]) -> T:
        """Return what `find` makes of its queries; of a spoiled index that was made anew."""
        try:
            return find(self._db)
        except (sqlite3.Error, ValueError) as error:
            log.warning("the index is spoiled and made anew: %s", error)
            self.close()
            self._db = self._anew()
            self.refresh_all()
            return find(self._db)

    def entries(self, rest: str, *values: object) -> list[GameEntry]:
        """Return the games of a query; `rest` has {} for the time by which it orders."""

        def find(db: sqlite3.Connection) -> list[GameEntry]:
            happened, table, unset = "began", "game", "SELECT 1 FROM game WHERE unset LIMIT 1"
            if "{}" in rest and db.execute(unset).fetchone():
                # their numbers tell their order instead
                latest = "CASE WHEN unset THEN max(began) OVER (ORDER BY id) ELSE began END"
                happened, table = "happened", f"(SELECT *, {latest} AS happened FROM game)"
            query = f"SELECT {COLUMNS} FROM {table} WHERE {rest.format(happened)}"
            return list(map(entry_of, db.execute(query, values)))

        return self.read(find)

    def put(self, rows: Sequence[IndexRow]) -> bool:
        """Write rows; False if another process or thread is writing."""
        if not rows:
            return True
        try:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany(_PUT, map(_values, rows))
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            log.debug("the index is not written now: %s", error)
            with suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            return False
        return True

    def refresh(self) -> Iterator[tuple[int, int]]:
        """Read every game's file, and write the rows that differ from it.

        Yields now and then how many files were read, and of how many. sqlite3.Error if the index
        cannot be read or written now.
        """
        try:
            names = self._disk.games()
        except OSError as error:
            log.warning("the folder of games cannot be read: %s", error)
            return
        query = "SELECT name, id, size, mark, damage FROM game"
        known = {name: rest for name, *rest in self._db.execute(query)}
        for name in known.keys() - names.values():
            self._remove(known[name][0], name)
        new: list[IndexRow] = []
        for count, (number, name) in enumerate(names.items()):
            if count % AT_ONCE == 0:
                self.put(new)
                new = []
                yield count, len(names)
            if (row := self._read_row(number, name, known.get(name))) is not None:
                new.append(row)
        self.put(new)
        self.fresh = False

    def refresh_all(self) -> None:
        """Read every game's file at once, as `refresh` does."""
        for _ in self.refresh():
            pass

    def refresh_game(self, number: int, name: str) -> None:
        """Write the row of one game's file anew, or none if there is no such file."""
        with suppress(sqlite3.Error):  # another process or thread is writing
            self._remove(number, name)
        if (self._disk.folder / name).exists():
            row = self._read_row(number, name, None)
            self.put([] if row is None else [row])

    def _remove(self, number: int, name: str) -> None:
        self._db.execute("DELETE FROM game WHERE id=? AND name=?", (number, name))

    def _read_row(self, number: int, name: str, known: Sequence[Any] | None) -> IndexRow | None:
        """Return a game's row; None if it is there already, or nothing of the game is confirmed."""
        try:
            found = FactLines(self._disk.read(name))
        except OSError as error:
            log.warning("%s cannot be read: %s", name, error)
            return None if known else IndexRow(name, 0, "", unreadable(number, name))
        if known is not None:
            _, size, mark, damage = known
            if (size, mark, damage is not None) == (found.end, found.mark, found.damaged):
                return None
            if size > found.end:  # it is not what the loop has written meanwhile
                self._remove(number, name)
        game = from_lines(number, name, found)
        return None if game is None else IndexRow(name, found.end, found.mark, game)


def connect(path: Path, mode: str = "rwc") -> sqlite3.Connection:
    check_regular(path)
    # not `as_uri`: Python 3.14 imports urllib.request for it, and with that TLS
    name = quote(os.fsencode(path.absolute()))
    db = sqlite3.connect(
        f"file://{name}?mode={mode}",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        timeout=PATIENCE_S,
    )
    # nothing waits for the disk: what a power cut spoils is made anew
    db.execute("PRAGMA synchronous=OFF")
    return db
