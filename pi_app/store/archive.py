"""Lists and finds stored games page by page, without replaying any of them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from engines.record import Record
from engines.seating import player_pairs
from pi_app.files.host import FIRST_YEAR
from pi_app.store.check import (
    GAME_COLUMNS,
    HAS_MOVES,
    OWN_PLIES,
    check_all,
    check_earlier,
    check_in_use,
    check_row,
    read_only,
    tags_of,
)
from pi_app.store.comments import comments_of
from pi_app.store.database import (
    Ask,
    Damage,
    copy_of,
    identity,
    is_damage,
    no_progress,
    salvage_store,
)
from pi_app.store.migrations import (
    ERRORS,
    GAME_BITS,
    LAST_GAME,
    STATES,
    DamagedError,
    newest_version,
)
from pi_app.store.store import CLOCK_UNSET, SESSION, Reader
from pi_app.texts.printable import printable_json

T = TypeVar("T")

_LISTED = f"(over OR {HAS_MOVES})"
"""A game that was left without a move is not listed."""

DAY_ALONE = "T00:00:00+00:00"
"""How the stored time of an imported record ends, which has a day and no time."""
_DATED = f"began LIKE '%{DAY_ALONE}'"
_NOT_SET = (
    f"began < '{FIRST_YEAR}' AND NOT {_DATED}"
    f" OR id IN (SELECT cast(substr(key, {len(SESSION) + 2}) AS INTEGER) FROM memory"
    f" WHERE substr(key, 1, {len(SESSION) + 1}) = '{SESSION}/' AND value LIKE '% {CLOCK_UNSET}')"
)
"""Games that began while the clock was not set: their ids tell their order instead."""


def _games(ask: Ask) -> str:
    """Return a table expression for queries: `id`, `over`, and `happened`, the key to sort by."""
    happened = "began"
    if ask(f"SELECT EXISTS (SELECT 1 FROM game WHERE {_NOT_SET})", ())[0][0]:
        happened = f"CASE WHEN {_NOT_SET} THEN max(began) OVER (ORDER BY id) ELSE began END"
    return f"(SELECT id, result IS NOT NULL AS over, {happened} AS happened FROM game) AS game"


@dataclass(frozen=True, slots=True)
class GameEntry:
    """One game of the history, as its columns describe it.

    `began` and `ended` are in ISO format, `result` is as in records.
    """

    id: int
    game: str
    players: tuple[str, ...]
    began: str
    ended: str | None
    result: Mapping[str, Any] | None
    shelved: bool
    tags: Mapping[str, str]

    @property
    def winners(self) -> tuple[str, ...]:
        return tuple(map(str, self.result["winners"])) if self.result else ()


def count_games(store: Reader) -> int:
    """Return how many games the history has."""
    query = f"SELECT count(*) FROM game WHERE result IS NOT NULL OR {HAS_MOVES}"
    return store.read(lambda ask: int(ask(query, ())[0][0]))


def list_games(store: Reader, limit: int, offset: int = 0) -> list[GameEntry]:
    """Return games, the latest first."""
    order = "ORDER BY happened DESC, id DESC"
    # whole rows are read for these games only, not for all that are sorted

    def find(ask: Ask) -> list[GameEntry]:
        page = f"SELECT id, happened FROM {_games(ask)} WHERE {_LISTED} {order} LIMIT ? OFFSET ?"
        query = f"SELECT {GAME_COLUMNS} FROM game JOIN ({page}) USING (id) {order}"
        return [_entry(row) for row in ask(query, (limit, offset))]

    return store.read(find)


def find_game(store: Reader, game: int) -> GameEntry | None:
    """Return one game's line of the history, or None."""
    # SQLite takes no greater numbers
    if not 0 < game <= LAST_GAME:
        return None
    query = f"SELECT {GAME_COLUMNS} FROM game WHERE id=?"
    entries = store.read(lambda ask: [_entry(row) for row in ask(query, (game,))])
    return entries[0] if entries else None


def games_with_moves(store: Reader, *, finished: bool = False) -> list[tuple[GameEntry, int]]:
    """Return every game, or every finished one, with its number of moves, the earliest first."""
    condition = "over" if finished else _LISTED

    def find(ask: Ask) -> list[tuple[GameEntry, int]]:
        # a move's id begins with its game's id; an altered row could count for a wrong game
        wrong = f"state NOT IN {STATES} OR id >> {GAME_BITS} IS NOT game"
        counting = (
            f"SELECT id >> {GAME_BITS}, sum(state='played'), sum({wrong}) FROM ply GROUP BY 1"
        )
        plies = ask(counting, ())
        if any(altered for _, _, altered in plies):
            raise DamagedError("a move that is counted was altered")
        counts = {game: count for game, count, _ in plies}
        wanted = f"SELECT id, happened FROM {_games(ask)} WHERE {condition}"
        query = f"SELECT {GAME_COLUMNS} FROM game JOIN ({wanted}) USING (id) ORDER BY happened, id"
        return [(_entry(row), int(counts.get(row[0], 0))) for row in ask(query, ())]

    return store.read(find)


def finished_games(store: Reader) -> list[int]:
    """Return the ids of the finished games, the earliest first."""

    def find(ask: Ask) -> list[int]:
        query = f"SELECT id FROM {_games(ask)} WHERE over ORDER BY happened, id"
        return [int(game) for (game,) in ask(query, ())]

    return store.read(find)


