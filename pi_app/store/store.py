"""The store: every game with its tags and its moves, in SQLite.

It has three interfaces: a `Journal` records a game move by move, a `Reader` reads stored games,
and the `Store` of a table does both.

A move is one transaction and durable before the display says that it counts (WAL,
synchronous=FULL). Nothing is deleted: undo marks a move as undone, a correction marks the moves it
replaces.
"""

import json
import logging
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from os import urandom
from pathlib import Path
from time import time
from types import MappingProxyType
from typing import Protocol, TypeVar

from engines.game import Result
from pi_app.files.host import boot_moment, clock_is_sure, utc_now
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
    """A stored game: its tags, the moves that count, and the moves that can be redone."""

    id: int
    tags: Mapping[str, str]
    tokens: tuple[str, ...]
    undone: tuple[str, ...]
    """Tokens of undone moves, in the order in which redo plays them."""


log = logging.getLogger(__name__)

_OR_SAME_ROW = " ON CONFLICT (id) DO UPDATE SET crc=NULL WHERE crc<>excluded.crc"
"""An existing row must be identical: then this transaction is being repeated. A different row makes
the transaction fail (no checksum may be NULL), so no other row is ever replaced.
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
"""A game that can be continued: not one that was left for another before its first move."""
_CLOCK_IDS = 1 << (GAME_BITS - 2)
"""How many move ids are taken from the clock when the file cannot be read."""

NOTHING: Mapping[str, str] = MappingProxyType({})

PlayedElsewhere = tuple[Mapping[str, str], Sequence[str], str, Result | None]
"""Tags, moves, when it began (ISO format) and how it ended."""


class Memory(Protocol):
    """Stores small texts by key."""

    def recall(self, key: str) -> str | None:
        """Return the text stored under this key, or None."""

    def remember(self, key: str, value: str) -> None:
        """Store a text, replacing an earlier one."""


class Journal(Memory, Protocol):
    """Records the game on the table; each change is durable when the call returns."""

    def begin(
        self,
        tags: Mapping[str, str],
        extras: Mapping[str, str] = NOTHING,
        result: Result | None = None,
    ) -> int:
        """Store a new game and return its id.

        The `extras` are stored in the same transaction, each under its key and the id: `KEY/ID`.
        A game that is set up in its final position already has a `result`.
        """

    def append(self, game: int, n: int, token: str, result: Result | None) -> None:
        """Store move n (from 0) and, if it ended the game, the result."""

    def mark(self, game: int, n: int, state: str, result: Result | None) -> None:
        """Undo move n (`undone`) or redo it (`played`); `result` is the result after that."""

    def rewrite(
        self,
        game: int,
        tokens: Sequence[str],
        result: Result | None,
        undone: Sequence[str] = (),
        texts: Mapping[str, str] = NOTHING,
    ) -> None:
        """Replace all moves of a game, and the undone ones; remember these texts."""

    @property
    def losses(self) -> int:
        """How often the store was found damaged: it may hold less than was written."""

    def restore(self, stored: StoredGame, result: Result | None) -> None:
        """Store the game as the table has it, if damage changed or removed it."""


class Follower(Protocol):
    """Is told of games within the transactions that change them, and may add to these."""

    def begun(self, game: int) -> None:
        """Take note of a game that begins at this table; its row and extras are there."""

    def changed(self, game: int) -> None:
        """Take note that a game has a result, or had one before."""


F = TypeVar("F", bound=Follower)


class Source(Protocol):
    """A database from which stored games can be read."""

    @property
    def whole(self) -> bool:
        """Whether everything stored can be read: damage has removed nothing."""

    def read(self, find: Callable[[Ask], T], /) -> T:
        """Return what `find` makes of the rows that it queries.

        If a row is not what was written, `find` raises an error and may be called again.
        """


SESSION = "session"
"""The key for when a game began in a session, if the clock was not set then or earlier in it.

