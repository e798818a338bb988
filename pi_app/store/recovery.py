"""Rewrites a store from what can be read of a damaged file.

The old file stays as it is until the new one is complete and on the disk. Then, each step on the
disk before the next: the log is moved aside, the old file is renamed, the new file gets its name.
If this is interrupted, the next start completes it (`finish`) or starts over. The new store holds a
note on what was recovered until people have seen it.
"""

from __future__ import annotations

import json
import logging
import os
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path

from pi_app.files.replace import sync_folder
from pi_app.store.check import (
    EVENT_COLUMNS,
    GAME_COLUMNS,
    PLY_COLUMNS,
    content,
    ids,
    sibling,
    version_at,
)
from pi_app.store.lock import FileLock
from pi_app.store.migrations import (
    ERRORS,
    LAST_GAME,
    PAGE_BYTES,
    DamagedError,
    checksum,
    migrate,
)
from pi_app.store.pages import Progress, Salvage, build_database, leaves, salvage

log = logging.getLogger(__name__)

NOTE = "recovered"
"""The key of the note that people have not seen yet."""
STATE = "outbox"
"""The key in `memory` of the outbox's state."""
LOST = '{"kind":"lost"}'
"""What stands for an event that cannot be read any more."""
MOST_LOST = 10_000
"""The most events that are said to be lost: more are an altered number."""
MOST_PREVIOUS = 100
"""The most earlier ids that are kept."""


@dataclass(frozen=True, slots=True)
class Recovered:
    """What was recovered: games, moves that count, and dropped moves, which no longer count."""

    games: int
    moves: int
    dropped: int


@dataclass(frozen=True, slots=True)
class OutboxFacts:
    """Where the outbox stands. `store` is None until the link asks for the first number.

    `hub` and `broker` are those that were joined. `restarted`: the id is one that was made
    because of what the hub said, and the hub has acknowledged nothing under it yet.
    """

    store: str | None = None
    previous: tuple[str, ...] = ()
    last: int = 0
    upto: int = 0
    closed: int = 0
    hub: str | None = None
    broker: str = ""
    restarted: bool = False

    @classmethod
    def read(cls, text: str | None) -> OutboxFacts:
        """Read what `text` wrote; a table that never had a link has none."""
        if text is None:
            return cls()
        facts = json.loads(text)
        return cls(**{**facts, "previous": tuple(facts["previous"])})

    def text(self) -> str:
        return json.dumps(asdict(self))

    def anew(self, others: Iterable[str | None] = ()) -> OutboxFacts:
        """Return the state of an outbox that begins anew; `others` are further ids it had."""
        known = dict.fromkeys(name for name in (*others, self.store, *self.previous) if name)
        return replace(
            self, store=None, previous=tuple(known)[:MOST_PREVIOUS], last=0, upto=0, closed=0
        )


def rescue(path: Path, progress: Progress, now: datetime) -> FileLock | None:
    """Replace a damaged store by a new one; keep the old file under a name with the time `now`.

    Return the lock on the new file. OSError or sqlite3.Error if it cannot be written: then nothing
    has changed.
    """
    stamp = now.strftime("%Y%m%dT%H%M%SZ")
    count, name = 1, stamp
    while sibling(path, f".damaged-{name}").exists():
        count += 1
        name = f"{stamp}.{count}"
    aside = sibling(path, f".damaged-{name}")

    def write(db: sqlite3.Connection) -> None:
        recovered = refill(db, path, progress)
        note = json.dumps({"aside": aside.name, **asdict(recovered)})
        remember(db, NOTE, note)

    # the checksum tells `finish` of which file this is the rescue
    ready = sibling(path, f".rescued-{name}-{zlib.crc32(content(path)):08x}")
    _write_new_store(path, ready, write)
    return finish(path)


def finish(path: Path) -> FileLock | None:
    """Complete an interrupted rescue; return the lock on the new file, if there is one."""
    for suffix in (".building", ".building-journal", ".building-wal", ".building-shm"):
        with suppress(OSError):
            sibling(path, suffix).unlink()
    lock = None
    for ready in sorted(path.parent.glob(f"{path.name}.rescued-*")):
        name, _, crc = ready.name.removeprefix(f"{path.name}.rescued-").rpartition("-")
        is_other = path.exists() and f"{zlib.crc32(content(path)):08x}" != crc
        if is_other or not ready.is_file():
            log.warning("%s is of another file: it is left out", ready)
            ready.unlink()
            continue
        lock = FileLock.of(ready)
        aside = sibling(path, f".damaged-{name}")
        with suppress(FileNotFoundError):
            _rename(sibling(path, "-wal"), sibling(aside, "-wal"))
        # it describes the log that is gone
        sibling(path, "-shm").unlink(missing_ok=True)
        # an interrupted rescue may have come this far
        if path.exists() and not aside.exists():
            try:  # linked, not renamed: at no time is there no store
                os.link(path, aside)
                sync_folder(path.parent)
            except OSError:  # a file system without links
                _rename(path, aside)
        _rename(ready, path)
        with suppress(OSError):  # it may hold values of moves that are lost now
            sibling(path, ".derived").unlink()
        log.warning("the store was damaged: the file as it was is %s", aside)
    return lock


