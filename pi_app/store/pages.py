"""Reads the rows of a damaged database page by page, without SQLite.

SQLite refuses a file whose first page is missing, and reads past a damaged page only by luck. But
the rows are in leaf pages, each readable alone, in the database and in its write-ahead log, and
every row has a checksum: a row is either returned as it was written or left out.
"""

import sqlite3
import struct
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import Literal

from pi_app.store.migrations import PAGE_BYTES, STATES, checksum

_Value = int | float | str | bytes | None
_Row = tuple[_Value, ...]
Ply = tuple[int, int, str, str, str]
"""A stored move without its id: (game, n, token, state, at)."""
Progress = Callable[[float], None]
"""Takes the share that is done, from 0 to 1."""

_WAL_HEADER = 32
_FRAME_HEADER = 24
_FRAME_BYTES = _FRAME_HEADER + PAGE_BYTES
"""A frame is a page after its header: 4 bytes the page's number, 4 the size of the database if the
frame ends a transaction and else 0, 8 the salt, 8 the checksums.
"""
_TABLE_LEAF = 0x0D
MOST_RESTARTS = 1 << 16
"""How many restarts of its log a frame may be old: the log is longer at some than at others."""
LEAVES_AT_ONCE = 128
"""How many leaf pages fit under one interior page."""


@dataclass(slots=True)
class Salvage:
    """The readable rows, each in its newest version."""

    games: dict[int, _Row] = field(default_factory=dict)
    """(tags, began, ended, result, shelved) by id."""
    plies: dict[int, Ply] = field(default_factory=dict)
    """(game, n, token, state, at) by id."""
    memory: dict[str, str] = field(default_factory=dict)
    """Texts by key."""
    outbox: dict[int, tuple[int, int, str]] = field(default_factory=dict)
    """(game, seq, body) by id."""

    def difference(self, other: "Salvage") -> "Salvage":
        """Return the rows that `other` does not have, but for the outbox.

        An event is never written alone, and what a hub has acknowledged is deleted.
        """
        return Salvage(
            {key: row for key, row in self.games.items() if other.games.get(key) != row},
            {key: row for key, row in self.plies.items() if other.plies.get(key) != row},
            {key: row for key, row in self.memory.items() if other.memory.get(key) != row},
        )


def leaves(database: bytes, log: bytes) -> Iterator[tuple[str, list[bytes]]]:
    """Yield (table, leaf pages), the oldest first, a few pages at a time.

    The table is "" for pages that do not show theirs.
    """
    waiting: dict[str, list[bytes]] = {}
    in_file = (
        database[offset : offset + PAGE_BYTES] for offset in range(0, len(database), PAGE_BYTES)
    )
    # every version of a page in the log: the last transaction may be incomplete
    log_pages = (page for _, page in committed_pages(log))
    for page in chain(_stale_pages(log), in_file, log_pages):
        if len(page) == PAGE_BYTES and page[0] == _TABLE_LEAF:
            table = _table_of(page)
            pages = waiting.setdefault(table, [])
            pages.append(page)
            if len(pages) == LEAVES_AT_ONCE:
                yield table, waiting.pop(table)
    # "" comes first: a page that does not show its table is damaged, and others have newer copies
    # of its rows
    yield from sorted(waiting.items())


def _stale_pages(log: bytes) -> Iterator[bytes]:
    """Yield the log's pages from before its last restart: old, but maybe the only ones left."""
    current = {number for number, *_ in frames(log)}
    for number, offset in enumerate(_frame_offsets(log), 1):
        if number not in current:
            yield log[offset + _FRAME_HEADER : offset + _FRAME_BYTES]


