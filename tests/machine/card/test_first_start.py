"""The first start of a card, by keys at a panel or by a phone, and a whole game after it."""

import json
import time
from pathlib import Path

from tests.machine.card.card import Card, copy_card, set_up
from tests.machine.card.conftest import Image
from tests.machine.card.test_boot import restart
from tests.machine.table import RUNS, Figures
from tests.players.panel import Hand
from tests.players.phone import Phone, network
from tests.ports import free_port

QUESTIONS = 7
"""More than it asks."""
ASK = """import socket
asked = socket.socket(socket.AF_UNIX)
asked.connect("/run/beisitzer-wifi.sock")
asked.sendall(b"{\\"call\\": \\"status\\"}\\n")
print(asked.makefile().readline())"""


def test_what_is_keyed_at_the_first_start_holds_also_after_the_next(
    image: Image, free: Path
) -> None:
    copy = set_up(copy_card(image.card, free), asks=True)
    with Hand(free / "hand") as hand, Card(copy, image.boot, panel=hand) as card:
        hand.shows("Language", timeout_s=900)
        card.wait_for(RUNS, 900)
        assert card.ok("cat /proc/net/tcp /proc/net/tcp6 | awk '$4 == \"0A\"'") == ""
        hand.choose("Deutsch")
        hand.shows("Was ist da?")
        hand.press("#")
        hand.shows("Ohne WLAN")
        hand.press("#")
        hand.shows("Sie stimmt")
        hand.choose("Uhr stellen")
        hand.shows("____-__-__")
        for key in "203001020304#":
            hand.press(key)
        hand.shows("2030-01-02 03:0", "Sie stimmt")
        assert card.ok("date -u +%F") == "2030-01-02"
        hand.choose("Sie stimmt")
        hand.shows("Anderer Name")
        hand.choose("Anderer Name")
        hand.shows("beisitzer_")
        hand.press("2")
        hand.shows("a_")
        hand.press("#")
        hand.shows("Just 4 Fun")
        assert card.ok("cat /proc/sys/kernel/hostname") == "a"
        card.restart(lambda: restart(card))
        card.wait_for(RUNS, 900)
        hand.shows("Just 4 Fun", "Weiter")
        assert card.ok("cat /proc/sys/kernel/hostname") == "a"
        assert card.ok("readlink -f /etc/localtime").endswith("Europe/Berlin")
        # the Wi-Fi's service is asked over its socket; without a radio it finds no network
        status = json.loads(card.ok(f"python3 -c '{ASK}'"))["ok"]
        assert (status["radio"], status["networks"]) == (False, [])


def test_a_phone_alone_leads_from_the_first_start_to_the_first_move(
    image: Image, free: Path, figures: Figures
) -> None:
    copy = set_up(copy_card(image.card, free), asks=True)
    phone = Phone(port := free_port())
    with (
        Hand(free / "hand") as hand,
        Card(copy, image.boot, panel=hand, more=network(port)) as card,
    ):
        phone.join(hand)  # nobody touches a key at the table
        began = time.monotonic()
        assert "<title>" in phone.page()
        hand.shows("Language")
        for _ in range(QUESTIONS):  # the marked answer is the one that needs nothing
            if not any("Just 4 Fun" in row for row in hand.rows()):
                phone.press("ENTER")
        hand.shows("Just 4 Fun")
        phone.press("2", "ENTER")
        hand.sees_turn("Yellow")
        phone.press("1", "ENTER")
        hand.sees_turn("Red")
        figures.note(f"a phone came to the first move in {time.monotonic() - began:.0f} s")
        assert card.ok("cat /data/state/games.first-start") == "done"
        # phones stay welcome after the next start
        card.restart(lambda: restart(card))
        card.wait_for(RUNS, 900)
        assert "<title>" in phone.page()
