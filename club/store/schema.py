"""The tables of the club's database, in SQLAlchemy Core, for SQLite and PostgreSQL.

Times are ISO texts in UTC. Writers choose ids themselves (`Writing.add`), as there is one writer at
a time; a backup copies ids unchanged. A row of an act is valid only while the act was not taken
back.
"""

import json
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)

SCHEMA_VERSION = 3
"""Raised when tables or columns change their meaning."""

METADATA = MetaData()


class JsonText(TypeDecorator[Any]):
    """A value stored as JSON."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: object) -> str | None:
        del dialect
        return None if value is None else json.dumps(value, sort_keys=True)

    def process_result_value(self, value: str | None, dialect: object) -> Any:
        del dialect
        return None if value is None else json.loads(value)


meta = Table(
    "meta",
    METADATA,
    Column("key", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)
"""Single values: the hub's id, its era, its secrets, the highest rev and tick."""

acts = Table(
    "acts",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("at", String(40), nullable=False),
    Column("who", String(64), nullable=False),
    Column("kind", String(32), nullable=False),
    Column("facts", JsonText, nullable=False),
    Column("undone", Integer),
)
"""The journal. `undone` is the id of the act that took this one back."""

tables = Table(
    "tables",
    METADATA,
    Column("id", String(23), primary_key=True),
    Column("act", Integer, nullable=False),
    Column("token", String(64), nullable=False, unique=True),
    Column("nonce", String(64)),
    Column("address", String(64), nullable=False, default=""),
    Column("confirmed", Integer),
    Column("removed", Integer),
    Column("machine", String(128)),
    Column("boot", String(64)),
    Column("old_boots", JsonText, nullable=False, default=[]),
    Column("heard", Float, nullable=False, default=0.0),
    Column("rival", String(128)),
    Column("rival_boot", String(64)),
    Column("rival_heard", Float, nullable=False, default=0.0),
    Column("software", String(64)),
    Column("waiting", Integer, nullable=False, default=0),
    Column("empty_in", String(64)),
    Column("stream", String(32)),
    Column("state", JsonText),
    Column("seat", JsonText),
    Column("rev", Integer, nullable=False, default=0),
)
"""Tables that joined. `token` and `nonce` are hashes, `confirmed` and `removed` are acts. `machine`
and `boot` are the holder's, `old_boots` its earlier ones, `heard` is when it was last heard
(seconds since 1970). `rival` is another machine, or an older boot, that was refused. `empty_in` is
the era of the last report that no results wait there, `stream` the newest stream of news, `state`
the reported state, `seat` the last assignment, without `rev`."""

results = Table(
    "results",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("table_id", String(23), nullable=False),
    Column("game_id", String(64), nullable=False),
    Column("revision", BigInteger, nullable=False),
    Column("content", String(64), nullable=False),
    Column("withdrawn", Boolean, nullable=False),
    Column("payload", JsonText, nullable=False),
    Column("at", String(40), nullable=False),
    Column("after_act", Integer, nullable=False),
    Column("here", String(64)),
    Column("evening", String(64)),
    Column("round", Integer),
    Column("game", String(64)),
    Column("seats", JsonText),
    Column("fault", String(16)),
    Column("verdict", String(16), nullable=False),
    Column("why", String(40)),
    Column("tick", Integer, nullable=False),
    Column("answered", Integer, nullable=False),
    UniqueConstraint("game_id", "revision", "table_id", "content"),
    Index("results_table", "table_id"),
    Index("results_round", "evening", "round"),
    Index("results_here", "here"),
    Index("results_verdict", "verdict"),
    Index("results_tick", "tick"),
)
"""Every content from a table, once. `after_act` and `here` are the last act and the evening when it
came, `fault` is the result's own fault (`record`, `no-record` ...). `verdict` and `why` were last
derived at `tick`; `answered` is the tick of the verdict that the table got."""

people = Table(
    "people",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("act", Integer, nullable=False),
    Column("p", String(16), nullable=False),
    Column("name", Text),
    Column("present", Boolean, nullable=False),
    Index("people_p", "p"),
)
"""Facts about people: the last valid row of a person counts. `name` null: as before."""

rounds = Table(
    "rounds",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("act", Integer, nullable=False),
    Column("evening", String(64), nullable=False),
    Column("number", Integer, nullable=False),
    Column("rev", Integer, nullable=False),
    Column("byes", JsonText, nullable=False),
    Column("given", Integer),
    Column("groups", JsonText, nullable=False),
    Index("rounds_evening", "evening", "number"),
)
"""`given` is the act that handed a round out to the tables. Each group has its `table`, `game`,
`rules`, and its people as `seats`, seat 1 first."""
