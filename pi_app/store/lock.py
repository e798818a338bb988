"""One companion per store: a lock on its folder, whatever names the folder has.

The lock ends with its process, however that ends, and needs no file that somebody else could own.
"""

from __future__ import annotations

import errno
import logging
import os
from contextlib import suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # a system without it has no lock
    fcntl = None  # type: ignore[assignment]

from pi_app.system.regular import NotAFileError, check_regular

log = logging.getLogger(__name__)


class StoreInUseError(Exception):
    """Another companion is using this store."""


class FolderLock:
    """The lock on a folder, until `release` or the end of the process."""

    def __init__(self, handle: int) -> None:
        self._handle: int | None = handle

    @classmethod
    def of(cls, folder: Path) -> FolderLock | None:
        """Lock a folder; None if it cannot be opened or locked, StoreInUseError if it is locked."""
        try:
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            log.warning("%s cannot be opened to lock it: %s", folder, error)
            return None
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            raise StoreInUseError(str(folder)) from None
        except (OSError, AttributeError) as error:  # AttributeError: this system has no lock
            os.close(handle)
            log.warning("%s cannot be locked: %s", folder, error)
            return None
        return cls(handle)

    def release(self) -> None:
        """Unlock the folder for other companions."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def check_place(store: Path) -> None:
    """Raise NotAFileError where no store can be: a pipe, a device, a path without a name."""
    check_regular(store)
    if not store.name:  # the files beside it are named after it
        raise NotAFileError(store, errno.EISDIR)
    # the phones' file is opened later: refuse it now, while a sentence can still be shown
    check_regular(store.with_name(f"{store.name}.phones"))


class StoreLock:
    """The lock on a store. Without a folder (a read-only card) there is nothing to lock."""

    def __init__(self, store: Path) -> None:
        """Lock the store; StoreInUseError if another companion has it.

        NotAFileError where no store can be (`check_place`).
        """
        check_place(store)
        with suppress(OSError):
            store.mkdir(parents=True, exist_ok=True)
        self._lock = FolderLock.of(store)

    def release(self) -> None:
        """Unlock the store for other companions."""
        if self._lock is not None:
            self._lock.release()
