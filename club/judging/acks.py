"""Tells a table what the hub has of its store."""

from __future__ import annotations

import json

from sqlalchemy import Connection, select

from club.judging.intake import AckWanted
from club.store.database import get
from club.store.live import live
from club.store.schema import acts, conflicts, events, stores
from pi_app.link.contract import MOST_GAPS, Ack, RefusedEvent

BAD = "bad"
CONFLICT = "conflict"


def ack_of(connection: Connection, wanted: AckWanted) -> Ack:
    """Return the ack of a table's store; one of nothing if the store is another table's."""
    store = wanted.store
    row = connection.execute(select(stores).where(stores.c.id == store)).first()
    own = row is not None and row.table_id == wanted.table
    upto = row.upto if row is not None and own else 0
    closed = closed_of(connection, store) if own else 0
    refused = dict.fromkeys(wanted.bad, BAD)
    refused |= _conflicts_of(connection, wanted)
    if own:
        refused |= _refused_of(connection, store, closed)
    newest = sorted(refused)[-MOST_GAPS:]
    return Ack(
        get(connection, "hub"),
        store,
        upto,
        tuple(missing_of(connection, store, upto)) if own else (),
        tuple(RefusedEvent(seq, refused[seq]) for seq in newest),
        min(closed, upto),
    )


def missing_of(connection: Connection, store: str, upto: int) -> list[int]:
    """Return the numbers above `upto` that are missing below others, at most MOST_GAPS."""
    found: list[int] = []
    expected = upto + 1
    for seq in connection.scalars(
        select(events.c.seq)
        .where(events.c.store == store, events.c.seq > upto)
        .order_by(events.c.seq)
    ):
        found += range(expected, min(seq, expected + MOST_GAPS))
        expected = seq + 1
        if len(found) >= MOST_GAPS:
            break
    return found[:MOST_GAPS]


def closed_of(connection: Connection, store: str) -> int:
    """Return up to which number the table may forget: what was there when an evening closed."""
    written = connection.scalars(
        select(acts.c.facts).where(acts.c.kind == "close", live(acts.c.id))
    )
    return max((json.loads(facts)["stores"].get(store, 0) for facts in written), default=0)


def _refused_of(connection: Connection, store: str, closed: int) -> dict[int, str]:
    rows = connection.execute(
        select(events.c.seq, events.c.why)
        .where(events.c.store == store, events.c.seq > closed, events.c.why.is_not(None))
        .order_by(events.c.seq.desc())
        .limit(MOST_GAPS)
    )
    return {row.seq: row.why for row in rows}


def _conflicts_of(connection: Connection, wanted: AckWanted) -> dict[int, str]:
    """Return what came with another content: a table that has not heard of it must."""
    seqs = connection.scalars(
        select(conflicts.c.seq).where(
            conflicts.c.store == wanted.store, conflicts.c.table_id == wanted.table
        )
    )
    return dict.fromkeys(seqs, CONFLICT)
