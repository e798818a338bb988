"""Root's helper: clock, time zone, a card's name, Wi-Fi; what it writes, and what it refuses."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.pi_app.card.test_helper import FakeMachine, ask

KEPT = "etc/NetworkManager/system-connections/beisitzer-wifi.nmconnection"
ODD = "s3 cret\\x"
SEEN = """\
 :40:WPA2:Café am Eck
*:80:WPA1 WPA2:Home
 :90:WPA2:Home
 :30:WPA3:New\\: one\\\\two
 :20:WPA2 802.1X:Office
 :10:--:
 :5::Open air
"""


class CardMachine(FakeMachine):
    """A machine whose commands print something, or fail."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.prints: dict[str, str] = {}
        self.fails_at: tuple[str, ...] = ()
        self.write("usr/share/zoneinfo/Europe/Berlin", "")
        (root / KEPT).parent.mkdir(parents=True)
        (root / "data/machine").mkdir(parents=True)

    def command(self, words: Sequence[str]) -> "subprocess.CompletedProcess[str]":
        self.calls.append(words)
        failed = bool(self.fails_at) and tuple(words[-len(self.fails_at) :]) == self.fails_at
        return subprocess.CompletedProcess(words, int(failed), self.prints.get(words[0], ""), "no")


@pytest.fixture(name="machine")
def _machine(tmp_path: Path) -> CardMachine:
    return CardMachine(tmp_path / "root")


def join(machine: CardMachine, password: str = ODD, kind: str = "wpa-psk") -> object:
    request = {"call": "wifi-join", "name": "Café", "password": password, "kind": kind}
    return ask(machine.machine(), **request)


def test_the_clock_is_set_while_the_networks_time_rests(machine: CardMachine) -> None:
    assert ask(machine.machine(), call="clock-set", utc="2026-11-24T05:10") == {"ok": {}}
    assert machine.calls == [
        ("systemctl", "is-active", "--quiet", "systemd-timesyncd.service"),
        ("systemctl", "stop", "systemd-timesyncd.service"),
        ("timedatectl", "set-time", "2026-11-24 05:10:00 UTC"),
        ("systemctl", "start", "systemd-timesyncd.service"),
    ]


def test_a_clock_that_cannot_be_set_follows_the_network_again(machine: CardMachine) -> None:
    machine.fails_at = ("2026-11-24 05:10:00 UTC",)
    assert ask(machine.machine(), call="clock-set", utc="2026-11-24T05:10")["error"] == "failed"
    assert machine.calls[-1] == ("systemctl", "start", "systemd-timesyncd.service")


def test_a_zone_is_set_by_the_system_and_on_a_card_by_a_link(machine: CardMachine) -> None:
    zone = {"call": "zone-set", "zone": "Europe/Berlin"}
    assert ask(machine.machine(), **zone) == {"ok": {}}
    assert machine.calls == [("timedatectl", "set-timezone", "Europe/Berlin")]
    machine.write("etc/beisitzer-card", "1")
    for _ in range(2):
        assert ask(machine.machine(), **zone) == {"ok": {}}
    link = machine.root / "data/machine/localtime"
    assert str(link.readlink()) == "/usr/share/zoneinfo/Europe/Berlin"
    assert len(machine.calls) == 1


@pytest.mark.parametrize("zone", ["../../etc/shadow", "Europe/../Berlin", "/etc", "Europe/", ""])
def test_a_zone_leads_nowhere_else(machine: CardMachine, zone: str) -> None:
    assert ask(machine.machine(), call="zone-set", zone=zone) == {
        "error": "argument", "argument": "zone",
    }  # fmt: skip


def test_only_a_card_takes_another_name(machine: CardMachine) -> None:
    assert ask(machine.machine(), call="host-set", name="attic") == {"error": "no-card"}
    machine.write("etc/beisitzer-card", "1")
    assert ask(machine.machine(), call="host-set", name="attic") == {"ok": {}}
    assert (machine.root / "data/machine/hostname").read_text() == "attic\n"
    assert ("systemctl", "restart", "card-prepare.service") in machine.calls


@pytest.mark.parametrize("name", ["", "-a", "a-", "A", "a.b", "a b", "a\n", "a" * 33, "ä"])
def test_a_name_is_one_that_a_network_takes(machine: CardMachine, name: str) -> None:
    machine.write("etc/beisitzer-card", "1")
    assert ask(machine.machine(), call="host-set", name=name)["error"] == "argument"


def test_networks_are_listed_once_the_strongest_first(machine: CardMachine) -> None:
    machine.prints["nmcli"] = SEEN
    assert ask(machine.machine(), call="wifi-list") == {
        "ok": {
            "networks": [
                {"name": "Home", "signal": 80, "kind": "wpa-psk", "used": True},
                {"name": "Café am Eck", "signal": 40, "kind": "wpa-psk"},
                {"name": "New: one\\two", "signal": 30, "kind": "sae"},
                {"name": "Office", "signal": 20, "kind": "other"},
                {"name": "Open air", "signal": 5, "kind": "open"},
            ]
        }
    }


def test_a_password_goes_into_a_file_of_roots_and_on_no_command_line(
    machine: CardMachine,
) -> None:
    assert join(machine) == {"ok": {}}
    file = machine.root / KEPT
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.read_text() == (
        "[connection]\nid=beisitzer-wifi\ntype=wifi\n\n"
        "[wifi]\nmode=infrastructure\nssid=67;97;102;195;169;\n\n"
        "[wifi-security]\nkey-mgmt=wpa-psk\npsk=s3\\scret\\\\x\n"
    )
    assert machine.calls == [
        ("nmcli", "connection", "reload"),
        ("nmcli", "--wait", "40", "connection", "up", "id", "beisitzer-wifi"),
    ]


def test_an_open_network_needs_no_password_and_takes_none(machine: CardMachine) -> None:
    assert join(machine, "", "open") == {"ok": {}}
    assert "security" not in (machine.root / KEPT).read_text()
    refused = {"error": "argument", "argument": "password"}
    assert join(machine, "password", "open") == refused
    assert join(machine, "") == refused
    assert join(machine, "seven77") == refused


def test_a_network_that_cannot_be_joined_leaves_the_one_before(machine: CardMachine) -> None:
    machine.fails_at = ("up", "id", "beisitzer-wifi")
    assert join(machine) == {"error": "not-joined"}
    assert not (machine.root / KEPT).exists()
    machine.write(KEPT, "[connection]\nid=before\n")
    assert join(machine) == {"error": "not-joined"}
    assert (machine.root / KEPT).read_text() == "[connection]\nid=before\n"
    assert (machine.root / KEPT).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("update-look", ("systemctl", "--no-block", "start", "card-update@now.service")),
        ("update-switch", ("systemctl", "start", "card-switch.service")),
    ],
)
def test_updates_are_a_cards_alone(machine: CardMachine, name: str, words: tuple[str, ...]) -> None:
    assert ask(machine.machine(), call=name) == {"error": "no-card"}
    assert not machine.calls
    machine.write("etc/beisitzer-card", "1")
    assert ask(machine.machine(), call=name) == {"ok": {}}
    assert machine.calls == [words]
    machine.fails_at = words[-1:]
    assert ask(machine.machine(), call=name)["error"] == "failed"
