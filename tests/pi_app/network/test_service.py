"""The Wi-Fi's process against a NetworkManager that only pretends."""

import json
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pi_app.network.manager import ACTIVE, FAILED, FREE, Manager, channel_of
from pi_app.network.policy import LOOK_S, SETTLE_S
from pi_app.network.service import CALLS, COUNTRY_FILE, NAMED_FILE, Service, answer_line
from pi_app.system.host import OWN_WIFI
from tests.pi_app.network.fake import Air, FakeBus

RIGHT, WRONG = "long enough", "wrong-one"
HOME = Air("Home", RIGHT)
WISH = {"call": "wish", "own": "needed", "phones": True, "country": "DE", "channel": 0}


@dataclass
class Table:
    """A service with a clock of its own, and its pretended machine."""

    folder: Path
    bus: FakeBus = field(default_factory=FakeBus)
    now: float = 500.0
    stations: str = ""
    phy: str = "Device supports SAE with AUTHENTICATE command"

    def __post_init__(self) -> None:
        manager = Manager(self.bus, self._run)
        self.service = Service(manager, self.folder, lambda: self.now, self._sleep)
        self.service.load()

    def _run(self, *words: str) -> str:
        if words == ("iw", "phy"):
            return self.phy
        assert words == ("iw", "dev", "wlan0", "station", "dump")
        return self.stations

    def _sleep(self, seconds: float) -> None:
        self.now += seconds

    def ask(self, call: str, **values: object) -> dict[str, object]:
        reply: dict[str, object] = json.loads(
            answer_line(json.dumps({"call": call, **values}).encode(), self.service)
        )
        return reply

    def wish(self, **values: object) -> None:
        assert self.ask(**{**WISH, **values}) == {"ok": {}}  # type: ignore[arg-type]

    def status(self) -> dict[str, object]:
        found = self.ask("status")["ok"]
        assert isinstance(found, dict)
        return found

    def steps(self, seconds: float) -> None:
        end = self.now + seconds
        while self.now < end:
            self.now += 1
            self.bus.settle()
            self.service.step()

    def opens(self) -> None:
        self.wish()
        self.steps(SETTLE_S + 10)
        assert self.status()["link"] == "own"


@pytest.fixture(name="table")
def _table(tmp_path: Path) -> Table:
    return Table(tmp_path)


def test_nothing_is_made_or_opened_before_somebody_wants_it(table: Table) -> None:
    table.steps(300)
    assert table.bus.stored == {}
    assert table.ask("code") == {"error": "none"}
    assert list(table.folder.iterdir()) == []
    table.wish(own="never")
    table.steps(300)
    assert table.bus.stored == {}


def test_the_own_network_is_protected_has_addresses_and_never_opens_by_itself(table: Table) -> None:
    table.opens()
    own = table.bus.own
    assert own["connection"]["autoconnect"] == ("b", False)
    assert own["ipv4"]["method"] == ("s", "shared")
    assert own["ipv4"]["address-data"][1] == [{"address": ("s", OWN_WIFI), "prefix": ("u", 24)}]
    security = own["802-11-wireless-security"]
    assert security["key-mgmt"] == ("s", "wpa-psk")
    assert security["proto"] == ("as", ["rsn"])
    assert security["pmf"] == ("i", 2)  # what WPA3 needs; NetworkManager then offers it
    assert table.bus.radio_on
    code = table.ask("code")["ok"]
    assert isinstance(code, dict)
    assert security["psk"][1] == code["password"]
    assert len(code["password"]) >= 10


def test_without_wpa3_in_the_driver_frames_stay_as_older_radios_know_them(tmp_path: Path) -> None:
    table = Table(tmp_path, phy="Wiphy phy0")
    table.opens()
    assert table.bus.own["802-11-wireless-security"]["pmf"] == ("i", 1)
    newer = Table(tmp_path, table.bus)  # such as a kernel whose driver says that it can
    newer.wish(own="never")
    newer.steps(5)
    newer.opens()
    assert table.bus.own["802-11-wireless-security"]["pmf"] == ("i", 2)


