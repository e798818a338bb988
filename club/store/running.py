"""Whether a hub takes in with this database now, and the lock that it holds as long as it does."""

from __future__ import annotations

import fcntl
import time
from pathlib import Path
from typing import IO

from sqlalchemy import text

from club.store.database import INTAKE_LOCK, ClubDatabase, get

WAIT_S = 15
"""Seconds that a new table is waited for until the broker knows it."""


def lock_path(database: ClubDatabase) -> Path:
    """Return the file that the hub of an SQLite database locks."""
    return Path(f"{database.engine.url.database}.lock")


def lock_file(database: ClubDatabase, patience_s: float = 0) -> IO[str] | None:
    """Lock an SQLite database for one hub until the file is closed; None if another has it.

    Whoever asks `hub_runs` has the lock for a moment: a hub tries again for `patience_s`.
    """
    file = lock_path(database).open("w")
    end = time.monotonic() + patience_s
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            if time.monotonic() >= end:
                file.close()
                return None
            time.sleep(patience_s / 10)
        else:
            return file


def hub_runs(database: ClubDatabase) -> bool:
    """Tell whether a hub takes in now."""
    if database.is_sqlite:
        file = lock_file(database)
        if file is None:
            return True
        file.close()
        return False
    with database.read() as connection:
        key = "locktype = 'advisory' AND objsubid = 1 AND granted AND objid"
        query = text(f"SELECT count(*) FROM pg_locks WHERE {key} = :lock")  # noqa: S608  # our own words
        return bool(connection.scalar(query, {"lock": INTAKE_LOCK}))


def wait_for_users(database: ClubDatabase, act: int) -> None:
    """Wait until the broker of the hub knows what an act changed; none runs: it will later."""
    end = time.monotonic() + WAIT_S
    while time.monotonic() < end and hub_runs(database):
        with database.read() as connection:
            if int(get(connection, "users", "0")) >= act:
                return
        time.sleep(0.05)
