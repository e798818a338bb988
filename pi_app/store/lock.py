"""One companion per store: a lock on the file itself, whatever names it has.

The lock ends with its process, however that ends. A link to the file is the same file, and there
is no separate lock file that somebody else could own or damage.
"""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # a system without it has no lock
    fcntl = None  # type: ignore[assignment]

from pi_app.files.regular import check_regular
from pi_app.store.check import check_files, check_is_store, sibling

log = logging.getLogger(__name__)


class StoreInUseError(Exception):
    """Another companion is using this store."""


class FileLock:
    """The lock on an open file, until `release` or the end of the process."""

    def __init__(self, handle: int) -> None:
        self._handle: int | None = handle

    @classmethod
    def of(cls, path: Path, flags: int = os.O_RDWR) -> FileLock | None:
        """Lock a file; None if it cannot be opened or locked, StoreInUseError if it is locked."""
        if fcntl is None:
            log.warning("%s cannot be locked on this system", path)
            return None
        handle = None
        # a file that cannot be written can still be locked; O_NONBLOCK: a pipe that has just taken
        # its place must not make us wait
        for flag in (flags, os.O_RDONLY):
            with suppress(OSError):
                handle = os.open(path, flag | os.O_NONBLOCK | os.O_CLOEXEC, 0o644)
                break
        if handle is None:
            log.warning("%s cannot be opened to lock it", path)
            return None
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            raise StoreInUseError(str(path)) from None
        except OSError as error:
            os.close(handle)
            log.warning("%s cannot be locked: %s", path, error)
            return None
        return cls(handle)

    def release(self) -> None:
        """Unlock the file for other companions."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


class StoreLock:
    """The lock on a store. If no file can be made (a read-only card) there is nothing to lock."""

    def __init__(self, store: Path) -> None:
        """Lock the store; StoreInUseError if another companion has it.

        NotAFileError if the path of one of the store's files has a pipe or a device, or a file that
        is not a store.
        """
        check_files(store)
        check_is_store(store)
        # the phones' file is opened later: refuse it now, while a sentence can still be shown
        check_regular(sibling(store, ".phones"))
        with suppress(OSError):
            store.parent.mkdir(parents=True, exist_ok=True)
        self._lock = FileLock.of(store, os.O_RDWR | os.O_CREAT)

    def release(self) -> None:
        """Unlock the store for other companions."""
        if self._lock is not None:
            self._lock.release()