def test_password_and_wish_outlast_a_restart(table: Table) -> None:
    table.opens()
    code = table.ask("code")
    again = Table(table.folder, table.bus)
    assert again.ask("code") == code
    assert again.service.wish == table.service.wish
    (table.folder / NAMED_FILE).write_text("{")
    assert Table(table.folder).ask("code") == {"error": "none"}


def test_a_new_password_counts_at_once(table: Table) -> None:
    table.opens()
    before = table.ask("code")["ok"]
    table.ask("password")
    after = table.ask("code")["ok"]
    assert isinstance(before, dict)
    assert isinstance(after, dict)
    assert before["password"] != after["password"]
    assert before["name"] == after["name"]
    table.steps(30)
    assert table.bus.own["802-11-wireless-security"]["psk"][1] == after["password"]
    assert table.status()["link"] == "own"


def test_the_channel_is_the_quietest_or_the_one_that_was_chosen(tmp_path: Path) -> None:
    table = Table(tmp_path, FakeBus([Air("A", strength=90), Air("B", frequency=2437)]))
    table.opens()
    assert table.bus.own["802-11-wireless"]["channel"] == ("u", 11)
    table.wish(own="never")
    table.steps(5)
    table.wish(channel=1)
    table.steps(SETTLE_S + 10)
    assert table.bus.own["802-11-wireless"]["channel"] == ("u", 1)


def test_an_own_network_that_cannot_be_opened_is_tried_elsewhere_and_said(table: Table) -> None:
    table.bus.broken = True
    table.wish(channel=6)
    table.steps(60)
    assert table.status()["reason"] == "own-failed"
    assert table.bus.own["802-11-wireless"]["channel"][1] != 6
    table.bus.broken = False
    table.steps(400)
    assert table.status()["link"] == "own"


def test_a_second_table_of_the_same_name_takes_another_one(table: Table) -> None:
    table.opens()
    name = table.status()["own"]
    table.wish(own="never")
    table.steps(5)
    table.bus.air.append(Air(str(name), "another password"))
    table.wish()
    table.steps(SETTLE_S + 10)
    assert table.status()["own"] == f"{name}-2"
    assert table.ask("code")["ok"]["name"] == f"{name}-2"  # type: ignore[index]


def test_a_network_is_joined_kept_and_left_for_the_own_one(table: Table) -> None:
    table.bus.air.append(HOME)
    table.opens()
    assert table.ask("join", name="Home", password=RIGHT, kind="wpa-psk") == {"ok": {}}
    assert table.status()["asked"] == "Home"
    table.steps(5)
    status = table.status()
    assert (status["link"], status["name"], status["asked"]) == ("joined", "Home", "")
    assert status["reason"] == ""
    (path,) = (each.path for each in table.service.manager.known())
    assert path in table.bus.saved
    table.bus.air.clear()
    table.bus.signals.append((FAILED, ACTIVE, 53))
    table.bus.state, table.bus.active = FREE, ""
    table.steps(SETTLE_S + 15)
    status = table.status()
    assert (status["link"], status["reason"], status["about"]) == ("own", "gone", "Home")
    table.bus.air.append(HOME)
    table.steps(LOOK_S + 40)
    assert table.status()["name"] == "Home"


def test_it_stays_while_a_phone_is_in_it(table: Table) -> None:
    table.bus.air.append(HOME)
    table.bus.store("Home", "long enough")
    table.bus.air.clear()
    table.stations = "Station 02:00:00:00:01:00 (on wlan0)\n\tinactive time: 8 ms\n"
    table.opens()
    table.bus.air.append(HOME)
    table.steps(LOOK_S * 5)
    assert table.status()["link"] == "own"
    table.stations = ""
    table.steps(LOOK_S + 40)
    assert table.status()["link"] == "joined"


