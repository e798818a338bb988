"""Checks a store for damage: everything from which a game is rebuilt."""

import errno
import logging
import os
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pi_app.files.regular import NoStoreError, check_regular, open_regular
from pi_app.store.migrations import (
    ERRORS,
    GAME_BITS,
    OLDEST,
    PAGE_BYTES,
    STATES,
    DamagedError,
    VersionError,
    checksum,
    newest_version,
    version_of,
)
from pi_app.store.pages import (
    Progress,
    Salvage,
    committed_pages,
    frames,
    last_valid_frame,
    leaves,
    salvage,
    unread_transactions,
)
from pi_app.texts.printable import printable_json

log = logging.getLogger(__name__)

CHECKED_BYTES = 4_000_000
"""A file up to this size (over 1,000 games) is checked completely at each start.

A larger file takes too long: at a start its structure is checked only after a run that did not end
properly, and only the moves of the game to be continued are checked. The companion checks the rest
in the background (`archive.find_damage`).
"""
_PROGRESS_STEPS = 100_000
"""SQLite steps between two calls of `progress`: some milliseconds."""
_ROWS = 250
"""Moves checked at a time: a few milliseconds."""
_HEADER = b"SQLite format 3\0"
_TABLE_MARK = f"state IN {STATES}".encode()
"""A part of the statement that creates a store's table, the same in every version."""
_PART_BYTES = 64 * PAGE_BYTES
_MOST_PARTS = 1024
"""How many parts of a file are searched for signs of a store."""
_OLD_PAGE_BYTES = 4096
"""The page size of every store from before `OLDEST`, and of none since."""
GAME_COLUMNS = "id, tags, began, ended, result, shelved, crc"
PLY_COLUMNS = "id, game, n, token, state, at, crc"
EVENT_COLUMNS = "id, game, seq, body, crc"


def sibling(path: Path, suffix: str) -> Path:
    """Return a path in the same folder: the file's name with a suffix added."""
    return path.parent / f"{path.name}{suffix}"  # "." and "/" have no name that could be replaced


def content(path: Path) -> bytes:
    """Return the readable part of a file's content."""
    data = bytearray()
    try:
        with open_regular(path) as file:
            while part := file.read(1 << 16):
                data += part
    except OSError:
        log.debug("%s cannot be read beyond byte %s", path, len(data))
    return bytes(data)


