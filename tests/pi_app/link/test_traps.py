"""What the link says of a table at a real Mosquitto, and what it does in the contract's traps."""

import json
import socket
import threading
import time
from contextlib import closing, suppress
from typing import Any

import pytest

from pi_app.link.contract import ROOT, Assignment, topic
from pi_app.link.mqtt import link as link_module
from pi_app.link.mqtt.trouble import LinkFault
from pi_app.link.protocol import TableEvent, TableState, TableTurn
from pi_app.settings.schema import LinkSettings
from tests.pi_app.link.mosquitto import HOME, PASSWORD, Mosquitto, needed
from tests.stand_ins.hub import KeepingHub
from tests.stand_ins.table import RunningLink, SimTable, TableInMemory, settings
from tests.stand_ins.waiting import wait_for

pytestmark = needed

NOT_AUTHORIZED = 0x87
RIGHTS = {
    "table-11": (
        ("table-11/state", "table-11/signal", "table-11/availability"),
        ("table-12/state", "table-12/availability", "table-12/down/say", "table-11/down/ack"),
    ),
    HOME: (
        ("table-11/down/say",),
        ("table-11/state", "table-11/up/events", "table-11/down/seat", "table-11/availability"),
    ),
}
"""What the manual's broker lets a user write, and what it does not."""


def stranger(broker: Mosquitto, user: str, client_id: str | None = None) -> SimTable:
    """Return a user of the broker who says nothing by itself."""
    access = {"user": user, "password": PASSWORD, "ca_pem": broker.ca.read_text("ascii")}
    made = SimTable({**access, "port": broker.port}, client_id=client_id)
    made.hellos = False
    return made.connect()


@pytest.mark.parametrize("user", RIGHTS)
def test_the_manuals_rights_let_nobody_write_or_read_what_is_anothers(
    shared_broker: Mosquitto, hub: KeepingHub, user: str
) -> None:
    allowed, forbidden = RIGHTS[user]
    with closing(stranger(shared_broker, user)) as writing:
        for name in allowed:
            assert writing.answer(writing.publish_at(f"{ROOT}/{name}", b"x")) < 0x80
        for name in forbidden:
            assert writing.answer(writing.publish_at(f"{ROOT}/{name}", b"x")) == NOT_AUTHORIZED
        if user != HOME:
            writing._client.subscribe(topic("table-12", "down/#"), qos=1)
            hub.publish(topic("table-12", "down/say"), b"for another")
            hub.publish(topic(user, "down/say"), b"for this one")
            wait_for(lambda: b"for this one" in writing.messages.get(f"{user}/down/say", ()))
            assert "table-12/down/say" not in writing.messages


def test_nobody_evicts_a_table_under_its_client_id(
    shared_broker: Mosquitto, hub: KeepingHub
) -> None:
    table = TableInMemory("store-evicted")
    with RunningLink(table, settings(shared_broker, "table-12")) as link:
        hub.wait_for(lambda: link.connected == 1)
        with closing(stranger(shared_broker, "table-11", client_id="table-12")):
            table.add(1)
            hub.wait_for(lambda: ("store-evicted", 1) in hub.committed.order)
        assert link.connected == 1
        assert link.troubles == []


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
            wait_for(
                lambda: LinkFault.TWICE in [each.fault for each in first.troubles + second.troubles]
            )
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
            wait_for(lambda count=count: link.connected >= count)  # type: ignore[misc]
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
            wait_for(lambda: LinkFault.TWICE in [each.fault for each in link.troubles])
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


def test_state_goes_at_most_twice_a_second_and_the_newest_wins(
    shared_broker: Mosquitto, hub: KeepingHub
) -> None:
    table = TableInMemory()

    def states() -> list[dict[str, object]]:
        name = "beisitzer/1/table-03/state"
        return [json.loads(data) for topic, data in hub.bytes if topic == name]

    with RunningLink(table, settings(shared_broker, "table-03")):
        hub.wait_for(lambda: len(states()) == 1)
        for players in range(2, 12):
            turn = TableTurn(1, "red", "#c00000")
            table.coming.append(TableState("numeri", "playing", turn, players))
            table.coming.append(TableEvent("turn", 1))
        hub.wait_for(lambda: bool(states()) and states()[-1]["players"] == 11)
    assert len(states()) == 2
    assert [state["n"] for state in states()] == [1, 2]
    assert states()[-1] == {
        "v": 1,
        "boot": "boot-1",
        "n": 2,
        "game": "numeri",
        "phase": "playing",
        "turn": {"seat": 1, "colour": "red", "hex": "#c00000"},
        "players": 11,
        "waiting": 0,
        "assignment": None,
    }
    signals = [data for topic, data in hub.bytes if topic == "beisitzer/1/table-03/signal"]
    assert signals == [b'{"v":1,"event_type":"turn","seat":1}']
