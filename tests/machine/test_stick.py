"""A USB stick in the machine: games go to it and come back, and it is pulled out in the middle."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.machine.conftest import Installed, Workshop
from tests.machine.hand import Hand
from tests.machine.machine import SBIN, Machine, copy_disk
from tests.machine.table import NAMES, RUNS, Figures, begin, keys, random_moves

MOVES = random_moves(42)
STICK_MB = 64
MAKE = {"fat": ("mkfs.vfat", "-n", "GAMES"), "exfat": ("mkfs.exfat", "-L", "GAMES")}
CHECK = {"fat": ("fsck.fat", "-n"), "exfat": ("fsck.exfat", "-n")}
PLACE = "/run/beisitzer-stick"
SLOW_BYTES = 2048
"""What a slow stick takes in a second: writing an archive takes long enough to pull it out."""


class Rig:
    """The machine with its panel and a game, and a stick that is plugged in and pulled out."""

    def __init__(self, workshop: Workshop, installed: Installed, hand: Hand) -> None:
        self.folder = workshop.folder / "stick"
        disk = copy_disk(installed.disk, self.folder)
        games = copy_disk(installed.games, self.folder / "store")
        self.hand = hand
        self.machine = Machine(workshop.image, disk, games=games, panel=hand)
        self.machine.wait_for(RUNS, 900)

    def make_stick(self, kind: str) -> Path:
        """Return the image of an empty stick."""
        program, *options = MAKE[kind]
        if shutil.which(program, path=SBIN["PATH"]) is None:
            pytest.skip(f"{program} is not installed")
        image = self.folder / f"{kind}.img"
        image.unlink(missing_ok=True)
        with image.open("wb") as file:
            file.truncate(STICK_MB << 20)
        subprocess.run([program, *options, image], env=SBIN, check=True, capture_output=True)
        return image

    def plug(self, image: Path, bytes_per_s: int = 0) -> None:
        self.machine.plug_stick(image, bytes_per_s)
        self.machine.wait_for("grep -q ID_FS_TYPE /run/udev/data/b8:*")

    def pull_out(self) -> None:
        self.machine.unplug_stick()
        self.machine.wait_for(f"! ls /sys/block/sd* && ! findmnt {PLACE}")

    def menu(self, *words: str) -> None:
        """Choose from the stick's menu, from a player's turn."""
        self.hand.press("MENU")
        self.hand.choose("System", "USB stick", *words)

    def leave(self, name: str) -> None:
        """Go back from a page of the stick's menu to this player's turn."""
        self.hand.lines.clear()
        self.hand.press("<<<<")
        self.hand.sees_turn(name)

    def process(self) -> str:
        return self.machine.unit("MainPID")["MainPID"]


@pytest.fixture(scope="module", name="rig")
def _rig(workshop: Workshop, installed: Installed) -> Iterator[Rig]:
    with Hand(workshop.folder / "stick") as hand:
        rig = Rig(workshop, installed, hand)
        try:
            yield rig
        finally:
            rig.machine.kill()


@pytest.mark.parametrize("kind", MAKE)
def test_games_go_to_a_stick_and_come_back(rig: Rig, kind: str, figures: Figures) -> None:
    begin(rig.machine, rig.hand)
    rig.hand.press(keys(MOVES[0]))
    rig.hand.sees_turn(NAMES[1])
    stick = rig.make_stick(kind)
    rig.plug(stick)
    rig.menu("Save")
    rig.hand.shows("Saved")
    process = rig.process()
    figures.memory(rig.machine, f"after saving to {kind}")
    assert rig.machine.run(f"findmnt {PLACE}").status != 0
    rig.leave(NAMES[1])
    rig.hand.press(keys(MOVES[1]))
    rig.hand.sees_turn(NAMES[0])
    rig.menu("Load from")
    rig.hand.shows("Load which")
    rig.hand.press("#")
    rig.hand.shows("Load?")
    rig.hand.lines.clear()
    rig.hand.choose("only")
    rig.machine.wait_for(f"{RUNS} && test $(systemctl show -P MainPID beisitzer) != {process}")
    rig.hand.sees_turn(NAMES[1])  # the second move is not on the stick
    rig.pull_out()
    subprocess.run([*CHECK[kind], stick], env=SBIN, check=True)


@pytest.mark.parametrize("kind", MAKE)
def test_a_stick_that_is_pulled_out_in_the_middle_gives_a_sentence(rig: Rig, kind: str) -> None:
    begin(rig.machine, rig.hand)
    rig.hand.press(keys(MOVES[0]))
    rig.hand.sees_turn(NAMES[1])
    process = rig.process()
    stick = rig.make_stick(kind)
    rig.plug(stick, SLOW_BYTES)
    rig.menu("Save")
    rig.machine.wait_for(f"findmnt {PLACE}")
    rig.pull_out()
    rig.hand.shows("pulled")
    rig.leave(NAMES[1])
    rig.plug(rig.make_stick(kind))
    rig.menu("Save")
    rig.hand.shows("Saved")
    rig.leave(NAMES[1])
    rig.pull_out()
    assert rig.process() == process


def test_nothing_on_a_stick_can_run_and_only_the_companion_reads_it(rig: Rig) -> None:
    begin(rig.machine, rig.hand)
    rig.plug(rig.make_stick("fat"), SLOW_BYTES)
    rig.menu("Save")
    rig.machine.wait_for(f"findmnt {PLACE}")
    options = rig.machine.ok(f"findmnt -no OPTIONS {PLACE}")
    rig.hand.shows("Saved", timeout_s=600)
    assert {"nosuid", "nodev", "noexec", "fmask=0177", "dmask=0077"} <= set(options.split(","))
    assert rig.machine.ok(f"findmnt {PLACE} || echo gone") == "gone"
    connect = 'import socket; socket.socket(socket.AF_UNIX).connect("/run/beisitzer-helper.sock")'
    assert rig.machine.run(f"runuser -u nobody -- python3 -c '{connect}'").status != 0
    rig.machine.ok(f"runuser -u beisitzer -- python3 -c '{connect}'")
    rig.leave(NAMES[0])
    rig.pull_out()