def content_keys(store: Reader, games: Iterable[int]) -> dict[int, str]:
    """Return a key of each game's content by its id: checksums and count of its rows.

    The key changes when a game loses a move, is corrected or renamed. SQLite adds up the checksums,
    in less than a millisecond for a few games of usual length.
    """
    moves = f"SELECT count(*) || '/' || ifnull(sum(ply.crc), 0) FROM ply WHERE {OWN_PLIES}"
    query = f"SELECT id, crc, ({moves}) FROM game WHERE id IN (SELECT value FROM json_each(?))"
    rows = store.read(lambda ask: ask(query, (json.dumps(list(games)),)))
    return {int(game): f"{game}/{crc}/{plies}" for game, crc, plies in rows}


def finished_stamp(store: Reader) -> tuple[int, int]:
    """Return a value that changes when a game is finished or a finished game is changed."""
    query = "SELECT count(*), ifnull(sum(crc), 0) FROM game WHERE result IS NOT NULL"
    count, crcs = store.read(lambda ask: ask(query, ())[0])
    return int(count), int(crcs)


def same_games(store: Reader) -> dict[str, list[int]]:
    """Return the ids of all games, grouped by the `fingerprint` of their tags."""
    games: dict[str, list[int]] = {}
    for game, tags in store.read(lambda ask: ask("SELECT id, tags FROM game", ())):
        games.setdefault(fingerprint(tags_of(tags)), []).append(int(game))
    return games


def fingerprint(tags: Mapping[str, str]) -> str:
    """Return the tags as one text, without the date, which an export adds."""
    return json.dumps({name: tags[name] for name in sorted(tags) if name != "Date"})


def _entry(row: Sequence[Any]) -> GameEntry:
    """Return a row as an entry; DamagedError if it is not what was written."""
    check_row("game", row)
    game, text, began, ended, outcome, shelved, _ = row
    tags = tags_of(text)
    # an empty text gives one empty pair
    players = tuple(name for name, colour in player_pairs(tags.get("Players", "")) if colour)
    return GameEntry(
        int(game),
        tags.get("Game", ""),
        players,
        str(began),
        None if ended is None else str(ended),
        _result(outcome),
        bool(shelved),
        tags,
    )


def _result(text: str | None) -> dict[str, Any] | None:
    if text is None:
        return None
    with suppress(ValueError):
        result = printable_json(text)
        if isinstance(result, dict) and isinstance(result.get("winners"), list):
            return result
    # the game has ended, though nobody can tell how
    return {"winners": [], "reason": "unknown"}


class ReadFile:
    """Reads a store's file while a companion may be using it: nothing is locked or written.

    A damaged file is read into memory as far as possible; a file of an earlier version is copied
    there and migrated to the newest.
    """

    def __init__(self, path: Path) -> None:
        """Open the file; sqlite3.Error, OSError or VersionError if it cannot be read."""
        self._path = path.resolve()
        self._file = identity(self._path)
        self.whole = True
        """Whether the file itself is read and nothing is missing."""
        self.damage: Damage | None = None
        """The damage found in the file; the caller must report it."""
        self._db = read_only(self._path)
        try:
            self._check_or_salvage()
        except BaseException:
            self._db.close()
            raise

    def _check_or_salvage(self) -> None:
        try:
            version = check_in_use(self._path, self._db)
            if version == newest_version():
                return
            check_earlier(self._db, version)
            self._replace(copy_of(self._db))
        except ERRORS as error:
            self._salvage_or_raise(error)
        # neither a game nor a value: nothing could be read, or the file is not a store
        if not self._db.execute("SELECT 1 FROM game UNION SELECT 1 FROM memory").fetchone():
            raise self.damage.error if self.damage else DamagedError("no game is in it")

    def _salvage_or_raise(self, error: Exception) -> None:
        """Continue with the readable part of a damaged file; raise any error that is not damage."""
        # not whole: what is read has been rescued already
        if not is_damage(error) or not self.whole:
            raise error
        self.damage = Damage(error, self._file)
        self.whole = False
        memory, _ = salvage_store(self._path, no_progress)
        self._replace(memory)

    def _replace(self, memory: sqlite3.Connection) -> None:
        self._db.close()
        self._db = memory

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def read(self, find: Callable[[Ask], T]) -> T:
        """Return what `find` makes of the rows that it queries."""
        try:
            return find(self._ask)
        except ERRORS as error:
            self._salvage_or_raise(error)
        return find(self._ask)

    def _ask(self, sql: str, values: Iterable[Any] = ()) -> list[Any]:
        return self._db.execute(sql, tuple(values)).fetchall()


def record_of(games: Reader, entry: GameEntry) -> Record:
    """Return a stored game as a record, with the date it began and its comments."""
    stored = games.load(entry.id)
    # without a set clock the day is unknown; an imported record keeps its own date
    day = {} if entry.began < str(FIRST_YEAR) else {"Date": entry.began[:10]}
    tags = {**day, **stored.tags}
    count = len(stored.tokens)
    # the others belong to moves that were taken back
    notes = (note for note in comments_of(games, entry.id) if note.before <= count)
    return Record(tags, stored.tokens, tuple(notes))


def find_damage(path: Path, pause: Callable[[], None]) -> Damage | None:
    """Check a store's whole file while the companion uses it; return the first damage, or None.

    `pause` is called every few milliseconds and may raise to stop. sqlite3.Error or OSError if the
    file cannot be read now.
    """
    path = path.resolve()
    file = identity(path)
    with closing(read_only(path)) as db:
        try:
            check_all(db, pause)
        except ERRORS as error:
            if not is_damage(error):
                raise
            return Damage(error, file)
    return None
