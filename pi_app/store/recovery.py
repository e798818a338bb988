"""Writing a store anew, from what can be read of a damaged or an older file.

The old file stays as it is until the new one is whole and on the disk. Then, each step on the
disk before the next: the log is moved aside, the old file gets its other name, the new file
takes its name. Interrupted anywhere, the next start finds what was begun and ends it (`finish`),
or begins anew; what was recovered is noted in the new store until the table was told.
"""

import json
import logging
import os
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from pi_app.store.check import GAME_COLUMNS, PLY_COLUMNS, beside, check_row, content, read_only
from pi_app.store.lock import FileLock
from pi_app.store.migrations import (
    GAME_BITS,
    LAST_GAME,
    NEWEST,
    PAGE_BYTES,
    DamagedError,
    checksum,
    create,
    second_checksum,
)
from pi_app.store.pages import Ply, Progress, Row, Salvage, salvage

log = logging.getLogger(__name__)

NOTE = "recovered"
"""Under this key a new store remembers what the table has not been told."""
_READING = 0.6
"""The share of a rescue that reading takes; the rest is writing."""


@dataclass(frozen=True, slots=True)
class Recovered:
    """What a recovery brought back: games, moves that count, moves that do not any more."""

    games: int
    moves: int
    dropped: int


def rescue(path: Path, progress: Progress) -> FileLock | None:
    """Put a new store in place of a damaged one, which is kept beside it under another name.

    Return the lock on the new file. OSError or sqlite3.Error where it cannot be written: then
    nothing was changed.
    """
    database = content(path)
    found = salvage(
        database, content(beside(path, "-wal")), lambda share: progress(share * _READING)
    )
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    count, name = 1, stamp
    while beside(path, f".damaged-{name}").exists():
        count += 1
        name = f"{stamp}.{count}"
    aside = beside(path, f".damaged-{name}")

    def write(db: sqlite3.Connection) -> None:
        recovered = refill(db, found, lambda share: progress(_READING + share * (1 - _READING)))
        note = json.dumps({"aside": aside.name, **asdict(recovered)})
        remember(db, NOTE, note)

    _build(path, beside(path, f".rescued-{name}-{zlib.crc32(database):08x}"), write)
    return finish(path)


def upgrade(path: Path, version: int, progress: Progress) -> FileLock | None:
    """Put a store of the newest version in place of a whole one of an older version."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        if db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
            raise sqlite3.OperationalError("the store of an older version is being read")
    with closing(read_only(path)) as db:
        found = _rows(db, version)
    ready = beside(path, ".upgraded")
    _build(path, ready, lambda db: refill(db, found, progress))
    lock = FileLock.of(ready)
    for suffix in ("-wal", "-shm"):
        beside(path, suffix).unlink(missing_ok=True)
    _renamed(ready, path)
    return lock


def finish(path: Path) -> FileLock | None:
    """End a rescue that was interrupted; return the lock on the new file, if there is one."""
    for rest in (".building", ".building-journal", ".building-wal", ".building-shm", ".upgraded"):
        with suppress(OSError):
            beside(path, rest).unlink()
    lock = None
    for ready in sorted(path.parent.glob(f"{path.name}.rescued-*")):
        name, _, mark = ready.name.removeprefix(f"{path.name}.rescued-").rpartition("-")
        if path.exists() and f"{zlib.crc32(content(path)):08x}" != mark:
            log.warning("%s is of another file: it is left out", ready)
            ready.unlink()
            continue
        lock = FileLock.of(ready)
        aside = beside(path, f".damaged-{name}")
        with suppress(FileNotFoundError):
            _renamed(beside(path, "-wal"), beside(aside, "-wal"))
        beside(path, "-shm").unlink(missing_ok=True)
        if path.exists() and not aside.exists():
            try:
                os.link(path, aside)
                _synced(path.parent)
            except OSError:  # a file system without links
                _renamed(path, aside)
        _renamed(ready, path)
        log.warning("the store was damaged: the file as it was is %s", aside)
    return lock


def _build(path: Path, ready: Path, write: Callable[[sqlite3.Connection], object]) -> None:
    """Write a whole store into `ready`, which gets that name only when it is on the disk."""
    building = beside(path, ".building")
    building.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(building, isolation_level=None)) as db:
            for pragma in (f"page_size={PAGE_BYTES}", "journal_mode=MEMORY", "synchronous=OFF"):
                db.execute(f"PRAGMA {pragma}")
            create(db)
            write(db)
            db.execute("PRAGMA journal_mode=WAL")
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
        with building.open("rb+") as file:
            os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        _renamed(building, ready)
    except BaseException:
        with suppress(OSError):
            building.unlink()
        raise


def _renamed(old: Path, new: Path) -> None:
    old.replace(new)
    _synced(new.parent)


def _synced(folder: Path) -> None:
    """Let no later step reach the disk before what was renamed."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _rows(db: sqlite3.Connection, version: int) -> Salvage:
    """Return all rows of a whole store; DamagedError if one is not what was written."""
    found = Salvage()
    crc = "" if version == 1 else ", crc"
    for row in db.execute(f"SELECT id, tags, began, ended, result, shelved{crc} FROM game"):
        _check_old(version, row, row[:3])
        found.games[row[0]] = tuple(row[1:6])
    for row in db.execute(f"SELECT id, game, n, token, state, at{crc} FROM ply"):
        _check_old(version, row, (*row[:4], row[5]))
        found.plies[row[0]] = tuple(row[1:6])
    found.memory = dict(db.execute("SELECT key, value FROM memory"))
    return found