def _table_of(page: bytes) -> str:
    """Return the table to which a page belongs, by its first row; "" if it does not show."""
    try:
        # a page's header (8 bytes) is followed by the offsets of its rows; a row begins with its
        # length and its id, and then its header, whose first byte is the header's length
        _, offset = _varint(page, int.from_bytes(page[8:10], "big"))  # the length
        _, offset = _varint(page, offset)  # the id
        fields, _ = _fields(page[offset : offset + page[offset]])
    except (IndexError, ValueError):
        return ""
    # games and moves have 7 columns, events in `outbox` 5, texts in `memory` 4
    if len(fields) == 7:
        # the second column of a game is a text (its tags; kinds above 12), that of a move a number
        _, _, kind = fields[1]
        return "game" if kind > 12 else "ply"
    return {4: "memory", 5: "outbox"}.get(len(fields), "")


@lru_cache
def _first_page(sql: str) -> bytes:
    """Return the first page of a database with one table, whose rows begin on the second page."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute(f"PRAGMA page_size={PAGE_BYTES}")
        db.execute(sql)
        return db.serialize()[:PAGE_BYTES]


def build_database(sql: str, pages: list[bytes]) -> bytes:
    """Return a database with one table that consists of these leaf pages, for SQLite to read.

    `sql` creates the table. SQLite reads the pages ten times as fast as Python can, but not rows
    that continue on other pages.
    """
    # the first page and the root come before the leaves, so leaf 1 is page 3; any rising rowids do
    # (here one byte each), as nothing searches by them
    count = len(pages)
    cells = b"".join(
        (number + 2).to_bytes(4, "big") + bytes((number,)) for number in range(1, count)
    )
    start = PAGE_BYTES - len(cells)
    # an interior page (type 5) whose cells are a page number and the highest rowid on that page
    # (5 bytes); the highest page has no cell, it ends the header: type, no free block, number of
    # cells, where they start, no fragments, last page
    root = struct.pack(">BHHHBI", 5, 0, count - 1, start, 0, count + 2)
    root += struct.pack(f">{count - 1}H", *range(start, PAGE_BYTES, 5))
    first = _first_page(sql)
    # the number of pages
    first = first[:28] + (count + 2).to_bytes(4, "big") + first[32:]
    return b"".join((first, root.ljust(start, b"\0"), cells, *pages))


def salvage(pages: Iterable[bytes], database: bytes, log: bytes) -> Salvage:
    """Return the readable rows of these pages of a file and its log; never raises."""
    rows = Salvage()
    all_pages = _Pages(database, dict(committed_pages(log)))
    for page in pages:
        if not page or page[0] != _TABLE_LEAF:
            continue
        # the number of rows, if it is not altered: no more offsets than this fit
        count = min(int.from_bytes(page[3:5], "big"), (len(page) - 8) // 2)
        for cell in struct.unpack_from(f">{count}H", page, 8):
            try:
                rowid, values = _cell(page, cell, all_pages)
                _add_row(rowid, values, rows)
            except (IndexError, ValueError, struct.error):
                continue
    return rows


class _Pages:
    """The pages of a database by number (from 1), the log's before the file's, for long rows."""

    def __init__(self, database: bytes, log_pages: dict[int, bytes]) -> None:
        self._database = database
        self._log_pages = log_pages

    def rest(self, number: int, length: int) -> bytes:
        """Return the part of a row that is on overflow pages; ValueError if one is missing."""
        parts = []
        while length > 0:
            page = (
                self._log_pages.get(number)
                or self._database[(number - 1) * PAGE_BYTES : number * PAGE_BYTES]
            )
            if number < 1 or len(page) < PAGE_BYTES:
                raise ValueError("the row goes on nowhere")
            # an overflow page begins with the number of the next one
            number = int.from_bytes(page[:4], "big")
            parts.append(page[4 : 4 + length])
            length -= PAGE_BYTES - 4
        return b"".join(parts)


def frames(log: bytes) -> Iterator[tuple[int, bool, int, bytes]]:
    """Yield (number from 1, whether it ends a transaction, page number, page) of the log's frames.

    Frames from before the log's last restart have another salt and are left out.
    """
    starts = _frame_offsets(log)
    salt = log[16:24]
    if not header_is_right(log):  # the first half of the salt grows each time the log restarts
        salts = Counter(log[offset + 8 : offset + 16] for offset in starts)
        # a salt that occurs only once may be altered
        salt = max(salts, key=lambda value: (salts[value] > 1, value), default=salt)
    for index, offset in enumerate(starts):
        if log[offset + 8 : offset + 16] == salt:
            ends = log[offset + 4 : offset + 8] != b"\0\0\0\0"
            number = int.from_bytes(log[offset : offset + 4], "big")
            yield index + 1, ends, number, log[offset + _FRAME_HEADER : offset + _FRAME_BYTES]


def _frame_offsets(log: bytes) -> range:
    """Return the offsets of the frames."""
    return range(_WAL_HEADER, len(log) - _FRAME_BYTES + 1, _FRAME_BYTES)


def unread_transactions(log: bytes, last_read: int) -> int:
    """Return how many transactions the log may hold after the last frame that SQLite reads.

    Erased frames count too, except those of which an interrupted transaction may be the reason:
    where the log grew, any part of it may have reached the disk, also the last one alone. Frames
    from before the log's last restart do not count.
    """
    starts = _frame_offsets(log)
    last_frames = [number for number, ends, _, _ in frames(log) if number > last_read and ends]
    salts = {offset: log[offset + 8 : offset + 16] for offset in starts[last_read:]}
    altered = sum(any(salt) and not _is_salt_of(log, salt) for salt in salts.values())
    # so far the log reached before, and an interrupted transaction can have left nothing empty
    reached = max((at for at, salt in salts.items() if any(salt) and salt != log[16:24]), default=0)
    # behind this nothing was written: a file is as long as what was written last
    end = starts[last_frames[-1] - 1] if last_frames else len(log.rstrip(b"\0"))
    erased = sum(not any(salt) and (at < reached or at >= end) for at, salt in salts.items())
    return len(last_frames) + altered + erased


def _is_salt_of(log: bytes, salt: bytes) -> bool:
    """Tell whether frames of this log have this salt, or had it before one of its restarts.

    Each restart adds one to the salt's first half, and gives it another second half.
    """
    right = log[16:24]
    behind = int.from_bytes(right[:4], "big") - int.from_bytes(salt[:4], "big")
    return salt == right or (0 < behind % (1 << 32) < MOST_RESTARTS and salt[4:] != right[4:])


def header_is_right(log: bytes) -> bool:
    """Return whether the checksum in the log's header is right, as the file format defines it."""
    if len(log) < _WAL_HEADER or int.from_bytes(log[8:12], "big") != PAGE_BYTES:
        return False
    first, second = _sum_words(log, 0, 24, _order(log), (0, 0))
    return log[24:32] == struct.pack(">II", first, second)


