"""Reading what is left of a damaged database, page by page, without SQLite.

SQLite refuses a file whose first page is gone, and reads past a damaged page only by luck. The
rows themselves lie in leaf pages that explain themselves, in the database and in its
write-ahead log, and every row of ours carries a checksum: what is found is right or left out.
"""

import sqlite3
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from pi_app.store.migrations import checksum

Value = int | float | str | bytes | None
Row = tuple[Value, ...]

_PAGE = 4096
_WAL_HEADER = 32
_FRAME_HEADER = 24
_TABLE_LEAF = 0x0D
STATES = ("played", "undone", "replaced")
"""What a stored move can be."""


@dataclass(slots=True)
class Salvage:
    """The rows that could be read, the newest version of each."""

    games: dict[int, Row] = field(default_factory=dict)
    """(tags, began, ended, result, shelved) by id."""
    plies: dict[int, tuple[int, int, str, str, str]] = field(default_factory=dict)
    """(game, n, token, state, at) by id."""
    memory: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Recovered:
    """What a recovery brought back: games, moves that count, moves that do not any more."""

    games: int
    moves: int
    dropped: int


def salvage(database: bytes, log: bytes = b"") -> Salvage:
    """Return the readable rows of a database file and its write-ahead log; never raises."""
    found = Salvage()
    size = _page_size(database)
    for at in range(0, len(database), size):
        _read_leaf(database[at : at + size], found)
    for page in _committed_pages(log):
        _read_leaf(page, found)
    return found


def _page_size(database: bytes) -> int:
    if database[:16] != b"SQLite format 3\0":
        return _PAGE
    size = int.from_bytes(database[16:18], "big")
    return 65536 if size == 1 else size if size >= 512 and size & (size - 1) == 0 else _PAGE


def frames(log: bytes) -> Iterator[tuple[int, bool, bytes]]:
    """Yield (number from 1, whether it ends a transaction, page) of the log's own frames.

    Frames left over from before the log was last begun anew carry another salt and end it.
    """
    if len(log) < _WAL_HEADER:
        return
    size = int.from_bytes(log[8:12], "big")
    if size not in (512, 1024, 2048, 4096, 8192, 16384, 32768, 65536):
        size = _PAGE
    salt = log[16:24] if _header_is_right(log) else log[_WAL_HEADER + 8 : _WAL_HEADER + 16]
    count = (len(log) - _WAL_HEADER) // (_FRAME_HEADER + size)
    for index in range(count):
        at = _WAL_HEADER + index * (_FRAME_HEADER + size)
        if log[at + 8 : at + 16] == salt:
            ends = log[at + 4 : at + 8] != b"\0\0\0\0"
            yield index + 1, ends, log[at + _FRAME_HEADER : at + _FRAME_HEADER + size]


def _header_is_right(log: bytes) -> bool:
    """Tell whether the log's header has its own checksum, as the file format defines it."""
    order: Literal["big", "little"] = "big" if log[3] & 1 else "little"
    one = two = 0
    for at in range(0, 24, 8):
        one = (one + int.from_bytes(log[at : at + 4], order) + two) & 0xFFFFFFFF
        two = (two + int.from_bytes(log[at + 4 : at + 8], order) + one) & 0xFFFFFFFF
    return log[24:32] == one.to_bytes(4, "big") + two.to_bytes(4, "big")


def _committed_pages(log: bytes) -> Iterator[bytes]:
    """Yield the pages of finished transactions: a half written one is no move."""
    waiting: list[bytes] = []
    for _, ends, page in frames(log):
        waiting.append(page)
        if ends:
            yield from waiting
            waiting.clear()