def put_in_place(new: Path, path: Path) -> FileLock | None:
    """Let a new store replace one whose log is empty; return the lock on the new file."""
    with new.open("rb+") as file:
        os.fchmod(file.fileno(), path.stat().st_mode & 0o777)
        os.fsync(file.fileno())
    lock = FileLock.of(new)
    for suffix in ("-wal", "-shm"):  # of the file that goes; somebody may still read it
        sibling(path, suffix).unlink(missing_ok=True)
    _rename(new, path)
    return lock


def _write_new_store(
    path: Path, ready: Path, write: Callable[[sqlite3.Connection], object]
) -> None:
    """Write a store to a temporary file beside `path`, sync it, then rename it to `ready`."""
    building = sibling(path, ".building")
    building.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(building, isolation_level=None)) as db:
            # faster without syncs and a journal on the disk: the whole file is synced below,
            # and after a crash it is written again
            for pragma in (f"page_size={PAGE_BYTES}", "journal_mode=MEMORY", "synchronous=OFF"):
                db.execute(f"PRAGMA {pragma}")
            write(db)
            db.execute("PRAGMA journal_mode=WAL")  # stays in the file
        # whoever may use the old file may use the new one
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
        with building.open("rb+") as file:
            os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        _rename(building, ready)
    except BaseException:
        with suppress(OSError):
            building.unlink()
        raise


def _rename(old: Path, new: Path) -> None:
    old.replace(new)
    sync_folder(new.parent)  # on the disk before any later step


def remember(db: sqlite3.Connection, key: str, value: str) -> None:
    """Insert a text into the memory of an empty store."""
    row = (key, value, checksum(key, value))
    db.execute("INSERT INTO memory (key, value, crc) VALUES (?, ?, ?)", row)


def refill(db: sqlite3.Connection, path: Path, progress: Progress) -> Recovered:
    """Fill an empty database with everything readable in a file and its log.

    A game ends before its first missing move: later moves are stored, but marked as replaced.
    """
    migrate(db, version_at(path))  # the tables for the file's rows; the newest ones follow below
    _read_rows(db, content(path), content(sibling(path, "-wal")), progress)
    recovered = _make_consistent(db)
    migrate(db)
    number_anew(db)
    return recovered


def _read_rows(db: sqlite3.Connection, database: bytes, wal: bytes, progress: Progress) -> None:
    """Read rows from a file and its log, with SQLite's help where possible."""
    tables = dict(db.execute("SELECT name, sql FROM sqlite_schema").fetchall())
    db.execute("ATTACH ':memory:' AS old")
    total = (len(database) + len(wal)) // PAGE_BYTES + 1
    read = 0
    for table, pages in leaves(database, wal):
        progress(min(1.0, read / total))
        read += len(pages)
        try:  # any error means that SQLite cannot read these pages: `salvage` does, row by row
            if not table:
                raise DamagedError("of no table")
            db.deserialize(build_database(tables[table], pages), name="old")
            if db.execute(_STRANGE[table]).fetchone():
                raise DamagedError("of two tables")
            (rows,) = db.execute(f"SELECT count(*) FROM old.{table}").fetchone()
            if _copy_rows(db, table) < rows:
                raise DamagedError("altered, or going on elsewhere")
        except ERRORS:
            _write_rows(db, salvage(pages, database, wal))
    db.execute("DETACH old")


def _copy_rows(db: sqlite3.Connection, table: str) -> int:
    """Copy the rows whose checksum is right; return how many.

    Rows of `memory` are identified by their key alone: an earlier copy may have another id.
    """
    if table != "memory":
        return db.execute(_COPY[table]).rowcount
    cursor = db.execute("SELECT key, value FROM old.memory WHERE crc IS checksum(key, value)")
    rows = cursor.fetchall()
    _remember_all(db, dict(rows))
    return len(rows)