def last_valid_frame(log: bytes) -> int:
    """Return the number of the last frame that SQLite reads: up to the first wrong checksum."""
    if not header_is_right(log):
        return 0
    order, salt = _order(log), log[16:24]
    sums = struct.unpack(">II", log[24:32])
    last = 0
    for number, offset in enumerate(_frame_offsets(log), 1):
        if log[offset + 8 : offset + 16] != salt:
            break
        sums = _sum_words(log, offset, 8, order, sums)
        sums = _sum_words(log, offset + _FRAME_HEADER, PAGE_BYTES, order, sums)
        if log[offset + 16 : offset + 24] != struct.pack(">II", *sums):
            break
        if log[offset + 4 : offset + 8] != b"\0\0\0\0":  # it ends a transaction
            last = number
    return last


def _order(log: bytes) -> Literal[">", "<"]:
    """Return the byte order of the log's checksums: the lowest bit of its first number."""
    return ">" if log[3] & 1 else "<"


def _sum_words(
    log: bytes, offset: int, length: int, order: Literal[">", "<"], sums: tuple[int, ...]
) -> tuple[int, int]:
    """Continue the two checksums with these bytes, as the file format defines it."""
    first, second = sums
    words = struct.unpack_from(f"{order}{length // 4}I", log, offset)
    for index in range(0, len(words), 2):
        first = (first + words[index] + second) & 0xFFFFFFFF
        second = (second + words[index + 1] + first) & 0xFFFFFFFF
    return first, second


