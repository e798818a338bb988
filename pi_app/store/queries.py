"""What a store's index answers: lists of games, for looking back."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from typing import Any, TypeVar

from pi_app.store.game import GameEntry, StoredGame, fingerprint
from pi_app.store.index import Index

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
        return int(self._rows(f"SELECT count(*) FROM game WHERE {_LISTED}")[0][0])

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
        return list(map(self._note, self.index.entries(rest, *values)))

    def game_on_shelf(self) -> int | None:
        """Return the game that waits to be continued: the last one put on the shelf, or None.

        Not one that was left for another before its first move.
        """
        begun = """(moves OR NOT shelved OR tags LIKE '%"Position"%')"""
        query = f"SELECT id FROM game WHERE result IS NULL AND NOT newer AND {begun}"
        found = self._rows(f"{query} ORDER BY shelved, id DESC LIMIT 1")
        return int(found[0][0]) if found else None

    def games_like(self, tags: Mapping[str, str]) -> list[int]:
        """Return the games that may have these tags, but for the date."""
        likeness = zlib.crc32(fingerprint(tags).encode())
        found = self._rows("SELECT id FROM game WHERE likeness=? ORDER BY id", likeness)
        return [int(game) for (game,) in found]

    def notes(self, key: str) -> dict[int, str]:
        """Return what hangs on games under this key, by their numbers."""
        rows = self._rows("SELECT id, notes FROM game WHERE notes<>'{}' ORDER BY id")
        found = ((int(game), json.loads(notes)) for game, notes in rows)
        return {game: notes[key] for game, notes in found if key in notes}

    def revisions(self) -> dict[int, tuple[str, int]]:
        """Return each game's random id and its highest revision, -1 without a result."""
        rows = self._rows("SELECT id, game_id, revision FROM game")
        return {int(game): (str(game_id), int(revision)) for game, game_id, revision in rows}

    def _rows(self, query: str, *values: object) -> list[Any]:
        return self.index.read(lambda db: db.execute(query, values).fetchall())
