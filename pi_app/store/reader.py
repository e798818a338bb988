"""Reads a store: its games, lists of them by the index, and what is remembered of people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from pi_app.store.disk import Disk, number_of
from pi_app.store.game import GameEntry, StoredGame, content_key, read_game
from pi_app.store.index import Index
from pi_app.store.people import People

G = TypeVar("G", GameEntry, StoredGame)

TABLE = "table"
"""The key for the file of the game on the table."""


class Reader:
    """Reads a store while its companion may be writing it; changes nothing."""

    def __init__(self, disk: Disk, people: People, index: Index) -> None:
        """Read this disk; `Reader.of` opens a folder."""
        self.damaged: dict[int, int] = {}
        """By the numbers of damaged games that were asked for: the first move that is lost."""
        self.newer: set[int] = set()
        """The games of a newer program that were asked for."""
        self._disk, self._people, self._index = disk, people, index

    @classmethod
    def of(cls, folder: Path) -> Reader:
        """Open a folder that another program may be writing; OSError if it cannot be read."""
        disk = Disk(folder)
        disk.check(writes=False)
        return Reader(disk, People(disk), Index(disk, stored=False))

    @property
    def path(self) -> Path | None:
        """The folder."""
        return self._disk.folder

    @property
    def progress(self) -> tuple[int, int] | None:
        """How many games are in a new index, and of how many; None while nobody has to wait."""
        return self._index.progress

    def close(self) -> None:
        """Close the index."""
        self._index.close()

    # --- lists, by the index

    def count_games(self) -> int:
        """Return how many games the history has: all but those left without a move."""
        return self._lists().count()

    def list_games(self, limit: int = -1, offset: int = 0) -> list[GameEntry]:
        """Return games of the history, the latest first; without a limit all."""
        query = "listed ORDER BY happened DESC, id DESC LIMIT ? OFFSET ?"
        return self._entries(query, limit, offset)

    def find_game(self, number: int) -> GameEntry | None:
        """Return one game, or None."""
        entries = self._entries("id=?", number) if 0 < number < 1 << 63 else []
        return entries[0] if entries else None

    def games_with(self, key: str) -> list[GameEntry]:
        """Return the games on which something hangs under this key, in the order of numbers."""
        entries = self._entries("instr(entry, ?) ORDER BY id", f'"{key}"')
        return [entry for entry in entries if key in entry.notes]

    def has_game(self, tags: Mapping[str, str], tokens: Sequence[str]) -> bool:
        """Tell whether there is a game with these tags, but for the date, and these moves."""
        return bool(self._entries("content=?", content_key(tags, tokens)))

    def _entries(self, rest: str, *values: object) -> list[GameEntry]:
        return list(map(self._note, self._lists().entries(rest, *values)))

    def _lists(self) -> Index:
        """Return the index, whose rows are those of the files."""
        return self._index

    def _note(self, game: G) -> G:
        """Note what is wrong with a game that was asked for; return it."""
        if game.damage is not None:
            self.damaged[game.id] = game.damage
        if game.newer:
            self.newer.add(game.id)
        return game

    # --- one game, by its file

    def load(self, game: int) -> StoredGame:
        """Return a game as its file says; KeyError if there is none with this number."""
        return self._note(self._load_file(game, self._name(game)))

    def _name(self, game: int) -> str:
        """Return the name of a game's file; KeyError if there is none."""
        on_table = self.recall(TABLE) or ""
        return on_table if number_of(on_table) == game else self._disk.games()[game]

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
        stored = self._waiting(TABLE)
        return None if stored is None or stored.shelved else stored.id

    def game_to_resume(self) -> StoredGame | None:
        """Return the unfinished game on the table, else the last one put on the shelf, or None."""
        on_table = self._waiting(TABLE)
        return self._game_on_shelf() if on_table is None or on_table.shelved else on_table

    def _waiting(self, key: str) -> StoredGame | None:
        """Return the game whose file is remembered under this key, if it can be continued."""
        name = self.recall(key) or ""
        if number := number_of(name):
            with suppress(KeyError):
                stored = self._load_file(number, name)
                return stored if stored.waits else None
        return None

    def _game_on_shelf(self) -> StoredGame | None:
        found = self._lists().entries("waits ORDER BY waits DESC, id DESC LIMIT 1")
        return self.load(found[0].id) if found else None

    def latest_game(self) -> int | None:
        """Return the number of the game that was begun last, or None."""
        return max(self._disk.games(), default=None)

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
