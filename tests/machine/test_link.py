"""The link's service in its machine, with a real broker outside it: turned on, used, turned off."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engines.record import parse
from tests.machine.conftest import Installed, Workshop
from tests.machine.machine import Machine, copy_disk
from tests.machine.table import CONFIG, NAMES, PYTHON, RUNS, Figures, keys, random_moves
from tests.machine.test_pads import WAKEUPS
from tests.pi_app.link.mosquitto import PASSWORD, Mosquitto, make_certificate, needed
from tests.players.panel import Hand
from tests.stand_ins.hub import KeepingHub

pytestmark = needed

MOVES = random_moves(11)
"""A whole game, and a short one."""
TABLE = "table-01"
OUTSIDE = "10.0.2.2"
"""Where the emulator's network has the machine it runs on."""
UNIT = "beisitzer-link.service"
ON = f"systemctl is-active {UNIT}"
STATE = "/var/lib/beisitzer"
NETWORK = f"""\
set -e
modprobe virtio_net; udevadm settle
card=$(ls /sys/class/net | grep -v '^lo$')
busybox ip address add 10.0.2.15/24 dev $card; busybox ip link set $card up
python3 -c 'import socket; socket.create_connection(("{OUTSIDE}", {{port}}), 60)'
"""
TRY = f"""\
cat > /usr/local/bin/link_rights.py << 'END_OF_IT'
{(Path(__file__).parent / "link_rights.py").read_text()}
END_OF_IT
mkdir -p /run/systemd/system/{UNIT}.d
printf '[Service]\\nExecStartPre={PYTHON} /usr/local/bin/link_rights.py\\n' \
  > /run/systemd/system/{UNIT}.d/rights.conf
systemctl daemon-reload
"""
EXPOSURE = 2.5
MEMORY_MIB = 30
IDLE_S = 20
MORE_WAKEUPS = 0.5
"""How many more a second may come by chance in so short a time."""
PATIENCE_S = 900.0


class Rig:
    """A table with its panel, the broker and the hub it is to join."""

    def __init__(self, workshop: Workshop, installed: Installed, hand: Hand) -> None:
        folder = workshop.folder / "link"
        disk = copy_disk(installed.disk, folder)
        games = copy_disk(installed.games, folder / "store")
        self.hand = hand
        self.broker = Mosquitto(folder / "mosquitto", [TABLE])
        make_certificate(self.broker.folder, host=f"IP:127.0.0.1,IP:{OUTSIDE}")
        self.broker.start()
        self.hub = KeepingHub(self.broker)
        self.hub.start()
        network = ["-netdev", "user,id=club", "-device", "virtio-net-pci,netdev=club"]
        self.machine = Machine(workshop.image, disk, games=games, panel=hand, more=network)
        self.machine.wait_for(RUNS, 900)
        self.machine.ok(NETWORK.format(port=self.broker.port) + TRY)

    def end(self) -> None:
        self.machine.kill()
        self.hub.stop()
        self.broker.stop()

    def set(self, **link: object) -> None:
        """Write settings while the companion does not run, as somebody at a keyboard would."""
        self.machine.ok("systemctl stop beisitzer")
        for name, value in link.items():
            self.machine.ok(f"{CONFIG} --set 'link.{name}={json.dumps(value)}'")
        self.hand.lines.clear()
        self.machine.ok("systemctl start beisitzer")
        self.hand.shows("Just 4 Fun")

    def put(self, name: str, text: str) -> str:
        """Lay a file next to the games, for the companion's own user only."""
        path = f"{STATE}/{name}"
        self.machine.ok(
            f"install -o beisitzer -g beisitzer -m 600 /dev/stdin {path} << 'END'\n{text}END\n"
        )
        return path

    def switch(self, shown: str, wanted: str) -> None:
        """Turn the link on or off by keys, from the first screen or from a game."""
        if any("Just 4 Fun" in row for row in self.hand.rows()):
            self.hand.press("^^")  # over "Continue", which has nothing to go on with, to the end
            self.hand.shows("System")
        else:
            self.hand.press("MENU")
            self.hand.shows("Help")
            self.hand.press("^^")  # over "Companion", which is for a game that goes on
            self.hand.shows("New game")
        self.hand.choose("System", "Club and home", shown)
        self.hand.shows(wanted)

    def rights(self) -> dict[str, Any]:
        """Return what the process said of its rights when it was started last."""
        said = self.machine.ok(f"journalctl -u {UNIT} -o cat --no-pager | grep ^RIGHTS | tail -1")
        found: dict[str, Any] = json.loads(said.removeprefix("RIGHTS "))
        return found

    def wakeups(self, unit: str) -> float:
        """Return how often a second threads of a service go on after a wait while nobody plays."""
        script = WAKEUPS.format(process=self.machine.unit("MainPID", unit=unit)["MainPID"])
        words = self.machine.ok(f"sleep 5; {script}; sleep {IDLE_S}; {script}")
        before, after = map(int, words.split())
        return (after - before) / IDLE_S

    def said(self, leaf: str) -> list[bytes]:
        name = f"beisitzer/1/{TABLE}/{leaf}"
        return [data for topic, data in self.hub.bytes if topic == name]

    def state(self) -> dict[str, Any]:
        """Return the table's last state; one of nothing before the first."""
        found: dict[str, Any] = json.loads((self.said("state") or [b"{}"])[-1])
        return found

    def until(self, **state: object) -> None:
        """Wait until the table says this of itself."""
        self.hub.wait_for(lambda: state.items() <= self.state().items(), PATIENCE_S)


