"""The store: every game with its tags and its moves, in SQLite.

Three views of it: a `Journal` writes a game down move by move, a `Reader` finds games again, and
the `Store` of a table does both.

A move is one transaction and durable before the display says that it counts (WAL,
synchronous=FULL). Nothing is deleted: taking back marks a move, changing the past marks what it
replaced.
"""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from os import urandom
from pathlib import Path
from time import time
from types import MappingProxyType
from typing import Protocol, TypeVar

from engines.game import Result
from pi_app.files.host import utc_now
from pi_app.store.check import (
    GAME_COLUMNS,
    HAS_MOVES,
    PLIES,
    PLY_COLUMNS,
    check_row,
    ids,
    played_and_undone,
    tags_of,
)
from pi_app.store.database import (
    Ask,
    Connect,
    Damage,
    Database,
    News,
    Trouble,
    connect_to,
    no_progress,
)
from pi_app.store.migrations import GAME_BITS, LAST_GAME, DamagedError
from pi_app.store.pages import Progress

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as stored: its tags, the moves that count, and those that could be redone."""

    id: int
    tags: Mapping[str, str]
    tokens: tuple[str, ...]
    undone: tuple[str, ...]
    """Tokens taken back, the next one to be redone first."""


log = logging.getLogger(__name__)

_OR_SAME_ROW = " ON CONFLICT (id) DO UPDATE SET crc=NULL WHERE crc<>excluded.crc"
"""A row that is there already is the same one, of a transaction carried out again, or the whole
transaction fails (no checksum may be NULL): nobody else's row is ever replaced.
"""
_NEW_GAME = (
    f"INSERT INTO game ({GAME_COLUMNS})"
    f" VALUES (?1, ?2, ?3, ?4, ?5, ?6, checksum(?1, ?2, ?3, ?4, ?5, ?6)){_OR_SAME_ROW}"
)
_NEW_PLY = (
    f"INSERT INTO ply ({PLY_COLUMNS})"
    f" VALUES (?1, ?2, ?3, ?4, ?5, ?6, checksum(?1, ?2, ?3, ?4, ?5, ?6)){_OR_SAME_ROW}"
)
_RESUMABLE = f"""result IS NULL AND (shelved=0 OR tags LIKE '%"Position"%' OR {HAS_MOVES})"""
"""A game that can be gone on with: not one that was left for another before its first move."""
_CLOCK_IDS = 1 << (GAME_BITS - 2)
"""Numbers of moves that are given from the clock where the file cannot be read."""

NOTHING: Mapping[str, str] = MappingProxyType({})

PlayedElsewhere = tuple[Mapping[str, str], Sequence[str], str, Result | None]
"""Tags, moves, when it began (ISO format) and how it ended."""


class Memory(Protocol):
    """What keeps small things by their names."""

    def recall(self, key: str) -> str | None:
        """Return what was kept under this key, None where nothing was."""

    def remember(self, key: str, value: str) -> None:
        """Keep a small thing."""


class Journal(Memory, Protocol):
    """What a game on the table is written into, each change durable when the call returns."""

    def begin(
        self,
        tags: Mapping[str, str],
        extras: Mapping[str, str] = NOTHING,
        result: Result | None = None,
    ) -> int:
        """Store a new game and return its id.

        What goes `beside` it is kept with it in one step, under its key and the id: `KEY/ID`.
        A game that is set up as it ended has its `result` already.
        """

    def append(self, game: int, n: int, token: str, result: Result | None) -> None:
        """Store move n (from 0) and, if it ended the game, the result."""

    def mark(self, game: int, n: int, state: str, result: Result | None) -> None:
        """Take move n back (`undone`) or put it back (`played`); `result` as it is then."""

    def rewrite(self, game: int, tokens: Sequence[str], result: Result | None) -> None:
        """Replace all moves of a game."""

    @property
    def losses(self) -> int:
        """How often what is stored was found damaged: it may be less than was written."""

    def restore(self, stored: StoredGame, result: Result | None) -> None:
        """Store a game as it is known, where damage has left another course of it or nothing."""


class Source(Protocol):
    """What reading stored games needs of a database."""

    @property
    def whole(self) -> bool:
        """Whether all that was stored can be read: nothing is left out of a damaged file."""

    def read(self, find: Callable[[Ask], T], /) -> T:
        """Return what `find` makes of the rows it asks for.

        An error it raises says that a row is not what was written: it may ask again then.
        """


class Reader:
    """Finds stored games again; changes nothing."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def read(self, find: Callable[[Ask], T]) -> T:
        """Return what `find` makes of the rows it asks for; it may be called twice."""
        return self._source.read(find)

    @property
    def whole(self) -> bool:
        """Whether all that was stored could be read up to now."""
        return self._source.whole

    def game_on_table(self) -> int | None:
        """Return the game that is on the table, or None."""
        return self._number(
            "SELECT id FROM game WHERE result IS NULL AND shelved=0 ORDER BY id DESC LIMIT 1"
        )

    def game_to_resume(self) -> int | None:
        """Return the unfinished game that lay on the table last, else the last shelved, or None."""
        return self._number(
            f"SELECT id FROM game WHERE {_RESUMABLE} ORDER BY shelved, id DESC LIMIT 1"
        )

    def latest_game(self) -> int | None:
        """Return the game that was begun last, or None."""
        return self._number("SELECT max(id) FROM game")

    def _number(self, query: str) -> int | None:
        rows = self.read(lambda ask: ask(query, ()))
        return None if not rows or rows[0][0] is None else int(rows[0][0])

    def load(self, game: int) -> StoredGame:
        """Return a stored game; KeyError if there is none with this id."""

        def find(ask: Ask) -> StoredGame | None:
            rows = ask(f"SELECT {GAME_COLUMNS} FROM game WHERE id=?", (game,))
            if not rows:
                return None
            check_row("game", rows[0])
            played, undone = played_and_undone(game, ask(PLIES, ids(game)))
            return StoredGame(game, tags_of(rows[0][1]), played, undone)

        stored = self.read(find) if 0 < game <= LAST_GAME else None
        if stored is None:
            raise KeyError(game)
        return stored

    def recall(self, key: str) -> str | None:
        """Return what was kept under this key, None where nothing was."""
        return self._read_memory("key=?1", key).get(key)

    def recall_under(self, prefix: str) -> dict[str, str]:
        """Return all that was kept under keys that begin so, by the rest of each key."""
        rows = self._read_memory("substr(key, 1, length(?1))=?1", prefix)
        return {key[len(prefix) :]: value for key, value in rows.items()}

    def _read_memory(self, condition: str, value: str) -> dict[str, str]:
        def find(ask: Ask) -> dict[str, str]:
            rows = ask(f"SELECT key, value, crc FROM memory WHERE {condition}", (value,))
            for row in rows:
                check_row("what is remembered", row)
            return {str(row[0]): str(row[1]) for row in rows}

        return self.read(find)


