"""Reads a store: its games, lists of them by the index, and facts about people."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import TypeVar

from pi_app.store.disk import Disk, number_of
from pi_app.store.game import GameEntry, StoredGame, game_in
from pi_app.store.index import Index
from pi_app.store.names import Renaming, new_names, renamed
from pi_app.store.people import People

G = TypeVar("G", GameEntry, StoredGame)

TABLE = "table"
"""The key for the files of unfinished games; the first one, or `NO_GAME`, is on the table."""
NO_GAME = "-"


class Reader:
    """Reads a store while its companion may be writing it; changes nothing."""

    def __init__(self, disk: Disk, *, writes: bool = False) -> None:
        """Read this disk; `Reader.of` opens a folder."""
        self._disk = disk
        self._people = People(disk, writes=writes)
        self._index = Index(disk, stored=writes)
        self.faulty: dict[int, GameEntry] = {}
        """By number, the games asked for that are damaged or of a newer program."""
        self.forgotten = self._people.damaged
        """Whether remembered facts cannot be read."""
        self.path: Path | None = disk.folder
        """The folder; None for a store for this run only."""

    @classmethod
    def of(cls, folder: Path) -> Reader:
        """Open a folder that another program may be writing; OSError if it cannot be read."""
        disk = Disk(folder)
        disk.check()
        return Reader(disk)

    @property
    def progress(self) -> tuple[int, int] | None:
        """How many games of how many are in a new index; None if it is complete."""
        return self._index.progress

    def close(self) -> None:
        """Close the index."""
        self._index.close()

    # --- lists, by the index

    def count_games(self) -> int:
        """Return how many games the history has: all but those left without a move."""
        return self._index.count()

    def list_games(self, limit: int = -1, offset: int = 0) -> list[GameEntry]:
        """Return games of the history, the latest first, by default all."""
        query = "listed ORDER BY happened DESC, id DESC LIMIT ? OFFSET ?"
        return self._entries(query, limit, offset)

    def find_game(self, number: int) -> GameEntry | None:
        """Return one game, or None."""
        entries = self._entries("id=?", number) if 0 < number < 1 << 63 else []
        return entries[0] if entries else None

    def games_with(self, key: str) -> list[GameEntry]:
        """Return the games that have a note under this key, in the order of numbers."""
        entries = self._entries("instr(entry, ?) ORDER BY id", f'"{key}"')
        return [entry for entry in entries if key in entry.notes]

    def _entries(self, rest: str, *values: object) -> list[GameEntry]:
        return list(map(self._note, self._index.entries(rest, *values)))

    def _note(self, game: G) -> G:
        """Note if a game that was asked for is damaged or newer; return it with today's names."""
        if game.newer or game.damage is not None:
            self.faulty[game.id] = game
        return self._named(game)

    def _named(self, game: G) -> G:
        """Return a game with the names that its people have now."""
        renamings = self._people.renamings
        return renamed(game, new_names(renamings, game)) if renamings else game

    @property
    def renamings(self) -> Sequence[Renaming]:
        """What people were renamed to, the earliest renaming first."""
        return self._people.renamings

    # --- one game, by its file

    def load(self, game: int) -> StoredGame:
        """Return a game as its file says; KeyError if there is none with this number."""
        return self._note(self._load(game))

    def _load(self, game: int) -> StoredGame:
        """Return a game with the names in its file, as `load`."""
        name = self._name(game)
        stored = game_in(self._disk.read(name), name)
        if stored is None:
            raise KeyError(game)
        return stored

    def _name(self, game: int) -> str:
        """Return the name of a game's file; KeyError if there is none."""
        for name in chain(self._names(), self._disk.games()):
            if number_of(name) == game:
                return name
        raise KeyError(game)

    def note(self, game: int, key: str) -> str | None:
        """Return the note on a game under this key, or None."""
        try:
            return self.load(game).notes.get(key) if game else None
        except KeyError:
            return None

    def game_on_table(self) -> int | None:
        """Return the number of the game on the table, or None."""
        name = self._people.texts.get(TABLE, "").split(" ")[0]
        game = self._waiting_game(name) if number_of(name) else None  # a start reads no other file
        return None if game is None else game.id

    def waiting_games(self) -> list[StoredGame]:
        """Return the unfinished games that can be continued, the last one at the table first."""
        games = map(self._waiting_game, self._names())
        return [self._named(game) for game in games if game is not None]

    def _waiting_game(self, name: str) -> StoredGame | None:
        """Return the game in a file with its own names; None if it cannot be continued."""
        game = game_in(self._disk.read(name), name)
        return None if game is None or game.result is not None or game.newer else game

    def _names(self) -> list[str]:
        """Return the files of the games that may wait."""
        return [name for name in self._people.texts.get(TABLE, "").split() if number_of(name)]

    def latest_game(self) -> int | None:
        """Return the number of the latest game, or None."""
        return self._disk.highest or None

    # --- facts about people

    def recall(self, key: str) -> str | None:
        """Return the text stored under this key, or None."""
        return self._people.texts.get(key) or None

    def recall_under(self, prefix: str) -> dict[str, str]:
        """Return every text whose key begins with `prefix`, by the rest of its key."""
        texts = dict(self._people.texts).items()  # another thread may change them
        return {key[len(prefix) :]: text for key, text in texts if text and key.startswith(prefix)}