@pytest.fixture(name="rig")
def _rig(workshop: Workshop, installed: Installed) -> Iterator[Rig]:
    with Hand(workshop.folder / "link") as hand:
        rig = Rig(workshop, installed, hand)
        try:
            yield rig
        finally:
            rig.end()


def test_a_life_of_the_link(rig: Rig, figures: Figures) -> None:
    """One test: each step stands on the one before, as on a table."""
    _is_off(rig)
    before = rig.wakeups("beisitzer.service")
    _is_turned_on_with_nothing_to_go_by(rig)
    _is_confined(rig, figures)
    _joins(rig)
    after, link = rig.wakeups("beisitzer.service"), rig.wakeups(UNIT)
    figures.note(
        f"idle wakeups a second: {before:.1f} without a link, {after:.1f} with; its own {link:.1f}"
    )
    assert after <= before + MORE_WAKEUPS
    _carries_a_result(rig, figures)
    _is_turned_off(rig)


def _is_off(rig: Rig) -> None:
    """Nobody wanted it: it does not run, and where somebody starts it by mistake it ends."""
    assert rig.machine.unit("ActiveState", unit=UNIT) == {"ActiveState": "inactive"}
    rig.machine.ok(f"systemctl start {UNIT}")
    rig.machine.wait_for(f"! {ON}")
    assert rig.machine.unit("Result", unit=UNIT) == {"Result": "success"}
    rig.machine.ok(f"! test -e {STATE}/link.on && ! pgrep -u beisitzer-link")


def _is_turned_on_with_nothing_to_go_by(rig: Rig) -> None:
    """Need only the table's name: without a password it says so and stays."""
    rig.set(user=TABLE, host=OUTSIDE, port=rig.broker.port)
    assert rig.machine.run(ON).status != 0
    rig.switch("Link: off", "Link: on")
    rig.machine.wait_for(ON)
    rig.machine.wait_for(f"journalctl -u {UNIT} -o cat --no-pager | grep -q link.password_file")
    rig.hand.press("<")
    rig.hand.shows("Club: name or")  # ... password is missing
    assert rig.hub.hellos == []


def _is_confined(rig: Rig, figures: Figures) -> None:
    rights = rig.rights()
    assert rights == {
        "user": "beisitzer-link",
        "families": ["AF_INET", "AF_INET6", "AF_UNIX"],
        "games": [],
        "writable": [],
        "companion": True,
    }
    words = rig.machine.ok(f"systemd-analyze security --no-pager {UNIT} | tail -1")
    exposure = re.search(r"exposure level for \S+: ([\d.]+)", words)
    assert exposure is not None, words
    figures.note(f"the link's exposure: {exposure[1]}")
    assert float(exposure[1]) <= EXPOSURE


def _joins(rig: Rig) -> None:
    """With a password and the club's authority it is there: its birth, its hello, its state."""
    password = rig.put("link-password", f"{PASSWORD}\n")
    rig.set(password_file=password, ca=rig.put("link-ca.pem", rig.broker.ca.read_text()))
    rig.hub.wait_for(lambda: bool(rig.hub.hellos), PATIENCE_S)
    rig.until(phase="idle", game=None, turn=None, waiting=0, assignment=None)
    assert rig.said("availability")[-1] == b"online"
    table, hello = rig.hub.hellos[-1]
    assert (table, hello.last) == (TABLE, 0)
    assert hello.machine != "0"
    own = "/var/lib/beisitzer-link"
    kept = rig.machine.ok(f"stat -c '%a %U' {own} {own}/password; cat {own}/password")
    assert kept.split() == ["700", "beisitzer-link", "600", "beisitzer-link", PASSWORD]
    assert rig.rights()["games"] == []


def _carries_a_result(rig: Rig, figures: Figures) -> None:
    seats = [
        {"seat": number, "p": f"p{number + 16}", "show": name}
        for number, name in enumerate(NAMES, 1)
    ]
    round_ = {"era": 1, "rev": 2, "evening": "e7k2", "round": 3}
    offer = {**round_, "game": "just4fun", "rules": "", "board": None, "seats": seats}
    rig.hub.say(TABLE, "down/seat", offer, retain=True)
    rig.hand.shows("Round 3")
    rig.until(assignment={**round_, "answer": "offered"})
    rig.hand.press("#")
    for number, move in enumerate(MOVES):
        rig.hand.sees_turn(NAMES[number % 2])
        rig.hand.press(keys(move))
    rig.hub.wait_for(lambda: bool(rig.hub.committed.results), PATIENCE_S)
    rig.until(phase="over", waiting=0, assignment={**round_, "answer": "started"})
    (event,) = rig.hub.committed.results.values()
    assert (event["seq"], event["evening"], event["round"]) == (1, "e7k2", 3)
    assert [(seat["seat"], seat["p"]) for seat in event["seats"]] == [(1, "p17"), (2, "p18")]
    assert parse(event["record"]).tokens == MOVES
    assert "Anna" not in event["record"]
    assert (TABLE, 1) in [(table, ack.upto) for table, ack in rig.hub.acked]
    assert figures.memory(rig.machine, "of the link", UNIT) < MEMORY_MIB


def _is_turned_off(rig: Rig) -> None:
    rig.switch("Link: on", "Link: off")
    rig.hub.wait_for(lambda: rig.said("availability")[-1] == b"offline", PATIENCE_S)
    rig.machine.wait_for(f"! {ON} && ! test -e {STATE}/link.on")
    assert rig.machine.unit("Result", unit=UNIT) == {"Result": "success"}
    rig.machine.ok("! pgrep -u beisitzer-link")
    rig.machine.check_uninterrupted()