Its text: the session's id and the seconds since the machine's start (`boot_moment`), and whether
the clock was set.
"""
CLOCK_SET, CLOCK_UNSET = "set", "unset"


class Reader:
    """Reads stored games; changes nothing."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def read(self, find: Callable[[Ask], T]) -> T:
        """Return what `find` makes of the rows that it queries; `find` may be called twice."""
        return self._source.read(find)

    @property
    def whole(self) -> bool:
        """Whether everything that was stored could be read so far."""
        return self._source.whole

    def game_on_table(self) -> int | None:
        """Return the id of the game on the table, or None."""
        return self._number(
            "SELECT id FROM game WHERE result IS NULL AND shelved=0 ORDER BY id DESC LIMIT 1"
        )

    def game_to_resume(self) -> int | None:
        """Return the unfinished game on the table, else the last one put on the shelf, or None."""
        return self._number(
            f"SELECT id FROM game WHERE {_RESUMABLE} ORDER BY shelved, id DESC LIMIT 1"
        )

    def latest_game(self) -> int | None:
        """Return the id of the game that was begun last, or None."""
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
            (row,) = rows
            check_row("game", row)
            _, tags, *_ = row
            played, undone = played_and_undone(game, ask(PLIES, ids(game)))
            return StoredGame(game, tags_of(tags), played, undone)

        stored = self.read(find) if 0 < game <= LAST_GAME else None
        if stored is None:
            raise KeyError(game)
        return stored

    def recall(self, key: str) -> str | None:
        """Return the text stored under this key, or None."""
        return self._read_memory("key=?1", key).get(key)

    def recall_under(self, prefix: str) -> dict[str, str]:
        """Return every text whose key begins with `prefix`, by the rest of its key."""
        rows = self._read_memory("substr(key, 1, length(?1))=?1", prefix)
        return {key[len(prefix) :]: value for key, value in rows.items()}

    def _read_memory(self, condition: str, value: str) -> dict[str, str]:
        def find(ask: Ask) -> dict[str, str]:
            rows = ask(f"SELECT key, value, crc FROM memory WHERE {condition}", (value,))
            for row in rows:
                check_row("what is remembered", row)
            return {str(row[0]): str(row[1]) for row in rows}

        return self.read(find)


def _log_game(event: str, game: int, kind: str = "") -> None:
    fields = {"EVENT": f"game-{event}", "GAME": game, "KIND": kind}
    log.info("game %s %s", game, event, extra={"journal": fields})


