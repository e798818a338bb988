"""The store: every game with its tags and its moves, in SQLite.

A move is one transaction and durable before the display says that it counts (WAL,
synchronous=FULL). Nothing is deleted: taking back marks a move, changing the past marks what it
replaced.
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from engines.game import Result

SCHEMA = """
CREATE TABLE game (
  id INTEGER PRIMARY KEY,
  tags TEXT NOT NULL,
  began TEXT NOT NULL,
  ended TEXT,
  result TEXT,
  shelved INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE ply (
  id INTEGER PRIMARY KEY,
  game INTEGER NOT NULL REFERENCES game (id),
  n INTEGER NOT NULL,
  token TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('played', 'undone', 'replaced')),
  at TEXT NOT NULL
);
CREATE INDEX ply_of_game ON ply (game, state, n);
CREATE INDEX game_by_state ON game (result, shelved);
CREATE TABLE memory (key TEXT PRIMARY KEY, value TEXT NOT NULL);
"""


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as stored: its tags, the moves that count, and those that could be redone."""

    id: int
    tags: Mapping[str, str]
    tokens: tuple[str, ...]
    undone: tuple[str, ...]
    """Tokens taken back, the next one to be redone first."""


class Store:
    """The games of one table in one database file; ":memory:" keeps them nowhere."""

    def __init__(self, path: Path | str) -> None:
        if path != ":memory:":
            Path(path).parent.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=FULL")
        self._db.execute("PRAGMA foreign_keys=ON")
        if self._db.execute("PRAGMA user_version").fetchone()[0] == 0:
            with self._transaction():
                for statement in SCHEMA.split(";"):
                    self._db.execute(statement)
                self._db.execute("PRAGMA user_version=1")

    def close(self) -> None:
        self._db.close()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def begin(self, tags: Mapping[str, str]) -> int:
        """Store a new game and return its id; any unfinished game is put on the shelf."""
        with self._transaction():
            self._db.execute("UPDATE game SET shelved=1 WHERE result IS NULL AND shelved=0")
            cursor = self._db.execute(
                "INSERT INTO game (tags, began) VALUES (?, ?)", (json.dumps(dict(tags)), _now())
            )
        return int(cursor.lastrowid or 0)

    def append(self, game: int, n: int, token: str, result: Result | None) -> None:
        """Store move n (from 0) and, if it ended the game, the result."""
        with self._transaction():
            self._db.execute(
                "UPDATE ply SET state='replaced' WHERE game=? AND state='undone'", (game,)
            )
            self._db.execute(
                "INSERT INTO ply (game, n, token, state, at) VALUES (?, ?, ?, 'played', ?)",
                (game, n, token, _now()),
            )
            self._set_result(game, result)

    def mark(self, game: int, n: int, state: str, result: Result | None) -> None:
        """Take move n back (`undone`) or put it back (`played`); `result` as it is then."""
        other = "played" if state == "undone" else "undone"
        with self._transaction():
            self._db.execute(
                "UPDATE ply SET state=? WHERE game=? AND n=? AND state=?", (state, game, n, other)
            )
            self._set_result(game, result)

    def rewrite(self, game: int, tokens: Sequence[str], result: Result | None) -> None:
        """Replace all moves; those that stood there stay, marked as replaced."""
        with self._transaction():
            self._db.execute(
                "UPDATE ply SET state='replaced' WHERE game=? AND state<>'replaced'", (game,)
            )
            self._db.executemany(
                "INSERT INTO ply (game, n, token, state, at) VALUES (?, ?, ?, 'played', ?)",
                [(game, n, token, _now()) for n, token in enumerate(tokens)],
            )
            self._set_result(game, result)

    def _set_result(self, game: int, result: Result | None) -> None:
        if result is None:
            self._db.execute(
                "UPDATE game SET result=NULL, ended=NULL WHERE id=? AND result IS NOT NULL", (game,)
            )
        else:
            self._db.execute(
                "UPDATE game SET result=?, ended=? WHERE id=?",
                (json.dumps(result_json(result)), _now(), game),
            )

    def shelve(self, game: int, *, shelved: bool = True) -> None:
        """Put an unfinished game on the shelf, or take it back to the table."""
        with self._transaction():
            self._db.execute("UPDATE game SET shelved=? WHERE id=?", (int(shelved), game))

    def unfinished(self) -> int | None:
        """Return the game that is on the table, or None."""
        row = self._db.execute(
            "SELECT id FROM game WHERE result IS NULL AND shelved=0 ORDER BY id DESC LIMIT 1"
        ).fetchone()
        return None if row is None else int(row[0])

    def waiting(self) -> int | None:
        """Return the unfinished game that was played last, shelved or not, or None."""
        row = self._db.execute(
            "SELECT id FROM game WHERE result IS NULL ORDER BY id DESC LIMIT 1"
        ).fetchone()
        return None if row is None else int(row[0])

    def latest(self) -> int | None:
        """Return the game that was begun last, or None."""
        row = self._db.execute("SELECT max(id) FROM game").fetchone()
        return None if row[0] is None else int(row[0])

    def load(self, game: int) -> StoredGame:
        """Return a stored game; KeyError if there is none with this id."""
        row = self._db.execute("SELECT tags FROM game WHERE id=?", (game,)).fetchone()
        if row is None:
            raise KeyError(game)
        plies = self._db.execute(
            "SELECT token, state FROM ply WHERE game=? AND state<>'replaced' ORDER BY n", (game,)
        ).fetchall()
        return StoredGame(
            game,
            json.loads(row[0]),
            tuple(token for token, state in plies if state == "played"),
            tuple(token for token, state in plies if state == "undone"),
        )

    def remember(self, key: str, value: str) -> None:
        """Keep a small thing for next time (the last players, house rules, ...)."""
        with self._transaction():
            self._db.execute("REPLACE INTO memory (key, value) VALUES (?, ?)", (key, value))

    def recall(self, key: str) -> str | None:
        row = self._db.execute("SELECT value FROM memory WHERE key=?", (key,)).fetchone()
        return None if row is None else str(row[0])


def result_json(result: Result) -> dict[str, Any]:
    """Return a result with the keys of the record format's last `check` line."""
    return {"winners": list(result.winners), "reason": result.reason, **result.facts}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
