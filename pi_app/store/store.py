"""The store: every game with its tags and its moves, in SQLite.

Three views of it: a `Journal` writes a game down move by move, a `Reader` finds games again, and
the `Store` of a table does both.

A move is one transaction and durable before the display says that it counts (WAL,
synchronous=FULL). Nothing is deleted: taking back marks a move, changing the past marks what it
replaced.
"""

import json
import logging
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path
from time import time
from typing import Any, Protocol

from engines.game import Result
from pi_app.store.database import Connect, Database, News, Trouble, connect_to
from pi_app.store.migrations import checksum

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as stored: its tags, the moves that count, and those that could be redone."""

    id: int
    tags: Mapping[str, str]
    tokens: tuple[str, ...]
    undone: tuple[str, ...]
    """Tokens taken back, the next one to be redone first."""


PlayedElsewhere = tuple[Mapping[str, str], Sequence[str], str, Result | None]
"""Tags, moves, when it began (ISO format) and how it ended."""


class Journal(Protocol):
    """What a game on the table is written into, each change durable when the call returns."""

    def begin(self, tags: Mapping[str, str]) -> int:
        """Store a new game and return its id."""

    def append(self, game: int, n: int, token: str, result: Result | None) -> None:
        """Store move n (from 0) and, if it ended the game, the result."""

    def mark(self, game: int, n: int, state: str, result: Result | None) -> None:
        """Take move n back (`undone`) or put it back (`played`); `result` as it is then."""

    def rewrite(self, game: int, tokens: Sequence[str], result: Result | None) -> None:
        """Replace all moves of a game."""


class Rows(Protocol):
    """The little that reading stored games needs of a database."""

    def rows(self, sql: str, values: Sequence[object] = (), /) -> list[Any]:
        """Return all rows of a query."""


class Reader:
    """Finds stored games again; changes nothing."""

    def __init__(self, source: Rows) -> None:
        self._source = source

    def rows(self, query: str, values: Sequence[object] = ()) -> list[Any]:
        """Return what a query finds."""
        return self._source.rows(query, values)

    def unfinished(self) -> int | None:
        """Return the game that is on the table, or None."""
        return self._number(
            "SELECT id FROM game WHERE result IS NULL AND shelved=0 ORDER BY id DESC LIMIT 1"
        )

    def waiting(self) -> int | None:
        """Return the unfinished game that lay on the table last, else the last shelved, or None."""
        return self._number(
            "SELECT id FROM game WHERE result IS NULL ORDER BY shelved, id DESC LIMIT 1"
        )

    def latest(self) -> int | None:
        """Return the game that was begun last, or None."""
        return self._number("SELECT max(id) FROM game")

    def _number(self, query: str) -> int | None:
        rows = self.rows(query)
        return None if not rows or rows[0][0] is None else int(rows[0][0])

    def load(self, game: int) -> StoredGame:
        """Return a stored game; KeyError if there is none with this id.

        A move that is not what was written ends the game before it.
        """
        rows = self.rows("SELECT tags FROM game WHERE id=?", (game,))
        if not rows:
            raise KeyError(game)
        plies = self.rows(
            "SELECT id, game, n, token, at, state, crc FROM ply"
            " WHERE game=? AND state<>'replaced' ORDER BY n",
            (game,),
        )
        good = list(takewhile(lambda row: row[6] == checksum(*row[:5]), plies))
        if len(good) < len(plies):
            log.error("game %s was altered from move %s on", game, len(good) + 1)
        return StoredGame(
            game,
            json.loads(rows[0][0]),
            tuple(row[3] for row in good if row[5] == "played"),
            tuple(row[3] for row in good if row[5] == "undone"),
        )

    def recall(self, key: str) -> str | None:
        rows = self.rows("SELECT value FROM memory WHERE key=?", (key,))
        return str(rows[0][0]) if rows else None


class Store(Reader):
    """The games of one table in one database file; ":memory:" keeps them nowhere."""

    def __init__(self, path: Path | str, connect: Connect = connect_to) -> None:
        """Open or make the file; TooNewError if a newer version of the program wrote it."""
        self._db = Database(path, connect)
        super().__init__(self._db)
        self._last_game = self._last("game")
        self._last_ply = self._last("ply")

    def _last(self, table: str) -> int:
        """Return an id that no row has yet reached, in the file neither."""
        last = int(self._db.rows(f"SELECT ifnull(max(id), 0) FROM {table}")[0][0])
        return last if self._db.whole else max(last, int(time()))

    @property
    def trouble(self) -> Trouble | None:
        """Why games are kept in memory only at the moment; None as long as the file is well."""
        return self._db.trouble

    @property
    def path(self) -> Path | None:
        """The file; None for a store in memory."""
        return self._db.path

    def news(self) -> list[News]:
        """Return what the table must be told about the store, once."""
        news, self._db.news = self._db.news, []
        return news

    def retry(self) -> bool:
        """Try to write what is in memory only; tell whether all is in the file."""
        return self._db.retry()

    def close(self) -> None:
        self._db.close()

    def _transaction(self) -> AbstractContextManager[None]:
        """Return one transaction, durable at its end.

        What is written in it may have to be written once more (see Database): ids are given
        here, rows are inserted with OR REPLACE.
        """
        return self._db.transaction()

    def begin(self, tags: Mapping[str, str]) -> int:
        """Store a new game and return its id; any unfinished game is put on the shelf."""
        with self._transaction():
            self._db.execute("UPDATE game SET shelved=1 WHERE result IS NULL AND shelved=0")
            self._last_game += 1
            game, text, began = self._last_game, json.dumps(dict(tags)), _now()
            self._db.execute(
                "INSERT OR REPLACE INTO game (id, tags, began, crc) VALUES (?, ?, ?, ?)",
                (game, text, began, checksum(game, text, began)),
            )
        return game

    def add_all(self, games: Sequence[PlayedElsewhere]) -> None:
        """Store whole games as they were played elsewhere, all or none.

        Unfinished ones go on the shelf; the game on the table stays there.
        """
        with self._transaction():
            for tags, tokens, began, result in games:
                self._add(tags, began, result)
                for n, token in enumerate(tokens):
                    self._insert(self._last_game, n, token)

    def _add(self, tags: Mapping[str, str], began: str, result: Result | None) -> None:
        self._last_game += 1
        game, text = self._last_game, json.dumps(dict(tags))
        ended = None if result is None else began
        outcome = None if result is None else json.dumps(result_json(result))
        row = (game, text, began, ended, outcome, int(result is None), checksum(game, text, began))
        self._db.execute(
            "INSERT OR REPLACE INTO game (id, tags, began, ended, result, shelved, crc)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            row,
        )

    def append(self, game: int, n: int, token: str, result: Result | None) -> None:
        """Store move n (from 0) and, if it ended the game, the result."""
        with self._transaction():
            self._db.execute(
                "UPDATE ply SET state='replaced' WHERE game=? AND state='undone'", (game,)
            )
            self._insert(game, n, token)
            self._set_result(game, result)

    def _insert(self, game: int, n: int, token: str) -> None:
        self._last_ply += 1
        row = (self._last_ply, game, n, token, _now())
        self._db.execute(
            "INSERT OR REPLACE INTO ply (id, game, n, token, at, state, crc)"
            " VALUES (?, ?, ?, ?, ?, 'played', ?)",
            (*row, checksum(*row)),
        )

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
            for n, token in enumerate(tokens):
                self._insert(game, n, token)
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

    def remember(self, key: str, value: str) -> None:
        """Keep a small thing for next time (the last players, house rules, ...)."""
        with self._transaction():
            self._db.execute("REPLACE INTO memory (key, value) VALUES (?, ?)", (key, value))


def result_json(result: Result) -> dict[str, Any]:
    """Return a result with the keys of the record format's last `check` line."""
    return {"winners": list(result.winners), "reason": result.reason, **result.facts}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
