"""Root's helper: clock, time zone, a card's name; what it writes, and what it refuses."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from hardware.boards import known_boards
from hardware.config import LAST_PIN, SPI_PINS, Devices, boot_lines, pins_in_use
from tests.pi_app.card.test_helper import FakeMachine, ask
from tests.pi_app.whole_program.test_boards_for_the_header import settings_of


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
    ("asked", "unit"),
    [
        ({"call": "update-look", "suite": "testing"}, "beisitzer-look@testing.service"),
        ({"call": "update-install"}, "update-beisitzer.service"),
    ],
)
def test_updates_are_begun(machine: CardMachine, asked: dict[str, str], unit: str) -> None:
    assert ask(machine.machine(), **asked) == {"ok": {}}
    assert machine.calls == [("systemctl", "--no-block", "start", unit)]
    machine.fails_at = (unit,)
    assert ask(machine.machine(), **asked)["error"] == "failed"


@pytest.mark.parametrize("suite", ["unstable", "stable/..", "", "stable\n"])
def test_only_a_suite_of_ours_is_looked_for(machine: CardMachine, suite: str) -> None:
    assert ask(machine.machine(), call="update-look", suite=suite)["error"] == "argument"
    assert not machine.calls


def test_what_the_header_needs_is_left_for_the_next_start(machine: CardMachine) -> None:
    lines = "".join(f"{line}\n" for line in boot_lines(Devices()))
    asked = {"call": "header-set", "lines": lines}
    assert ask(machine.machine(), **asked) == {"error": "no-card"}
    machine.write("etc/beisitzer-card", "1")
    assert ask(machine.machine(), **asked) == {"ok": {}}
    assert (machine.root / "data/machine/header.txt").read_text() == lines
    assert machine.calls == [("systemctl", "start", "card-header.service")]


@pytest.mark.parametrize("word", [board.word for board in known_boards()])
def test_every_boards_lines_pass_the_check(machine: CardMachine, word: str) -> None:
    machine.write("etc/beisitzer-card", "1")
    wanted = boot_lines(settings_of(word))
    assert wanted
    lines = "".join(f"{line}\n" for line in wanted)
    assert ask(machine.machine(), call="header-set", lines=lines) == {"ok": {}}


@pytest.mark.parametrize("lines", ["init=/bin/sh\n", "dtparam=spi=on", "kernel=x\n", "#\n", " \n"])
def test_nothing_else_reaches_the_firmware(machine: CardMachine, lines: str) -> None:
    machine.write("etc/beisitzer-card", "1")
    assert ask(machine.machine(), call="header-set", lines=lines)["error"] == "argument"
    assert not (machine.root / "data/machine/header.txt").exists()


def test_a_button_is_only_where_no_part_and_no_bus_can_hold_its_pin_low(
    machine: CardMachine,
) -> None:
    """Else the Pi would power off at each start, with nobody there to change that."""
    machine.write("etc/beisitzer-card", "1")
    button = "dtoverlay=gpio-shutdown,gpio_pin={},active_low=1,gpio_pull=up\n"
    parts = {pin for key, pin in pins_in_use(Devices()) if not key.startswith("power_button")}
    buses = {"": set[int](), "dtparam=spi=on\n": set(SPI_PINS)}
    buses["dtparam=i2c_arm=on\ndtparam=i2c_arm_baudrate=400000\n"] = {2, 3}
    taken = set()
    for bus, pins in buses.items():
        for pin in range(100):
            asked = ask(machine.machine(), call="header-set", lines=bus + button.format(pin))
            if "ok" in asked:
                taken.add(pin)
                assert pin <= LAST_PIN
                assert pin not in pins
                assert pin not in parts - {3}  # a resistor on the Pi itself holds it high
    assert taken == {3, 7}


@pytest.mark.parametrize(
    "lines",
    [
        "dtoverlay=gpio-shutdown,gpio_pin=7,active_low=0,gpio_pull=up\n",
        "dtoverlay=gpio-shutdown,gpio_pin=7,active_low=1,gpio_pull=down\n",
        "dtoverlay=gpio-shutdown,gpio_pin=07,active_low=1,gpio_pull=up\n",
        "dtparam=spi=on\n" * 2,
        "dtparam=i2c_arm=on\n" * 8,
        ["dtparam=spi=on\n"],
        {},
    ],
)
def test_the_header_is_one_of_a_few_whole_texts(machine: CardMachine, lines: object) -> None:
    machine.write("etc/beisitzer-card", "1")
    assert ask(machine.machine(), call="header-set", lines=lines)["error"] == "argument"
