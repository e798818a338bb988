"""Reads the store's files and appends to them; data that the disk refuses waits in memory.

A lock on the folder lets one companion write it, whatever names it has; the lock ends with its
process, however that ends, and needs no file that somebody else could own.
"""

from __future__ import annotations

import errno
import fcntl
import logging
import os
import re
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO

from pi_app.store.journal import FactLines
from pi_app.system.regular import NotAFileError, check_regular, open_regular
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
        self.held: dict[str, FactLines] = {}
        """All lines that each written file must have, by name."""
        self._written: dict[str, int] = {}
        """How many of their bytes are on the disk, by name."""

    @property
    def waiting(self) -> list[str]:
        """The files of which some bytes are not on the disk yet."""
        return [name for name, lines in self.held.items() if self._written[name] < len(lines.data)]

    def read(self, name: str, *, strict: bool = False) -> bytes:
        """Return a file's bytes, from memory if it is held; none if there is no such file.

        If it cannot be read: a line that is damaged, or OSError if `strict`.
        """
        if lines := self.held.get(name):
            return lines.data
        try:
            with open_regular(self.folder / name) as file:
                return file.read()
        except (FileNotFoundError, NotADirectoryError):
            return b""
        except OSError as error:
            log.warning("%s cannot be read: %s", name, error)
            if strict:
                raise
            return b"\n"

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

    def hold(self, name: str, lines: FactLines, *, is_new: bool = False) -> None:
        """Keep a file's lines in memory; `retry` writes lines added later, or all of a new file."""
        if name not in self.held:
            for other in self.held.keys() - self.waiting:
                if number_of(other):  # keeps only the last game's bytes in memory
                    del self.held[other]
            self._written[name] = 0 if is_new else len(lines.data)
        self.held[name] = lines

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
        path, data, at = self.folder / name, self.held[name].data, self._written[name]
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
            if file.seek(0, os.SEEK_END) > start:
                file.truncate(start)
            self._append(file, data[start:])
        if not at and self.lasts:
            sync_folder(path.parent)
        self._written[name] = len(data)

    def _append(self, file: BinaryIO, data: bytes) -> None:
        file.write(data)
        file.flush()
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


class StoreInUseError(Exception):
    """Another companion is using this store."""


class StoreLock(ExitStack):
    """The lock on a store's folder. Without one (a read-only card) there is nothing to lock."""

    def __init__(self, store: Path) -> None:
        """Lock the folder until this is closed; StoreInUseError if another companion has it.

        NotAFileError where no store can be: a pipe, a device, a path without a name.
        """
        super().__init__()
        check_regular(store)
        if not store.name:  # the files beside it are named after it
            raise NotAFileError(store, errno.EISDIR)
        # the phones' file is opened later: refuse it now, while a sentence can still be shown
        check_regular(store.with_name(f"{store.name}.phones"))
        try:
            store.mkdir(parents=True, exist_ok=True)
            handle = os.open(store, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            self.callback(os.close, handle)
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.close()
            raise StoreInUseError(str(store)) from None
        except OSError as error:
            log.warning("%s cannot be locked: %s", store, error)
