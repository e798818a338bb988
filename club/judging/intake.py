"""Takes in what tables send: each event once, whatever comes again, in another order or forged."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Row, insert, select, update

from club.judging.reading import ReadEvent, content_hash, read_event
from club.judging.referee import fault
from club.judging.settling import settle
from club.judging.states import LEAF, note_state
from club.store.database import Writing
from club.store.live import active_tables, current_evening, last_act
from club.store.schema import conflicts, events, machines, stores, tables
from pi_app.link.contract import (
    KINDS,
    MOST_EVENTS,
    MOST_NUMBER,
    MOST_PAYLOAD,
    VERSION,
    ContractError,
    TableHello,
    event_hash,
    number,
    objects,
    read_payload,
    word,
)

log = logging.getLogger(__name__)

UNKNOWN = "?"
"""The kind of an event whose kind is none: what a table wrote may be anything."""
Judge = Callable[[ReadEvent, str], str | None]


@dataclass(frozen=True, slots=True)
class TableMessage:
    """What came from a table: the rest of its topic, and the payload."""

    table: str
    leaf: str
    payload: bytes


@dataclass(frozen=True, slots=True)
class AckWanted:
    """A table that waits for an ack of a store; `bad` are numbers that no event can have."""

    table: str
    store: str
    bad: tuple[int, ...] = ()


class Intake:
    """Takes in messages within one transaction. Acks may be sent when it is committed."""

    def __init__(self, writing: Writing, judge_record: Judge = fault) -> None:
        self._writing = writing
        self._connection = writing.connection
        self._fault = judge_record
        self._after_act = last_act(self._connection)
        evening = current_evening(self._connection)
        self._here = evening.id if evening else None
        self._tables = set(active_tables(self._connection))
        self._games: dict[str, None] = {}
        self._stores: set[str] = set()
        self.wanted: dict[tuple[str, str], AckWanted] = {}
        """The acks to send after the commit."""
        self.evenings: set[str] = set()
        """The evenings whose standings may be others now."""

    def take(self, message: TableMessage) -> None:
        """Take in one message; what is no message of the contract is logged."""
        if message.table not in self._tables:
            log.warning("%s is no table of this club: %s ignored", message.table, message.leaf)
            return
        try:
            if message.leaf == "up/hello":
                self._take_hello(message.table, message.payload)
            elif message.leaf == "up/events":
                self._take_events(message.table, message.payload)
            elif message.leaf == "availability":
                self._take_availability(message.table, message.payload)
            elif message.leaf == LEAF:
                note_state(self._writing, message.table, message.payload)
        except ContractError as error:
            log.warning("%s: %s is ignored: %s", message.table, message.leaf, error)

    def finish(self) -> None:
        """Judge what came; after it the transaction may be committed."""
        if self._games:
            self.evenings |= settle(self._writing, list(self._games))
            if self._here:
                self.evenings.add(self._here)
        for store in self._stores:
            advance(self._writing, store)

    # --- hello and availability

    def _take_availability(self, table: str, payload: bytes) -> None:
        online = payload == b"online"
        if not online and payload != b"offline":
            raise ContractError("it is neither online nor offline")
        self._connection.execute(
            update(tables).where(tables.c.id == table).values(online=online, seen=self._writing.now)
        )

    def _take_hello(self, table: str, payload: bytes) -> None:
        hello = TableHello.read(read_payload(payload))
        doubt = self._look_at_machine(table, hello.machine)
        if not self._own_store(table, hello.store):
            doubt = "store"
        values: dict[str, Any] = {"hello": json.dumps(asdict(hello)), "machine": hello.machine}
        if doubt:
            log.warning("%s: its card is in two machines, or was copied (%s)", table, doubt)
            values["doubt"] = doubt
        self._connection.execute(
            update(tables)
            .where(tables.c.id == table)
            .values(store=hello.store, seen=self._writing.now, **values)
        )
        self._want(table, hello.store)

    def _look_at_machine(self, table: str, machine: str) -> str | None:
        """Note the board that a card is in; return `machine` if it is back in an earlier one."""
        before = self._connection.scalar(select(tables.c.machine).where(tables.c.id == table))
        if before == machine:
            return None
        known = self._connection.scalar(
            select(machines.c.first).where(
                machines.c.table_id == table, machines.c.machine == machine
            )
        )
        if known is not None:
            return "machine"
        self._connection.execute(
            insert(machines).values(table_id=table, machine=machine, first=self._writing.now)
        )
        if before is not None:
            log.warning("%s: its card is in another machine now", table)
            self._writing.act(table, "machine-changed", table=table, machine=machine)
        return None

    def _own_store(self, table: str, store: str) -> bool:
        """Note whose store this is; whether it is this table's."""
        owner = self._connection.scalar(select(stores.c.table_id).where(stores.c.id == store))
        if owner is None:
            self._connection.execute(
                insert(stores).values(id=store, table_id=table, upto=0, first=self._writing.now)
            )
        return owner in (None, table)

    def _want(self, table: str, store: str, bad: tuple[int, ...] = ()) -> None:
        earlier = self.wanted.get((table, store))
        bad = (*earlier.bad, *bad) if earlier else bad
        self.wanted[table, store] = AckWanted(table, store, bad[:MOST_EVENTS])

    # --- events

    def _take_events(self, table: str, payload: bytes) -> None:
        facts, version = _read_lenient(payload)
        store, sent = word(facts, "store"), objects(facts, "events", MOST_EVENTS, 1)
        own = self._own_store(table, store)
        bad = []
        for event in sent:
            try:
                seq = number(event, "seq", 1)
            except ContractError:
                log.warning("%s: an event without a number that can be is refused", table)
                if type(event.get("seq")) is int and MOST_NUMBER < event["seq"] < 2**63:
                    bad.append(event["seq"])
                continue
            if own:
                self._take_event(table, store, seq, event, version)
            else:
                log.warning("%s: event %d of another table's store %s", table, seq, store)
                self._note_conflict(table, store, seq, event)
        if own:
            self._connection.execute(
                update(tables)
                .where(tables.c.id == table, tables.c.store.is_(None))
                .values(store=store)
            )
        self._stores.add(store)
        self._want(table, store, tuple(bad))

    def _take_event(
        self, table: str, store: str, seq: int, event: Mapping[str, Any], version: int
    ) -> None:
        digest = event_hash(event)
        known = self._connection.scalar(
            select(events.c.hash).where(events.c.store == store, events.c.seq == seq)
        )
        if known is not None:
            if known != digest:
                log.warning("%s: event %d of %s came with another content", table, seq, store)
                self._note_conflict(table, store, seq, event)
            return
        row: dict[str, Any] = {
            "table_id": table,
            "store": store,
            "seq": seq,
            "kind": event.get("kind") if event.get("kind") in KINDS else UNKNOWN,
            "hash": digest,
            "payload": json.dumps(event, ensure_ascii=True),
            "at": self._writing.now,
            "after_act": self._after_act,
            "here": self._here,
            "version": version,
        }
        row |= self._read_row(event, version)
        if row["why"] is not None:
            log.warning("%s: event %d of %s is refused: %s", table, seq, store, row["why"])
        number_given = self._writing.add(events, **row)
        if row["kind"] == "part" and row["why"] is None:
            self._complete(store, row["of"])
        elif row["kind"] == "lost":
            self._complete_around(store, seq)
        elif row.get("parts"):
            self._complete(store, seq)
        elif row.get("game_id") is not None:
            self._games[row["game_id"]] = None
        log.debug("event %d of %s is number %d", seq, store, number_given)

    def _read_row(self, event: Mapping[str, Any], version: int) -> dict[str, Any]:
        """Return what is kept of an event beside its text."""
        if version != VERSION:
            return {"fault": "version", "why": "version"}
        try:
            read = read_event(event)
        except ContractError as error:
            log.warning("a bad event: %s", error)
            return {"fault": "bad", "why": "bad"}
        if read.kind == "part":
            return {"of": read.of, "why": None}
        if read.kind == "lost":
            return {"why": None}
        row: dict[str, Any] = {
            "game_id": read.game_id,
            "revision": read.revision,
            "evening": read.evening,
            "round": read.round,
            "game": read.game,
            "seats": json.dumps([asdict(seat) for seat in read.seats]),
            "why": None,
        }
        if read.parts:
            return {**row, "parts": read.parts, "whole": False}
        record = read.record
        if read.kind == "result":
            row["fault"] = self._fault(read, record or "")
        return {**row, "content": content_hash(event, record)}

    def _note_conflict(self, table: str, store: str, seq: int, event: Mapping[str, Any]) -> None:
        digest = event_hash(event)
        known = self._connection.scalar(
            select(conflicts.c.id).where(
                conflicts.c.store == store,
                conflicts.c.seq == seq,
                conflicts.c.table_id == table,
                conflicts.c.hash == digest,
            )
        )
        if known is None:
            self._writing.add(
                conflicts,
                table_id=table,
                store=store,
                seq=seq,
                hash=digest,
                payload=json.dumps(event, ensure_ascii=True),
                at=self._writing.now,
            )

    def read_again(self, row: Row[Any]) -> None:
        """Read an event anew that waited for a newer hub or for a game to be installed."""
        if row.parts:
            self._connection.execute(
                update(events).where(events.c.id == row.id).values(whole=False)
            )
            self._complete(row.store, row.seq)
            return
        values = self._read_row(json.loads(row.payload), VERSION)
        self._connection.execute(update(events).where(events.c.id == row.id).values(values))
        if values.get("game_id") is not None:
            self._games[values["game_id"]] = None

    # --- records in parts

    def _complete_around(self, store: str, seq: int) -> None:
        """Look at the heads before a lost event, which may have been a part."""
        heads = self._connection.scalars(
            select(events.c.seq).where(
                events.c.store == store,
                ~events.c.whole,
                events.c.seq < seq,
                events.c.seq + events.c.parts >= seq,
            )
        )
        for head in list(heads):
            self._complete(store, head)

    def _complete(self, store: str, head_seq: int | None) -> None:
        """Put a record together if all its parts are there, or the rest of them is lost."""
        head = self._connection.execute(
            select(events).where(events.c.store == store, events.c.seq == head_seq, ~events.c.whole)
        ).first()
        if head is None:
            return
        texts = self._parts_of(head)
        if texts is None:
            return
        event = json.loads(head.payload)
        record = "".join(texts)
        read = read_event(event)
        whole = len(texts) == head.parts
        self._connection.execute(
            update(events)
            .where(events.c.id == head.id)
            .values(
                whole=True,
                content=content_hash(event, record),
                fault=self._fault(read, record) if whole else "record",
            )
        )
        self._games[head.game_id] = None

    def _parts_of(self, head: Row[Any]) -> list[str] | None:
        """Return the texts of a head's parts in order, fewer if the rest is lost; None: wait."""
        found: dict[int, str] = {}
        for payload in self._connection.scalars(
            select(events.c.payload).where(
                events.c.store == head.store,
                events.c.of == head.seq,
                events.c.kind == "part",
                events.c.why.is_(None),
            )
        ):
            part = json.loads(payload)
            found.setdefault(part["part"], part["text"])
        texts = [found[part] for part in range(1, head.parts + 1) if part in found]
        if len(texts) == head.parts:
            return texts
        lost = self._connection.scalars(
            select(events.c.seq).where(
                events.c.store == head.store,
                events.c.kind == "lost",
                events.c.seq > head.seq,
                events.c.seq <= head.seq + head.parts,
            )
        ).all()
        return texts if len(texts) + len(lost) >= head.parts else None


