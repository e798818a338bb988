"""The tables of the club's database, in SQLAlchemy Core: SQLite and PostgreSQL have the same.

Times are ISO texts in UTC. Ids are numbers that a writer takes itself (`Writing.add`): writers
follow one another, and a backup copies them as they are. A row that belongs to an act counts only
as long as the act was not taken back.
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
    """A value that is kept as JSON."""

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
"""Tables that joined. `token` and `nonce` are hashes, `confirmed` and `removed` the acts that did
so. `machine` and `boot` are the holder's, `old_boots` those that it had before, `heard` is when it
was heard last (seconds since 1970). `rival` is another machine, or an older boot, that was refused.
`empty_in` is the era in which the table said last that nothing waits there, `stream` the newest
stream of news, `state` what it does now, `seat` the last assignment, without `rev`."""

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
"""Every content that a table has sent, once. `after_act` and `here` are the last act and the
evening when it came, `fault` is what the result itself has (`record`, `no-record` ...). `verdict`
and `why` were derived last at `tick`; `answered` is the tick of what the table was told."""

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
"""What was said of a person: the last row that counts holds. `name` null: as before."""

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
"""`given` is the act that gave a round out to the tables. Of each group: the `table` that it has,
its `game` and `rules`, and who sits there as `seats`, seat 1 first."""
