"""Databases that fail when a test says so."""

import sqlite3
from pathlib import Path
from typing import Any

from engines.game import Result
from pi_app.store.store import Store

TAGS = {"Game": "just4fun", "Players": "Anna yellow, Ben red"}


class Faults:
    """Counts the statements that reach a file and fails them from the nth on, while broken.

    `after` fails a statement only once it was carried out: the caller cannot know that it was.
    """

    def __init__(self, first: int | None, code: int, *, after: bool = False) -> None:
        self.first = first
        self.code = code
        self.after = after
        self.count = 0

    def connect(self, name: str) -> sqlite3.Connection:
        db = sqlite3.connect(name, isolation_level=None, factory=_Failing)
        db.faults = self
        return db

    def error(self) -> sqlite3.OperationalError:
        error = sqlite3.OperationalError("made to fail")
        error.sqlite_errorcode = self.code
        return error

    def due(self) -> bool:
        """Count a statement; tell whether it has to fail."""
        self.count += 1
        return self.first is not None and self.count >= self.first


class _Failing(sqlite3.Connection):
    faults: Faults

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        if sql == "PRAGMA synchronous=FULL":
            sql = "PRAGMA synchronous=OFF"  # thousands of commits need not wait for this disk
        due = self.faults.due()
        if due and not self.faults.after:
            raise self.faults.error()
        cursor = super().execute(sql, *values)
        if due:
            cursor.close()
            raise self.faults.error()
        return cursor


def play_games(store: Store) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Play, take back, replace, end and begin games; return each game as it must be then."""
    first = store.begin(TAGS)
    for n, token in enumerate(("5", "6", "7", "8")):
        store.append(first, n, token, None)
    store.mark(first, 3, "undone", None)
    store.mark(first, 2, "undone", None)
    store.mark(first, 2, "played", None)
    store.append(first, 3, "9", None)
    store.append(first, 4, "10+11", Result(("Anna",), "points", {}))
    second = store.begin(TAGS)
    for n, token in enumerate(("2+3", "4", "19")):
        store.append(second, n, token, None)
    store.rewrite(second, ["2+3", "5"], None)
    store.mark(second, 1, "undone", None)
    store.remember("players", "Anna, Ben")
    return [(("5", "6", "7", "9", "10+11"), ()), (("2+3",), ("5",))]


def games(store: Store) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return (moves, moves taken back) of every game."""
    rows = store._db.rows("SELECT id FROM game ORDER BY id")
    loaded = [store.load(row[0]) for row in rows]
    return [(game.tokens, game.undone) for game in loaded]


def reopened(path: Path) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return what a fresh start finds in the file."""
    store = Store(path)
    found = games(store)
    store.close()
    return found
