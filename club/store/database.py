"""Opens the club's database, SQLite or PostgreSQL, and lets one writer at a time into it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, Table, create_engine, event, func, insert, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from club.store.schema import METADATA, SCHEMA_VERSION, acts, meta
from pi_app.system.replace import PRIVATE

T = TypeVar("T")

WRITER_LOCK = 0x62656973
"""PostgreSQL's advisory lock for a transaction with changes, an arbitrary number."""
RUNNING_LOCK = WRITER_LOCK + 1
"""PostgreSQL's advisory lock, which running hubs share and a restore holds alone."""
PATIENCE_S = 15
"""How long a writer waits before it gives up."""


class DatabaseError(Exception):
    """The database cannot be used.

    `code` is `url`, `driver`, `no-driver`, `open`, `full` (the disk), `version` (newer), `old`,
    `taken` (a hub runs) or `other` (another program's).
    """

    def __init__(self, code: str, why: str) -> None:
        super().__init__(why)
        self.code = code


class Writing:
    """A transaction with changes, the only one at a time."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.now = utc_text()
        self.who = ""
        """The author of the acts that are noted."""
        self._tick: int | None = None

    def add(self, table: Table, **values: Any) -> int:
        """Add a row with a new id, and return the id."""
        number = (self.connection.scalar(select(func.max(table.c.id))) or 0) + 1
        self.connection.execute(insert(table).values(id=number, **values))
        return number

    def act(self, kind: str, **facts: Any) -> int:
        """Note an act in the journal and return its number."""
        self.tick()
        return self.add(acts, at=self.now, who=self.who, kind=kind, facts=facts)

    def get(self, key: str, default: str = "") -> str:
        return get(self.connection, key, default)

    def put(self, key: str, value: str) -> None:
        """Store a single value."""
        changed = self.connection.execute(
            meta.update().where(meta.c.key == key).values(value=value)
        )
        if not changed.rowcount:
            self.connection.execute(insert(meta).values(key=key, value=value))

    def next(self, key: str) -> int:
        """Return a number above all that this key had before."""
        number = int(self.get(key, "0")) + 1
        self.put(key, str(number))
        return number

    def tick(self) -> int:
        """Return the number of this change: followers read changes above their last number."""
        if self._tick is None:
            self._tick = self.next("tick")
        return self._tick


def get(connection: Connection, key: str, default: str = "") -> str:
    """Return a single value, or the default."""
    value: str | None = connection.scalar(select(meta.c.value).where(meta.c.key == key))
    return default if value is None else value


def utc_text() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class ClubDatabase:
    """The club's database. Each transaction has a connection of its own."""

    def __init__(self, url: str, *, read_only: bool = False) -> None:
        self.engine = open_engine(url, read_only=read_only)
        self.is_sqlite = self.engine.dialect.name == "sqlite"

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Read a consistent state; DatabaseError if that fails."""
        options = {"reading": True} if self.is_sqlite else {"isolation_level": "REPEATABLE READ"}
        with explained(), self.engine.connect() as opened:
            connection = opened.execution_options(**options)
            with connection.begin():
                yield connection

    @contextmanager
    def write(self) -> Iterator[Writing]:
        """Change something: commit everything at the end, nothing after an error."""
        with explained(), self.engine.connect() as connection, connection.begin():
            if not self.is_sqlite:
                connection.execute(text(f"SET LOCAL lock_timeout = '{PATIENCE_S}s'"))
                connection.execute(text("SET LOCAL synchronous_commit = on"))
                connection.execute(text(f"SELECT pg_advisory_xact_lock({WRITER_LOCK})"))
            yield Writing(connection)

    async def reading(self, what: Callable[[Connection], T]) -> T:
        """Call `what` in a thread to read something."""

        def read() -> T:
            with self.read() as connection:
                return what(connection)

        return await asyncio.to_thread(read)

    async def writing(self, what: Callable[[Writing], T]) -> T:
        """Call `what` in a thread to change something."""

        def write() -> T:
            with self.write() as writing:
                return what(writing)

        return await asyncio.to_thread(write)

    def prepare(self) -> None:
        """Create missing tables; DatabaseError `version` if they are newer."""
        with self.write() as writing:
            METADATA.tables["meta"].create(writing.connection, checkfirst=True)
            check_version(writing.get("schema", str(SCHEMA_VERSION)))
            METADATA.create_all(writing.connection)
            writing.put("schema", str(SCHEMA_VERSION))

    def close(self) -> None:
        self.engine.dispose()


def check_version(schema: str) -> None:
    """Raise DatabaseError `version` for a newer schema, `old` for an older one."""
    if int(schema) != SCHEMA_VERSION:
        code = "version" if int(schema) > SCHEMA_VERSION else "old"
        raise DatabaseError(code, f"version {schema}")


@contextmanager
def explained() -> Iterator[None]:
    try:
        yield
    except DBAPIError as error:
        raise DatabaseError("full" if _is_full(error) else "open", _short(error)) from error


def _is_full(error: DBAPIError) -> bool:
    """Tell whether the disk is full, for the database or its journal."""
    name = getattr(error.orig, "sqlite_errorname", "")
    return name in _NO_ROOM or getattr(error.orig, "sqlstate", "") == "53100"


_NO_ROOM = ("SQLITE_FULL", "SQLITE_IOERR_SHMSIZE", "SQLITE_IOERR_WRITE")


def _short(error: SQLAlchemyError) -> str:
    cause = getattr(error, "orig", None) or error
    return " ".join(str(cause).split())[:200]


def sqlite_url(folder: Path) -> str:
    """Return the URL of the database in the folder of a hub's state."""
    return f"sqlite:///{(folder / 'club.db').absolute()}"


