"""A test's hub: keeps what it has committed, and acknowledges as the contract says."""

import copy
import ssl
import threading
from collections.abc import Callable
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
from tests.pi_app.link.mosquitto import HUB, PASSWORD, Mosquitto

Json = dict[str, Any]


def client(broker: Mosquitto, user: str, *, version: int = 5) -> Client:
    """Return a client of the broker that reconnects by itself."""
    made = Client(
        CallbackAPIVersion.VERSION2,
        client_id=user,
        protocol=MQTTProtocolVersion(version),
        clean_session=None if version == 5 else True,
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
    if made.protocol == MQTTProtocolVersion.MQTTv5:
        properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]  # paho's
        properties.SessionExpiryInterval = 0
        made.connect_async(
            "127.0.0.1", broker.port, keepalive=10, clean_start=True, properties=properties
        )
    else:
        made.connect_async("127.0.0.1", broker.port, keepalive=10)
    made.loop_start()


class Committed:
    """What a hub has on its disk; copied, it is a backup."""

    def __init__(self) -> None:
        self.events: dict[str, dict[int, Json]] = {}
        """By store and number."""
        self.order: list[tuple[str, int]] = []
        """In which order they were committed."""
        self.refused: dict[str, dict[int, str]] = {}
        self.owners: dict[str, str] = {}
        """Which table has sent a game first."""
        self.games: dict[tuple[str, int], str] = {}
        """Hash of each revision of each game."""
        self.disputed: list[tuple[str, int]] = []
        self.stores: dict[str, str] = {}
        """Which table has a store."""

    def numbers(self, store: str) -> set[int]:
        """Return which numbers of a store have arrived; a head only with all its parts."""
        here = self.events.get(store, {})
        arrived = set(here) | set(self.refused.get(store, {}))
        parts: dict[int, set[int]] = {}
        for event in here.values():
            if event["kind"] == "part":
                parts.setdefault(event["of"], set()).add(event["part"])
        for seq, event in here.items():
            if len(parts.get(seq, ())) < event.get("parts", 0):
                arrived.discard(seq)
        return arrived

    def counted(self) -> dict[str, Json]:
        """Return the result of each game that counts: the highest revision of its own table."""
        best: dict[str, Json] = {}
        for store, seq in self.order:
            event = self.events[store][seq]
            # a conflict is of what came later under the same number: this one is as it was
            refused = self.refused.get(store, {}).get(seq, "conflict") != "conflict"
            if event["kind"] not in ("result", "withdrawn") or refused:
                continue
            old = best.get(event["game_id"])
            if old is None or event["revision"] > old["revision"]:
                best[event["game_id"]] = event
        return {name: event for name, event in best.items() if event["kind"] == "result"}


class KeepingHub:
    """A hub that commits what comes up and then says so. Every method may be called anywhere."""

    def __init__(self, broker: Mosquitto, name: str = "hub-1") -> None:
        self.name = name
        self.committed = Committed()
        self.hellos: list[tuple[str, TableHello]] = []
        self.acked: list[tuple[str, Ack]] = []
        self.bytes: list[tuple[str, bytes]] = []
        """Every message that came, with its topic."""
        self.is_deaf = False
        self.close_up_to: Callable[[str], int] = lambda _store: 0
        self._broker = broker
        self._changed = threading.Condition()
        self._may_read = threading.Event()
        self._may_read.set()
        self._client = client(broker, HUB)
        self._client.on_connect = lambda made, *_: made.subscribe(f"{ROOT}/#", qos=1)
        self._client.on_message = self._take

    def start(self) -> None:
        connect(self._client, self._broker)
        self.wait_for(self._client.is_connected)

    def stop(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def pause(self) -> None:
        """Read nothing, as a hub that is slow."""
        self._may_read.clear()

    def go_on(self) -> None:
        self._may_read.set()

    def backup(self) -> Committed:
        with self._changed:
            return copy.deepcopy(self.committed)

    def restore(self, backup: Committed) -> None:
        with self._changed:
            self.committed = copy.deepcopy(backup)

    def wait_for(self, holds: Callable[[], bool], within_s: float = 60.0) -> None:
        """Wait until something holds; looks again with each message, and often."""
        with self._changed:
            for _ in range(int(within_s / 0.05)):
                if holds():
                    return
                self._changed.wait(0.05)
        raise AssertionError(f"not within {within_s} s: {self.committed.order[-5:]}")

    def count(self) -> int:
        with self._changed:
            return len(self.committed.order)

    def say(self, table: str, leaf: str, facts: Json, *, retain: bool = False) -> None:
        self._client.publish(topic(table, leaf), payload(facts), qos=1, retain=retain)

    def publish(self, name: str, data: bytes, *, retain: bool = False) -> None:
        self._client.publish(name, data, qos=1, retain=retain)

    def ack(self, table: str, store: str) -> None:
        """Say what there is of a store."""
        numbers = self.committed.numbers(store)
        upto = 0
        while upto + 1 in numbers:
            upto += 1
        gaps = [seq for seq in range(upto + 1, max(numbers, default=0)) if seq not in numbers]
        refused = self.committed.refused.get(store, {})
        said = Ack(
            self.name,
            store,
            upto,
            tuple(gaps[:100]),
            tuple(RefusedEvent(seq, why) for seq, why in sorted(refused.items())),
            min(upto, self.close_up_to(store)),
        )
        self.acked.append((table, said))
        self.say(table, "down/ack", said.facts())

    def _take(self, _client: Client, _data: Any, message: MQTTMessage) -> None:
        self._may_read.wait(60)
        with self._changed:
            self.bytes.append((message.topic, bytes(message.payload)))
            if message.topic.endswith("/up/hello") and not self.is_deaf:
                table, _ = split_topic(message.topic)
                hello = TableHello.read(read_payload(message.payload))
                self.hellos.append((table, hello))
                self.ack(table, hello.store)
            elif message.topic.endswith("/up/events") and not self.is_deaf:
                table, _ = split_topic(message.topic)
                batch = EventBatch.read(read_payload(message.payload))
                for event in batch.events:
                    self._commit(table, batch.store, event)
                self.ack(table, batch.store)
            self._changed.notify_all()

    def _commit(self, table: str, store: str, event: Json) -> None:
        kept, seq = self.committed, event["seq"]
        kept.stores.setdefault(store, table)
        there = kept.events.setdefault(store, {})
        refused = kept.refused.setdefault(store, {})
        if seq in there:
            if event_hash(there[seq]) != event_hash(event):
                refused[seq] = "conflict"
            return
        there[seq] = event
        kept.order.append((store, seq))
        if event["kind"] not in ("result", "withdrawn"):
            return
        game, revision = event["game_id"], event["revision"]
        if kept.owners.setdefault(game, table) != table:
            refused[seq] = "foreign"
        elif kept.games.setdefault((game, revision), event_hash(event)) != event_hash(event):
            refused[seq] = "disputed"
            kept.disputed.append((store, seq))
