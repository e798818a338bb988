"""The installed machine is brought up to date from a signed repository, and back if that fails."""

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.apt import Repository, needs_apt
from tests.machine.conftest import VERSION, Installed, Workshop
from tests.machine.image import APT
from tests.machine.machine import Machine, copy_disk
from tests.machine.table import NAMES, RUNS, Figures, begin, keys, random_moves
from tests.machine.updates import (
    CONNECT,
    FOLDER,
    INSTALLED,
    LOOK,
    MUTE,
    NETWORK,
    WHOLE,
    renamed,
    repository,
    trust,
)
from tests.options import Options
from tests.players.panel import Hand

pytestmark = needs_apt
MOVES = random_moves(7)
NEWER, MUTE_ONE = f"{VERSION}.1", f"{VERSION}.2"
INSTALL = "systemctl --no-block start update-beisitzer.service"
CUTS, TOOK_S = 4, 60
"""The power is cut so often, spread over about so many seconds."""


@pytest.fixture(scope="module", name="package")
def _package(parcel: Path) -> Path:
    return next(parcel.parent.glob(f"beisitzer_{VERSION}_all.deb"))


@pytest.fixture(name="served")
def _served(tmp_path: Path, package: Path) -> Iterator[Repository]:
    with repository(tmp_path) as made:
        made.publish(renamed(package, tmp_path, NEWER))
        yield made


def play(hand: Hand, number: int) -> None:
    """Key the next move of the game, and see that it counts."""
    hand.press(keys(MOVES[number]))
    hand.sees_turn(NAMES[(number + 1) % 2])


def test_a_newer_version_comes_plays_on_and_gives_way_where_its_successor_shows_no_frame(  # noqa: PLR0915  # as a table lives it
    workshop: Workshop, installed: Installed, parcel: Path, package: Path, served: Repository,
    figures: Figures,
) -> None:  # fmt: skip
    """One test: each step stands on the one before, as at a table."""
    folder = workshop.folder / "update"
    disk = copy_disk(installed.disk, folder)
    games = copy_disk(installed.games, folder / "store")
    with (
        Hand(folder / "hand") as hand,
        Machine(workshop.image, disk, games=games, panel=hand, parcel=parcel, more=NETWORK) as rig,
    ):
        hand.shows("Just 4 Fun", timeout_s=900)
        rig.wait_for(RUNS, 900)
        begin(rig, hand)
        play(hand, 0)
        settings = rig.ok("cat /var/lib/beisitzer/settings.toml")
        rig.ok(CONNECT)
        trust(rig, served)

        began = time.monotonic()
        rig.ok(LOOK, 3000)
        assert rig.ok(f"cat {FOLDER}/looked; ls {FOLDER}").split() == [
            "beisitzer.sources", "cache", "lists", "looked", f"ready-{NEWER}.deb",
        ]  # fmt: skip
        fetched = rig.ok(f"du -cb {FOLDER}/lists {FOLDER}/ready-*.deb | tail -1 | cut -f 1")
        figures.note(f"{fetched} bytes fetched in {time.monotonic() - began:.0f} s")
        assert rig.ok(INSTALLED) == f"{WHOLE} {VERSION}"

        hand.press("MENU")
        hand.choose("System", f"{NEWER} ready")
        began = time.monotonic()
        hand.choose("Install")
        rig.wait_for(f'test "$({INSTALLED})" = "{WHOLE} {NEWER}" && {RUNS}', 900)
        hand.sees_turn(NAMES[1], timeout_s=900)
        figures.note(f"installed, first frame after {time.monotonic() - began:.0f} s")
        rig.wait_for(f"! ls {FOLDER}/*.deb")
        play(hand, 1)
        assert rig.ok("cat /var/lib/beisitzer/settings.toml") == settings
        assert rig.ok("systemctl --failed --no-legend --plain") == ""

        served.publish(renamed(package, served.folder.parent, MUTE_ONE, MUTE))
        rig.ok(LOOK, 3000)
        began = time.monotonic()
        hand.lines.clear()
        rig.ok(INSTALL)
        rig.wait_for(f"test -e {FOLDER}/refused-{MUTE_ONE}.deb && {RUNS}", 1500)
        hand.sees_turn(NAMES[0], timeout_s=900)
        figures.note(f"a version without a frame gave way after {time.monotonic() - began:.0f} s")
        assert rig.ok(INSTALLED) == f"{WHOLE} {NEWER}"
        play(hand, 2)
        rig.ok(LOOK, 3000)
        assert rig.run(f"ls {FOLDER}/ready-*.deb").status != 0, "it is not fetched again"
        hand.press("MENU")
        hand.choose("System", "Updates")
        hand.shows(f"Try {MUTE_ONE} again")
        hand.press("BACK BACK BACK")

        # the owner goes back by hand: the older version takes the game as the newer one left it
        rig.ok("mkdir -p /srv/parcel && tar -xf /dev/disk/by-id/virtio-parcel -C /srv/parcel")
        hand.lines.clear()
        rig.ok(f"{APT} --allow-downgrades /srv/parcel/new.deb", 3600)
        assert rig.ok(INSTALLED) == f"{WHOLE} {VERSION}"
        rig.wait_for(RUNS, 900)
        hand.sees_turn(NAMES[1], timeout_s=900)
        play(hand, 3)


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
