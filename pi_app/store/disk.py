"""The folder of the store: reads and appends to its files, and names what goes wrong with it."""

from __future__ import annotations

import errno
import logging
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum
from pathlib import Path

from pi_app.store.lock import StoreLock
from pi_app.system.regular import check_regular, open_regular
from pi_app.system.replace import sync_folder

log = logging.getLogger(__name__)


class Trouble(StrEnum):
    """Why the folder cannot be written at the moment."""

    FULL = "full"
    READ_ONLY = "read-only"
    FAILING = "failing"
    GONE = "gone"
    """Somebody removed or replaced a file or the folder."""
    NO_FOLDER = "no folder"
    """Its path leads to a file."""


_TROUBLES = {
    errno.ENOSPC: Trouble.FULL,
    errno.EDQUOT: Trouble.FULL,
    errno.EFBIG: Trouble.FULL,
    errno.EROFS: Trouble.READ_ONLY,
    errno.EACCES: Trouble.READ_ONLY,
    errno.EPERM: Trouble.READ_ONLY,
    errno.ENOTDIR: Trouble.NO_FOLDER,
    errno.EEXIST: Trouble.NO_FOLDER,
    errno.ELOOP: Trouble.NO_FOLDER,
    errno.ENOENT: Trouble.GONE,
}


_NAME = re.compile(r"(\d{4,9})(?:-[\w-]*)?\.jsonl", re.ASCII)


def number_of(name: str) -> int | None:
    """Return the number of the game with this file name; None if it is not a game's."""
    match = _NAME.fullmatch(name)
    return int(match[1]) if match else None


def renumbered(name: str, number: int) -> str:
    """Return a game's file name with another number."""
    return f"{number:04}{name.lstrip('0123456789')}"


class GoneError(OSError):
    """A file is not what was written into it: somebody removed, cut or replaced it."""


def trouble_of(error: OSError) -> Trouble:
    """Return what is wrong with the folder."""
    if isinstance(error, GoneError):
        return Trouble.GONE
    return _TROUBLES.get(error.errno or 0, Trouble.FAILING)


class Disk:
    """The files of one folder, which is made when something is first written."""

    def __init__(self, folder: Path, *, lasts: bool = True) -> None:
        """`lasts`: whether to wait until what is written is on the disk."""
        self.folder = folder.absolute()
        self.lasts = lasts
        self.waiting: dict[str, bytes] = {}
        """By name what a file must hold that the disk has refused: it is read from here."""
        self._was_there = False
        self._lock: StoreLock | None = None
        """The lock on a folder that had to be made anew: the companion's own is on the old one."""

    def read(self, name: str) -> bytes:
        """Return a file's bytes; OSError if it cannot be read."""
        if (waiting := self.waiting.get(name)) is not None:
            return waiting
        with open_regular(self.folder / name) as file:
            return file.read()

    def games(self, folder: str = "") -> dict[int, str]:
        """Return the names of the games' files by their numbers, in their order.

        None are in a folder that cannot be read; `check` raises the error.
        """
        names = [*self.waiting] if not folder else []
        with suppress(OSError):
            names += os.listdir(self.folder / folder)  # noqa: PTH208  # it is ten times as fast
        found: dict[int, str] = {}
        names.sort()  # a pair of number and name for each would take as much memory as they do
        for name in sorted(names, key=lambda name: number_of(name) or 0):
            if number := number_of(
                name
            ):  # somebody may have copied a file into the folder with the same number
                found.setdefault(number, name)
        return found

    def doubles(self) -> list[str]:
        """Return the files of games with numbers that others have."""
        games = self.games()
        names = [path.name for path in self.folder.glob("*.jsonl")]
        return [name for name in names if games.get(number_of(name) or 0, name) != name]

    def make(self) -> None:
        """Make the folder if it is missing; OSError if that fails."""
        if not self.folder.is_dir():
            self.folder.mkdir(parents=True)
            if self._was_there:
                self._lock = StoreLock(self.folder)
        self._was_there = True

    def close(self) -> None:
        """Release the lock on a folder that had to be made anew."""
        if self._lock is not None:
            self._lock.release()

    def check(self, *, writes: bool = True) -> None:
        """Raise OSError if the folder cannot be made or written, or only if it cannot be read."""
        if writes:
            self.make()
            if not os.access(self.folder, os.W_OK):
                raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(self.folder))
        elif self.folder.exists():
            next(self.folder.iterdir(), None)

    def append(self, name: str, before: bytes, at: int, data: bytes) -> None:
        """Write data at a file's byte `at`, and wait until it is on the disk.

        What follows there was never confirmed and goes. GoneError if the bytes before it are not
        `before`; another OSError if it cannot be written: then it may hold a part of the data.
        """
        path = self.folder / name
        check_regular(path)
        flags = os.O_RDWR | os.O_CLOEXEC | os.O_NONBLOCK | (0 if at else os.O_CREAT)
        handle = os.open(path, flags, 0o644)
        try:
            if os.pread(handle, len(before), at - len(before)) != before:
                raise GoneError(errno.ENOENT, "this is another file", str(path))
            if not at and not data.startswith(os.pread(handle, len(data), 0)):
                raise FileExistsError(errno.EEXIST, "there is a file already", str(path))
            if os.fstat(handle).st_size > at:
                os.ftruncate(handle, at)
                self._sync(handle)
            self._write(handle, at, data)
            self._sync(handle)
        finally:
            os.close(handle)
        if not at and self.lasts:
            sync_folder(path.parent)

    def set_aside(self, name: str) -> None:
        """Rename a file that another one will replace; it stays beside that."""
        path = self.folder / name
        if path.exists():
            path.replace(path.with_name(f"{name}.other"))

    def _write(self, handle: int, at: int, data: bytes) -> None:
        while data:
            count = os.pwrite(handle, data, at)
            at, data = at + count, data[count:]

    def _sync(self, handle: int) -> None:
        if self.lasts:
            os.fdatasync(handle)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Wait for the disk only at the end of the block, once for all that is written in it."""
        lasts, self.lasts = self.lasts, False
        try:
            yield
        finally:
            self.lasts = lasts
            if lasts:
                os.sync()

    def rename(self, old: str, new: str) -> None:
        """Give a file another name, in a folder that is made if needed, and wait for the disk."""
        source, target = self.folder / old, self.folder / new
        target.parent.mkdir(exist_ok=True)
        source.replace(target)
        for folder in {source.parent, target.parent}:
            sync_folder(folder)

    def remove(self, name: str) -> None:
        """Remove a file if it is there."""
        with suppress(FileNotFoundError):
            (self.folder / name).unlink()
