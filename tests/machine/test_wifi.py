"""A Wi-Fi of the table's own, with simulated radios and everything else for real.

NetworkManager and wpa_supplicant have one radio; a phone, the house's network and a second table
have theirs, each in a network namespace of its own.
"""

import json
import re
import statistics
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pi_app.network.names import join_code
from tests.machine.conftest import Installed, Workshop
from tests.machine.machine import Machine, copy_disk
from tests.machine.table import CONFIG, NAMES, RUNS, Figures, begin, keys, random_moves
from tests.options import Options
from tests.players.panel import Hand

HERE = Path(__file__).parent
MOVES = random_moves(43)
LOOK_S = 20
"""How often the table looks around here, to be waited for; on a table it is two minutes."""
JOINS = 3
"""How many times each network is joined, left and refused."""


class Rig:
    """The table with its radio, and what is around it."""

    def __init__(self, workshop: Workshop, installed: Installed, hand: Hand) -> None:
        folder = workshop.folder / "wifi"
        disk = copy_disk(installed.disk, folder)
        games = copy_disk(installed.games, folder / "store")
        self.hand = hand
        self.opened = False
        self.machine = Machine(workshop.image, disk, games=games, panel=hand)
        self.machine.wait_for(RUNS, 900)
        self.machine.ok(f"look={LOOK_S}\n{(HERE / 'wifi.sh').read_text()}", 1800)
        phone = (HERE / "wifi_phone.py").read_text()
        self.machine.ok(f"cat > /usr/local/bin/phone.py << 'END_OF_IT'\n{phone}\nEND_OF_IT")
        for wanted in ("web.enabled=true", 'wifi.country="DE"'):
            self.machine.ok(f"{CONFIG} --set '{wanted}'")

    def open(self) -> None:
        """Open the own Wi-Fi, which nothing has before somebody wanted it; nobody is in it."""
        if not self.opened:
            begin(self.machine, self.hand)
            assert self.machine.run("systemctl is-active beisitzer-wifi.service").status != 0
            assert "Beisitzer" not in self.machine.ok("nmcli -t connection")
            self.machine.ok(f"{CONFIG} --set 'wifi.own=\"needed\"'")
            begin(self.machine, self.hand)
            self.opened = True
        self.machine.ok("air-off 2; air-off 3")  # what a test that failed may have left
        self.ask("forget", name="Home")
        self.until(OWN, timeout_s=600)

    def ask(self, call: str, **values: object) -> dict[str, Any]:
        request = json.dumps({"call": call, **values})
        reply: dict[str, Any] = json.loads(self.machine.ok(f"ask '{request}'"))
        assert "ok" in reply, reply
        answer: dict[str, Any] = reply["ok"]
        return answer

    def phone(self, *words: str) -> str:
        quoted = " ".join(f"'{word}'" for word in words)
        return self.machine.ok(f"ip netns exec n1 python3 /usr/local/bin/phone.py {quoted}")

    def until(self, *signs: str, timeout_s: int = 300) -> float:
        """Wait until the status has these pieces of JSON; return the seconds that it took."""
        words = " ".join(f"'{sign}'" for sign in signs)
        return float(
            self.machine.ok(
                f'ask \'{{"call": "status"}}\' {timeout_s} {words} || {{\n'
                "journalctl -n 40 --no-pager -u beisitzer-wifi -u NetworkManager; exit 1; }",
                timeout_s * 4,
            )
        )

    def code(self) -> str:
        """Return the text of the QR code."""
        return join_code(**self.ask("code"))


OWN, HOME = '"link": "own"', '"link": "joined", "name": "Home"'


@pytest.fixture(scope="module", name="rig")
def _rig(workshop: Workshop, installed: Installed) -> Iterator[Rig]:
    with Hand(workshop.folder / "wifi") as hand:
        rig = Rig(workshop, installed, hand)
        try:
            yield rig
        finally:
            rig.machine.kill()


def times(rounds: int, once: Callable[[], float]) -> str:
    """Do something several times; return how long it took."""
    took = sorted(once() for _ in range(rounds))
    return (
        f"{rounds} times, {took[0]:.0f} to {took[-1]:.0f} s, median {statistics.median(took):.0f} s"
    )


def test_a_phone_joins_by_the_code_gets_an_address_pairs_and_plays(
    rig: Rig, figures: Figures, options: Options
) -> None:
    rig.open()
    suites = []

    def join() -> float:
        seconds, suite = rig.phone("join", rig.code()).split()
        suites.append(suite)
        return float(seconds)

    figures.note(f"a phone joins and has an address: {times(JOINS * options.times, join)}")
    assert set(suites) == {"SAE"}, "what the driver reports is used"
    for host in ("captive.apple.com", "connectivitycheck.gstatic.com", "www.msftconnecttest.com"):
        assert rig.phone("probe", host) == "302 http://10.43.77.1/"
    rig.hand.press("MENU:1500")
    rig.hand.shows("Own Wi-Fi", rig.ask("code")["password"])
    rig.hand.press("#")
    rows = rig.hand.shows("10.43.77.1")
    (digits,) = (found[0] + found[1] for found in re.findall(r"(\d{3}) (\d{3})", " ".join(rows)))
    words = {"*": "STAR", "#": "ENTER"}
    pressed = " ".join(words.get(key, key) for key in keys(MOVES[0]))
    rig.phone("play", digits, pressed)
    rig.hand.sees_turn(NAMES[1])
    rig.phone("leave")
    rig.machine.check_uninterrupted()


def test_the_houses_network_takes_over_and_goes(
    rig: Rig, figures: Figures, options: Options
) -> None:
    rig.open()
    rig.machine.ok("air 2 Home 'long enough' 6")
    rig.ask("look")
    rig.ask("join", name="Home", password="long enough", kind="wpa-psk")  # noqa: S106  # a test's
    figures.note(f"asked to join, joined after {rig.until(HOME):.0f} s")

    def goes() -> float:
        rig.machine.ok("air-off 2")
        took = rig.until(OWN, '"reason": "gone"')
        rig.machine.ok("air 2 Home 'long enough' 6")
        return took

    comes: list[float] = []

    def both() -> float:
        took = goes()
        comes.append(rig.until(HOME))
        return took

    figures.note(f"network gone, own one open: {times(JOINS * options.times, both)}")
    row = iter(comes)
    figures.note(
        f"network back, in it (a look every {LOOK_S} s): {times(len(comes), lambda: next(row))}"
    )


def test_a_wrong_password_is_called_wrong_and_the_own_network_returns(
    rig: Rig, figures: Figures, options: Options
) -> None:
    rig.open()
    rig.machine.ok("air 2 Home 'long enough' 6")

    def wrong() -> float:
        rig.ask("join", name="Home", password="not the one", kind="wpa-psk")  # noqa: S106  # a test's
        return rig.until(OWN, '"fault": "wrong-password"', '"about": "Home"')

    figures.note(f"wrong password, own network back: {times(JOINS * options.times, wrong)}")
    assert rig.ask("status")["known"] == []
    rig.machine.ok("air-off 2")
