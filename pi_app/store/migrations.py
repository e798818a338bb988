"""The store's schema: the tables of each version, and how a file's version is told.

A version is told by its tables, not by its number alone: one flipped bit makes another number,
but no other tables. So a new version must change the tables' text too. A store of an older
version is written anew (see recovery), the file as it was stays whole until that is done.
"""

import json
import sqlite3
import zlib

PAGE_BYTES = 1024
"""A move changes one page, which is written whole: small ones wear the card less."""
GAME_BITS = 24
"""A move's id is its game's id and a number of so many bits: found without an index, which would
be one more page to write for each move, and one more to be damaged.
"""
LAST_GAME = 2 ** (63 - GAME_BITS) - 1
STATES = ("played", "undone", "replaced")
"""What a stored move can be."""

_STATE = "state TEXT NOT NULL CHECK (state IN ('played', 'undone', 'replaced'))"
_GAME = """CREATE TABLE game (
 id INTEGER PRIMARY KEY, tags TEXT NOT NULL, began TEXT NOT NULL, ended TEXT, result TEXT,
 shelved INTEGER NOT NULL DEFAULT 0 {crc})"""
_PLY = f"""CREATE TABLE ply (
 id INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES game (id), n INTEGER NOT NULL,
 token TEXT NOT NULL, {_STATE}, at TEXT NOT NULL {{crc}})"""
_OLD_MEMORY = "CREATE TABLE memory (key TEXT PRIMARY KEY, value TEXT NOT NULL)"
_OLD_INDEXES = (
    "CREATE INDEX ply_of_game ON ply (game, state, n)",
    "CREATE INDEX game_by_state ON game (result, shelved)",
)
_CRC = ", crc INTEGER NOT NULL"
_MEMORY = """CREATE TABLE memory (
 id INTEGER PRIMARY KEY, key TEXT NOT NULL, value TEXT NOT NULL, crc INTEGER NOT NULL)"""

SCHEMAS: dict[int, tuple[str, ...]] = {
    1: (_GAME.format(crc=""), _PLY.format(crc=""), _OLD_MEMORY, *_OLD_INDEXES),
    2: (
        _GAME.format(crc=f"{_CRC} DEFAULT 0"),
        _PLY.format(crc=f"{_CRC} DEFAULT 0"),
        _OLD_MEMORY,
        *_OLD_INDEXES,
    ),
    3: (_GAME.format(crc=_CRC), _PLY.format(crc=_CRC), _MEMORY),
}
"""What makes the tables of each version."""
NEWEST = max(SCHEMAS)


class DamagedError(sqlite3.DatabaseError):
    """The file is not, or not any more, what was written into it."""


ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""What SQLite raises: its own messages may hold damaged text, which cannot be decoded."""


class TooNewError(Exception):
    """The store was written by a newer version of the program, whose tables are unknown here."""

    def __init__(self, version: int) -> None:
        super().__init__(f"schema {version}, known are 1 to {NEWEST}")
        self.version = version


def checksum(*values: object) -> int:
    """Return the checksum of a row: of all its values in their order, types told apart."""
    return zlib.crc32(ascii(values).encode())


def second_checksum(*values: object) -> int:
    """Return the checksum of the second version: of the values that never changed."""
    return zlib.crc32(json.dumps(values, ensure_ascii=False).encode("utf-8", "surrogatepass"))


def create(db: sqlite3.Connection) -> None:
    """Make the newest tables in an empty database."""
    db.execute("BEGIN IMMEDIATE")
    for statement in SCHEMAS[NEWEST]:
        db.execute(statement)
    db.execute(f"PRAGMA user_version={NEWEST}")
    db.execute("COMMIT")


def version_of(db: sqlite3.Connection) -> int:
    """Return the version of a store, 0 for an empty database.

    TooNewError for tables that only a newer program can know, DamagedError where number and
    tables contradict each other.
    """
    number = int(db.execute("PRAGMA user_version").fetchone()[0])
    found = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
    tables = {(kind, name, table, _words(sql)) for kind, name, table, sql in found}
    told = next((version for version in (0, *SCHEMAS) if _tables(version) == tables), None)
    if told == number:
        return number
    if told is None and number > NEWEST:
        raise TooNewError(number)
    raise DamagedError(f"the tables are not those of version {number}")


def _tables(version: int) -> set[tuple[object, ...]]:
    found: set[tuple[object, ...]] = set()
    for sql in SCHEMAS.get(version, ()):
        _, kind, name, *rest = sql.split()
        table = rest[1] if kind == "INDEX" else name
        found.add((kind.lower(), name, table, _words(sql)))
        if "PRIMARY KEY" in sql and "INTEGER PRIMARY KEY" not in sql:
            found.add(("index", f"sqlite_autoindex_{name}_1", name, None))
    return found


def _words(sql: object) -> object:
    """Return a statement without the spaces that versions of the program wrote differently."""
    return "".join(sql.split()) if isinstance(sql, str) else sql
