"""The stand-ins for a table: an outbox in memory, the link in a thread, a user of the broker."""

import json
import os
import queue
import ssl
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Self

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from pi_app.link.contract import MOST_EVENTS, Ack, Assignment, Say, fitting, topic
from pi_app.link.hub_page import HubAnswer
from pi_app.link.mqtt.link import LinkEnd, LinkVoices, LinkWishes, TableLink
from pi_app.link.mqtt.process import address_of
from pi_app.link.mqtt.session import LinkMemory
from pi_app.link.mqtt.trouble import LinkTrouble
from pi_app.link.protocol import (
    EventAnswer,
    LinkNews,
    LinkSourceError,
    LinkStatus,
    OutboxState,
)
from pi_app.settings.schema import LinkSettings
from tests.pi_app.link.mosquitto import Mosquitto
from tests.stand_ins.waiting import PATIENCE_S, wait_for

Json = dict[str, Any]


def result(seq: int, game_id: str | None = None, **more: Any) -> Json:
    """Return an event with a result, as a table without names sends it."""
    seats = [
        {"seat": 1, "p": "p1", "rank": 1, "points": 3, "won": True},
        {"seat": 2, "p": "p2", "rank": 2, "points": 1, "won": False},
    ]
    event = {
        "seq": seq,
        "kind": "result",
        "game_id": game_id or f"game-{seq}",
        "revision": 0,
        "evening": None,
        "round": None,
        "game": "numeri",
        "began": None,
        "ended": None,
        "lasted_s": 60,
        "clock": "unsure",
        "seats": seats,
        "reason": "points",
        "record": '[Game "numeri"]',
    }
    return {**event, **more}


class TableInMemory:
    """An outbox that takes part in no crash; what came down is kept."""

    def __init__(self, store: str = "store-1") -> None:
        self.store = store
        self.previous: tuple[str, ...] = ()
        self.kept: dict[int, Json] = {}
        self.last = 0
        self.upto = 0
        self.closed = 0
        self.hub: str | None = None
        self.assigned: list[Assignment] = []
        self.said: list[Say] = []
        self.statuses: list[LinkStatus] = []
        self.coming: deque[LinkNews] = deque()
        self.is_away = False
        self._quiet = os.eventfd(0)
        weakref.finalize(self, os.close, self._quiet)

    def fileno(self) -> int:
        """Return a descriptor that is never ready: the link asks for news in its turns."""
        return self._quiet

    def add(self, count: int = 1) -> None:
        for _ in range(count):
            self.put(result(self.last + 1, f"{self.store}-{self.last + 1}"))

    def put(self, event: Json) -> None:
        self.last += 1
        assert event["seq"] == self.last
        self.kept[self.last] = event
        self.coming.append(self.outbox())

    def outbox(self) -> OutboxState:
        waiting = max(0, self.last - self.upto)
        return OutboxState(
            self.store, self.previous, self.last, self.upto, self.closed, waiting, self.hub
        )

    def events(self, seq: int, most: int = MOST_EVENTS) -> EventAnswer:
        self._check()
        found = [event for number, event in sorted(self.kept.items()) if number >= seq][:most]
        return EventAnswer(self.store, tuple(found[: fitting(self.store, found)]))

    def ack(self, ack: Ack) -> OutboxState:
        self._check()
        self.hub = self.hub or ack.hub
        conflict = any(each.why == "conflict" for each in ack.refused)
        if conflict or ack.upto > self.last:
            self.previous += (self.store,)
            self.store = f"{self.previous[0]}-{len(self.previous) + 1}"
            self.upto = self.closed = 0
            return self.outbox()
        self.upto = ack.upto
        self.closed = max(self.closed, min(ack.closed, ack.upto))
        for seq in [seq for seq in self.kept if seq <= self.closed]:
            del self.kept[seq]
        return self.outbox()

    def assign(self, assignment: Assignment) -> None:
        self.assigned.append(assignment)

    def say(self, say: Say) -> None:
        self.said.append(say)

    def joined(self, answer: HubAnswer) -> None:
        raise AssertionError(f"nobody has asked: {answer}")

    def status(self, status: LinkStatus) -> None:
        self.statuses.append(status)

    def news(self, timeout_s: float) -> list[LinkNews]:
        del timeout_s
        self._check()
        found = []
        while self.coming:
            found.append(self.coming.popleft())
        return found

    def close(self) -> None:
        """Do nothing: it can be opened again."""

    def _check(self) -> None:
        if self.is_away:
            raise LinkSourceError("lost")


def known(broker: Mosquitto, table: str, **more: Any) -> Json:
    """Return the settings of a table that the broker knows, by name."""
    return {
        "enabled": True,
        "host": "127.0.0.1",
        "port": broker.port,
        "user": table,
        "password_file": str(broker.password_file),
        "ca": str(broker.ca),
        **more,
    }


def settings(broker: Mosquitto, table: str, **more: Any) -> LinkSettings:
    return LinkSettings(**known(broker, table, **more))


