"""What a store's index answers: lists of games, for looking back."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from sqlite3 import Connection
from typing import Any, TypeVar

from pi_app.store.game import GameEntry, StoredGame, fingerprint
from pi_app.store.index import COLUMNS, Index, entry_of

T = TypeVar("T")
G = TypeVar("G", GameEntry, StoredGame)

_LISTED = "(result IS NOT NULL OR moves OR damage OR newer)"
"""A game that was left without a move is not listed."""


class Queries:
    """Looks back on many games by the index; no game's file is read."""

    def __init__(self) -> None:
        self.damaged: dict[int, int] = {}
        """By the numbers of damaged games that were asked for: the first move that is lost."""
        self.newer: set[int] = set()
        """The games of a newer program that were asked for."""

    def _note(self, game: G) -> G:
        """Note what is wrong with a game that was asked for; return it."""
        if game.damage is not None:
            self.damaged[game.id] = game.damage
        if game.newer:
            self.newer.add(game.id)
        return game

    @property
    def index(self) -> Index:
        """The index of these games."""
        raise NotImplementedError

    def count_games(self) -> int:
        """Return how many games the history has."""
        query = f"SELECT count(*) FROM game WHERE {_LISTED}"
        return self.index.read(lambda db: int(db.execute(query).fetchone()[0]))

    def list_games(self, limit: int, offset: int = 0) -> list[GameEntry]:
        """Return games of the history, the latest first."""
        return self._entries(
            f"{_LISTED} ORDER BY {{}} DESC, id DESC LIMIT ? OFFSET ?", limit, offset
        )

    def find_game(self, number: int) -> GameEntry | None:
        """Return one game, or None."""
        entries = self._entries("id=?", number) if 0 < number < 1 << 63 else []
        return entries[0] if entries else None

    def games_with_moves(self, *, finished: bool = False) -> list[GameEntry]:
        """Return every game of the history, or every finished one, the earliest first."""
        games = self._entries(f"{_LISTED} ORDER BY {{}}, id")
        return [game for game in games if game.result is not None] if finished else games

    def _entries(self, rest: str, *values: object) -> list[GameEntry]:
        return list(map(self._note, self._ordered(COLUMNS, rest, entry_of, *values)))

    def _ordered(
        self, columns: str, rest: str, make: Callable[[Sequence[Any]], T], *values: object
    ) -> list[T]:
        """Return what `make` makes of the rows; `rest` has {} for the time by which it orders."""

        def find(db: Connection) -> list[T]:
            happened, table, unset = "began", "game", "SELECT 1 FROM game WHERE unset LIMIT 1"
            if "{}" in rest and db.execute(unset).fetchone():
                # their numbers tell their order instead
                latest = "CASE WHEN unset THEN max(began) OVER (ORDER BY id) ELSE began END"
                happened, table = "happened", f"(SELECT *, {latest} AS happened FROM game)"
            query = f"SELECT {columns} FROM {table} WHERE {rest.format(happened)}"
            return list(map(make, db.execute(query, values)))

        return self.index.read(find)

    def game_on_shelf(self) -> int | None:
        """Return the game that waits to be continued: the last one put on the shelf, or None.

        Not one that was left for another before its first move.
        """
        begun = """(moves OR NOT shelved OR tags LIKE '%"Position"%')"""
        query = f"SELECT id FROM game WHERE result IS NULL AND NOT newer AND {begun}"
        return self._number(f"{query} ORDER BY shelved, id DESC LIMIT 1")

    def _number(self, query: str) -> int | None:
        row = self.index.read(lambda db: db.execute(query).fetchone())
        return None if row is None or row[0] is None else int(row[0])

    def games_like(self, tags: Mapping[str, str]) -> list[int]:
        """Return the games that may have these tags, but for the date."""
        query = "SELECT id FROM game WHERE likeness=? ORDER BY id"
        likeness = zlib.crc32(fingerprint(tags).encode())
        return self.index.read(lambda db: [int(game) for (game,) in db.execute(query, (likeness,))])

    def notes(self, key: str) -> dict[int, str]:
        """Return what hangs on games under this key, by their numbers."""
        query = "SELECT id, notes FROM game WHERE notes<>'{}' ORDER BY id"
        rows = self.index.read(lambda db: db.execute(query).fetchall())
        found = ((int(game), json.loads(notes)) for game, notes in rows)
        return {game: notes[key] for game, notes in found if key in notes}

    def revisions(self) -> dict[int, tuple[str, int]]:
        """Return each game's random id and its highest revision, -1 without a result."""
        query = "SELECT id, game_id, revision FROM game"
        rows = self.index.read(lambda db: db.execute(query).fetchall())
        return {int(game): (str(game_id), int(revision)) for game, game_id, revision in rows}

    def game_ids(self) -> dict[str, int]:
        """Return the number of each game by its random id."""
        query = "SELECT game_id, id FROM game"
        return self.index.read(lambda db: dict(db.execute(query).fetchall()))
