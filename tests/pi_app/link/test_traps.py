"""The contract's traps: each is shown to be real with Mosquitto, and what the link does then."""

import socket
import threading
import time
from contextlib import suppress
from typing import Any

import pytest
from paho.mqtt.client import Client

from pi_app.link.contract import Assignment, topic
from pi_app.link.mqtt import link as link_module
from pi_app.link.mqtt.trouble import LinkFault
from pi_app.settings.schema import LinkSettings
from tests.pi_app.link.mosquitto import HOME, HUB, Mosquitto, needed
from tests.pi_app.phones.client import wait_for
from tests.stand_ins.hub import KeepingHub, client, connect
from tests.stand_ins.table import RunningLink, TableInMemory, result, settings

pytestmark = needed

NOT_AUTHORIZED = 0x87


class Stranger:
    """Any client of the broker: what it is answered, and what it hears."""

    def __init__(
        self, broker: Mosquitto, user: str, *, version: int = 5, client_id: str = ""
    ) -> None:
        self.client = client(broker, user, version=version)
        if client_id:
            self.client._client_id = client_id.encode()
        self.broker = broker
        self.heard: list[tuple[str, bytes]] = []
        self.reasons: list[int] = []
        self.connected = threading.Event()
        self.answered = threading.Event()
        self.client.on_connect = lambda *_: self.connected.set()
        self.client.on_publish = self._published
        self.client.on_message = lambda _c, _d, m: self.heard.append((m.topic, bytes(m.payload)))

    def __enter__(self) -> "Stranger":
        connect(self.client, self.broker)
        assert self.connected.wait(20)
        return self

    def __exit__(self, *_: object) -> None:
        self.client.disconnect()
        self.client.loop_stop()

    def publish(self, name: str, data: bytes) -> int:
        """Publish and return the broker's reason."""
        self.answered.clear()
        self.client.publish(name, data, qos=1)
        assert self.answered.wait(20)
        return self.reasons[-1]

    def subscribe(self, name: str) -> None:
        """Subscribe, and wait for the broker's answer."""
        self.answered.clear()
        self.client.on_subscribe = lambda *_: self.answered.set()
        self.client.subscribe(name, qos=1)
        assert self.answered.wait(20)

    def _published(self, _client: Client, _data: Any, _number: int, reason: Any, _p: Any) -> None:
        self.reasons.append(int(reason.value))
        self.answered.set()


def test_3_1_1_answers_success_to_what_its_rights_forbid_and_5_does_not(
    shared_broker: Mosquitto, hub: KeepingHub
) -> None:
    forbidden = topic("table-12", "state")
    with Stranger(shared_broker, "table-11", version=4) as older:
        assert older.publish(forbidden, b"forged") == 0
    with Stranger(shared_broker, "table-11") as newer:
        assert newer.publish(forbidden, b"forged") == NOT_AUTHORIZED
        assert newer.publish(topic("table-11", "state"), b"own") < 0x80
    hub.wait_for(lambda: (topic("table-11", "state"), b"own") in hub.bytes)
    assert forbidden not in {name for name, _ in hub.bytes}


def test_a_table_can_write_for_no_other_and_reads_only_what_is_its_own(
    shared_broker: Mosquitto, hub: KeepingHub
) -> None:
    leaves = ("availability", "state", "signal", "up/hello", "up/events", "down/ack", "down/say")
    with Stranger(shared_broker, "table-11") as table:
        for leaf in leaves:
            assert table.publish(topic("table-12", leaf), b"x") == NOT_AUTHORIZED
        for leaf in ("down/ack", "down/seat", "down/say"):
            assert table.publish(topic("table-11", leaf), b"x") == NOT_AUTHORIZED
        place = "homeassistant/device/beisitzer_table-12/config"
        assert table.publish(place, b"x") == NOT_AUTHORIZED
        table.subscribe("#")
        table.subscribe(topic("table-12", "down/#"))
        hub.publish(topic("table-12", "down/say"), b"for another")
        hub.publish(topic("table-11", "down/say"), b"for this one")
        mine = (topic("table-11", "down/say"), b"for this one")
        hub.wait_for(lambda: mine in table.heard)
    assert b"for another" not in {data for _, data in table.heard}


def test_the_house_may_only_say_something(shared_broker: Mosquitto, hub: KeepingHub) -> None:
    del hub
    with Stranger(shared_broker, HOME) as house:
        for leaf in ("state", "up/events", "down/seat", "down/ack", "availability"):
            assert house.publish(topic("table-11", leaf), b"x") == NOT_AUTHORIZED
        assert house.publish(topic("table-11", "down/say"), b"x") < 0x80


