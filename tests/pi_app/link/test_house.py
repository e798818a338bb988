"""A table in a smart home: what a real broker hears of it, and what the house may do."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from pi_app.link.contract import TableState, TableTurn
from pi_app.link.ends.home_assistant import discovery
from pi_app.link.protocol import HomeWanted, LinkStatus, TableEvent, TextToSay
from tests.pi_app.link.test_process import Place, ended, hub_of_module
from tests.ports import free_port
from tests.stand_ins.companion import in_a_thread
from tests.stand_ins.hub import FakeHub
from tests.stand_ins.mosquitto import PASSWORD, USER, Home, Mosquitto, needed
from tests.stand_ins.waiting import wait_for

pytestmark = needed
hub = hub_of_module
TURN = TableTurn(seat=2, colour="red", hex="#c00000")
PLAYING = TableState(game="numeri", phase="playing", turn=TURN, players=3, waiting=4)


@pytest.fixture(name="broker", scope="module")
def _broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    broker = Mosquitto(tmp_path_factory.mktemp("mosquitto"))
    broker.start()
    yield broker
    broker.stop()


@pytest.fixture(name="home")
def _home(broker: Mosquitto) -> Iterator[Home]:
    home = Home(broker)
    yield home
    home.close()


@pytest.fixture(name="place")
def _place(tmp_path: Path, hub: FakeHub, broker: Mosquitto) -> Iterator[Place]:
    place = Place(tmp_path, hub)
    place.club_file.parent.mkdir(parents=True)
    place.club_file.with_name("home-password").write_text(f"{PASSWORD}\n")
    place.club_file.with_name("home-ca.pem").write_bytes((broker.folder / "ca.pem").read_bytes())
    with in_a_thread(place.companion) as place.loop:
        yield place
        place.end()


def wanted(port: int, *, insecure: bool = False, user: str = USER) -> HomeWanted:
    return HomeWanted(
        enabled=True, host="127.0.0.1", port=port, user=user, insecure=insecure, discovery=True
    )


@pytest.mark.parametrize("insecure", [False, True])
def test_a_house_hears_what_the_table_does_and_that_it_has_gone(
    place: Place, broker: Mosquitto, home: Home, insecure: bool
) -> None:
    port = broker.plain_port if insecure else broker.port
    place.want(enabled=False, home=wanted(port, insecure=insecure))
    link = place.start()
    wait_for(lambda: place.statuses() == [""])
    place.tell("state", PLAYING)
    wait_for(lambda: b"numeri" in (home.newest("/state") or b""))
    state = json.loads(home.newest("/state") or b"")
    assert state == {
        "v": 2,
        "game": "numeri",
        "phase": "playing",
        "players": 3,
        "waiting": 4,
        "turn": {"seat": 2, "colour": "red", "hex": "#c00000"},
    }
    place.tell("event", TableEvent(event_type="row", seat=2))
    wait_for(lambda: home.newest("/signal"))
    signal = json.loads(home.newest("/signal") or b"")
    assert signal == {"v": 1, "event_type": "row", "seat": 2}
    table = place.club_file.with_name("home-table").read_text().strip()
    assert home.newest(f"beisitzer/1/{table}/availability") == b"online"
    described = json.loads(home.newest(f"homeassistant/device/beisitzer_{table}/config") or b"")
    assert set(described["cmps"]) == {"turn", "game", "in_use", "lamp", "table", "say", "version"}
    out, err = ended(link)
    assert (out, err) == (f"smart home: connected to 127.0.0.1:{port}\n", "")
    wait_for(lambda: home.newest(f"beisitzer/1/{table}/availability") == b"offline")


def test_a_house_may_say_something_and_nothing_else(
    place: Place, broker: Mosquitto, home: Home
) -> None:
    place.want(enabled=False, home=wanted(broker.port))
    link = place.start()
    wait_for(lambda: place.statuses() == [""])
    table = place.club_file.with_name("home-table").read_text().strip()
    wait_for(lambda: home.newest("config"))
    home.heard.clear()
    for payload in (b"", b"{", b'{"id":"1"}', b'{"id":"2","text":"Dinner","for_s":600}'):
        home.say(f"beisitzer/1/{table}/say", payload)
    wait_for(lambda: place.told(TextToSay))
    assert [each.say.text for each in place.told(TextToSay)] == ["Dinner"]
    home.say("homeassistant/status", b"online")
    wait_for(lambda: home.newest("config") and home.newest("/state"))
    ended(link)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"user": "nobody"}, "login"),
        ({"host": "no-such-name.invalid"}, "name"),
        ({"port": 0}, "away"),
        ({"insecure": True}, "away"),
    ],
)
def test_what_keeps_the_table_from_the_house_is_a_word(
    place: Place, broker: Mosquitto, change: dict[str, object], why: str
) -> None:
    given = wanted(broker.port)
    if change == {"port": 0}:
        change = {"port": free_port()}
    place.want(enabled=False, home=replace(given, **change))  # type: ignore[arg-type]
    link = place.start()
    wait_for(lambda: why in place.statuses())
    _, err = ended(link)
    assert err.startswith("beisitzer: smart home: ")


def test_a_certificate_of_somebody_else_is_no_broker(place: Place, broker: Mosquitto) -> None:
    place.club_file.with_name("home-ca.pem").unlink()
    place.want(enabled=False, home=wanted(broker.port))
    link = place.start()
    wait_for(lambda: place.statuses() == ["certificate"])
    ended(link)


def test_a_table_may_be_in_a_club_and_in_a_house_at_once(
    place: Place, broker: Mosquitto, home: Home
) -> None:
    place.club_file.write_text(json.dumps(place.hub.access))
    place.companion.games.join(place.hub)
    place.companion.games.play()
    place.want(enabled=True, home=wanted(broker.port))
    link = place.start()
    wait_for(lambda: place.companion.games.outbox.waiting == 0)
    wait_for(lambda: home.newest("/availability") == b"online")
    wait_for(lambda: {each.end for each in place.told(LinkStatus)} == {"club", "home"})
    out, _ = ended(link)
    assert sorted(line.split(":")[0] for line in out.splitlines()) == ["club", "smart home"]


def test_every_kind_of_event_is_one_that_home_assistant_is_told_of() -> None:
    described = json.loads(discovery("table-x3k9ab", "1.0.0")[1])
    types = get_args(get_type_hints(TableEvent)["event_type"])
    assert tuple(described["cmps"]["table"]["event_types"]) == types
