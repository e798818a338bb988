"""The tables of the club's database, in SQLAlchemy Core: SQLite and PostgreSQL have the same.

Times are ISO texts in UTC. Ids are numbers that a writer takes itself (`Writing.next_id`): writers
follow one another, and a backup copies them as they are. A row that belongs to an act counts only
as long as the act was not taken back.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

SCHEMA_VERSION = 1
"""Raised when tables or columns change their meaning."""

METADATA = MetaData()

meta = Table(
    "meta",
    METADATA,
    Column("key", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)
"""Single values: the hub's id, its secrets, the highest era and rev."""

acts = Table(
    "acts",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("at", String(40), nullable=False),
    Column("who", String(64), nullable=False),
    Column("kind", String(32), nullable=False),
    Column("facts", Text, nullable=False),
    Column("undone", Integer),
)
"""The journal. `undone` is the id of the act that took this one back."""

tables = Table(
    "tables",
    METADATA,
    Column("id", String(23), primary_key=True),
    Column("password", Text, nullable=False),
    Column("act", Integer, nullable=False),
    Column("removed", Integer),
    Column("store", String(64)),
    Column("hello", Text),
    Column("machine", String(64)),
    Column("seen", String(40)),
    Column("online", Boolean, nullable=False, default=False),
    Column("doubt", String(32)),
    Column("seat", Text),
    Column("era", Integer, nullable=False, default=0),
    Column("rev", Integer, nullable=False, default=0),
)
"""Tables that joined. `password` is the broker's hash of it, `doubt` why the card may be a copy,
`seat` the assignment that was issued last, without its pair (`era`, `rev`)."""

machines = Table(
    "machines",
    METADATA,
    Column("table_id", String(23), primary_key=True),
    Column("machine", String(64), primary_key=True),
    Column("first", String(40), nullable=False),
)
"""Each board that a table's card was seen in."""

table_states = Table(
    "table_states",
    METADATA,
    Column("table_id", String(23), primary_key=True),
    Column("facts", Text, nullable=False),
    Column("at", String(40), nullable=False),
)
"""What each table said last that it does: game, phase, and what became of its assignment."""

stores = Table(
    "stores",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("table_id", String(23), nullable=False),
    Column("upto", BigInteger, nullable=False, default=0),
    Column("first", String(40), nullable=False),
)

events = Table(
    "events",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("table_id", String(23), nullable=False),
    Column("store", String(64), nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("hash", String(64), nullable=False),
    Column("payload", Text, nullable=False),
    Column("at", String(40), nullable=False),
    Column("after_act", Integer, nullable=False),
    Column("here", String(64)),
    Column("version", Integer, nullable=False, default=1),
    Column("of", BigInteger),
    Column("parts", Integer, nullable=False, default=0),
    Column("whole", Boolean, nullable=False, default=True),
    Column("content", String(64)),
    Column("game_id", String(64)),
    Column("revision", BigInteger),
    Column("evening", String(64)),
    Column("round", Integer),
    Column("game", String(64)),
    Column("seats", Text),
    Column("fault", String(16)),
    Column("why", String(16)),
    Column("counted", Boolean, nullable=False, default=False),
    UniqueConstraint("store", "seq"),
    Index("events_game", "game_id"),
    Index("events_round", "evening", "round"),
    Index("events_here", "here"),
    Index("events_of", "store", "of"),
    Index("events_why", "why"),
)
"""Everything a table has sent, once. `version` is that of its message, `after_act` and `here` are
the last act and the evening when it came. `fault` is what the event itself has (`record`, `bad`),
`why` and `counted` what was judged last. `whole` is false as long as parts are missing."""

conflicts = Table(
    "conflicts",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("table_id", String(23), nullable=False),
    Column("store", String(64), nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("hash", String(64), nullable=False),
    Column("payload", Text, nullable=False),
    Column("at", String(40), nullable=False),
    Index("conflicts_store", "store", "seq"),
)
"""What came under a (`store`, `seq`) that had another content already."""

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

evenings = Table(
    "evenings",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("act", Integer, nullable=False),
    Column("games", Text, nullable=False),
    Column("mode", String(16), nullable=False),
    Column("per_table", Integer, nullable=False),
    Column("rounds", Integer, nullable=False, default=0),
    Column("rules", Text, nullable=False, default=""),
    Column("closed", Integer),
)
"""`closed` is the act that closed it."""

rounds = Table(
    "rounds",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("act", Integer, nullable=False),
    Column("evening", String(64), nullable=False),
    Column("number", Integer, nullable=False),
    Column("era", Integer, nullable=False),
    Column("rev", Integer, nullable=False),
    Column("byes", Text, nullable=False),
    Index("rounds_evening", "evening", "number"),
)

groups = Table(
    "groups",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("round_id", Integer, nullable=False),
    Column("place", Integer, nullable=False),
    Column("table_id", String(23)),
    Column("game", String(64), nullable=False),
    Column("rules", Text, nullable=False, default=""),
    Column("board", String(64)),
    Column("seats", Text, nullable=False),
    Index("groups_round", "round_id"),
    Index("groups_table", "table_id"),
)
"""Who sits together in a round: a list of people, seat 1 first, and the table that they have."""

keyed = Table(
    "keyed",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("act", Integer, nullable=False),
    Column("evening", String(64), nullable=False),
    Column("round", Integer, nullable=False),
    Column("game", String(64), nullable=False),
    Column("ranks", Text, nullable=False),
    Index("keyed_round", "evening", "round"),
)
"""Results that the organiser keyed: each person's rank, in the order of the seats."""

decisions = Table(
    "decisions",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("act", Integer, nullable=False),
    Column("event_id", Integer, nullable=False),
    Column("game_id", String(64)),
    Column("accepted", Boolean, nullable=False),
    Index("decisions_game", "game_id"),
)