def _read_leaf(page: bytes, found: Salvage) -> None:
    if not page or page[0] != _TABLE_LEAF:
        return
    count = min(int.from_bytes(page[3:5], "big"), (len(page) - 8) // 2)
    for index in range(count):
        at = 8 + 2 * index
        cell = int.from_bytes(page[at : at + 2], "big")
        try:
            rowid, values = _cell(page, cell)
        except (IndexError, ValueError, struct.error):
            continue
        _keep(rowid, values, found)


def _cell(page: bytes, at: int) -> tuple[int, Row]:
    """Return rowid and values of a cell; ValueError if it is no whole row on this page."""
    length, at = _varint(page, at)
    rowid, at = _varint(page, at)
    if length > len(page) - 35 or at + length > len(page):
        raise ValueError("the row goes on elsewhere")
    payload = page[at : at + length]
    header, at = _varint(payload, 0)
    kinds = []
    while at < header:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    values = []
    for kind in kinds:
        value, at = _value(payload, at, kind)
        values.append(value)
    if at != length:
        raise ValueError("the row has another length")
    return rowid, tuple(values)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for count in range(9):
        byte = data[at + count]
        if count == 8:
            return value << 8 | byte, at + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + count + 1
    raise ValueError("no such number")


def _value(data: bytes, at: int, kind: int) -> tuple[Value, int]:
    if kind in (0, 8, 9):
        return {0: None, 8: 0, 9: 1}[kind], at
    if kind < 7:
        end = at + (1, 2, 3, 4, 6, 8)[kind - 1]
        return int.from_bytes(data[at:end], "big", signed=True), end
    if kind == 7:
        return struct.unpack(">d", data[at : at + 8])[0], at + 8
    if kind < 12:
        raise ValueError("no such kind of value")
    end = at + (kind - 12) // 2
    if end > len(data):
        raise ValueError("the value is cut off")
    return (data[at:end].decode() if kind % 2 else data[at:end]), end


def _keep(rowid: int, values: Row, found: Salvage) -> None:
    """Sort a row by its shape; one whose checksum is wrong is left out."""
    match values:
        case (None, int(game), int(n), str(token), str(state), str(at), *rest):
            if state in STATES and _right(rest, rowid, game, n, token, at):
                found.plies[rowid] = (game, n, token, state, at)
        case (None, str(tags), str(began), ended, result, int(shelved), *rest):
            if _right(rest, rowid, tags, began):
                found.games[rowid] = (tags, began, ended, result, shelved)
        case (str(key), str(value)):
            found.memory[key] = value


def _right(rest: list[Value], *values: Value) -> bool:
    """Tell whether the checksum fits; rows of the first schema have none."""
    return not rest or rest == [checksum(*values)]


def refill(db: sqlite3.Connection, found: Salvage) -> Recovered:
    """Write salvaged rows into an empty store of the newest schema, in one transaction.

    A game goes as far as its moves follow on each other: what stood behind a hole is kept, but
    marked as replaced.
    """
    moves = dropped = 0
    db.execute("BEGIN IMMEDIATE")
    for game, (tags, began, ended, result, shelved) in found.games.items():
        plies = {key: row for key, row in found.plies.items() if row[0] == game}
        states = _consistent(plies)
        cut = sum(states[key] != row[3] for key, row in plies.items())
        outcome = (None, None) if cut else (ended, result)
        db.execute(
            "INSERT INTO game (id, tags, began, ended, result, shelved, crc)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (game, tags, began, *outcome, shelved, checksum(game, tags, began)),
        )
        db.executemany(
            "INSERT INTO ply (id, game, n, token, state, at, crc) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                (key, game, n, token, states[key], at, checksum(key, game, n, token, at))
                for key, (_, n, token, _, at) in plies.items()
            ],
        )
        moves += sum(state == "played" for state in states.values())
        dropped += cut
    dropped += sum(row[0] not in found.games for row in found.plies.values())
    db.executemany("REPLACE INTO memory (key, value) VALUES (?, ?)", found.memory.items())
    db.execute("COMMIT")
    return Recovered(len(found.games), moves, dropped)


def _consistent(plies: dict[int, tuple[int, int, str, str, str]]) -> dict[int, str]:
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