def committed_pages(log: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the pages of finished transactions: a transaction written by half is no move."""
    waiting: list[tuple[int, bytes]] = []
    for _, ends, number, page in frames(log):
        waiting.append((number, page))
        if ends:
            yield from waiting
            waiting.clear()


def _cell(page: bytes, offset: int, pages: _Pages) -> tuple[int, _Row]:
    """Return rowid and values of a cell; ValueError if it is not a complete row."""
    length, offset = _varint(page, offset)
    rowid, offset = _varint(page, offset)
    # the sizes by which the file format divides a row that is too long for its page
    most = PAGE_BYTES - 35
    if length <= most:
        payload = page[offset : offset + length]
    else:
        least = (PAGE_BYTES - 12) * 32 // 255 - 23
        on_page = least + (length - least) % (PAGE_BYTES - 4)
        on_page = least if on_page > most else on_page
        first = int.from_bytes(page[offset + on_page : offset + on_page + 4], "big")
        payload = page[offset : offset + on_page] + pages.rest(first, length - on_page)
    header_bytes = payload[0]
    if header_bytes >= 0x80:  # a length of more than one byte
        raise ValueError("no row of ours has so many values")
    fields, end = _fields(payload[:header_bytes])
    if end != length or len(payload) != length:
        raise ValueError("the row has another length")
    return rowid, tuple([_value(payload, *field) for field in fields])


@lru_cache(maxsize=4096)
def _fields(header: bytes) -> tuple[tuple[tuple[int, int, int], ...], int]:
    """Return (start, end, kind) of each value that a row's header describes, and the row's end."""
    # the first byte is the length of the header
    offset, kinds = 1, []
    while offset < len(header):
        kind, offset = _varint(header, offset)
        kinds.append(kind)
    fields = []
    start = len(header)
    for kind in kinds:
        if kind in (10, 11):
            raise ValueError("no such kind of value")
        # SQLite's serial types: numbers, then blobs (even) and texts (odd) with their length
        length = (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)[kind] if kind < 12 else (kind - 12) // 2
        fields.append((start, start + length, kind))
        start += length
    return tuple(fields), start


def _varint(data: bytes, offset: int) -> tuple[int, int]:
    """Return a number in SQLite's variable length, 7 bits a byte, and the offset after it."""
    value = 0
    for count in range(9):
        byte = data[offset + count]
        if count == 8:  # the ninth byte has 8 bits of the number
            return value << 8 | byte, offset + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, offset + count + 1
    raise ValueError("no such number")


def _value(data: bytes, start: int, end: int, kind: int) -> _Value:
    if kind >= 12:
        return data[start:end].decode() if kind % 2 else data[start:end]
    # these have no bytes
    if kind in (0, 8, 9):
        return {0: None, 8: 0, 9: 1}[kind]
    if kind == 7:
        return float(struct.unpack_from(">d", data, start)[0])
    return int.from_bytes(data[start:end], "big", signed=True)


def _add_row(rowid: int, values: _Row, rows: Salvage) -> None:
    """Add a row to the table that its shape shows; leave it out if its checksum is wrong."""
    # the id, which comes first, is None in a row: SQLite keeps it as the rowid only
    match values:
        case (None, int(game), int(n), str(token), str(state), str(at), int(crc)):
            if state in STATES and crc == checksum(rowid, game, n, token, state, at):
                rows.plies[rowid] = (game, n, token, state, at)
        case (None, str(tags), str(began), ended, result, int(shelved), int(crc)):
            if crc == checksum(rowid, *values[1:6]):
                rows.games[rowid] = (tags, began, ended, result, shelved)
        case (None, int(game), int(seq), str(body), int(crc)):
            if crc == checksum(rowid, game, seq, body):
                rows.outbox[rowid] = (game, seq, body)
        case (None, str(key), str(value), int(crc)):
            if crc == checksum(key, value):
                rows.memory[key] = value
        case _:
            pass
