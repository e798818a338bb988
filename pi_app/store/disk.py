"""Reads and appends to the store's files; data that the disk refuses waits in memory."""

from __future__ import annotations

import errno
import logging
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO

from pi_app.system.regular import check_regular, open_regular
from pi_app.system.replace import sync_folder

log = logging.getLogger(__name__)


class News(StrEnum):
    """News of the store for the people at the table.

    All but the last two are troubles: why the folder cannot be written at the moment.
    """

    FULL = "full"
    READ_ONLY = "read-only"
    FAILING = "failing"
    GONE = "gone"
    """Somebody removed or replaced a file or the folder."""
    NO_FOLDER = "no folder"
    """Its path leads to a file."""
    WRITTEN = "written"
    """The trouble is over, and the disk has everything."""
    FORGOTTEN = "forgotten"
    """Damage hides remembered facts about people."""


_TROUBLES = {
    News.FULL: (errno.ENOSPC, errno.EDQUOT, errno.EFBIG),
    News.READ_ONLY: (errno.EROFS, errno.EACCES, errno.EPERM),
    News.GONE: (errno.ENOENT,),
    News.NO_FOLDER: (errno.ENOTDIR, errno.EEXIST, errno.ELOOP),
}
_NAME = re.compile(r"(\d{4,9})(?:-[\w-]*)?\.jsonl", re.ASCII)
_COMPARED_BYTES = 64
"""The number of written bytes that are checked before more are appended."""


def number_of(name: str) -> int:
    """Return the number of the game with this file name; 0 if it is not a game's."""
    match = _NAME.fullmatch(name)
    return int(match[1]) if match else 0


class Disk:
    """The files of one folder, which is made when something is first written."""

    def __init__(self, folder: Path, *, lasts: bool = True) -> None:
        """`lasts`: whether to wait until what is written is on the disk."""
        self.folder = folder.absolute()
        self.lasts = lasts
        self.trouble: News | None = None
        """Why some data is only in memory now; None while the disk has everything."""
        self.news: list[News] = []
        """News that people at the table have not seen yet."""
        self.held: dict[str, bytes] = {}
        """The whole content that each written file must have, by name."""
        self._written: dict[str, int] = {}
        """How many of these bytes are on the disk, by name."""

    @property
    def waiting(self) -> list[str]:
        """The files of which some bytes are not on the disk yet."""
        return [name for name, data in self.held.items() if self._written[name] < len(data)]

    def read(self, name: str) -> bytes:
        """Return a file's bytes, from memory if it is held; OSError if it cannot be read."""
        if name in self.held:
            return self.held[name]
        with open_regular(self.folder / name) as file:
            return file.read()

    def games(self, folder: str = "") -> Iterator[str]:
        """Yield the names of the games' files, in no order; those that wait in memory first.

        None are in a folder that cannot be read; `check` raises the error.
        """
        held = [] if folder else [name for name in self.held if number_of(name)]
        yield from held
        # several times as fast as pathlib
        with suppress(OSError), os.scandir(self.folder / folder) as entries:
            for entry in entries:
                if number_of(entry.name) and entry.name not in held:
                    yield entry.name

    def find(self, number: int, folder: str = "") -> str:
        """Return the name of the game's file with this number; KeyError if there is none."""
        for name in self.games(folder):
            if number_of(name) == number:
                return name
        raise KeyError(number)

    @property
    def highest(self) -> int:
        """The highest number of a game here; 0 if there is none."""
        return max(map(number_of, self.games()), default=0)

    def check(self) -> None:
        """Raise OSError if the folder is there and cannot be read."""
        if self.folder.exists():
            next(self.folder.iterdir(), None)

    def make(self) -> None:
        """Make the folder if it is missing; OSError if that fails."""
        if not self.folder.is_dir():
            self.folder.mkdir(parents=True)
        if not os.access(self.folder, os.W_OK):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(self.folder))

    # --- writing

    def append(self, name: str, data: bytes, *, behind: bytes = b"") -> None:
        """Add lines to a file that has the bytes `behind`; if the disk refuses, they wait here."""
        if name not in self.held:
            for other in self.held.keys() - self.waiting:
                if number_of(other):  # keeps only the last game's bytes in memory
                    del self.held[other]
            self.held[name], self._written[name] = behind, len(behind)
        held = self.held[name]
        is_broken = bool(data) and held[-1:] not in (b"", b"\n")  # the last line lacks its end
        self.held[name] = held + b"\n" * is_broken + data
        self.retry()

    def retry(self) -> bool:
        """Write all waiting bytes; return whether the disk has everything."""
        try:
            self.make()
            while waiting := self.waiting:
                self._write_missing(waiting[0])
        except OSError as error:
            self.refused(error)
            return False
        self._set_trouble(None)
        return True

    def refused(self, error: OSError) -> None:
        """Log that the disk refused something, and report the trouble."""
        log.warning("%s cannot be written: %s", self.folder, error)
        told = (trouble for trouble, numbers in _TROUBLES.items() if error.errno in numbers)
        self._set_trouble(next(told, News.FAILING))

    def _set_trouble(self, trouble: News | None) -> None:
        if trouble is not self.trouble:
            self.trouble = trouble
            self.news.append(trouble or News.WRITTEN)

    def _write_missing(self, name: str) -> None:
        """Write a file's missing bytes, and flush them.

        Bytes behind the written ones were never confirmed and are cut off. If the written ones are
        gone, all files are compared from their beginning. A foreign file with this name is renamed.
        """
        path, data, at = self.folder / name, self.held[name], self._written[name]
        check_regular(path)
        first = max(0, at - _COMPARED_BYTES)
        with path.open("a+b") as file:
            file.seek(first)
            found = file.read(len(data) - first)
            if not found.startswith(data[first:at]):
                self._set_trouble(News.GONE)
                self._written = dict.fromkeys(self._written, 0)
                return
            if not at and not data.startswith(found):
                self.make_room(path)
                return
            start = at or len(found)
            file.truncate(start)
            self._write(file, data[start:])
            self._sync(file)
        if not at and self.lasts:
            sync_folder(path.parent)
        self._written[name] = len(data)

    def _write(self, file: BinaryIO, data: bytes) -> None:
        file.write(data)
        file.flush()

    def _sync(self, file: BinaryIO) -> None:
        if self.lasts:
            os.fdatasync(file.fileno())

    def make_room(self, path: Path) -> str:
        """Rename a file in the way of another one; return its name.

        A game's file gets the next number.
        """
        rest = path.name.lstrip("0123456789")
        is_game = number_of(path.name)
        name = f"{self.highest + 1:04}{rest}" if is_game else f"{rest}.other"
        return path.rename(path.with_name(name)).name

    def rename(self, old: str, new: str) -> None:
        """Give a file another name, in a folder that is made if needed, and wait for the disk."""
        source, target = self.folder / old, self.folder / new
        self.held.pop(old, None)
        target.parent.mkdir(exist_ok=True)
        if target.exists():
            self.make_room(target)
        source.replace(target)
        for folder in {source.parent, target.parent}:
            sync_folder(folder)

    def remove(self, name: str) -> None:
        """Remove a file if it is there."""
        (self.folder / name).unlink(missing_ok=True)
