"""A lock that tells whether a hub runs with this database, as a restore needs it alone."""

from __future__ import annotations

import fcntl
import os
from typing import IO

from sqlalchemy import Connection, text

from club.store.database import RUNNING_LOCK, ClubDatabase, DatabaseError, explained
from pi_app.system.replace import PRIVATE


class RunningLock:
    """A lock on the database that ends with its process in any case.

    Hubs share PostgreSQL's lock; SQLite's has one hub only.
    """

    def __init__(self, database: ClubDatabase, *, alone: bool) -> None:
        """Lock the database; DatabaseError `taken` if a hub, or a restore, has the lock."""
        self._database = database
        self._shared = "" if alone else "_shared"
        self._file: IO[str] | None = None
        self._connection: Connection | None = None
        if database.is_sqlite:
            name = f"{database.engine.url.database}.lock"
            self._file = os.fdopen(os.open(name, os.O_RDWR | os.O_CREAT, PRIVATE), "w")
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                self.close()
                raise DatabaseError("taken", "locked") from None
        elif not self._lock():
            self.close()
            raise DatabaseError("taken", "locked")

    def _lock(self) -> bool:
        with explained():
            self._connection = self._database.engine.connect()
            query = text(f"SELECT pg_try_advisory_lock{self._shared}({RUNNING_LOCK})")
            held = bool(self._connection.scalar(query))
            self._connection.commit()
            return held

    def renew(self) -> None:
        """Get the lock of PostgreSQL again after its server was away; DatabaseError."""
        if self._connection is None:
            return
        try:
            with explained():
                self._connection.scalar(text("SELECT 1"))
                self._connection.commit()
        except DatabaseError:
            self._connection.invalidate()
            self._connection.close()
            if not self._lock():
                raise DatabaseError("taken", "locked") from None

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()
