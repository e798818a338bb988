"""Games that tests play on a store, and disks that refuse when a test says so."""

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from engines.game import Result
from pi_app.store import Store
from pi_app.store.disk import Disk

TAGS = {"Game": "just4fun", "Players": "Anna yellow, Ben red"}
Games = list[tuple[tuple[str, ...], tuple[str, ...]]]
"""(Moves, moves taken back) of every game."""


class FailingDisk(Disk):
    """Refuses the nth act and, unless it fails `once`, all that follow, until it is mended.

    A refused write still writes a part of its bytes, as a full disk does.
    """

    def __init__(self, folder: Path, first: int | None, number: int, *, once: bool = False) -> None:
        super().__init__(folder, lasts=False)
        self.first = first
        self.number = number
        self.once = once
        self.count = 0

    def _refuse(self) -> bool:
        self.count += 1
        if self.first is None or self.count < self.first:
            return False
        if self.once:
            self.first = None
        return True

    def _error(self) -> OSError:
        return OSError(self.number, os.strerror(self.number))

    def make(self) -> None:
        if self._refuse():
            raise self._error()
        super().make()

    def _append(self, file: BinaryIO, data: bytes) -> None:
        if self._refuse():
            super()._append(file, data[: len(data) // 2])
            raise self._error()
        super()._append(file, data)
        if self._refuse():  # it was not flushed
            raise self._error()


REFUSALS = (errno.ENOSPC, errno.EROFS, errno.EIO, errno.ENOENT)


def play_games(store: Store, after_each: Callable[[], object] = lambda: None) -> Games:
    """Play, take back, replace, end and begin games; return each game as it must be then."""
    won = Result(("Anna",), "points", {})
    first = store.begin(TAGS, {"chairs": '{"Ben": ["club", []]}'})
    for n, token in enumerate(("5", "6", "7", "8")):
        store.append(first, n, token, None)
        after_each()
    store.mark(first, 3, "undone", None)
    store.mark(first, 2, "undone", None)
    store.mark(first, 2, "played", None)
    after_each()
    store.append(first, 3, "9", None)
    store.append(first, 4, "10+11", won)
    after_each()
    second = store.begin(TAGS)
    after_each()
    for n, token in enumerate(("2+3", "4", "19")):
        store.append(second, n, token, None)
        after_each()
    store.rewrite(second, ["2+3", "5"], None, notes={"edits": '{"past": []}'})
    after_each()
    store.mark(second, 1, "undone", None)
    store.remember_all({"players": '[{"name": "Anna"}]', "draft": "x"})
    after_each()
    return [(("5", "6", "7", "9", "10+11"), ()), (("2+3",), ("5",))]


def games(store: Store) -> Games:
    """Return (moves, moves taken back) of every game."""
    loaded = [store.load(number) for number in range(1, (store.latest_game() or 0) + 1)]
    return [(game.tokens, game.undone) for game in loaded]


def reopened(path: Path) -> Games:
    """Return what a fresh start finds in the folder."""
    store = Store(path)
    found = games(store)
    store.close()
    return found
