"""The one stand-in for a club's hub, as the contract describes it: in memory, or at a broker."""

import ssl
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from pi_app.link.contract import (
    ROOT,
    Ack,
    EventBatch,
    RefusedEvent,
    TableHello,
    event_hash,
    payload,
    read_payload,
    split_topic,
    topic,
)
from pi_app.link.mqtt.security import ClosedSocket
from pi_app.link.outbox import Outbox
from tests.pi_app.link.mosquitto import HUB, PASSWORD, Mosquitto
from tests.stand_ins.waiting import wait_for

Json = dict[str, Any]


@dataclass
class Hub:
    """What a hub has on its disk, and what it says of it."""

    name: str = "hub-1"
    events: dict[str, dict[int, Json]] = field(default_factory=dict)
    """By store and number."""
    order: list[tuple[str, int]] = field(default_factory=list)
    """In which order they were committed."""
    refused: dict[str, dict[int, str]] = field(default_factory=dict)
    owners: dict[str, str] = field(default_factory=dict)
    """Which table has sent a game first."""
    revisions: dict[tuple[str, int], str] = field(default_factory=dict)
    """Hash of each revision of each game."""
    disputed: list[tuple[str, int]] = field(default_factory=list)
    closed: int = 0

    def take(self, store: str, events: Iterable[Mapping[str, Any]], table: str = "table-01") -> Ack:
        """Commit events of a table, and acknowledge them."""
        for event in events:
            self._commit(table, store, event)
        return self.ack(store)

    def ack(self, store: str) -> Ack:
        """Say what there is of a store."""
        numbers = self._numbers(store)
        upto = 0
        while upto + 1 in numbers:
            upto += 1
        gaps = [seq for seq in range(upto + 1, max(numbers, default=0)) if seq not in numbers]
        refused = tuple(RefusedEvent(*each) for each in sorted(self.refused.get(store, {}).items()))
        return Ack(self.name, store, upto, tuple(gaps[:100]), refused, min(upto, self.closed))

    def _numbers(self, store: str) -> set[int]:
        """Return which numbers of a store have arrived; a head only with all its parts."""
        own = self.events.get(store, {})
        return {seq for seq in own if self._whole(store, seq) is not None} | set(
            self.refused.get(store, {})
        )

    def _whole(self, store: str, seq: int) -> Json | None:
        """Return an event with all its parts; None while some are missing."""
        own, event = self.events[store], self.events[store][seq]
        parts = [own.get(seq + part) for part in range(1, event.get("parts", 0) + 1)]
        if not all(parts):
            return None
        assert all(part and part["of"] == seq for part in parts)
        texts = [part["text"] for part in parts if part]
        if "parts" not in event:
            return dict(event)
        return {**{k: v for k, v in event.items() if k != "parts"}, "record": "".join(texts)}

    def _commit(self, table: str, store: str, event: Mapping[str, Any]) -> None:
        seq = event["seq"]
        there = self.events.setdefault(store, {})
        refused = self.refused.setdefault(store, {})
        if seq in there:
            if event_hash(there[seq]) != event_hash(event):
                refused[seq] = "conflict"
            return
        there[seq] = dict(event)
        self.order.append((store, seq))
        if event["kind"] not in ("result", "withdrawn"):
            return
        game, digest = event["game_id"], event_hash(event)
        if self.owners.setdefault(game, table) != table:
            refused[seq] = "foreign"
        elif self.revisions.setdefault((game, event["revision"]), digest) != digest:
            refused[seq] = "disputed"
            self.disputed.append((store, seq))

    @property
    def results(self) -> dict[str, Json]:
        """The result of each game that counts: the highest revision of its own table."""
        best: dict[str, Json] = {}
        for store, seq in self.order:
            event = self._whole(store, seq)
            # a conflict is of what came later under the same number: this one is as it was
            refused = self.refused[store].get(seq, "conflict") != "conflict"
            if event is None or refused or event["kind"] not in ("result", "withdrawn"):
                continue
            old = best.get(event["game_id"])
            if old is None or event["revision"] > old["revision"]:
                best[event["game_id"]] = event
        return {name: event for name, event in best.items() if event["kind"] == "result"}