def test_nobody_evicts_a_table_under_its_client_id(
    shared_broker: Mosquitto, hub: KeepingHub
) -> None:
    table = TableInMemory("store-evicted")
    with RunningLink(table, settings(shared_broker, "table-12")) as link:
        hub.wait_for(lambda: link.connected == 1)
        with Stranger(shared_broker, "table-11", client_id="table-12"):
            table.add(1)
            hub.wait_for(lambda: ("store-evicted", 1) in hub.committed.order)
        assert link.connected == 1
        assert link.troubles == []


def test_a_will_that_somebody_forges_for_a_table_is_not_sent(
    shared_broker: Mosquitto, hub: KeepingHub
) -> None:
    forged = Stranger(shared_broker, "table-11")
    forged.client.will_set(topic("table-22", "availability"), b"offline", 1, retain=True)
    own = Stranger(shared_broker, "table-13")
    own.client.will_set(topic("table-13", "availability"), b"offline", 1, retain=True)
    for each in (forged, own):
        connect(each.client, shared_broker)
        each.connected.wait(20)
        link = each.client.socket()
        if isinstance(link, socket.socket):
            link.shutdown(socket.SHUT_RDWR)
        each.client.loop_stop()
    hub.wait_for(lambda: (topic("table-13", "availability"), b"offline") in hub.bytes)
    assert (topic("table-22", "availability"), b"offline") not in hub.bytes


def test_a_table_that_hears_its_own_offline_says_online_again(
    shared_broker: Mosquitto, hub: KeepingHub
) -> None:
    name = topic("table-14", "availability")

    def said() -> list[bytes]:
        return [data for topic_, data in hub.bytes if topic_ == name]

    with RunningLink(TableInMemory(), settings(shared_broker, "table-14")):
        hub.wait_for(lambda: said()[-1:] == [b"online"])
        for _ in range(2):  # a second one within the same second is answered too
            hub.publish(name, b"offline", retain=True)
        hub.wait_for(lambda: b"offline" in said() and said()[-1] == b"online")
        count = len(said())
        hub.publish(name, b"offline", retain=True)
        hub.wait_for(lambda: len(said()) >= count + 2 and said()[-1] == b"online")


def test_a_game_of_another_table_stays_that_tables(
    shared_broker: Mosquitto, hub: KeepingHub
) -> None:
    first, second = TableInMemory("store-first"), TableInMemory("store-second")
    first.put(result(1, "game-one"))
    second.put(result(1, "game-one"))
    second.put(result(2, "game-two"))
    for name, table in (("table-15", first), ("table-16", second)):
        with RunningLink(table, settings(shared_broker, name)):
            hub.wait_for(lambda table=table: not table.outbox().waiting)  # type: ignore[misc]
    assert hub.committed.refused["store-second"] == {1: "foreign"}
    assert second.upto == 2
    assert set(hub.committed.results) == {"game-one", "game-two"}


def test_the_same_revision_with_other_content_is_a_proposal_and_not_sent_again(
    shared_broker: Mosquitto, hub: KeepingHub
) -> None:
    table = TableInMemory("store-disputed")
    table.put(result(1, "game-three"))
    table.put(result(2, "game-three", reason="row"))
    table.put(result(3, "game-four"))
    with RunningLink(table, settings(shared_broker, "table-17")):
        hub.wait_for(lambda: not table.outbox().waiting)
    assert hub.committed.disputed == [("store-disputed", 2)]
    assert hub.committed.results["game-three"]["reason"] == "points"
    assert len([name for name, _ in hub.bytes if name.endswith("table-17/up/events")]) == 1


def test_acks_of_a_hub_that_was_not_joined_are_ignored_and_shown(
    shared_broker: Mosquitto, hub: KeepingHub
) -> None:
    table = TableInMemory("store-joined")
    table.hub = "another-hub"
    table.add(1)
    with RunningLink(table, settings(shared_broker, "table-18")) as link:
        hub.wait_for(lambda: any(each.why == "hub" for each in table.statuses))
        assert table.upto == 0
        assert [each.fault for each in link.troubles] == [LinkFault.HUB]
        facts = {"hub": "another-hub", "store": "store-joined", "upto": 1}
        hub.say("table-18", "down/ack", {**facts, "missing": [], "refused": [], "closed": 0})
        hub.wait_for(lambda: table.upto == 1 and table.statuses[-1].why == "")


@pytest.mark.parametrize("reads_own", [True, False])
def test_one_card_in_two_machines_is_named_at_the_third_time(
    broker: Mosquitto, monkeypatch: pytest.MonkeyPatch, reads_own: bool
) -> None:
    """Mosquitto 2.0.11 closes the older connection without a word: no 0x8E is seen here."""
    monkeypatch.setattr(link_module, "TAKEN_S", 0.5)
    if not reads_own:
        rights = broker.folder / "rights"
        own = "pattern readwrite beisitzer/1/%u/availability"
        assert own in rights.read_text()
        rights.write_text(rights.read_text().replace(own, own.replace("readwrite", "write")))
        broker.stop()
        broker.start()
    one, two = TableInMemory("store-copied"), TableInMemory("store-copied")
    given = settings(broker, "table-19")
    with RunningLink(one, given) as first:
        with RunningLink(two, given, boot="boot-2") as second:
            for _ in range(1200):
                faults = [each.fault for each in first.troubles + second.troubles]
                if LinkFault.TWICE in faults:
                    break
                threading.Event().wait(0.05)
        taken = [each.fault for each in first.troubles + second.troubles]
        assert LinkFault.TAKEN in taken
        assert LinkFault.TWICE in taken
    assert "twice" in {each.why for each in one.statuses + two.statuses}