class RunningLink:
    """A link in a thread. As a context it is stopped at the end."""

    def __init__(
        self,
        table: TableInMemory,
        given: LinkSettings,
        *,
        boot: str = "boot-1",
    ) -> None:
        self.connected = 0
        self.troubles: list[LinkTrouble] = []
        self.end: LinkEnd | None = None
        voices = LinkVoices(self._count, self.troubles.append, lambda _error: None)
        self.memory = LinkMemory(boot, "machine-1", "0.1.0")
        wishes = LinkWishes(home=given.home_assistant)
        self._link = TableLink(
            given.user,
            lambda: address_of(given, {}),
            lambda: self._open(table),
            self.memory,
            voices,
            wishes,
        )
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> "RunningLink":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._link.stop()
        self._thread.join(20)
        assert not self._thread.is_alive()

    def join(self, within_s: float = 60.0) -> LinkEnd | None:
        self._thread.join(within_s)
        return self.end

    def _open(self, table: TableInMemory) -> TableInMemory:
        if table.is_away:
            raise LinkSourceError("away")
        return table

    def _run(self) -> None:
        self.end = self._link.run()

    def _count(self) -> None:
        self.connected += 1


class SimTable:
    """A table that speaks the contract, or whatever a test wants it to."""

    def __init__(
        self, access: Mapping[str, Any], store: str = "store-1", client_id: str | None = None
    ) -> None:
        self.access = access
        self.id = str(access["user"])
        self.store = store
        self.acks: queue.Queue[dict[str, Any]] = queue.Queue()
        self.messages: dict[str, list[bytes]] = {}
        self.published: dict[int, int] = {}
        """What the broker answered to each publication, by its number."""
        self.ends: list[str] = []
        self._client = mqtt.Client(
            CallbackAPIVersion.VERSION2, client_id=client_id or self.id, protocol=mqtt.MQTTv5
        )
        self._client.username_pw_set(self.id, access["password"])
        if access["ca_pem"]:
            context = ssl.create_default_context(cadata=access["ca_pem"])
            context.check_hostname = False
            self._client.tls_set_context(context)
        self._client.reconnect_delay_set(1, 1)
        self._client.on_connect = self._on_connect
        self._client.on_message = self._on_message
        self._client.on_publish = self._on_publish
        self._client.on_disconnect = self._on_disconnect
        self.connected: queue.Queue[str] = queue.Queue()
        self.machine = f"machine-{self.id}"
        self.last = 0
        self.hellos = True

    def connect(self) -> Self:
        self._client.connect_async("127.0.0.1", self.access["port"], 15, clean_start=True)
        self._client.loop_start()
        assert self.connected.get(timeout=PATIENCE_S) == "Success"
        return self

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def _on_connect(self, client: mqtt.Client, _: Any, __: Any, reason: Any, ___: Any) -> None:
        if not reason.is_failure:
            client.subscribe([(topic(self.id, "down/#"), 1), (topic("club", "#"), 1)])
            if self.hellos:
                self.hello()
        self.connected.put(str(reason))

    def _on_disconnect(self, _c: Any, _d: Any, _f: Any, reason: Any, _p: Any) -> None:
        self.ends.append(str(reason))

    def _on_publish(self, _c: Any, _d: Any, mid: int, reason: Any, _p: Any) -> None:
        self.published[mid] = reason.value

    def _on_message(self, _client: Any, _data: Any, message: mqtt.MQTTMessage) -> None:
        leaf = message.topic.split("/", 2)[2]
        self.messages.setdefault(leaf, []).append(bytes(message.payload))
        if leaf == f"{self.id}/down/ack":
            self.acks.put(json.loads(message.payload))

    def seat(self) -> dict[str, Any]:
        """Return the assignment that was heard last."""
        said = wait_for(lambda: self.messages.get(f"{self.id}/down/seat"), "a seat")
        assignment: dict[str, Any] = json.loads(said[-1])
        return assignment

    def seat_in(self, number: int, era: int = 0) -> dict[str, Any]:
        """Return the assignment of a round, of this era or a later one, when it comes."""

        def told() -> dict[str, Any] | None:
            seat = self.seat()
            return seat if (seat["round"], seat["era"] >= era) == (number, True) else None

        found: dict[str, Any] = wait_for(told, f"round {number}")
        return found

    def hello(self, **facts: Any) -> None:
        facts = {
            "v": 1,
            "store": self.store,
            "previous": [],
            "last": self.last,
            "machine": self.machine,
            "boot": "b1",
            "software": "1.0.0",
            **facts,
        }
        self.publish("up/hello", json.dumps(facts).encode())

    def send(self, *events: Mapping[str, Any], store: str = "") -> None:
        facts = {"v": 1, "store": store or self.store, "events": list(events)}
        self.publish("up/events", json.dumps(facts).encode())

    def publish(self, leaf: str, payload: bytes, *, retain: bool = False) -> int:
        return self.publish_at(topic(self.id, leaf), payload, retain=retain)

    def publish_at(self, name: str, payload: bytes, *, retain: bool = False) -> int:
        """Publish under any topic; return the publication's number."""
        return self._client.publish(name, payload, 1, retain).mid

    def answer(self, mid: int) -> int:
        """Return what the broker answered to a publication, as MQTT's reason code."""
        wait_for(lambda: mid in self.published, "the broker's answer")
        return self.published[mid]

    def ack(self, right: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Return the first ack that is as wanted; others are skipped."""
        seen: list[Any] = []
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            try:
                ack = self.acks.get(timeout=max(0.01, end - time.monotonic()))
            except queue.Empty:
                break
            if ack["store"] == self.store and right(ack):
                return ack
            seen.append(ack)
        raise AssertionError(f"no such ack, only {seen[-5:]}")

    def ack_upto(self, number: int) -> dict[str, Any]:
        return self.ack(lambda ack: ack["upto"] >= number)
