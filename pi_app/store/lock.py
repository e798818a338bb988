"""One companion a store: a lock that ends with its process, however that ends."""

import logging
import sqlite3
from pathlib import Path

log = logging.getLogger(__name__)


class StoreInUseError(Exception):
    """Another companion has this store."""


class StoreLock:
    """Held until `release` or the end of the process.

    SQLite's own file locks do the work, so that it is the same on every system. Where not
    even the lock's file can be made (a read-only card), there is nothing to protect.
    """

    def __init__(self, store: Path) -> None:
        """Take the lock; StoreInUseError if another process has it."""
        path = store.with_name(store.name + ".lock")
        self._db: sqlite3.Connection | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, timeout=0, isolation_level=None)
            self._db.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            self.release()
            if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
                raise StoreInUseError(str(store)) from None
            log.warning("%s cannot be locked: %s", path, error)
        except (sqlite3.DatabaseError, OSError) as error:
            self.release()
            log.warning("%s cannot be locked: %s", path, error)

    def release(self) -> None:
        """Let another companion have the store."""
        if self._db is not None:
            self._db.close()
            self._db = None
