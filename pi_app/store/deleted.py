"""Deleted games: their files, for `KEPT_DAYS`, and what is remembered of them for good."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from pi_app.store.disk import Disk
from pi_app.store.game import StoredGame, content_key, read_game
from pi_app.store.people import People
from pi_app.system.host import FIRST_YEAR, clock_is_sure

KEPT_DAYS = 30
"""How long a deleted game can be brought back."""
FOLDER = "deleted"
"""The folder of deleted games, and the first part of the keys under which their ids are kept."""


class Deleted:
    """The deleted games of one folder; OSError if the disk refuses."""

    def __init__(self, disk: Disk, people: People) -> None:
        self._disk, self._people = disk, people

    def add(self, game: StoredGame, name: str, at: str) -> None:
        """Put a game's file aside."""
        self._remember(game, at)
        self._disk.rename(name, f"{FOLDER}/{name}")

    def bring_back(self, game: StoredGame) -> str:
        """Put a game back among the others; return its file's name."""
        name = self._disk.games(FOLDER)[game.id]
        self._disk.rename(f"{FOLDER}/{name}", name)
        self.forget(game.game_id)
        return name

    def forget(self, game_id: str) -> None:
        """Take a game for one that was not deleted: it is here again."""
        for path, game in self._files():
            if game.game_id == game_id:
                self._disk.remove(path)
        self._people.remember({f"{FOLDER}/{game_id}": ""})

    def games(self) -> list[StoredGame]:
        """Return the games that can be brought back, the latest number first."""
        return [game for _, game in self._files()][::-1]

    def _files(self) -> Iterator[tuple[str, StoredGame]]:
        for number, name in self._disk.games(FOLDER).items():
            path = f"{FOLDER}/{name}"
            yield path, read_game(self._disk, number, path)

    def rows(self) -> dict[str, tuple[int, str, str]]:
        """Return number, time and content of every game that was ever deleted, by its id.

        They are (0, "", "") if they cannot be read.
        """
        texts = self._people.texts_under(f"{FOLDER}/")
        return {game_id: _row(text) for game_id, text in texts.items()}

    def has_content(self, tags: Mapping[str, str], tokens: Sequence[str]) -> bool:
        """Tell whether a game with these tags, but for the date, and moves was deleted."""
        key = content_key(tags, tokens)
        return any(content == key for _, _, content in self.rows().values())

    def remove_old(self, now: datetime) -> None:
        """Remove the files that were put aside more than `KEPT_DAYS` ago, if the clock is sure."""
        if not clock_is_sure(now):
            return
        first = (now - timedelta(days=KEPT_DAYS)).isoformat(timespec="seconds")
        rows = self.rows()
        for path, game in self._files():
            _, at, _ = rows.get(game.game_id, _NO_ROW)
            if at < str(FIRST_YEAR):  # the clock was not set then: its days begin now
                self._remember(game, now.isoformat(timespec="seconds"))
            elif at < first:
                self._disk.remove(path)

    def _remember(self, game: StoredGame, at: str) -> None:
        row = [game.id, at, content_key(game.tags, game.tokens)]
        self._people.remember({f"{FOLDER}/{game.game_id}": json.dumps(row)})


_NO_ROW = 0, "", ""


def _row(text: str) -> tuple[int, str, str]:
    try:
        number, at, content = json.loads(text)
        return int(number), str(at), str(content)
    except (ValueError, TypeError):
        return _NO_ROW
