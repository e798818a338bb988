"""Saving to a stick on the card: pulled out in the middle, and with the plug pulled meanwhile."""

import random
import subprocess
import time
from pathlib import Path

from tests.machine.card.card import Card, copy_card, set_up
from tests.machine.card.conftest import Image
from tests.machine.hand import Hand
from tests.machine.machine import SBIN
from tests.machine.table import NAMES, RUNS, Figures, begin, keys, on_disk, random_moves
from tests.machine.test_stick import MAKE, PLACE, SLOW_BYTES, STICK_MB
from tests.options import Options

MOVES = random_moves(42)
CARD_MB = 2800
SAVING_S = 15
"""A saving takes longer: the stick is slow."""


def make_stick(folder: Path) -> Path:
    """Return an empty stick with FAT."""
    stick = folder / "stick"
    stick.unlink(missing_ok=True)
    with stick.open("wb") as file:
        file.truncate(STICK_MB << 20)
    subprocess.run([*MAKE["fat"], stick], env=SBIN, check=True, capture_output=True)
    return stick


def save(card: Card, hand: Hand) -> None:
    """Begin to save at the panel, from a player's turn, and wait until it is being written."""
    hand.press("MENU")
    hand.choose("System", "USB stick", "Save")
    card.wait_for(f"findmnt {PLACE}")


def leave(hand: Hand, name: str) -> None:
    hand.lines.clear()
    for _ in range(4):
        hand.press("<")
    hand.sees_turn(name)


def test_a_backup_outlives_a_pulled_stick_and_every_cut(
    image: Image, free: Path, figures: Figures, options: Options
) -> None:
    chance = random.Random(options.seed)
    copy = set_up(copy_card(image.card, free, CARD_MB))
    with Hand(free / "hand") as hand, Card(copy, image.boot, panel=hand) as card:
        hand.shows("Just 4 Fun", timeout_s=900)
        card.wait_for(RUNS, 900)
        begin(card, hand)
        hand.press(keys(MOVES[0]))
        hand.sees_turn(NAMES[1])
        # the stick is pulled out in the middle
        card.plug_stick(make_stick(free), SLOW_BYTES)
        card.wait_for("grep -q ID_FS_TYPE /run/udev/data/b8:*")
        save(card, hand)
        card.unplug_stick()
        hand.shows("pulled")
        card.wait_for(f"! ls /sys/block/sd* && ! findmnt {PLACE}")
        leave(hand, NAMES[1])
        # the plug is pulled while it saves
        card.plug_stick(make_stick(free), SLOW_BYTES)
        card.wait_for("grep -q ID_FS_TYPE /run/udev/data/b8:*")
        save(card, hand)
        for _ in range(options.cuts):
            time.sleep(chance.uniform(0, 2 * SAVING_S / options.cuts))
            data = card.snapshot(free / "data")
            assert on_disk(data, free / "read", "/state") == MOVES[:1]
        card.kill()
    assert subprocess.run(["fsck.fat", "-n", free / "stick"], env=SBIN, check=False).returncode in (
        0,
        1,
    ), "the stick itself was being written"
    with Hand(free / "again") as hand, Card(copy, image.boot, panel=hand) as card:
        hand.sees_turn(NAMES[1], timeout_s=900)
        card.wait_for(RUNS, 900)
        card.plug_stick(make_stick(free))
        card.wait_for("grep -q ID_FS_TYPE /run/udev/data/b8:*")
        hand.press("MENU")
        hand.choose("System", "USB stick", "Save")
        hand.shows("Saved")
    figures.note(f"{options.cuts} power cuts while saving to a stick, and a stick that was pulled")