class Store(Reader):
    """The games of one table in one database file; ":memory:" keeps them nowhere."""

    def __init__(
        self,
        path: Path | str,
        connect: Connect = connect_to,
        progress: Progress = no_progress,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        """Open or make the file; VersionError if its tables are not known here.

        `progress` is told how far a rescue is, from 0 to 1, also one in mid-game;
        `now` what time it is.
        """
        self._db = Database(path, connect, progress, now)
        self._utc_now = now
        super().__init__(self._db)
        self._last_plies: dict[int, int] = {}
        """The last id of games that certainly have no move taken back: none is looked for."""
        self._numbers: dict[str, tuple[object, int | None]] = {}
        """What queries for one number found, and when that was: menus ask for each frame."""

    def _now(self) -> str:
        return self._utc_now().isoformat(timespec="seconds")

    def _number(self, query: str) -> int | None:
        """Return one number, read again only after a change: it takes a look at every game."""
        stamp, number = self._numbers.get(query, (None, None))
        if stamp != self._db.stamp:
            number = super()._number(query)
            self._numbers[query] = self._db.stamp, number
        return number

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
        return self._db.take_news()

    def retry(self) -> bool:
        """Try to write what is in memory only; tell whether all is in the file."""
        return self._db.retry()

    def mend(self, damage: Damage) -> None:
        """Write the file anew because somebody who read it met damage; the news tell of it."""
        self._db.mend(damage)

    def close(self) -> None:
        self._db.close()

    def begin(
        self,
        tags: Mapping[str, str],
        extras: Mapping[str, str] = NOTHING,
        result: Result | None = None,
    ) -> int:
        """Store a new game and what goes beside it; any unfinished game is put on the shelf."""
        with self._db.transaction():
            game = self._last_game() + 1
            self._db.execute(
                "UPDATE game SET shelved=1, crc=checksum(id, tags, began, ended, result, 1)"
                " WHERE result IS NULL AND shelved=0 AND id<?",
                (game,),
            )
            self._add(game, tags, self._now(), result, shelved=False)
            self._keep({f"{key}/{game}": value for key, value in extras.items()})
        return game

    def add_all(self, games: Sequence[PlayedElsewhere]) -> list[int]:
        """Store whole games as they were played elsewhere, all or none; return their ids.

        Unfinished ones go on the shelf; the game on the table stays there.
        """
        added: list[int] = []
        with self._db.transaction():
            for tags, tokens, began, result in games:
                game = self._last_game() + 1
                added.append(game)
                self._add(game, tags, began, result, shelved=result is None)
                self._insert(game, ids(game)[0], 0, tokens)
        return added

    def _last_game(self) -> int:
        """Return an id that no later game has, in a file that cannot be read neither."""
        last = int(self._db.rows("SELECT ifnull(max(id), 0) FROM game")[0][0])
        return last if self._db.whole else max(last, _clock_id())

    def _add(
        self,
        game: int,
        tags: Mapping[str, str],
        began: str,
        result: Result | None,
        *,
        shelved: bool,
    ) -> None:
        ended = None if result is None else began
        outcome = None if result is None else json.dumps(result.as_json())
        self._db.execute(_NEW_GAME, (game, json.dumps(dict(tags)), began, ended, outcome, shelved))

    def append(self, game: int, n: int, token: str, result: Result | None) -> None:
        """Store move n (from 0) and, if it ended the game, the result."""
        with self._db.transaction():
            last_ply = self._last_plies.get(game)
            last = self._last_ply(game) if last_ply is None or not self._db.whole else last_ply
            if last_ply is None:
                self._set_state(game, last, "replaced", "state='undone'")
            self._insert(game, last, n, (token,))
            if result is not None or last_ply is None:
                self._set_result(game, result)
        self._last_plies[game] = last + 1

    def _last_ply(self, game: int) -> int:
        """Return an id that no later move of the game has, in an unreadable file neither."""
        first, end = ids(game)
        rows = self._db.rows("SELECT max(id) FROM ply WHERE id BETWEEN ? AND ?", (first, end))
        last = int(rows[0][0] or first)
        return last if self._db.whole else max(last, first + _CLOCK_IDS + int(time()) % _CLOCK_IDS)

    def _insert(
        self, game: int, last: int, n: int, tokens: Sequence[str], state: str = "played"
    ) -> None:
        for count, token in enumerate(tokens):
            row = (last + 1 + count, game, n + count, token, state, self._now())
            self._db.execute(_NEW_PLY, row)

    def mark(self, game: int, n: int, state: str, result: Result | None) -> None:
        """Take move n back (`undone`) or put it back (`played`); `result` as it is then."""
        other = "played" if state == "undone" else "undone"
        self._last_plies.pop(game, None)
        with self._db.transaction():
            self._set_state(game, ids(game)[1], state, "n=?4 AND state=?5", n, other)
            self._set_result(game, result)

    def rewrite(self, game: int, tokens: Sequence[str], result: Result | None) -> None:
        """Replace all moves; those that stood there stay, marked as replaced."""
        self._last_plies.pop(game, None)
        with self._db.transaction():
            self._replace(game, tokens, result)

    @property
    def losses(self) -> int:
        return self._db.losses

    def restore(self, stored: StoredGame, result: Result | None) -> None:
        """Store a game as it is known, where damage has left another course of it or nothing."""
        game = stored.id
        self._last_plies.pop(game, None)
        try:
            current: StoredGame | None = self.load(game)
        except (KeyError, DamagedError):
            current = None
        if current == stored:
            return
        with self._db.transaction():
            if not self._db.rows("SELECT 1 FROM game WHERE id=?", (game,)):
                self._add(game, stored.tags, self._now(), None, shelved=False)
            last = self._replace(game, stored.tokens, result)
            self._insert(game, last, len(stored.tokens), stored.undone, "undone")
        log.warning("game %s was written anew as the table knows it", game)

    def _replace(self, game: int, tokens: Sequence[str], result: Result | None) -> int:
        """Replace all moves in the open transaction; return the id of the last one."""
        last = self._last_ply(game)
        self._set_state(game, last, "replaced", "state<>'replaced'")
        self._insert(game, last, 0, tokens)
        self._set_result(game, result)
        return last + len(tokens)

    def _set_state(self, game: int, last: int, state: str, condition: str, *values: object) -> None:
        """Change moves up to an id: those that the same transaction adds must not be meant."""
        self._db.execute(
            "UPDATE ply SET state=?1, crc=checksum(id, game, n, token, ?1, at)"
            f" WHERE id BETWEEN ?2 AND ?3 AND {condition}",
            (state, ids(game)[0], last, *values),
        )

    def _set_result(self, game: int, result: Result | None) -> None:
        outcome = None if result is None else json.dumps(result.as_json())
        ended = None if result is None else self._now()
        self._db.execute(
            "UPDATE game SET result=?2, ended=?3,"
            " crc=checksum(id, tags, began, ?3, ?2, shelved)"
            " WHERE id=?1 AND (result IS NOT NULL OR ?2 IS NOT NULL)",
            (game, outcome, ended),
        )

    def shelve(self, game: int, *, shelved: bool = True) -> None:
        """Put an unfinished game on the shelf, or take it back to the table."""
        with self._db.transaction():
            self._db.execute(
                "UPDATE game SET shelved=?2, crc=checksum(id, tags, began, ended, result, ?2)"
                " WHERE id=?1",
                (game, int(shelved)),
            )

    def remember(self, key: str, value: str) -> None:
        """Keep a small thing for next time (the last players, house rules, ...)."""
        self.remember_all({key: value})

    def remember_all(self, values: Mapping[str, str]) -> None:
        """Keep small things by their keys, all or none."""
        with self._db.transaction():
            self._keep(values)

    def _keep(self, values: Mapping[str, str]) -> None:
        """Keep small things in the open transaction."""
        for key, value in values.items():
            self._db.execute(
                "UPDATE memory SET value=?2, crc=checksum(?1, ?2) WHERE key=?1", (key, value)
            )
            self._db.execute(
                "INSERT INTO memory (key, value, crc) SELECT ?1, ?2, checksum(?1, ?2)"
                " WHERE NOT EXISTS (SELECT 1 FROM memory WHERE key=?1)",
                (key, value),
            )


def _clock_id() -> int:
    """Return a game's id that counting never reaches and that hardly any other start gives.

    A clock without a battery may begin at the same moment at each start, even in 1970: chance
    tells these apart.
    """
    seconds = int(time()) % (1 << 32)
    return (seconds | 1 << 30) << 6 | urandom(1)[0] >> 2