def open_engine(url: str, *, read_only: bool = False) -> Engine:
    """Return the engine of a database's URL; DatabaseError if there is no such kind."""
    if url.startswith(("postgresql://", "postgres://")):
        url = "postgresql+psycopg://" + url.partition("://")[2]
    try:
        kind = make_url(url).get_backend_name()
        if kind not in ("sqlite", "postgresql"):
            raise DatabaseError("url", kind)
        engine = create_engine(
            url,
            pool_pre_ping=kind != "sqlite",
            connect_args=_arguments(kind),
            hide_parameters=True,  # keeps passwords and names out of logged errors
        )
    except (ArgumentError, NoSuchModuleError) as error:
        raise DatabaseError("url", str(error).splitlines()[0][:100]) from error
    except ImportError as error:
        # psycopg may be installed without PostgreSQL's library, and then fails to load it
        code = "no-driver" if isinstance(error, ModuleNotFoundError) else "driver"
        raise DatabaseError(code, error.name or "psycopg") from error
    if kind == "sqlite":
        if not read_only:
            _make_private(engine.url.database)
        event.listen(engine, "connect", _own_begin if read_only else _set_up_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def _make_private(name: str | None) -> None:
    """Let only its owner read an SQLite database, which holds the club's keys.

    SQLite gives the files beside it the same mode, and reports a file that cannot be opened.
    """
    if not name or name.startswith(("file:", ":")):  # in memory
        return
    with suppress(OSError):
        os.close(os.open(name, os.O_RDWR | os.O_CREAT, PRIVATE))
    for end in ("", "-wal", "-shm"):
        with suppress(OSError):
            Path(f"{name}{end}").chmod(PRIVATE)


def _arguments(kind: str) -> Mapping[str, Any]:
    if kind == "sqlite":
        return {"timeout": PATIENCE_S}
    # a hub on a dead machine must not keep its lock for hours
    alive = "-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3"
    return {"connect_timeout": 5, "options": alive}


def _own_begin(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # our code sends BEGIN itself


def _set_up_sqlite(connection: Any, record: object) -> None:
    _own_begin(connection, record)
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
    if tables and not {meta.name, acts.name} <= tables:
        raise DatabaseError("other", "it has other tables")
    for pragma in ("journal_mode=WAL", "synchronous=FULL"):
        connection.execute(f"PRAGMA {pragma}").fetchall()


def _begin_sqlite(connection: Connection) -> None:
    reading = connection.get_execution_options().get("reading", False)
    # a reader that becomes a writer later may fail
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")