def _check_old(version: int, row: Row, guarded: Row) -> None:
    if version == NEWEST:
        check_row("a row", row)
    elif version > 1 and row[-1] != second_checksum(*guarded):
        raise DamagedError(f"row {row[0]!r} was altered")


def remember(db: sqlite3.Connection, key: str, value: str) -> None:
    """Keep a text in an empty store's memory."""
    row = (key, value, checksum(key, value))
    db.execute("INSERT INTO memory (key, value, crc) VALUES (?, ?, ?)", row)


def refill(db: sqlite3.Connection, found: Salvage, progress: Progress) -> Recovered:
    """Write salvaged rows into an empty store of the newest schema, in one transaction.

    A game goes as far as its moves follow on each other: what stood behind a hole is kept, but
    marked as replaced.
    """
    moves = dropped = 0
    of_game: dict[int, dict[int, Ply]] = {game: {} for game in found.games}
    for key, ply in found.plies.items():
        if ply[0] in of_game:
            of_game[ply[0]][key] = ply
        else:
            dropped += 1
    db.execute("BEGIN IMMEDIATE")
    for count, (game, plies) in enumerate(sorted(of_game.items())):
        tags, began, ended, result, shelved = found.games[game]
        if not 0 < game <= LAST_GAME:
            dropped += len(plies)
            continue
        states = _consistent(plies)
        cut = sum(states[key] != row[3] for key, row in plies.items())
        outcome = (None, None) if cut else (ended, result)
        row = (game, tags, began, *outcome, shelved)
        db.execute(
            f"INSERT INTO game ({GAME_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (*row, checksum(*row)),
        )
        rows = [
            (game << GAME_BITS | number, game, plies[key][1], plies[key][2], states[key], at)
            for number, (key, at) in enumerate(
                sorted((key, ply[4]) for key, ply in plies.items()), 1
            )
        ]
        db.executemany(
            f"INSERT INTO ply ({PLY_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [(*row, checksum(*row)) for row in rows],
        )
        moves += sum(state == "played" for state in states.values())
        dropped += cut
        if count % 64 == 0:
            progress(count / len(of_game))
    for name, value in found.memory.items():
        remember(db, name, value)
    db.execute("COMMIT")
    return Recovered(len(found.games), moves, dropped)


def _consistent(plies: dict[int, Ply]) -> dict[int, str]:
    """Return each row's state such that the played moves of the game are 0, 1, 2 ..."""
    states = dict.fromkeys(plies, "replaced")
    newest: dict[int, int] = {}
    for key, (_, n, _, state, _) in sorted(plies.items()):
        if state != "replaced":
            newest[n] = key
    undone = False
    for n in range(len(newest)):
        if n not in newest:
            break
        state = plies[newest[n]][3]
        if undone and state == "played":
            break
        undone = state == "undone"
        states[newest[n]] = state
    return states
