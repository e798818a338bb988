"""A newer program comes to the card from a signed repository; whatever happens, one plays."""

import random
import shutil
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from systemd.update import INSIDE
from tests.apt import WHEN, Repository, key_folder, make_key, needs_apt, served
from tests.machine.card.card import Card, copy_card, put_on_boot, set_up
from tests.machine.card.conftest import Image
from tests.machine.machine import SBIN
from tests.machine.table import NAMES, RUNS, Figures, begin, keys, on_disk, random_moves
from tests.options import Options
from tests.players.panel import Hand
from tools.image import disk
from tools.repository import index
from tools.repository.card import copy, pack

pytestmark = needs_apt
GUEST = "http://10.0.2.2"
"""The host's loopback, as the emulator's network calls it."""
NETWORK = ("-netdev", "user,id=net", "-device", "virtio-net-pci,netdev=net")
CARD_MB = 2800
"""A small card: its data partition is copied often."""
MOVES = random_moves(7)
LOOK = "systemctl start card-update@now.service"
BEGIN_TO_LOOK = "systemctl --no-block start card-update@now.service"
SWITCH = "systemctl start card-switch.service; systemctl --no-block restart beisitzer"
PLAYED_BY = "readlink /data/program/current"
CUTS = {"look": 7, "switch": 3}
"""How often an update is cut off while it is fetched, and while it is switched to."""
DEAD = "#!/bin/sh\nexit 1\n"


@dataclass(frozen=True)
class Versions:
    """The card's own version, a newer one that plays, and a still newer one that does not."""

    own: str
    newer: str
    dead: str
    files: int
    """How many files the newer one has, byte code not counted."""


class Updated:
    """A card with a game, in a machine that reaches the repository."""

    def __init__(self, image: Image, folder: Path, repository: Repository) -> None:
        self.image, self.folder, self.repository = image, folder, repository
        self.copy = set_up(copy_card(image.card, folder, CARD_MB))
        put_on_boot(self.copy, "beisitzer.sources", repository.sources())

    def boot(self, hand: Hand) -> Card:
        return Card(self.copy, self.image.boot, panel=hand, more=NETWORK)

    def data(self) -> Path:
        """Return the data partition as it is on the card now."""
        disk.cut_out(self.copy, 2, self.folder / "data")
        return self.folder / "data"


@pytest.fixture(scope="module", name="programs")
def _programs(image: Image) -> Iterator[Path]:
    """Return a folder with the programs' folders as they are on the image."""
    folder = image.folder / "taken"
    folder.mkdir()
    disk.cut_out(image.card, 2, folder / "data")
    subprocess.run(
        ["debugfs", "-R", f"rdump /program {folder}", folder / "data"],
        env=SBIN, check=True, capture_output=True,
    )  # fmt: skip
    (folder / "data").unlink()
    yield folder / "program"
    shutil.rmtree(folder)


@pytest.fixture(scope="module", name="versions")
def _versions(programs: Path) -> Versions:
    own = str((programs / "current").readlink())
    files = [path for path in (programs / own).rglob("*") if path.is_file()]
    count = sum(path.suffix != ".pyc" for path in files)
    return Versions(own, f"{own}.1", f"{own}.2", count)


@pytest.fixture(scope="module", name="repository")
def _repository(image: Image) -> Iterator[Repository]:
    folder = image.folder / "repository"
    with (
        key_folder(image.folder / "gpg") as home,
        served(Repository(folder, make_key(home, "first"))) as repository,
    ):
        repository.url = repository.url.replace("http://127.0.0.1", GUEST)
        yield repository
    shutil.rmtree(folder)


def publish(repository: Repository, programs: Path, version: str, command: str = "") -> None:
    """Publish the card's own program under another version, perhaps with another command."""
    root = repository.folder / "root"
    made = root / INSIDE / version
    own = (programs / "current").readlink()
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(programs / own, made, ignore=ignored)
    (made / "VERSION").write_text(f"{version}\n")
    if command:
        (made / "bin/beisitzer").write_text(command)
    built = pack(root, repository.folder, version, WHEN)
    shutil.rmtree(root)
    for suite in index.suites_of("stable"):
        copy(built, index.pool(repository.folder, suite))
        repository.sign(suite)


@pytest.fixture(name="updated")
def _updated(
    image: Image, free: Path, repository: Repository, programs: Path, versions: Versions
) -> Updated:
    shutil.rmtree(repository.folder / "pool", ignore_errors=True)
    publish(repository, programs, versions.newer)
    return Updated(image, free, repository)


def test_a_newer_program_comes_is_told_and_plays_on(
    updated: Updated, versions: Versions, figures: Figures
) -> None:
    with Hand(updated.folder / "hand") as hand, updated.boot(hand) as card:
        hand.shows("Just 4 Fun", timeout_s=900)
        card.wait_for(RUNS, 900)
        begin(card, hand)
        hand.press(keys(MOVES[0]))
        hand.sees_turn(NAMES[1])
        before = card.ok("cat /data/state/settings.toml")
        began = time.monotonic()
        card.ok(LOOK, 3000)
        figures.note(f"an update was fetched and ready in {time.monotonic() - began:.0f} s")
        assert card.ok(PLAYED_BY) == versions.own
        assert card.ok("readlink /data/program/next") == versions.newer
        hand.press("MENU")
        hand.choose("System", f"{versions.newer} ready", "Restart with")
        card.wait_for(f'test "$({PLAYED_BY})" = {versions.newer}')
        card.wait_for("! test -e /data/program/trial", 900)
        hand.sees_turn(NAMES[1], timeout_s=900)
        hand.press(keys(MOVES[1]))
        hand.sees_turn(NAMES[0])
        card.wait_for("! test -e /data/state/before-update")
        assert card.ok("cat /data/state/settings.toml") == before
        hand.press("MENU")
        hand.choose("System", "Updates")
        hand.shows(f"Beisitzer {versions.newer}")
        assert card.ok("systemctl --failed --no-legend --plain") == ""
        # what is not needed any more goes with the next look
        card.ok(LOOK, 3000)
        assert card.ok("cd /data/program; ls -d */") == f"{versions.newer}/\ncurrent/"
        card.kill()
    assert on_disk(updated.data(), updated.folder / "read", "/state") == MOVES[:2]


