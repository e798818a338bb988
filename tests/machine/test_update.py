"""Power cuts while a version is installed, in the emulator: its disk loses what was not flushed."""

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.apt import Repository, needs_apt
from tests.machine.conftest import VERSION, Installed, Workshop
from tests.machine.machine import Machine, copy_disk
from tests.machine.table import NAMES, RUNS, Figures, begin, keys, random_moves
from tests.machine.updates import (
    CONNECT,
    FOLDER,
    INSTALL,
    INSTALLED,
    LOOK,
    NETWORK,
    NEWER,
    WHOLE,
    newer_version,
    trust,
)
from tests.options import Options
from tests.players.panel import Hand

pytestmark = needs_apt
MOVES = random_moves(7)
CUTS, TOOK_S = 4, 60
"""The power is cut so often, spread over about so many seconds."""


@pytest.fixture(name="served")
def _served(tmp_path: Path, parcel: Path) -> Iterator[Repository]:
    with newer_version(parcel, tmp_path) as made:
        yield made


def play(hand: Hand, number: int) -> None:
    """Key the next move of the game, and see that it counts."""
    hand.press(keys(MOVES[number]))
    hand.sees_turn(NAMES[(number + 1) % 2])


def test_an_update_that_is_cut_off_at_any_moment_leaves_a_version_that_plays(
    workshop: Workshop, installed: Installed, served: Repository, figures: Figures,
    options: Options,
) -> None:  # fmt: skip
    chance = random.Random(options.seed)
    folder = workshop.folder / "update-cut"
    disk = copy_disk(installed.disk, folder)
    games = copy_disk(installed.games, folder / "store")
    cuts = [folder / f"cut-{number}" for number in range(CUTS * options.times)]
    with (
        Hand(folder / "hand") as hand,
        Machine(workshop.image, disk, games=games, panel=hand, more=NETWORK) as rig,
    ):
        hand.shows("Just 4 Fun", timeout_s=900)
        rig.wait_for(RUNS, 900)
        begin(rig, hand)
        play(hand, 0)
        rig.ok(CONNECT)
        trust(rig, served)
        rig.ok(LOOK, 3000)
        rig.ok(f"sync; {INSTALL}")
        for cut in cuts:
            time.sleep(chance.uniform(0, 2 * TOOK_S / len(cuts)))
            cut.mkdir()
            rig.cut((disk, cut / "disk"), (games, cut / "games"))
    found = []
    for cut in cuts:
        with (
            Hand(cut / "hand") as hand,
            Machine(workshop.image, cut / "disk", games=cut / "games", panel=hand) as rig,
        ):
            hand.sees_turn(NAMES[1], timeout_s=900)
            rig.wait_for("systemctl is-active -q multi-user.target", 900)
            assert rig.ok("dpkg --audit") == ""
            status, _, version = rig.ok(INSTALLED).rpartition(" ")
            assert status == WHOLE
            assert rig.run(f"ls {FOLDER}/refused-*.deb").status != 0, "it was no fault of the newer"
            found.append(version)
            play(hand, 1)
    figures.note(
        f"{len(found)} power cuts in an update: {found.count(VERSION)} led to the version before,"
        f" {found.count(NEWER)} to the newer one"
    )
    assert set(found) <= {VERSION, NEWER}
