"""The first start of a card, keyed at a panel: what it asks for, the machine has then."""

from pathlib import Path

from tests.machine.card.card import Card, copy_card, set_up
from tests.machine.card.conftest import Image
from tests.machine.card.test_boot import restart
from tests.machine.hand import Hand
from tests.machine.table import RUNS

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
        hand.shows("Nie eines öffnen")
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
        # the helper runs nmcli in its sandbox; without a radio it finds no network
        assert card.ok(f"python3 -c '{ASK}'") == '{"ok": {"networks": []}}'
