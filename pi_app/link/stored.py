"""The games of the table's store, as an outbox needs them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from os import urandom
from typing import Any

from pi_app.link.outbox import NOTE, Outbox
from pi_app.store.database import Database
from pi_app.store.store import Store, remember_in

REVISION = "revision"
"""The key of a game's random id and of how often it had another result, followed by its number."""


@dataclass(frozen=True, slots=True)
class ClubStoredGame:
    """A stored game with what its result is made of."""

    game_id: str
    tags: Mapping[str, str]
    tokens: tuple[str, ...]
    began: str
    ended: str | None
    result: Mapping[str, Any] | None
    revision: int
    notes: Mapping[str, str]
    damage: int | None = None


class ClubStore:
    """A store whose games have random ids and revisions."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def load(self, game: int) -> ClubStoredGame:
        stored = self._store.load(game)
        query = "SELECT began, ended, result FROM game WHERE id=?"
        ((began, ended, result),) = self._store.read(lambda ask: ask(query, (game,)))
        game_id, revision = self.revisions().get(game, ("", -1))
        note = self._store.recall(f"{NOTE}/{game}")
        return ClubStoredGame(
            game_id,
            stored.tags,
            stored.tokens,
            str(began),
            None if ended is None else str(ended),
            None if result is None else json.loads(str(result)),
            revision,
            {} if note is None else {NOTE: note},
        )

    def notes(self, key: str) -> dict[int, str]:
        return {int(n): text for n, text in self._store.recall_under(f"{key}/").items()}

    def revisions(self) -> dict[int, tuple[str, int]]:
        found = {}
        for number, text in self._store.recall_under(f"{REVISION}/").items():
            game_id, revision = text.split()
            found[int(number)] = (game_id, int(revision))
        return found

    def set_note(self, game: int, key: str, text: str) -> None:
        self._store.remember(f"{key}/{game}", text)

    def recall(self, key: str) -> str | None:
        return self._store.recall(key)

    def remember_all(self, texts: Mapping[str, str]) -> None:
        self._store.remember_all(texts)


class ClubFollower:
    """Counts the results of each game, in the transactions that write them."""

    def __init__(self, db: Database, outbox: Outbox, store: ClubStore) -> None:
        self._db = db
        self._outbox = outbox
        self._store = store

    def begun(self, game: int) -> None:
        given = {} if self._note(game) is None else {NOTE: ""}
        texts = {f"{key}/{game}": text for key, text in self._outbox.extras({}, given).items()}
        remember_in(self._db, {f"{REVISION}/{game}": f"{urandom(16).hex()} -1", **texts})

    def _note(self, game: int) -> str | None:
        rows = self._db.rows("SELECT value FROM memory WHERE key=?", (f"{NOTE}/{game}",))
        return str(rows[0][0]) if rows else None

    def changed(self, game: int) -> None:
        rows = self._db.rows("SELECT value FROM memory WHERE key=?", (f"{REVISION}/{game}",))
        if rows:
            game_id, revision = str(rows[0][0]).split()
            remember_in(self._db, {f"{REVISION}/{game}": f"{game_id} {int(revision) + 1}"})
            self._outbox.changed(game)
