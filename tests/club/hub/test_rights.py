"""Who may write and read what at the hub's own broker, and who may connect at all."""

from __future__ import annotations

import json
import socket
import ssl

import pytest

from pi_app.link.contract import topic
from tests.club.parts import Club, result_event
from tests.stand_ins.table import SimTable
from tests.stand_ins.waiting import PATIENCE_S, wait_for

FORBIDDEN = 0x87
"""MQTT 5's reason code "not authorized"."""

FORGED = {
    "a result under another table's name": ("{other}/up/events", False),
    "another table's hello": ("{other}/up/hello", False),
    "another table's end": ("{other}/availability", True),
    "another table's state": ("{other}/state", True),
    "an ack to another table": ("{other}/down/ack", False),
    "an ack to itself": ("{own}/down/ack", False),
    "a retained seat for another table": ("{other}/down/seat", True),
    "a retained seat for itself": ("{own}/down/seat", True),
    "a text for another table": ("{other}/down/say", False),
    "the standings": ("club/standings", True),
    "the round": ("club/round", True),
    "a table that is not there": ("table-99/up/events", False),
}


@pytest.mark.parametrize("way", FORGED)
def test_a_table_writes_for_itself_alone(shared_club: Club, way: str) -> None:
    own, other = shared_club.tables
    leaf, retain = FORGED[way]
    name = f"beisitzer/1/{leaf.format(own=own.id, other=other.id)}"
    assert own.answer(own.publish_at(name, b"{}", retain=retain)) == FORBIDDEN


def test_a_table_writes_what_is_its_own(shared_club: Club) -> None:
    own, _ = shared_club.tables
    for leaf in ("state", "signal", "up/hello"):
        assert own.answer(own.publish(leaf, b"{}")) in {0, 0x10}
    announced = f"homeassistant/device/beisitzer_{own.id}/config"
    assert own.answer(own.publish_at(announced, b"{}", retain=True)) in {0, 0x10}


def test_a_table_reads_nothing_of_another(shared_club: Club) -> None:
    own, other = shared_club.tables
    reasons: list[int] = []
    own._client.on_subscribe = lambda _c, _d, _m, codes, _p: reasons.extend(c.value for c in codes)
    forbidden = [topic(other.id, "down/#"), topic(other.id, "up/#"), "beisitzer/1/#", "#"]
    own._client.subscribe([(name, 1) for name in forbidden])
    wait_for(lambda: len(reasons) == len(forbidden), "the broker's answer")
    # Mosquitto takes a wider filter and delivers what may be read: nothing of others
    own.messages.clear()
    assert other.answer(other.publish("signal", b"secret")) == 0
    other.hello()
    assert other.ack(lambda _ack: True)
    own.hello()
    assert own.ack(lambda _ack: True)
    assert not [leaf for leaf in own.messages if leaf.startswith(other.id)]


def test_a_table_cannot_evict_another_by_its_client_id(shared_club: Club) -> None:
    own, other = shared_club.tables
    thief = SimTable(own.access, client_id=other.id)
    thief.hellos = False
    thief.connect()
    try:
        assert other.answer(other.publish("signal", b"still here")) in {0, 0x10}
        assert other.ends == []
    finally:
        thief.close()


@pytest.mark.parametrize("way", ["no user", "a wrong password", "nobody's name"])
def test_who_is_not_the_clubs_does_not_get_in(shared_club: Club, way: str) -> None:
    own, _ = shared_club.tables
    access = dict(own.access)
    if way == "a wrong password":
        access["password"] += "x"
    stranger = SimTable(access)
    if way == "no user":
        stranger._client.username_pw_set(None)
    elif way == "nobody's name":
        stranger._client.username_pw_set("table-98", access["password"])
    stranger._client.connect_async("127.0.0.1", access["port"], 15)
    stranger._client.loop_start()
    try:
        assert "Not authorized" in stranger.connected.get(timeout=PATIENCE_S)
    finally:
        stranger.close()


def test_without_the_clubs_authority_nothing_is_sent(shared_club: Club) -> None:
    own, _ = shared_club.tables
    context = ssl.create_default_context()
    place = ("127.0.0.1", own.access["port"])
    with socket.create_connection(place) as plain, pytest.raises(ssl.SSLCertVerificationError):
        context.wrap_socket(plain, server_hostname="localhost")


def test_a_payload_of_ten_megabytes_ends_the_connection_and_harms_nobody(club: Club) -> None:
    loud, other = club.add_table(), club.add_table()
    loud.publish("up/events", b"x" * 10_000_000)
    wait_for(lambda: loud.ends, "the end of the connection")
    other.send(result_event(1))
    assert other.ack_upto(1)["refused"] == []


def test_a_table_that_is_removed_is_put_out_at_once(club: Club) -> None:
    table = club.add_table()
    club.do("remove-table", table.id)
    wait_for(lambda: table.ends, "the end of the connection")
    assert (
        "Not authorized"
        in wait_for(
            lambda: [each for each in list(table.connected.queue) if each != "Success"], "a refusal"
        )[0]
    )
    club.do("undo")
    wait_for(lambda: "Success" in list(table.connected.queue), "being let in again")


def test_the_hub_hears_no_result_that_a_broker_kept(shared_club: Club) -> None:
    own, _ = shared_club.tables
    before = len(shared_club.export()["results"])
    events = {"v": 1, "store": "kept", "events": [result_event(1, game_id="kept")]}
    own.publish("up/events", json.dumps(events).encode(), retain=True)
    # what is sent now is heard, once
    wait_for(lambda: len(shared_club.export()["results"]) == before + 1, "the result")