def _read_lenient(payload: bytes) -> tuple[dict[str, Any], int]:
    """Read a payload of this version or a newer one; ContractError if it is none."""
    try:
        return read_payload(payload), VERSION
    except ContractError:
        if len(payload) > MOST_PAYLOAD:
            raise
        try:
            facts = json.loads(payload)
        except (ValueError, RecursionError) as error:
            raise ContractError("this is no JSON") from error
        if not isinstance(facts, dict) or type(facts.get("v")) is not int or facts["v"] <= VERSION:
            raise
        return facts, facts["v"]


def advance(writing: Writing, store: str) -> int:
    """Find out up to which number all events of a store are there, note and return it."""
    connection = writing.connection
    upto: int = connection.scalar(select(stores.c.upto).where(stores.c.id == store)) or 0
    before = upto
    for seq, whole in connection.execute(
        select(events.c.seq, events.c.whole)
        .where(events.c.store == store, events.c.seq > upto)
        .order_by(events.c.seq)
    ):
        if seq != upto + 1 or not whole:
            break
        upto = seq
    if upto != before:
        connection.execute(update(stores).where(stores.c.id == store).values(upto=upto))
    return upto


def judge_again(writing: Writing, judge_record: Judge = fault) -> None:
    """Judge anew what waits for a newer hub or another game: when a hub starts."""
    connection = writing.connection
    rows = connection.execute(
        select(events).where(
            events.c.fault.in_(("version", "unknown-game")),
            events.c.whole,
            events.c.version <= VERSION,
        )
    ).all()
    again = Intake(writing, judge_record)
    for row in rows:
        again.read_again(row)
    again.finish()
