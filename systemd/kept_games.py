"""Keeps a copy of the games while a new program is on trial, and puts it back if it is refused.

A new program may rewrite the games in a form that the one before it cannot read.
`systemd/update.py` runs this as the companion's user, while the companion does not run: `keep`,
`put-back` or `forget`, and the games' folder. It needs Python's standard library only.
"""

import os
import shutil
import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

GAMES, LOG, INDEX = "games.db", "games.db-wal", "games.db-shm"
KEPT = "before-update"
BEGUN = "begun"
"""A file in the copy: putting it back has begun, and must be ended whatever is found."""


def keep(folder: Path) -> None:
    """Keep a copy of the games; OSError if that fails, then there is none."""
    new, kept = folder / f".{KEPT}.new", folder / KEPT
    for old in (new, kept):
        shutil.rmtree(old, ignore_errors=True)
    new.mkdir(mode=0o700)
    for name in (GAMES, LOG):
        if (folder / name).is_file():
            _copy(folder / name, new / name)
    new.rename(kept)
    _flush(folder)


def put_back(folder: Path) -> bool:
    """Put the copy back if the games have another form now; tell whether they had.

    sqlite3.Error if their form cannot be read.
    """
    kept = folder / KEPT
    if not (kept / GAMES).is_file():
        return False
    if not (kept / BEGUN).exists():
        if _form(folder / GAMES) == _form(kept / GAMES):
            return False
        (kept / BEGUN).touch()
        _flush(kept)
    # what belongs to the other form must not be read together with this one
    for name in (LOG, INDEX):
        (folder / name).unlink(missing_ok=True)
    for name in (GAMES, LOG):
        if (kept / name).is_file():
            new = folder / f".{name}.back"
            _copy(kept / name, new)
            new.replace(folder / name)
    _flush(folder)
    return True


def forget(folder: Path) -> None:
    """Remove the copy."""
    shutil.rmtree(folder / KEPT, ignore_errors=True)


def _form(games: Path) -> int:
    """Return the version of the games' tables."""
    with closing(sqlite3.connect(f"{games.absolute().as_uri()}?mode=ro", uri=True)) as opened:
        return int(opened.execute("PRAGMA user_version").fetchone()[0])


def _copy(source: Path, target: Path) -> None:
    with source.open("rb") as games, target.open("wb") as copy:
        shutil.copyfileobj(games, copy)
        copy.flush()
        os.fchmod(copy.fileno(), 0o600)
        os.fsync(copy.fileno())


def _flush(folder: Path) -> None:
    """Wait until the names in a folder are on the disk."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def main(words: Sequence[str]) -> int:
    """Do what the first word says in the folder that the second one names."""
    what, folder = words
    try:
        {"keep": keep, "put-back": put_back, "forget": forget}[what](Path(folder))
    except (OSError, sqlite3.Error) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