def deliver(outbox: Outbox, hub: Hub, most_messages: int = 100) -> None:
    """Do what the link does until nothing waits: hello, events, acks."""
    for _ in range(most_messages):
        state = outbox.state()
        now = outbox.ack(hub.ack(state.store)) if state.store else state
        if not now.waiting:
            return
        if now.store != state.store:
            continue
        first, known = now.upto + 1, hub.events.get(state.store, {})
        if hub.ack(state.store).upto == now.upto:
            while first in known:  # a head, whose parts are to come
                first += 1
        answer = outbox.events(first)
        assert answer.events
        outbox.ack(hub.take(answer.store, answer.events))
    raise AssertionError(f"{outbox.state().waiting} still wait")


def bodies(outbox: Outbox) -> list[dict[str, Any]]:
    """Return all events that are kept."""
    found: list[dict[str, Any]] = []
    while batch := outbox.events(len(found) + 1).events:
        found.extend(map(dict, batch))
    return found


def client(broker: Mosquitto, user: str) -> Client:
    """Return a client of the broker that reconnects by itself."""
    made = Client(
        CallbackAPIVersion.VERSION2,
        client_id=user,
        protocol=MQTTProtocolVersion.MQTTv5,
    )
    made.username_pw_set(user, PASSWORD)
    context = ssl.create_default_context(cafile=str(broker.ca))
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.sslsocket_class = ClosedSocket
    made.tls_set_context(context)
    made.reconnect_delay_set(1, 1)
    return made


def connect(made: Client, broker: Mosquitto) -> None:
    """Connect for good: a broker that is away is tried again and again."""
    properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]  # paho's
    properties.SessionExpiryInterval = 0
    made.connect_async(
        "127.0.0.1", broker.port, keepalive=10, clean_start=True, properties=properties
    )
    made.loop_start()


class KeepingHub:
    """A hub that commits what comes up and then says so. Every method may be called anywhere."""

    def __init__(self, broker: Mosquitto, name: str = "hub-1") -> None:
        self.committed = Hub(name)
        self.hellos: list[tuple[str, TableHello]] = []
        self.acked: list[tuple[str, Ack]] = []
        self.bytes: list[tuple[str, bytes]] = []
        """Every message that came, with its topic."""
        self.is_deaf = False
        self._broker = broker
        self._changed = threading.RLock()
        self._client = client(broker, HUB)
        self._client.on_connect = lambda made, *_: made.subscribe(f"{ROOT}/#", qos=1)
        self._client.on_message = self._take

    def start(self) -> None:
        connect(self._client, self._broker)
        self.wait_for(self._client.is_connected)

    def stop(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def wait_for(self, holds: Callable[[], bool], within_s: float = 60.0) -> None:
        """Wait until something holds, which is looked at between two messages."""

        def held() -> bool:
            with self._changed:
                return holds()

        wait_for(held, "the hub", within_s)

    def count(self) -> int:
        with self._changed:
            return len(self.committed.order)

    def say(self, table: str, leaf: str, facts: Json, *, retain: bool = False) -> None:
        self.publish(topic(table, leaf), payload(facts), retain=retain)

    def publish(self, name: str, data: bytes, *, retain: bool = False) -> None:
        self._client.publish(name, data, qos=1, retain=retain)

    def _take(self, _client: Client, _data: Any, message: MQTTMessage) -> None:
        with self._changed:
            self.bytes.append((message.topic, bytes(message.payload)))
            if not self.is_deaf and message.topic.endswith(("/up/hello", "/up/events")):
                table, _ = split_topic(message.topic)
                facts = read_payload(message.payload)
                if message.topic.endswith("hello"):
                    hello = TableHello.read(facts)
                    self.hellos.append((table, hello))
                    said = self.committed.ack(hello.store)
                else:
                    batch = EventBatch.read(facts)
                    said = self.committed.take(batch.store, batch.events, table)
                self.acked.append((table, said))
                self.say(table, "down/ack", said.facts())
