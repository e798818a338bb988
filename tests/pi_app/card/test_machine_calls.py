"""Root's helper: clock, time zone, a card's name; what it writes, and what it refuses."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.pi_app.card.test_helper import FakeMachine, ask


class CardMachine(FakeMachine):
    """A machine whose commands print something, or fail."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.prints: dict[str, str] = {}
        self.fails_at: tuple[str, ...] = ()
        self.write("usr/share/zoneinfo/Europe/Berlin", "")
        (root / "data/machine").mkdir(parents=True)

    def command(self, words: Sequence[str]) -> "subprocess.CompletedProcess[str]":
        self.calls.append(words)
        failed = bool(self.fails_at) and tuple(words[-len(self.fails_at) :]) == self.fails_at
        return subprocess.CompletedProcess(words, int(failed), self.prints.get(words[0], ""), "no")


@pytest.fixture(name="machine")
def _machine(tmp_path: Path) -> CardMachine:
    return CardMachine(tmp_path / "root")


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