def test_a_wrong_password_is_called_wrong_and_not_kept(table: Table) -> None:
    table.bus.air.append(HOME)
    table.opens()
    table.ask("join", name="Home", password=WRONG, kind="wpa-psk")
    table.steps(20)
    status = table.status()
    assert (status["link"], status["reason"], status["about"]) == ("own", "wrong-password", "Home")
    assert status["known"] == []


def test_a_wrong_password_leaves_the_one_that_was_kept(table: Table) -> None:
    table.bus.air.append(HOME)
    kept = table.bus.store("Home", "long enough")
    table.wish()
    table.steps(SETTLE_S + 10)
    table.ask("join", name="Home", password=WRONG, kind="wpa-psk")
    table.steps(20)
    assert [each.path for each in table.service.manager.known()] == [kept]


def test_a_table_that_is_to_stay_in_its_own_network_joins_no_other(table: Table) -> None:
    table.bus.air.append(HOME)
    table.wish(own="always")
    table.steps(10)
    assert table.ask("join", name="Home", password=RIGHT, kind="wpa-psk") == {"error": "stays"}
    table.steps(10)
    assert table.status()["link"] == "own"


def test_a_network_that_gives_no_address_is_given_up_after_a_minute(table: Table) -> None:
    table.bus.air.append(Air("Mute", "long enough", gives_addresses=False))
    table.opens()
    table.ask("join", name="Mute", password=RIGHT, kind="wpa-psk")
    table.steps(55)
    assert table.status()["link"] == "joining"
    table.steps(20)
    status = table.status()
    assert (status["link"], status["reason"], status["about"]) == ("own", "no-address", "Mute")


def test_a_look_from_within_a_network_neither_leaves_it_nor_takes_long(table: Table) -> None:
    table.bus.air.append(HOME)
    table.ask("join", name="Home", password=RIGHT, kind="wpa-psk")
    table.steps(5)
    scans, now = table.bus.scans, table.now
    assert table.ask("look")["ok"]
    assert table.bus.scans == scans + 1
    assert table.now - now < 2
    assert table.status()["name"] == "Home"


def joined(table: Table, name: str, password: str = RIGHT) -> None:
    """Join a network as a phone does, and let it be kept."""
    table.bus.air = [each for each in table.bus.air if each.name != name]
    table.bus.air.append(Air(name, password))
    assert table.ask("join", name=name, password=password, kind="wpa-psk") == {"ok": {}}
    table.steps(5)
    assert table.status()["name"] == name


def test_a_network_that_was_joined_beside_the_houses_is_forgotten_also_later(table: Table) -> None:
    table.bus.store("Home", "long enough")
    joined(table, "Attic")
    table.wish()
    assert (table.folder / NAMED_FILE).stat().st_mode & 0o777 == 0o600, "it has a password"
    again = Table(table.folder, table.bus)
    assert again.ask("forget", name="Attic") == {"ok": {}}
    assert again.status()["known"] == ["Home"]


@pytest.mark.parametrize("by_table", [False, True], ids=["the owner stored it", "the first one"])
def test_nobody_who_asks_the_service_can_take_the_houses_network_away(
    table: Table, *, by_table: bool
) -> None:
    """Not by forgetting it, and not by joining another one of its name."""
    if by_table:
        joined(table, "Home")
    else:
        table.bus.store("Home", RIGHT)
    (house,) = table.bus.stored
    assert table.ask("forget", name="Home") == {"error": "house"}
    joined(table, "Attic")
    assert table.ask("forget", name="Home") == {"error": "house"}
    joined(table, "Home", WRONG)
    assert house in table.bus.stored
    assert table.ask("forget", name="Home") == {"ok": {}}, "the one that was joined beside it"
    assert table.status()["known"] == ["Attic", "Home"]
    assert table.ask("forget", name="Home") == {"error": "house"}
    assert house in table.bus.stored


