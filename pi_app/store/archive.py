"""Finding games in the store again: lists page by page, without replaying any of them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pi_app.store.store import Reader

_LISTED = (
    "(result IS NOT NULL OR EXISTS"
    " (SELECT 1 FROM ply WHERE ply.game = game.id AND ply.state = 'played'))"
)
"""A game that was begun and left without a move is not worth a line."""
_COLUMNS = "id, tags, began, result, shelved"


@dataclass(frozen=True, slots=True)
class GameEntry:
    """One game of the history as its columns tell it. `began` is ISO; `result` as in records."""

    id: int
    game: str
    players: tuple[str, ...]
    began: str
    result: Mapping[str, Any] | None
    shelved: bool
    tags: Mapping[str, str]

    @property
    def winners(self) -> tuple[str, ...]:
        return tuple(map(str, self.result["winners"])) if self.result else ()


def count_games(store: Reader) -> int:
    """Return how many games the history has."""
    return int(store.rows(f"SELECT count(*) FROM game WHERE {_LISTED}")[0][0])


def list_games(store: Reader, limit: int, offset: int = 0) -> list[GameEntry]:
    """Return games, the latest first."""
    query = (
        f"SELECT {_COLUMNS} FROM game WHERE {_LISTED} ORDER BY began DESC, id DESC LIMIT ? OFFSET ?"
    )
    return [_entry(row) for row in store.rows(query, (limit, offset))]


def find_game(store: Reader, game: int) -> GameEntry | None:
    """Return one game's line of the history; None where there is no such game."""
    if not 0 < game < 2**63:
        return None
    rows = store.rows(f"SELECT {_COLUMNS} FROM game WHERE id=?", (game,))
    return _entry(rows[0]) if rows else None


def finished_games(store: Reader) -> Iterator[tuple[GameEntry, int]]:
    """Yield every finished game with its number of moves, the earliest first."""
    counts = dict(store.rows("SELECT game, count(*) FROM ply WHERE state='played' GROUP BY game"))
    query = f"SELECT {_COLUMNS} FROM game WHERE result IS NOT NULL ORDER BY began, id"
    for row in store.rows(query):
        yield _entry(row), int(counts.get(row[0], 0))


def same_games(store: Reader) -> dict[str, list[int]]:
    """Return the ids of all games by what tells their tags apart (see `fingerprint`)."""
    found: dict[str, list[int]] = {}
    for game, tags in store.rows("SELECT id, tags FROM game"):
        found.setdefault(fingerprint(_tags(tags)), []).append(int(game))
    return found


def fingerprint(tags: Mapping[str, str]) -> str:
    """Return the tags as one text, but for the date, which an export adds."""
    return json.dumps({name: tags[name] for name in sorted(tags) if name != "Date"})


def _entry(row: tuple[Any, ...]) -> GameEntry:
    game, text, began, outcome, shelved = row
    tags = _tags(text)
    players = tuple(
        " ".join(pair.split()[:-1]) for pair in tags.get("Players", "").split(",") if pair.strip()
    )
    return GameEntry(
        int(game), tags.get("Game", ""), players, str(began), _result(outcome), bool(shelved), tags
    )


def _tags(text: str) -> dict[str, str]:
    """Return stored tags; a damaged row must not hide all others."""
    with suppress(ValueError):
        tags = json.loads(text)
        if isinstance(tags, dict):
            return {str(name): str(value) for name, value in tags.items()}
    return {}


def _result(text: str | None) -> dict[str, Any] | None:
    if text is None:
        return None
    with suppress(ValueError):
        result = json.loads(text)
        if isinstance(result, dict) and isinstance(result.get("winners"), list):
            return result
    return {"winners": [], "reason": "unknown"}


class ReadFile:
    """A store's file to read beside a companion that is using it: nothing is locked or written."""

    def __init__(self, path: Path) -> None:
        """Open the file; sqlite3.Error or OSError where it cannot be read."""
        self._db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        self._db.text_factory = lambda content: content.decode("utf-8", "replace")

    def rows(self, query: str, values: Sequence[object] = ()) -> list[Any]:
        """Return all rows of a query."""
        return self._db.execute(query, tuple(values)).fetchall()
