"""Reads a store: its games, and what is remembered of people."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from pi_app.store.disk import Disk, number_of
from pi_app.store.game import StoredGame, fingerprint, from_lines, unreadable
from pi_app.store.index import Index
from pi_app.store.journal import FactLines
from pi_app.store.people import People
from pi_app.store.queries import Queries

log = logging.getLogger(__name__)

TABLE = "table"
"""The key for the files of the game on the table, and of the one before it."""


def read_game(disk: Disk, game: int, name: str) -> StoredGame:
    """Return the game in a file; KeyError if there is none."""
    try:
        stored = from_lines(game, name, FactLines(disk.read(name)))
    except FileNotFoundError:
        raise KeyError(game) from None
    except OSError as error:
        log.warning("%s cannot be read: %s", name, error)
        return unreadable(game, name)
    if stored is None:
        raise KeyError(game)
    return stored


class Reader(Queries):
    """Reads a store while its companion may be writing it; changes nothing."""

    def __init__(self, disk: Disk, people: People, index: Index | None = None) -> None:
        """Read what is on this disk; `Reader.of` opens a folder."""
        super().__init__()
        self._disk = disk
        self._people = people
        self._index = index
        self._progress: tuple[int, int] | None = None

    @classmethod
    def of(cls, folder: Path) -> Reader:
        """Open a folder that another program may be writing; OSError if it cannot be read."""
        disk = Disk(folder)
        disk.games()
        people = People(disk)
        if people.error is not None:
            raise people.error
        return Reader(disk, people)

    @property
    def path(self) -> Path | None:
        """The folder."""
        return self._disk.folder

    @property
    def progress(self) -> tuple[int, int] | None:
        """How many games are in a new index, and of how many; None while nobody has to wait."""
        return self._progress

    @property
    def index(self) -> Index:
        """The index, whose rows are those of the files."""
        if self._index is None:
            self._index = Index(self._disk, writes=False)
            self._index.refresh_all()
        return self._index

    def close(self) -> None:
        """Close the index."""
        if self._index is not None:
            self._index.close()

    # --- games

    def load(self, game: int) -> StoredGame:
        """Return a game as its file says; KeyError if there is none with this number."""
        return self._note(self._load_file(game, self._name(game)))

    def _name(self, game: int) -> str:
        """Return the name of a game's file; KeyError if there is none."""
        return self._disk.games()[game]

    def _load_file(self, game: int, name: str) -> StoredGame:
        return read_game(self._disk, game, name)

    def note(self, game: int, key: str) -> str | None:
        """Return what hangs on a game under this key, or None."""
        try:
            return self.load(game).notes.get(key) if game else None
        except KeyError:
            return None

    def game_on_table(self) -> int | None:
        """Return the number of the game on the table, or None."""
        for name in self._table_files():
            with suppress(KeyError):
                stored = self._load_file(number_of(name) or 0, name)
                if stored.result is None and not stored.shelved:
                    return stored.id
        return None

    def _table_files(self) -> list[str]:
        try:
            return list(map(str, json.loads(self.recall(TABLE) or "[]")))
        except (ValueError, TypeError):
            return []

    def game_to_resume(self) -> int | None:
        """Return the unfinished game on the table, else the last one put on the shelf, or None."""
        return self.game_on_table() or self.game_on_shelf()

    def latest_game(self) -> int | None:
        """Return the number of the game that was begun last, or None."""
        return max(self._disk.games(), default=None)

    def find_same(self, tags: Mapping[str, str], tokens: Sequence[str]) -> StoredGame | None:
        """Return a game with these tags, but for the date, and these moves; None without one."""
        for number in self.games_like(tags):
            with suppress(KeyError):
                stored = self.load(number)
                same = fingerprint(stored.tags) == fingerprint(tags)
                if same and stored.tokens == tuple(tokens):
                    return stored
        return None

    # --- what is remembered

    def recall(self, key: str) -> str | None:
        """Return the text stored under this key, or None."""
        return self._people.texts.get(key)

    def recall_under(self, prefix: str) -> dict[str, str]:
        """Return every text whose key begins with `prefix`, by the rest of its key."""
        return self._people.texts_under(prefix)

    @property
    def forgotten(self) -> bool:
        """Whether something that was remembered cannot be read."""
        return self._people.damaged