def test_a_program_that_does_not_start_gives_way_to_the_one_before(
    updated: Updated, versions: Versions, programs: Path, figures: Figures
) -> None:
    publish(updated.repository, programs, versions.dead, DEAD)
    with Hand(updated.folder / "hand") as hand, updated.boot(hand) as card:
        hand.shows("Just 4 Fun", timeout_s=900)
        card.wait_for(RUNS, 900)
        begin(card, hand)
        hand.press(keys(MOVES[0]))
        hand.sees_turn(NAMES[1])
        card.ok(LOOK, 3000)
        assert card.ok("readlink /data/program/next") == versions.dead
        hand.lines.clear()
        began = time.monotonic()
        card.ok(SWITCH)
        card.wait_for(f"test -e /data/program/refused && {RUNS}", 900)
        figures.note(
            f"a program that does not start gave way after {time.monotonic() - began:.0f} s"
        )
        hand.sees_turn(NAMES[1], timeout_s=900)
        assert card.ok(PLAYED_BY) == versions.own
        hand.press(keys(MOVES[1]))
        hand.sees_turn(NAMES[0])
        card.ok(LOOK, 3000)
        assert card.run("readlink /data/program/next").status != 0, "it is not fetched again"
        hand.press("MENU")
        hand.choose("System", "Updates")
        hand.shows(f"Try {versions.dead} again")


def test_an_update_that_is_cut_off_at_any_moment_leaves_a_program_that_plays(
    updated: Updated, versions: Versions, figures: Figures, options: Options
) -> None:
    chance = random.Random(options.seed)
    snapshots: list[Path] = []
    with Hand(updated.folder / "hand") as hand, updated.boot(hand) as card:
        hand.shows("Just 4 Fun", timeout_s=900)
        card.wait_for(RUNS, 900)
        begin(card, hand)
        hand.press(keys(MOVES[0]))
        hand.sees_turn(NAMES[1])
        took = {}
        for what, script in {
            "look": LOOK,
            "switch": f"{SWITCH}; while test -e /data/program/trial; do sleep 0.1; done",
        }.items():
            began = time.monotonic()
            card.ok(script, 3000)
            took[what] = time.monotonic() - began
        # once more from the start on, with a snapshot now and then
        card.ok(f"ln -sfn {versions.own} /data/program/current; systemctl restart beisitzer")
        card.ok(f"rm -rf /data/program/{versions.newer} /data/apt/*; sync")
        for what, script in {"look": BEGIN_TO_LOOK, "switch": SWITCH}.items():
            card.ok(script)
            for _ in range(CUTS[what]):
                time.sleep(chance.uniform(0, 2 * took[what] / CUTS[what]))
                snapshots.append(card.snapshot(updated.folder / f"cut-{len(snapshots)}"))
            if what == "look":
                card.ok(LOOK, 3000)  # as one waits for it: it goes on where it is
    found = [_programs_on(each, updated.folder / "looked-at", versions) for each in snapshots]
    booted = chance.sample(snapshots, min(options.cuts, len(snapshots)))
    for number, snapshot in enumerate(booted):
        updated.copy.unlink()
        copy_card(updated.image.card, updated.folder, CARD_MB)
        disk.put_in(updated.copy, 2, snapshot)
        with Hand(updated.folder / f"hand-{number}") as hand, updated.boot(hand) as card:
            hand.sees_turn(NAMES[1], timeout_s=900)
            assert card.ok(PLAYED_BY) in (versions.own, versions.newer)
            assert card.ok("systemctl --failed --no-legend --plain") == ""
        snapshot.unlink()
    figures.note(
        f"{len(snapshots)} power cuts in an update (fetching took {took['look']:.0f} s, switching"
        f" {took['switch']:.0f} s): {found.count((versions.own, False))} before the newer program"
        f" was whole, {found.count((versions.own, True))} before the switch,"
        f" {found.count((versions.newer, True))} after it; {len(booted)} were booted and played on"
    )


def _programs_on(data: Path, folder: Path, versions: Versions) -> tuple[str, bool]:
    """Return which version a cut leaves current, and whether the newer one is there: whole."""
    assert on_disk(data, folder / "read", "/state") == MOVES[:1]
    shutil.rmtree(folder / "program", ignore_errors=True)
    subprocess.run(
        ["debugfs", "-R", f"rdump /program {folder}", data],
        env=SBIN, check=True, capture_output=True,
    )  # fmt: skip
    programs = folder / "program"
    newer = programs / versions.newer
    if newer.exists():
        files = [path for path in newer.rglob("*") if path.is_file() and path.suffix != ".pyc"]
        assert len(files) == versions.files
        assert (newer / "VERSION").read_text() == f"{versions.newer}\n"
    return str((programs / "current").readlink()), newer.exists()