def test_a_broker_that_is_restarted_again_and_again_is_no_second_machine(
    broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link_module, "RETRIES_S", (0.1, 0.1, 0.2))
    with RunningLink(TableInMemory(), settings(broker, "table-19")) as link:
        for count in range(1, 8):
            for _ in range(600):
                if link.connected >= count:
                    break
                threading.Event().wait(0.05)
            broker.kill()
            threading.Event().wait(0.3)
            broker.start()
    assert link.connected >= 7
    assert {each.fault for each in link.troubles} <= {LinkFault.LOST, LinkFault.PORT}


DISCONNECT_TAKEN_OVER = b"\xe0\x02\x8e\x00"
CONNACK = b"\x20\x03\x00\x00\x00"


def test_a_broker_that_says_taken_over_is_left_alone_for_half_a_minute(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert (link_module.TAKEN_S, link_module.TWICE) == (30.0, 3)
    monkeypatch.setattr(link_module, "TAKEN_S", 0.4)
    pauses: list[float] = []

    def serve(listening: socket.socket) -> None:
        told = float("-inf")
        with suppress(OSError):
            while True:
                near, _ = listening.accept()
                pauses.append(time.monotonic() - told)
                near.recv(4096)
                near.sendall(CONNACK)
                told = time.monotonic()
                near.sendall(DISCONNECT_TAKEN_OVER)
                while near.recv(4096):  # what the link still said
                    pass
                near.close()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=serve, args=(listening,), daemon=True).start()
        port = int(listening.getsockname()[1])
        given = LinkSettings(host="127.0.0.1", port=port, user="table-01", insecure=True)
        with RunningLink(TableInMemory(), given) as link:
            for _ in range(600):
                if LinkFault.TWICE in [each.fault for each in link.troubles]:
                    break
                threading.Event().wait(0.05)
    assert [each.fault for each in link.troubles] == [
        LinkFault.TAKEN,
        LinkFault.TAKEN,
        LinkFault.TWICE,
    ]
    assert min(pauses) >= 0.4


def test_a_broker_that_forbids_to_write_is_named(broker: Mosquitto) -> None:
    broker.stop()
    (broker.folder / "rights").write_text("pattern read beisitzer/1/%u/down/#\n")
    broker.start()
    table = TableInMemory()
    table.add(1)
    given = settings(broker, "table-20")
    with RunningLink(table, given) as link:
        wait_for(lambda: "rights" in [each.why for each in table.statuses])
    assert LinkFault.RIGHTS in [each.fault for each in link.troubles]


def test_what_comes_down_reaches_the_table_once_and_only_forwards(
    shared_broker: Mosquitto, hub: KeepingHub
) -> None:
    table = TableInMemory()
    seats = [{"seat": 1, "p": "p17", "show": "Anna"}, {"seat": 2, "p": None, "show": "Ben"}]

    def seat(era: int, rev: int) -> dict[str, Any]:
        return {
            "era": era,
            "rev": rev,
            "evening": "e7k2",
            "round": 3,
            "game": "just4fun",
            "rules": "",
            "board": None,
            "seats": seats,
        }

    with RunningLink(table, settings(shared_broker, "table-21")) as link:
        hub.wait_for(lambda: link.connected == 1)
        for era, rev in ((1, 2), (1, 1), (2, 0), (1, 9)):
            hub.say("table-21", "down/seat", seat(era, rev), retain=True)
        for identity in ("a", "a", "b"):
            said = {"id": identity, "text": f"Round {identity}", "for_s": 60}
            hub.say("table-21", "down/say", said)
        hub.wait_for(lambda: len(table.said) == 2 and len(table.assigned) == 2)
    assert [each.pair for each in table.assigned] == [(1, 2), (2, 0)]
    assert table.assigned[-1] == Assignment.read(seat(2, 0))
    assert [each.id for each in table.said] == ["a", "b"]
    hub.publish(topic("table-21", "down/seat"), b"", retain=True)


def test_hub_and_house_are_users_of_the_manual(shared_broker: Mosquitto) -> None:
    rights = (shared_broker.folder / "rights").read_text()
    assert f"user {HUB}\n" in rights
    assert f"user {HOME}\n" in rights
