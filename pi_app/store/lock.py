"""One companion per store: a lock on its folder, under any name.

The lock ends with its process in any case, and needs no file that somebody else could own.
"""

from __future__ import annotations

import errno
import fcntl
import logging
import os
from pathlib import Path

from pi_app.system.regular import NotAFileError, check_regular

log = logging.getLogger(__name__)


class StoreInUseError(Exception):
    """Another companion is using this store."""


def check_place(store: Path) -> None:
    """Raise NotAFileError where no store can be: a pipe, a device, a path without a name."""
    check_regular(store)
    if not store.name:  # the files beside it have its name
        raise NotAFileError(store, errno.EISDIR)
    # the phones' file is opened later: refuse it now, while a sentence can still be shown
    check_regular(store.with_name(f"{store.name}.phones"))


class StoreLock:
    """The lock on a store's folder. Without one (a read-only card) there is nothing to lock."""

    def __init__(self, store: Path) -> None:
        """Lock the folder; StoreInUseError if another companion has it.

        NotAFileError where no store can be (`check_place`).
        """
        check_place(store)
        self._handle: int | None = None
        try:
            store.mkdir(parents=True, exist_ok=True)
            self._handle = os.open(store, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.release()
            raise StoreInUseError(str(store)) from None
        except OSError as error:
            log.warning("%s cannot be locked: %s", store, error)

    def release(self) -> None:
        """Unlock the folder for other companions."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None
