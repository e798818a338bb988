"""The link's service in containers, with a hub outside: turned on, used, turned off."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engines.record import parse
from tests.machine.conftest import Debian
from tests.machine.container import HERE, Container
from tests.machine.table import CONFIG, NAMES, PYTHON, RUNS, Figures, keys, random_moves
from tests.machine.test_pads import WAKEUPS
from tests.players.panel import Hand
from tests.stand_ins.hub import FakeHub
from tests.stand_ins.waiting import wait_for

MOVES = random_moves(11)
"""A whole game, and a short one."""
OWN = "/var/lib/beisitzer-link"
UNIT = "beisitzer-link.service"
ON = f"systemctl is-active {UNIT}"
STATE = "/var/lib/beisitzer"
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
MEMORY_MIB = 32
"""Debian 13's Python takes two more than Debian 12's."""
IDLE_S = 20
MORE_WAKEUPS = 0.5
"""How many more a second may come by chance in so short a time."""
PATIENCE_S = 900.0


class Rig:
    """A table with its panel, and the hub that it is to join."""

    def __init__(self, root: Path, folder: Path, hand: Hand) -> None:
        self.hand = hand
        self.hub = FakeHub(folder / "hub", bind="")
        self.hub.start()
        self.machine = Container(root, hand)
        self.machine.wait_for(RUNS, 900)
        self.machine.ok(TRY)

    def end(self) -> None:
        self.machine.kill()
        self.hub.kill()

    def set(self, **club: object) -> None:
        """Write settings while the companion does not run, as somebody at a keyboard would."""
        self.machine.ok("systemctl stop beisitzer")
        for name, value in club.items():
            self.machine.ok(f"{CONFIG} --set 'club.{name}={json.dumps(value)}'")
        self.hand.lines.clear()
        self.machine.ok("systemctl start beisitzer")
        self.hand.shows("Just 4 Fun")

    def let_in(self) -> None:
        """Write into the link's own folder what a hub gave this table."""
        text = json.dumps(self.hub.access)
        owner = "-o beisitzer-link -g beisitzer-link"
        self.machine.ok(f"install -d -m 700 {owner} {OWN} {OWN}/link")
        self.machine.ok(
            f"install -m 600 {owner} /dev/stdin {OWN}/link/club.json << 'END'\n{text}\nEND\n"
        )

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

    def until(self, **state: object) -> None:
        """Wait until the table says this of itself."""

        def said() -> bool:
            states = [facts for path, facts, _ in list(self.hub.heard) if path == "/state"]
            return bool(states) and state.items() <= states[-1].items()

        wait_for(said, patience_s=PATIENCE_S)


@pytest.fixture(name="rig")
def _rig(debian: Debian, settled: Path, tmp_path: Path) -> Iterator[Rig]:
    with Hand(tmp_path / "hand") as hand:
        rig = Rig(debian.copy(settled, "link"), tmp_path, hand)
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
    """Without a club that was joined it says so and stays."""
    rig.set(host=HERE, port=rig.hub.port)
    assert rig.machine.run(ON).status != 0
    rig.switch("Club: off", "Club: on")
    rig.machine.wait_for(ON)
    rig.machine.wait_for(f"journalctl -u {UNIT} -o cat --no-pager | grep -q 'no club was joined'")
    rig.hand.press("<")
    rig.hand.shows("Club: no club")
    rig.hand.press("<")  # a round is offered on the first screen, over no menu
    rig.hand.shows("Beisitzer", "System")
    assert rig.hub.heard == []


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
    """With a hub's access it is there: its hello, its state, what is assigned to it."""
    rig.let_in()
    rig.machine.ok(f"systemctl restart {UNIT}")
    rig.until(phase="idle", game=None, turn=None, waiting=0, assignment=None)
    _, _, headers = rig.hub.heard[0]
    assert len(headers["Machine"]) == 32
    kept = rig.machine.ok(f"stat -c '%a %U' {OWN} {OWN}/link/club.json")
    assert kept.split() == ["700", "beisitzer-link", "600", "beisitzer-link"]
    assert rig.rights()["games"] == []


def _carries_a_result(rig: Rig, figures: Figures) -> None:
    seats = [
        {"seat": number, "p": f"p{number + 16}", "show": name}
        for number, name in enumerate(NAMES, 1)
    ]
    round_ = {"rev": 2, "evening": "e7k2", "round": 3}
    rig.hub.tell("seat", {**round_, "game": "just4fun", "rules": "", "board": None, "seats": seats})
    rig.hand.shows("Round 3")
    rig.until(assignment={**round_, "answer": "offered"})
    rig.hand.press("#")
    for number, move in enumerate(MOVES):
        rig.hand.sees_turn(NAMES[number % 2])
        rig.hand.press(keys(move))
    wait_for(rig.hub.disk.counted, patience_s=PATIENCE_S)
    rig.until(phase="over", waiting=0, assignment={**round_, "answer": "started"})
    (batch,) = [facts["results"] for path, facts, _ in rig.hub.heard if path == "/results"]
    (result,) = batch
    assert (result["evening"], result["round"]) == ("e7k2", 3)
    assert [(seat["seat"], seat["p"]) for seat in result["seats"]] == [(1, "p17"), (2, "p18")]
    assert parse(result["record"]).tokens == MOVES
    assert "Anna" not in result["record"]
    assert figures.memory(rig.machine, "of the link", UNIT) < MEMORY_MIB


def _is_turned_off(rig: Rig) -> None:
    rig.switch("Club: on", "Club: off")
    rig.machine.wait_for(f"! {ON} && ! test -e {STATE}/link.on")
    assert rig.machine.unit("Result", unit=UNIT) == {"Result": "success"}
    rig.machine.ok("! pgrep -u beisitzer-link")
    rig.machine.check_uninterrupted()
