"""A club from outside: its hub as a process, its verbs, and tables that speak the contract."""

from __future__ import annotations

import json
import os
import queue
import signal
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import paho.mqtt.client as mqtt
from click.testing import CliRunner, Result
from paho.mqtt.enums import CallbackAPIVersion

from engines.record import begin, parse
from pi_app.commands.cli import main
from pi_app.link.contract import placings, topic
from tests.ports import free_port

PATIENCE_S = 60
"""Nobody waits longer for anything; a busy machine needs some of it."""


def wait_for(found: Callable[[], Any], what: str = "it", patience_s: float = PATIENCE_S) -> Any:
    """Return what a function finds, once it finds something."""
    end = time.monotonic() + patience_s
    while True:
        value = found()
        if value:
            return value
        assert time.monotonic() < end, f"waited too long for {what}"
        time.sleep(0.02)


class Club:
    """A club in a folder: its hub's process, and its verbs."""

    def __init__(self, state: Path, *words: str, own_broker: bool = True) -> None:
        self.state = state
        self.port = free_port()
        self._words = words
        self._own = own_broker
        self._hub: subprocess.Popen[str] | None = None
        self.tables: list[SimTable] = []
        """The tables that joined, in their order."""
        self.server: Any = None
        """The PostgreSQL server of a test, if it has one."""

    def start(self) -> Self:
        """Start the hub and wait until it says that it is ready."""
        line = self.launch()
        assert "is ready" in line, line + self.log()
        return self

    def launch(self) -> str:
        """Start the hub and return the first line that it says."""
        where = ["--own-broker", "--port", str(self.port), "--web-port", "0"] if self._own else []
        words = ["club", "start", "--state", str(self.state), *where, *self._words]
        self._hub = subprocess.Popen(
            [sys.executable, "-m", "pi_app", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "LANGUAGE": "en"},
        )
        return self.said()

    def said(self) -> str:
        """Return the next line of the hub."""
        assert self._hub is not None
        assert self._hub.stdout is not None
        return self._hub.stdout.readline()

    @property
    def pid(self) -> int:
        assert self._hub is not None
        return self._hub.pid

    def log(self) -> str:
        log = self.state / "hub.log"
        return log.read_text("utf-8") if log.exists() else ""

    def broker_pid(self) -> int:
        return int((self.state / "broker" / "pid").read_text("ascii"))

    def kill(self) -> None:
        """Kill the hub as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        return self._end(signal.SIGTERM)

    def _end(self, number: int) -> int:
        if self._hub is None:
            return 0
        self._hub.send_signal(number)
        status = self._hub.wait(PATIENCE_S)
        assert self._hub.stdout is not None
        self._hub.stdout.close()
        self._hub = None
        return status

    def run(self, *words: str) -> Result:
        """Run a verb and return how it ended."""
        verb, *rest = words
        return CliRunner().invoke(
            main, ["club", verb, "--state", str(self.state), "--lang", "en", *rest]
        )

    def do(self, *words: str) -> str:
        """Run a verb that must succeed, and return what it printed."""
        result = self.run(*words)
        assert result.exit_code == 0, f"{words}: {result.output}{result.exception}"
        return result.stdout

    def export(self, *words: str) -> dict[str, Any]:
        exported: dict[str, Any] = json.loads(self.do("export", "--json", *words))
        return exported

    def results(self) -> dict[tuple[str, int], dict[str, Any]]:
        """Return the results in the export by store and number."""
        return {(each["store"], each["seq"]): each for each in self.export()["results"]}

    def counted(self) -> list[dict[str, Any]]:
        return [each for each in self.export()["results"] if each["counted"]]

    def add_table(self, store: str = "") -> SimTable:
        """Let a new table join, and connect it."""
        access = json.loads(self.do("add-table"))
        self.tables.append(SimTable(access, store or f"store-{access['user']}").connect())
        return self.tables[-1]

    def end(self) -> None:
        """End the tables and the hub."""
        for table in self.tables:
            table.close()
        self.stop()

    def people(self, tmp: Path, count: int) -> None:
        """Register p1, p2, ..."""
        rows = "".join(f"p{n},Person {n},1\n" for n in range(1, count + 1))
        file = tmp / "people.csv"
        file.write_text(f"p,name,present\n{rows}", "utf-8")
        self.do("people", str(file))


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


def result_event(
    seq: int,
    people: Sequence[str | None] = ("p1", "p2"),
    *,
    game_id: str = "",
    revision: int = 0,
    first: int = 36,
    evening: str | None = None,
    in_round: int | None = None,
    game: str = "just4fun",
    **others: Any,
) -> dict[str, Any]:
    """Return a result of Just 4 Fun whose record was settled: seat 1 holds the field `first`."""
    colours = ("yellow", "red", "white", "pink")
    names = [f"S{place}" for place in range(1, len(people) + 1)]
    fields = [first, *range(1, len(people))]
    stones = "; ".join(f"{c} {f}x1" for c, f in zip(colours, fields, strict=False))
    players = ", ".join(f"{n} {c}" for n, c in zip(names, colours, strict=False))
    record = f'[Game "{game}"]\n[Players "{players}"]\n[Position "{stones}"]\n'
    return {
        "seq": seq,
        "kind": "result",
        "game_id": game_id or f"game-{seq}",
        "revision": revision,
        "evening": evening,
        "round": in_round,
        "game": game,
        "began": None,
        "ended": None,
        "lasted_s": 1769,
        "clock": "unsure",
        "seats": seats_of(record, people),
        "reason": reason_of(record),
        "record": record,
        **others,
    }


def _settled(record: str) -> tuple[Any, list[str]]:
    game, position = begin(parse(record))
    assert game.score is not None
    return game.score(position), [player.name for player in position.players]


def seats_of(record: str, people: Iterable[str | None]) -> list[dict[str, Any]]:
    result, names = _settled(record)
    placed = placings(result.as_json(), names)
    return [
        {"seat": seat, "p": p, **place}
        for seat, (p, place) in enumerate(zip(people, placed, strict=True), 1)
    ]


def reason_of(record: str) -> str:
    result, _ = _settled(record)
    return str(result.reason)