class Store(Reader):
    """The games of one table in one database file; ":memory:" stores them for this run only."""

    def __init__(
        self,
        path: Path | str,
        connect: Connect = connect_to,
        progress: Progress = no_progress,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        """Open or create the file; VersionError if this program does not know its tables.

        `progress` is called with the share of a rescue that is done, 0 to 1, also in mid-game;
        `now` returns the time.
        """
        self._db = Database(path, connect, progress, now)
        self._utc_now = now
        super().__init__(self._db)
        self._follower: Follower | None = None
        self._last_plies: dict[int, int] = {}
        """The last move's id of each game without undone moves, so that none need be searched."""
        self._numbers: dict[str, tuple[object, int | None]] = {}
        """A cache by query: the database's stamp and the number. Menus ask for each frame."""

    def _now(self) -> str:
        return self._utc_now().isoformat(timespec="seconds")

    def _number(self, query: str) -> int | None:
        """Return one number; query it only after a change, as that reads every game."""
        stamp, number = self._numbers.get(query, (None, None))
        if stamp != self._db.stamp:
            number = super()._number(query)
            self._numbers[query] = self._db.stamp, number
        return number

    def follow(self, make: Callable[[Database], F]) -> F:
        """Let a follower be told of games from now on; return it. It gets the database."""
        follower = make(self._db)
        self._follower = follower
        return follower

    @property
    def trouble(self) -> Trouble | None:
        """Why games are in memory only at the moment; None while the file works."""
        return self._db.trouble

    @property
    def path(self) -> Path | None:
        """The file; None for a store in memory."""
        return self._db.path

    def news(self) -> list[News]:
        """Return the news about the store that people have not seen yet, and clear it."""
        return self._db.take_news()

    def retry(self) -> bool:
        """Try to write to the file what is in memory only; return whether everything is in it."""
        return self._db.retry()

    def mend(self, damage: Damage) -> None:
        """Rewrite the file because a reader found damage in it; this is added to the news."""
        self._db.mend(damage)

    def close(self) -> None:
        self._db.close()

    @property
    def stamp(self) -> tuple[object, int]:
        """A value that differs after each change."""
        return self._db.stamp

    def for_another_thread(self) -> Callable[[], sqlite3.Connection]:
        """Return a function that opens everything stored for reading, in any thread, once."""
        return self._db.for_another_thread()

    def replace_all(self, new: Path) -> None:
        """Replace the file by another store of the newest version, or change nothing at all.

        The program must begin anew then: what it knows of games is of the others.
        """
        self._db.replace_all(new)

    def begin(
        self,
        tags: Mapping[str, str],
        extras: Mapping[str, str] = NOTHING,
        result: Result | None = None,
    ) -> int:
        """Store a new game and its extras; put any unfinished game on the shelf."""
        session = self._session_note()
        with self._db.transaction():
            game = self._last_game() + 1
            # id<?: a repetition of this transaction must not shelve the new game
            self._db.execute(
                "UPDATE game SET shelved=1, crc=checksum(id, tags, began, ended, result, 1)"
                " WHERE result IS NULL AND shelved=0 AND id<?",
                (game,),
            )
            self._add(game, tags, self._now(), result, shelved=False)
            notes = {**extras, **session}
            remember_in(self._db, {f"{key}/{game}": value for key, value in notes.items()})
            self._tell_begun(game, result)
        _log_game("begun", game, tags.get("Game", ""))
        return game

    def _session_note(self) -> dict[str, str]:
        """Return the extra that tells when the next game begins in this session; {} if not needed.

        It is needed while the clock is not set, and afterwards until the session ends.
        """
        boot, seconds = boot_moment()
        is_sure = clock_is_sure(self._utc_now())
        before = self.recall(f"{SESSION}/{self.latest_game()}") or ""
        if is_sure and before.split(" ")[0] != boot:
            return {}
        return {SESSION: f"{boot} {seconds} {CLOCK_SET if is_sure else CLOCK_UNSET}"}

    def _tell_begun(self, game: int, result: Result | None) -> None:
        if self._follower is not None:
            self._follower.begun(game)
            if result is not None:
                self._follower.changed(game)

    def add_all(self, games: Sequence[PlayedElsewhere], *, here: bool = False) -> list[int]:
        """Store whole games that were played elsewhere, all or none; return their ids.

        Unfinished games go on the shelf; the game on the table stays there. `here`: they were
        played at this table, without it.
        """
        added: list[int] = []
        session = self._session_note() if here else {}
        with self._db.transaction():
            for tags, tokens, began, result in games:
                game = self._last_game() + 1
                added.append(game)
                self._add(game, tags, began, result, shelved=result is None)
                no_move_yet, _ = ids(game)
                self._insert(game, no_move_yet, 0, tokens)
                if here:
                    remember_in(self._db, {f"{key}/{game}": note for key, note in session.items()})
                    self._tell_begun(game, result)
        return added

    def _last_game(self) -> int:
        """Return the highest id of a game, or an unused higher one if the file is unreadable."""
        last = int(self._db.rows("SELECT ifnull(max(id), 0) FROM game")[0][0])
        if self._db.whole:
            return last
        # Counting never reaches such an id. A clock without a battery may show the same time at
        # each start, even 1970, so chance makes the id different.
        seconds = int(time()) % (1 << 32)
        # the time with a high bit set, then six random bits
        return max(last, (seconds | 1 << 30) << 6 | urandom(1)[0] >> 2)

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
            cached_id = self._last_plies.get(game)
            if cached_id is not None and self._db.whole:
                last_id = cached_id
            else:  # an unreadable file may have moves with higher ids
                last_id = self._last_ply(game)
            if cached_id is None:  # the game may have undone moves, which this move replaces
                self._set_state(game, last_id, "replaced", "state='undone'")
            self._insert(game, last_id, n, (token,))
            # without a result: an undone move may have ended the game
            if result is not None or cached_id is None:
                self._set_result(game, result)
        self._last_plies[game] = last_id + 1
        if result is not None:
            _log_game("ended", game)

    def _last_ply(self, game: int) -> int:
        """Return the game's highest move id, or an unused higher one if the file is unreadable."""
        first, end = ids(game)
        rows = self._db.rows("SELECT max(id) FROM ply WHERE id BETWEEN ? AND ?", (first, end))
        last_id = int(rows[0][0] or first)
        if self._db.whole:
            return last_id
        # counting never reaches such an id
        return max(last_id, first + _CLOCK_IDS + int(time()) % _CLOCK_IDS)

    def _insert(
        self, game: int, last: int, n: int, tokens: Sequence[str], state: str = "played"
    ) -> None:
        """Insert moves from number n on, with the ids after `last`."""
        for count, token in enumerate(tokens):
            row = (last + 1 + count, game, n + count, token, state, self._now())
            self._db.execute(_NEW_PLY, row)

    def mark(self, game: int, n: int, state: str, result: Result | None) -> None:
        """Undo move n (`undone`) or redo it (`played`); `result` is the result after that."""
        other = "played" if state == "undone" else "undone"
        self._last_plies.pop(game, None)
        _, highest_id = ids(game)
        with self._db.transaction():
            # ?1 to ?3 are those of `_set_state`
            self._set_state(game, highest_id, state, "n=?4 AND state=?5", n, other)
            self._set_result(game, result)

    def end(self, game: int, result: Result) -> None:
        """Store how a game ended that its rules would let go on."""
        with self._db.transaction():
            self._set_result(game, result)

    def rewrite(
        self,
        game: int,
        tokens: Sequence[str],
        result: Result | None,
        undone: Sequence[str] = (),
        texts: Mapping[str, str] = NOTHING,
    ) -> None:
        """Replace all moves; the old ones stay in the file, marked as replaced."""
        self._last_plies.pop(game, None)
        with self._db.transaction():
            self._replace(game, tokens, result, undone)
            remember_in(self._db, texts)

    @property
    def losses(self) -> int:
        return self._db.losses

    def restore(self, stored: StoredGame, result: Result | None) -> None:
        """Store the game as the table has it, if damage changed or removed it."""
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
            self._replace(game, stored.tokens, result, stored.undone)
        log.warning("game %s was rewritten as the table has it", game)

    def _replace(
        self, game: int, tokens: Sequence[str], result: Result | None, undone: Sequence[str]
    ) -> None:
        """Replace all moves, and the undone ones, in the open transaction."""
        last = self._last_ply(game)
        self._set_state(game, last, "replaced", "state<>'replaced'")
        self._insert(game, last, 0, tokens)
        self._insert(game, last + len(tokens), len(tokens), undone, "undone")
        self._set_result(game, result)

    def _set_state(self, game: int, last: int, state: str, condition: str, *values: object) -> None:
        """Change the state of moves up to an id, but not of those added in this transaction."""
        self._db.execute(
            "UPDATE ply SET state=?1, crc=checksum(id, game, n, token, ?1, at)"
            f" WHERE id BETWEEN ?2 AND ?3 AND {condition}",
            (state, ids(game)[0], last, *values),
        )

    def _set_result(self, game: int, result: Result | None) -> None:
        outcome = None if result is None else json.dumps(result.as_json())
        ended = None if result is None else self._now()
        # without a result before and after there is no row to write
        written = self._db.execute(
            "UPDATE game SET result=?2, ended=?3,"
            " crc=checksum(id, tags, began, ?3, ?2, shelved)"
            " WHERE id=?1 AND (result IS NOT NULL OR ?2 IS NOT NULL)",
            (game, outcome, ended),
        ).rowcount
        if written and self._follower is not None:
            self._follower.changed(game)

    def shelve(self, game: int, *, shelved: bool = True) -> None:
        """Put an unfinished game on the shelf, or take it back to the table."""
        with self._db.transaction():
            self._db.execute(
                "UPDATE game SET shelved=?2, crc=checksum(id, tags, began, ended, result, ?2)"
                " WHERE id=?1",
                (game, int(shelved)),
            )

    def remember(self, key: str, value: str) -> None:
        """Store a small text for next time (the last players, house rules, ...)."""
        self.remember_all({key: value})

    def remember_all(self, values: Mapping[str, str]) -> None:
        """Store small texts by their keys, all or none."""
        with self._db.transaction():
            remember_in(self._db, values)


def remember_in(db: Database, values: Mapping[str, str]) -> None:
    """Store small texts in the open transaction."""
    # no ON CONFLICT: the keys have no index, which would be one more page to write
    for key, value in values.items():
        db.execute("UPDATE memory SET value=?2, crc=checksum(?1, ?2) WHERE key=?1", (key, value))
        db.execute(
            "INSERT INTO memory (key, value, crc) SELECT ?1, ?2, checksum(?1, ?2)"
            " WHERE NOT EXISTS (SELECT 1 FROM memory WHERE key=?1)",
            (key, value),
        )