def check_files(path: Path) -> None:
    """Raise NotAFileError if SQLite would open something that is not a file."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        check_regular(sibling(path, suffix))


def check_is_store(path: Path) -> None:
    """Raise NoStoreError unless a file is a store, perhaps a damaged one, or is empty.

    Even a damaged store shows its table or a row, or has the file of a companion's run beside it.
    """
    if path.is_dir():
        raise NoStoreError(path, errno.EISDIR)
    try:
        with open_regular(path) as file:
            head = part = file.read(_PART_BYTES)
            for _ in range(_MOST_PARTS):
                if not part or _shows_store(part, b""):
                    break
                part = file.read(_PART_BYTES)
            else:
                part = b""
    except OSError:  # reported when the file is used
        return
    is_store = part or not head or sibling(path, ".run").exists()
    if not is_store and not _shows_store(b"", content(sibling(path, "-wal"))):
        raise NoStoreError(path, errno.EINVAL, is_database=head.startswith(_HEADER))


def _shows_store(database: bytes, log: bytes) -> bool:
    return any(_TABLE_MARK in data for data in (database, log)) or any(
        salvage(pages, database, log) != Salvage() for _, pages in leaves(database, log)
    )


def read_only(path: Path, *, immutable: bool = False) -> sqlite3.Connection:
    """Open a database for reading; its log stays where it is, also after closing.

    `immutable`: it has no log, so SQLite needs no files next to it, which a read-only card refuses.
    """
    check_files(path)
    mode = "mode=ro&immutable=1" if immutable else "mode=ro"
    # not `as_uri`: Python 3.14 imports urllib.request for it, and with that TLS
    name = quote(os.fsencode(path.resolve()))
    db = sqlite3.connect(f"file://{name}?{mode}", uri=True, isolation_level=None)
    # a damaged text must be readable, so that its checksum can show the damage
    db.text_factory = lambda text: text.decode("utf-8", "replace")
    db.create_function("checksum", -1, checksum, deterministic=True)
    return db


def check(path: Path, progress: Progress) -> int:
    """Check a store's file without changing it; return its version, 0 for an empty file.

    `progress` is called with 0 again and again: a large file takes an unknown time.
    DamagedError if it is not what was written, VersionError if this program does not know its
    tables, another sqlite3.Error or OSError if it cannot be read now.
    """
    wal = content(sibling(path, "-wal"))
    size = path.stat().st_size if path.exists() else 0
    if not size:
        if any(frames(wal)):
            raise DamagedError("the database is empty, but has a log")
        return 0
    _check_header(path)
    last = _last_transaction(wal)
    with closing(read_only(path, immutable=not wal)) as db:
        db.set_progress_handler(lambda: progress(0), _PROGRESS_STEPS)
        version = version_of(db)
        _check_last(db, last)
        if version < newest_version():
            check_earlier(db, version)
            return version
        # a log is left by a run that did not end properly
        if wal or size <= CHECKED_BYTES:
            _check_structure(db, "quick_check")
        _check_rows(db)
        if size <= CHECKED_BYTES:
            _check_moves(db)
    return version


def check_earlier(db: sqlite3.Connection, version: int) -> None:
    """Check a store of an earlier version completely: migrating would hide damage by new checksums.

    Whatever the columns of that version are, the last one is the checksum of the others; in the
    table `memory` it leaves out the id.
    """
    _check_structure(db, "integrity_check")
    # version 0 is an empty database, without tables
    tables = (("game", 0), ("ply", 0), ("memory", 1)) if version else ()
    for table, first in (*tables, ("outbox", 0)) if version > OLDEST else tables:
        for row in db.execute(f"SELECT * FROM {table}"):
            check_row(table, row[first:])


def version_at(path: Path) -> int:
    """Return the version of a damaged store; the newest if number and tables do not show it."""
    try:
        with closing(read_only(path, immutable=not content(sibling(path, "-wal")))) as db:
            return version_of(db) or newest_version()
    except (*ERRORS, OSError):
        return newest_version()


def check_in_use(path: Path, db: sqlite3.Connection) -> int:
    """Check a store that its companion is using, and return its version, as `check` does.

    The log is not checked, as it is being written, nor are moves, which are checked when they are
    read. A file larger than `CHECKED_BYTES` is not checked, because a person is waiting.
    """
    _check_header(path)
    version = version_of(db)
    if version == newest_version() and path.stat().st_size <= CHECKED_BYTES:
        _check_structure(db, "quick_check")
        _check_rows(db)
    return version


def check_all(db: sqlite3.Connection, pause: Callable[[], None]) -> None:
    """Check a store of any size; DamagedError if it is not what was written.

    `pause` is called every few milliseconds, but not while SQLite checks the structure, which does
    not make other threads wait.
    """
    _check_structure(db, "quick_check")
    _check_rows(db)
    _check_moves(db, pause)


def _check_header(path: Path) -> None:
    """Raise DamagedError if the first bytes would make SQLite read the file differently.

    VersionError if they are those of a store older than `OLDEST`.
    """
    with open_regular(path) as file:
        head = file.read(100)
    number = int.from_bytes(head[60:64], "big")
    old = head[16:18] == _OLD_PAGE_BYTES.to_bytes(2, "big") and number < OLDEST
    if head[:16] == _HEADER and old:
        raise VersionError(number)
    sound = (
        head[:16] == _HEADER
        # in this order: page size, rollback journal or WAL, no reserved space and the fixed
        # shares of a page, schema format, no auto-vacuum and UTF-8, no incremental vacuum
        and head[16:18] == PAGE_BYTES.to_bytes(2, "big")
        and head[18:20] in (b"\x01\x01", b"\x02\x02")
        and head[20:24] == b"\x00\x40\x20\x20"
        and head[44:48] in (b"\0\0\0\0", b"\0\0\0\x04")
        and head[52:60] in (b"\0\0\0\0\0\0\0\0", b"\0\0\0\0\0\0\0\x01")
        and head[64:68] == b"\0\0\0\0"
    )
    if not sound:
        raise DamagedError("the first page is altered")


def _last_transaction(wal: bytes) -> Salvage:
    """Return the rows of the one transaction that SQLite may ignore, if it is a single frame.

    SQLite stops at the first wrong checksum. One transaction after that may be the one that a
    power cut interrupted; DamagedError if there are more, as those were finished, and shown.
    """
    last_read = last_valid_frame(wal)
    unread = unread_transactions(wal, last_read)
    if unread > 1:
        raise DamagedError(f"the log is damaged before its last {unread} transactions")
    if [number for number, *_ in frames(wal) if number > last_read] != [last_read + 1]:
        return Salvage()  # of several frames some came to the disk and some did not
    # the log's head has 32 bytes, a frame's 24
    before = wal[: 32 + last_read * (24 + PAGE_BYTES)]
    return _rows_of(wal).difference(_rows_of(before))


def _rows_of(log: bytes) -> Salvage:
    return salvage((page for _, page in committed_pages(log)), b"", log)


def _check_last(db: sqlite3.Connection, salvaged: Salvage) -> None:
    """Raise DamagedError if the log's last transaction was finished, but SQLite ignores it.

    It was finished if it has a row that the database lacks. Rows with known ids prove nothing: an
    interrupted transaction may have written a frame's header before a page of an earlier log, whose
    rows have all been in the database since, maybe changed.
    """
    for query, keys in (
        ("SELECT 1 FROM ply WHERE id=?", salvaged.plies),
        ("SELECT 1 FROM game WHERE id=?", salvaged.games),
        ("SELECT 1 FROM memory WHERE key=?", salvaged.memory),
    ):
        if not all(db.execute(query, (key,)).fetchone() for key in keys):
            raise DamagedError("the log is damaged in its last transaction")


def _check_structure(db: sqlite3.Connection, pragma: str) -> None:
    answer = db.execute(f"PRAGMA {pragma}(1)").fetchone()[0]
    if answer != "ok":
        raise DamagedError(str(answer))


def _check_rows(db: sqlite3.Connection) -> None:
    """Raise DamagedError if a game's row, or the game to be continued, is not what was written."""
    # (shelved, -id) of the game to be continued; no game has (2, 0)
    resumable = (2, 0)
    for row in db.execute(f"SELECT {GAME_COLUMNS} FROM game"):
        check_row("game", row)
        game, _, _, _, result, shelved, _ = row
        if result is None:
            resumable = min(resumable, (shelved, -game))
    for row in db.execute("SELECT key, value, crc FROM memory"):
        check_row("what is remembered", row)
    for row in db.execute(f"SELECT {EVENT_COLUMNS} FROM outbox"):
        check_row("an event", row)
    # SQLite finds an altered id only if the order is wrong then. The lowest and the highest id can
    # keep the order and yet belong to no game any more, which would lose that move silently.
    for aggregate in ("min", "max"):
        for row in db.execute(
            f"SELECT {PLY_COLUMNS} FROM ply WHERE id=(SELECT {aggregate}(id) FROM ply)"
        ):
            check_row("a move", row)
    _, negative_id = resumable
    if negative_id:
        played_and_undone(-negative_id, db.execute(PLIES, ids(-negative_id)).fetchall())