_COPY = {
    table: f"INSERT OR REPLACE INTO main.{table} SELECT * FROM old.{table}"
    f" WHERE crc IS checksum({columns})"
    for table, columns in (
        ("game", "id, tags, began, ended, result, shelved"),
        ("ply", "id, game, n, token, state, at"),
        ("outbox", "id, game, seq, body"),
    )
}


_STRANGE = {
    "game": "SELECT 1 FROM old.game WHERE typeof(tags) <> 'text'",
    "ply": "SELECT 1 FROM old.ply WHERE typeof(game) <> 'integer'",
    "memory": "SELECT 1 FROM old.memory WHERE typeof(key) <> 'text'",
    "outbox": "SELECT 1 FROM old.outbox WHERE typeof(body) <> 'text'",
}
"""Finds a row of another table: a page's table is guessed from its first row, which may be altered.

The checksum would not show it: moves and games have the same number of values.
"""


def _write_rows(db: sqlite3.Connection, salvaged: Salvage) -> None:
    """Write salvaged rows."""
    db.execute("BEGIN IMMEDIATE")
    for game, values in salvaged.games.items():
        row = (game, *values)
        if 0 < game <= LAST_GAME:  # no move could have an id in any other game
            db.execute(
                f"INSERT OR REPLACE INTO game ({GAME_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (*row, checksum(*row)),
            )
    rows = []
    for key, (game, n, token, state, at) in salvaged.plies.items():
        if 0 < game <= LAST_GAME:
            row = (key, game, n, token, state, at)
            rows.append((*row, checksum(*row)))
    db.executemany(f"INSERT OR REPLACE INTO ply ({PLY_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    events = [(key, *row, checksum(key, *row)) for key, row in salvaged.outbox.items()]
    if events:
        db.executemany(
            f"INSERT OR REPLACE INTO outbox ({EVENT_COLUMNS}) VALUES (?, ?, ?, ?, ?)", events
        )
    db.execute("COMMIT")
    _remember_all(db, salvaged.memory)


def _remember_all(db: sqlite3.Connection, texts: dict[str, str]) -> None:
    """Store these texts, replacing earlier ones with the same keys."""
    db.execute("BEGIN IMMEDIATE")
    for key, value in texts.items():
        db.execute("DELETE FROM memory WHERE key=?", (key,))
        remember(db, key, value)
    db.execute("COMMIT")


_HOLES = """SELECT game FROM (
 SELECT game, count(*) AS moves, sum(n) AS sums, sum(n * n) AS squares, max(n) AS most,
  max(CASE state WHEN 'played' THEN n ELSE -1 END) AS played,
  min(CASE state WHEN 'undone' THEN n ELSE 1 << 40 END) AS undone
 FROM ply WHERE state <> 'replaced' GROUP BY game
) WHERE most <> moves - 1 OR sums <> moves * (moves - 1) / 2
 OR squares <> (moves - 1) * moves * (2 * moves - 1) / 6 OR played > undone"""
"""Finds games whose moves are not 0, 1, 2 ...: the sums of n and its square would be these."""


def _make_consistent(db: sqlite3.Connection) -> Recovered:
    """Cut games before their first missing move, so that their played moves are 0, 1, 2 ..."""
    db.execute("BEGIN IMMEDIATE")
    db.execute("DELETE FROM ply WHERE game NOT IN (SELECT id FROM game)")
    dropped = int(db.execute("SELECT changes()").fetchone()[0])
    for (game,) in db.execute(_HOLES).fetchall():
        plies = db.execute("SELECT id, n, state FROM ply WHERE id BETWEEN ? AND ?", ids(game))
        rows = {key: (n, state) for key, n, state in plies.fetchall()}
        states = _consistent_states(rows)
        cut = [key for key, (_, state) in rows.items() if states[key] != state]
        db.executemany(
            "UPDATE ply SET state='replaced', crc=checksum(id, game, n, token, 'replaced', at)"
            " WHERE id=?",
            [(key,) for key in cut],
        )
        # play can go on from the cut
        db.execute(
            "UPDATE game SET ended=NULL, result=NULL,"
            " crc=checksum(id, tags, began, NULL, NULL, shelved) WHERE id=?",
            (game,),
        )
        dropped += len(cut)
    games = db.execute("SELECT count(*) FROM game").fetchone()[0]
    moves = db.execute("SELECT count(*) FROM ply WHERE state='played'").fetchone()[0]
    db.execute("COMMIT")
    return Recovered(games, moves, dropped)


def _consistent_states(plies: dict[int, tuple[int, str]]) -> dict[int, str]:
    """Return the state for each row, such that the played moves of the game are 0, 1, 2 ...

    `plies` has (n, state) by id.
    """
    states = dict.fromkeys(plies, "replaced")
    # the row to use for each n: the last one that was written
    newest: dict[int, int] = {}
    for key, (n, state) in sorted(plies.items()):
        if state != "replaced":
            newest[n] = key
    undone = False
    for n in range(len(newest)):
        if n not in newest:
            break
        _, state = plies[newest[n]]
        if undone and state == "played":  # undone moves come last
            break
        undone = state == "undone"
        states[newest[n]] = state
    return states


# --- the outbox: what a hub must get


def number_anew(db: sqlite3.Connection, others: Iterable[str | None] = ()) -> None:
    """Take the numbers from all events of a store that was rescued, or is to be put in place.

    The hub knows an event by the id of the store and its number. What comes out of a damaged file,
    or from a copy, may lack some that the hub has, and would give their numbers to others. So the
    link makes a new id, and numbers all that is kept from 1.

    What is missing becomes `lost` events. The same rows give the same ones, so that this may be
    done again.
    """
    row = db.execute("SELECT value FROM memory WHERE key=?", (STATE,)).fetchone()
    events = db.execute("SELECT id, seq, body FROM outbox ORDER BY id").fetchall()
    if row is None and not events:
        return
    facts = OutboxFacts.read(row and row[0])
    db.execute("BEGIN IMMEDIATE")
    # old copies of rows that the hub was sure to have
    db.execute("DELETE FROM outbox WHERE seq BETWEEN 1 AND ?", (facts.closed,))
    kept = [event for event in events if not 0 < event[1] <= facts.closed]
    broken = _broken(kept)
    db.executemany(
        "UPDATE outbox SET body=?2, crc=checksum(id, game, seq, ?2) WHERE id=?1",
        [(key, LOST) for key in broken],
    )
    top = max((key for key, *_ in events), default=0)
    lost = [(top + 1 + count, 0, 0, LOST) for count in range(_missing(kept, facts))]
    db.executemany(
        "INSERT INTO outbox (id, game, seq, body, crc) VALUES (?, ?, ?, ?, ?)",
        [(*values, checksum(*values)) for values in lost],
    )
    db.execute("UPDATE outbox SET seq=0, crc=checksum(id, game, 0, body)")
    text = facts.anew(others).text()
    db.execute("DELETE FROM memory WHERE key=?", (STATE,))
    remember(db, STATE, text)
    db.execute("COMMIT")


def _missing(events: Sequence[tuple[int, int, str]], facts: OutboxFacts) -> int:
    """Return how many numbers have no event, of those that have not been forgotten."""
    numbers = {seq for _, seq, _ in events if seq}
    first = facts.closed if facts.store else min(numbers, default=1) - 1
    last = max(facts.last, *numbers, first) if numbers else facts.last
    return min(MOST_LOST, max(0, last - first - len(numbers)))


def _broken(events: Sequence[tuple[int, int, str]]) -> list[int]:
    """Return the ids of heads and parts of records of which a part or the head is missing."""
    kinds = {key: json.loads(body) for key, _, body in events}
    whole: set[int] = set()
    for key, body in kinds.items():
        parts = range(1, body.get("parts", 0) + 1)
        if all(kinds.get(key + part, {}).get("part") == part for part in parts):
            whole.update((key, *(key + part for part in parts)))
    return [key for key in kinds if key not in whole]


def hand_on_outbox(old: sqlite3.Connection, new: sqlite3.Connection) -> None:
    """Prepare a store that is to replace another: a new id, and what still waits in the old one.

    Both stores are of the newest version and sound.
    """
    row = old.execute("SELECT value FROM memory WHERE key=?", (STATE,)).fetchone()
    facts = OutboxFacts.read(row and row[0])
    new.create_function("checksum", -1, checksum, deterministic=True)
    number_anew(new, (facts.store,))
    waiting = "SELECT body FROM outbox WHERE seq=0 OR seq>? ORDER BY id"
    known = {body for (body,) in new.execute("SELECT body FROM outbox")}
    bodies = [body for (body,) in old.execute(waiting, (facts.upto,)) if body not in known]
    if not bodies:
        return
    (top,) = new.execute("SELECT ifnull(max(id), 0) FROM outbox").fetchone()
    rows = [(top + 1 + count, 0, 0, body) for count, body in enumerate(bodies)]
    new.execute("BEGIN IMMEDIATE")
    new.executemany(
        "INSERT INTO outbox (id, game, seq, body, crc) VALUES (?, ?, ?, ?, ?)",
        [(*row, checksum(*row)) for row in rows],
    )
    new.execute("COMMIT")
