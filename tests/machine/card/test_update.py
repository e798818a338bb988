"""A card takes a newer version from a signed repository; its system is only read again then."""

import time
from pathlib import Path

from tests.apt import needs_apt
from tests.machine.card.card import Card, copy_card, put_on_boot, set_up
from tests.machine.card.conftest import Image
from tests.machine.table import NAMES, RUNS, Figures, begin, keys, random_moves
from tests.machine.updates import FOLDER, INSTALLED, LOOK, NETWORK, NEWER, WHOLE, newer_version
from tests.players.panel import Hand

pytestmark = needs_apt
INSTALL = "systemctl start update-beisitzer.service"


def test_a_card_takes_a_newer_version_and_is_only_read_again(
    image: Image, free: Path, parcel: Path, figures: Figures
) -> None:
    copy = set_up(copy_card(image.card, free))
    with newer_version(parcel, free) as served:
        put_on_boot(copy, "beisitzer.sources", served.sources())
        with (
            Hand(free / "hand") as hand,
            Card(copy, image.boot, panel=hand, more=NETWORK) as card,
        ):
            hand.shows("Just 4 Fun", timeout_s=900)
            card.wait_for(RUNS, 900)
            begin(card, hand)
            hand.press(keys(random_moves(7)[0]))
            hand.sees_turn(NAMES[1])
            began = time.monotonic()
            card.ok(LOOK, 3000)
            card.ok(f"test -e {FOLDER}/ready-{NEWER}.deb")
            hand.lines.clear()
            card.ok(INSTALL, 3000)
            figures.note(f"a card was brought up to date in {time.monotonic() - began:.0f} s")
            assert card.ok(INSTALLED) == f"{WHOLE} {NEWER}"
            assert card.run("touch /etc/anything").status != 0
            hand.sees_turn(NAMES[1], timeout_s=900)
            assert card.ok("systemctl --failed --no-legend --plain") == ""