def _check_moves(db: sqlite3.Connection, pause: Callable[[], None] = lambda: None) -> None:
    """Raise DamagedError if any game has a move that is not what was written."""
    count, last = _ROWS, -1  # no id is less than 0
    while count == _ROWS:
        pause()
        batch = "SELECT * FROM ply WHERE id > ? ORDER BY id LIMIT ?"
        right = "crc IS checksum(id, game, n, token, state, at)"
        query = f"SELECT count(*), sum({right}), max(id) FROM ({batch})"
        count, sound, last = db.execute(query, (last, _ROWS)).fetchone()
        if count and sound < count:
            raise DamagedError("a move was altered")


PLIES = f"SELECT {PLY_COLUMNS} FROM ply WHERE id BETWEEN ? AND ? ORDER BY id"


OWN_PLIES = f"ply.id BETWEEN game.id << {GAME_BITS} AND ((game.id + 1) << {GAME_BITS}) - 1"
"""The SQL condition that selects a game's moves, as `ids` does for one game."""
HAS_MOVES = f"EXISTS (SELECT 1 FROM ply WHERE ply.state = 'played' AND {OWN_PLIES})"


def ids(game: int) -> tuple[int, int]:
    """Return the lowest and the highest id that a move of a game may have."""
    return game << GAME_BITS, ((game + 1) << GAME_BITS) - 1


def check_row(kind: str, row: Sequence[Any]) -> None:
    """Raise DamagedError if a row's last value is not the checksum of the others."""
    if row[-1] != checksum(*row[:-1]):
        raise DamagedError(f"{kind} {row[0]!r} was altered")


def tags_of(text: str) -> dict[str, str]:
    """Return a game's tags from their stored text; DamagedError if it holds no tags."""
    try:
        tags = printable_json(text)
    except (ValueError, TypeError, RecursionError) as error:
        raise DamagedError(f"tags cannot be read: {error}") from None
    if not isinstance(tags, dict):
        raise DamagedError("tags are no table")
    return {str(name): str(value) for name, value in tags.items()}


def played_and_undone(
    game: int, rows: Sequence[Sequence[Any]]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return (moves that count, undone moves) of a game from all its rows.

    DamagedError unless every row is what was written, and they are moves 0, 1, 2 ...
    """
    # a row has the columns of PLY_COLUMNS: 1 the game, 2 the number n, 3 the token, 4 the state
    for row in rows:
        check_row("a move", row)
        if row[1] != game:
            raise DamagedError(f"move {row[0]} is not of game {game}")
    played = {row[2]: row[3] for row in rows if row[4] == "played"}
    undone = {row[2]: row[3] for row in rows if row[4] == "undone"}
    # rows, not different numbers: a number that occurs twice is damage
    count = sum(row[4] != "replaced" for row in rows)
    if [*sorted(played), *sorted(undone)] != list(range(count)):
        raise DamagedError(f"the moves of game {game} do not follow on each other")
    return (
        tuple(played[n] for n in range(len(played))),
        tuple(undone[n] for n in range(len(played), count)),
    )
