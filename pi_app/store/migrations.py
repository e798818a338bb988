"""The store's schema, as numbered steps from nothing to now.

A step is never changed once it was released: stores out there have taken it. `user_version`
says how many steps a store has taken.
"""

import json
import sqlite3
import zlib
from collections.abc import Callable

Step = Callable[[sqlite3.Connection], None]


class TooNewError(Exception):
    """The store was written by a newer version of the program, whose steps are unknown here."""

    def __init__(self, version: int) -> None:
        super().__init__(f"schema {version}, known are 1 to {len(STEPS)}")
        self.version = version


def _games_and_moves(db: sqlite3.Connection) -> None:
    db.execute("""
        CREATE TABLE game (
          id INTEGER PRIMARY KEY,
          tags TEXT NOT NULL,
          began TEXT NOT NULL,
          ended TEXT,
          result TEXT,
          shelved INTEGER NOT NULL DEFAULT 0
        )""")
    db.execute("""
        CREATE TABLE ply (
          id INTEGER PRIMARY KEY,
          game INTEGER NOT NULL REFERENCES game (id),
          n INTEGER NOT NULL,
          token TEXT NOT NULL,
          state TEXT NOT NULL CHECK (state IN ('played', 'undone', 'replaced')),
          at TEXT NOT NULL
        )""")
    db.execute("CREATE INDEX ply_of_game ON ply (game, state, n)")
    db.execute("CREATE INDEX game_by_state ON game (result, shelved)")
    db.execute("CREATE TABLE memory (key TEXT PRIMARY KEY, value TEXT NOT NULL)")


def _checksums(db: sqlite3.Connection) -> None:
    """Add what tells a move from one that a failing card has altered; SQLite has no such thing."""
    db.execute("ALTER TABLE game ADD COLUMN crc INTEGER NOT NULL DEFAULT 0")
    db.execute("ALTER TABLE ply ADD COLUMN crc INTEGER NOT NULL DEFAULT 0")
    games = db.execute("SELECT id, tags, began FROM game").fetchall()
    db.executemany("UPDATE game SET crc=? WHERE id=?", [(checksum(*row), row[0]) for row in games])
    plies = db.execute("SELECT id, game, n, token, at FROM ply").fetchall()
    db.executemany("UPDATE ply SET crc=? WHERE id=?", [(checksum(*row), row[0]) for row in plies])


STEPS: tuple[Step, ...] = (_games_and_moves, _checksums)


def checksum(*values: object) -> int:
    """Return the checksum of a row's values that never change: not its state or result."""
    return zlib.crc32(json.dumps(values, ensure_ascii=False).encode("utf-8", "surrogatepass"))


def migrate(db: sqlite3.Connection, steps: tuple[Step, ...] = STEPS) -> int:
    """Take the steps that a store has not taken yet; return its version before.

    Each step is a transaction of its own, so that a power cut leaves a known version.
    TooNewError if the store has taken more steps than there are. `db` must be in
    autocommit mode.
    """
    version = int(db.execute("PRAGMA user_version").fetchone()[0])
    if version > len(steps):
        raise TooNewError(version)
    for number, step in enumerate(steps[version:], version + 1):
        db.execute("BEGIN IMMEDIATE")
        try:
            step(db)
            db.execute(f"PRAGMA user_version={number}")
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise
    return version