def test_of_two_networks_of_a_name_the_one_that_was_joined_last_is_taken(table: Table) -> None:
    """The house has another password now: the old one would fail each time."""
    table.bus.store("Home", WRONG)
    joined(table, "Home")
    table.bus.state, table.bus.active = FREE, ""
    assert table.ask("join", name="Home", password="", kind="wpa-psk") == {"ok": {}}
    table.steps(5)
    assert (table.status()["link"], table.status()["name"]) == ("joined", "Home")


def test_networks_are_told_with_their_strength_and_how_one_joins(table: Table) -> None:
    table.bus.air += [
        Air("Weak", strength=20, rsn=0, flags=0), HOME, Air("Office", rsn=0x200),
        Air("New", strength=50, rsn=0x400), Air("Old", strength=10, rsn=0),
        Air("Home", strength=30),
    ]  # fmt: skip
    assert table.status()["networks"] == [
        {"name": "Home", "signal": 70, "kind": "wpa-psk"},
        {"name": "Office", "signal": 70, "kind": "other"},
        {"name": "New", "signal": 50, "kind": "sae"},
        {"name": "Weak", "signal": 20, "kind": "open"},
        {"name": "Old", "signal": 10, "kind": "other"},
    ]


def test_a_cable_makes_the_own_network_needless(table: Table) -> None:
    table.opens()
    table.bus.cable = True
    table.steps(5)
    assert table.status()["link"] == "none"


def test_a_new_country_is_kept_for_systemd_which_starts_the_service_anew(table: Table) -> None:
    table.wish()
    assert (table.folder / COUNTRY_FILE).read_text() == "DE\n"
    assert table.service.new_country
    again = Table(table.folder)
    again.wish()
    assert not again.service.new_country


def test_without_networkmanager_it_says_so_and_waits(table: Table) -> None:
    table.bus.there = False
    table.steps(5)
    assert table.ask("status") == {"error": "failed"}
    table.bus.there = True
    table.opens()


@pytest.mark.parametrize(
    ("request_", "error"),
    [
        ({}, "unknown-call"),
        ({"call": "stop"}, "unknown-call"),
        ({"call": ["status"]}, "unknown-call"),
        ({"call": "status", "more": 1}, "argument"),
        ({"call": "forget"}, "argument"),
        ({"call": "forget", "name": ""}, "argument"),
        ({"call": "forget", "name": "ä" * 17}, "argument"),
        ({"call": "join", "name": "a", "password": "seven77", "kind": "wpa-psk"}, "argument"),
        ({"call": "join", "name": "a", "password": "", "kind": "wep"}, "argument"),
        ({"call": "join", "name": "a", "password": "", "kind": "sae"}, "password"),
        ({**WISH, "country": "de"}, "argument"),
        ({**WISH, "country": "D$"}, "argument"),
        ({**WISH, "channel": True}, "argument"),
        ({**WISH, "channel": 3}, "argument"),
        ({**WISH, "phones": 1}, "argument"),
        ([], "request"),
        (7, "request"),
    ],
)
def test_what_is_not_exactly_a_call_is_refused(table: Table, request_: object, error: str) -> None:
    assert json.loads(answer_line(json.dumps(request_).encode(), table.service)) == {"error": error}


def test_junk_is_refused(table: Table) -> None:
    for junk in (b"", b"{", b"\xff", b"[" * 5000):
        assert json.loads(answer_line(junk, table.service)) == {"error": "request"}


def test_there_are_exactly_these_calls() -> None:
    assert set(CALLS) == {"status", "wish", "code", "password", "look", "join", "forget"}


@pytest.mark.parametrize(
    ("frequency", "channel"), [(2412, 1), (2437, 6), (2472, 13), (2484, 14), (5180, 0)]
)
def test_channels_of_frequencies(frequency: int, channel: int) -> None:
    assert channel_of(frequency) == channel
