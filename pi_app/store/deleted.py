"""Deleted games: their files, for `KEPT_DAYS`, and what is remembered of them for good."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from pi_app.store.disk import Disk
from pi_app.store.game import StoredGame, fingerprint
from pi_app.store.people import People
from pi_app.store.reader import read_game
from pi_app.system.host import FIRST_YEAR, clock_is_sure

KEPT_DAYS = 30
"""How long a deleted game can be brought back."""
_FOLDER = "deleted"
"""The folder of deleted games, and the first part of the keys under which their ids are kept."""


class Deleted:
    """The deleted games of one folder."""

    def __init__(self, disk: Disk, people: People) -> None:
        self._disk = disk
        self._people = people

    def add(self, game: StoredGame, name: str, at: str) -> None:
        """Put a game's file aside; OSError if the disk refuses that."""
        self._remember(game, at, _content_key(game.tags, game.tokens))
        self._disk.rename(name, f"{_FOLDER}/{name}")

    def bring_back(self, game: StoredGame) -> str:
        """Put a game back among the others; return its file's name. OSError as in `add`."""
        name = self._disk.games(_FOLDER)[game.id]
        self._disk.rename(f"{_FOLDER}/{name}", name)
        self._people.remember({_key(game.game_id): ""})
        return name

    def games(self) -> list[StoredGame]:
        """Return the games that can be brought back, the latest number first."""
        names = sorted(self._disk.games(_FOLDER).items(), reverse=True)
        return [read_game(self._disk, number, f"{_FOLDER}/{name}") for number, name in names]

    def numbers(self) -> Iterator[int]:
        """Yield the number of every game that was ever deleted."""
        return (number for number, _, _ in self._rows())

    def has_id(self, game_id: str) -> bool:
        """Tell whether the game with this random id was deleted."""
        return _key(game_id) in self._people.texts

    def has_content(self, tags: Mapping[str, str], tokens: Sequence[str]) -> bool:
        """Tell whether a game with these tags, but for the date, and moves was deleted."""
        key = _content_key(tags, tokens)
        return any(content == key for _, _, content in self._rows())

    def remove_old(self, now: datetime) -> None:
        """Remove the files that were put aside more than `KEPT_DAYS` ago, if the clock is sure."""
        if not clock_is_sure(now):
            return
        first = (now - timedelta(days=KEPT_DAYS)).isoformat(timespec="seconds")
        names = self._disk.games(_FOLDER)
        for game in self.games():
            number, at, content = _row(self._people.texts.get(_key(game.game_id), ""))
            if number != game.id:  # another store's: it may have the number of one that is here
                continue
            if at < str(FIRST_YEAR):  # the clock was not set then: its days begin now
                self._remember(game, now.isoformat(timespec="seconds"), content)
            elif at < first:
                self._disk.remove(f"{_FOLDER}/{names[number]}")

    def _remember(self, game: StoredGame, at: str, content: str) -> None:
        self._people.remember({_key(game.game_id): json.dumps([game.id, at, content])})

    def _rows(self) -> Iterator[tuple[int, str, str]]:
        return map(_row, self._people.texts_under(_key("")).values())


def _key(game_id: str) -> str:
    return f"{_FOLDER}/{game_id}"


def _row(text: str) -> tuple[int, str, str]:
    """Return number, time and content key of a deleted game; (0, "", "") if they are unreadable."""
    try:
        number, at, content = json.loads(text)
        return int(number), str(at), str(content)
    except (ValueError, TypeError):
        return 0, "", ""


def _content_key(tags: Mapping[str, str], tokens: Sequence[str]) -> str:
    """Return a key that identifies a game's content, wherever the game is stored."""
    from hashlib import sha256  # not needed at a start

    text = json.dumps([fingerprint(tags), list(tokens)])
    return sha256(text.encode()).hexdigest()[:32]  # half of it is unique enough
