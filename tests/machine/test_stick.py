"""A USB stick in the machine: games go to it and come back, and it is pulled out in the middle."""

import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.machine.conftest import Installed, Workshop
from tests.machine.machine import SBIN, Machine, copy_disk
from tests.machine.table import NAMES, RUNS, Figures, begin, keys, on_disk, random_moves
from tests.players.panel import Hand

MOVES = random_moves(42)
STICK_MB = 64
MAKE = {"fat": ("mkfs.vfat", "-n", "GAMES"), "exfat": ("mkfs.exfat", "-L", "GAMES")}
CHECK = {"fat": ("fsck.fat", "-n"), "exfat": ("fsck.exfat", "-n")}
PLACE = "/run/beisitzer-stick"
SLOW_BYTES = 2048
"""What a slow stick takes in a second: writing an archive takes long enough to pull it out."""
CUTS, PAUSE_S = 10, 0.2
"""How many power cuts, and how long after each other: about as long as a loading takes."""


class Rig:
    """The machine with its panel and a game, and a stick that is plugged in and pulled out."""

    def __init__(self, workshop: Workshop, installed: Installed, hand: Hand) -> None:
        self.folder = workshop.folder / "stick"
        disk = copy_disk(installed.disk, self.folder)
        self.games = copy_disk(installed.games, self.folder / "store")
        self.hand = hand
        self.plugged = False
        self.machine = Machine(workshop.image, disk, games=self.games, panel=hand)
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
        self.plugged = True
        self.machine.wait_for("grep -q ID_FS_TYPE /run/udev/data/b8:*")

    def pull_out(self) -> None:
        self.machine.unplug_stick()
        self.plugged = False
        self.machine.wait_for(f"! ls /sys/block/sd* && ! findmnt {PLACE}")

    def menu(self, *words: str) -> None:
        """Choose from the stick's menu, from a player's turn."""
        self.hand.press("MENU")
        self.hand.choose("System", "USB stick", *words)

    def leave(self, name: str) -> None:
        """Go back from a page of the stick's menu to this player's turn."""
        self.hand.lines.clear()
        for _ in range(4):
            self.hand.press("<")
        self.hand.sees_turn(name)

    def cut(self) -> list[Path]:
        """Return copies of the disk as power cuts leave it now and in the next moments."""
        copies = [self.folder / f"cut-{number}" for number in range(CUTS)]
        for copy in copies:
            self.machine.cut((self.games, copy))
            time.sleep(PAUSE_S)
        return copies

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


@pytest.fixture(name="game")
def _game(rig: Rig) -> Iterator[Rig]:
    """Lay out a new game; the stick is pulled out at the end."""
    begin(rig.machine, rig.hand)
    yield rig
    if rig.plugged:
        rig.pull_out()


@pytest.mark.parametrize("kind", MAKE)
def test_games_go_to_a_stick_and_come_back(game: Rig, kind: str, figures: Figures) -> None:
    game.hand.press(keys(MOVES[0]))
    game.hand.sees_turn(NAMES[1])
    stick = game.make_stick(kind)
    game.plug(stick)
    game.menu("Save")
    game.hand.shows("Saved")
    process = game.process()
    figures.memory(game.machine, f"after saving to {kind}")
    assert game.machine.run(f"findmnt {PLACE}").status != 0
    game.leave(NAMES[1])
    game.hand.press(keys(MOVES[1]))
    game.hand.sees_turn(NAMES[0])
    game.menu("Load from")
    game.hand.shows("Load which")
    game.hand.press("#")
    game.hand.shows("Load?")
    game.hand.lines.clear()
    game.hand.choose("only")
    cuts = game.cut()
    game.machine.wait_for(f"{RUNS} && test $(systemctl show -P MainPID beisitzer) != {process}")
    game.hand.sees_turn(NAMES[1])  # the second move is not on the stick
    game.pull_out()
    subprocess.run([*CHECK[kind], stick], env=SBIN, check=True)
    found = [on_disk(cut, game.folder / "read") for cut in cuts]
    assert set(found) <= {MOVES[:1], MOVES[:2]}, found
    loaded = found.count(MOVES[:1])
    figures.note(f"{len(cuts)} cuts while loading from {kind}: {loaded} came after it")


@pytest.mark.parametrize("kind", MAKE)
def test_a_stick_that_is_pulled_out_in_the_middle_gives_a_sentence(game: Rig, kind: str) -> None:
    game.hand.press(keys(MOVES[0]))
    game.hand.sees_turn(NAMES[1])
    process = game.process()
    stick = game.make_stick(kind)
    game.plug(stick, SLOW_BYTES)
    game.menu("Save")
    game.machine.wait_for(f"findmnt {PLACE}")
    game.pull_out()
    game.hand.shows("pulled")
    game.leave(NAMES[1])
    game.plug(game.make_stick(kind))
    game.menu("Save")
    game.hand.shows("Saved")
    game.leave(NAMES[1])
    game.pull_out()
    assert game.process() == process


def test_nothing_on_a_stick_can_run_and_only_the_companion_reads_it(game: Rig) -> None:
    game.plug(game.make_stick("fat"), SLOW_BYTES)
    game.menu("Save")
    game.machine.wait_for(f"findmnt {PLACE}")
    options = game.machine.ok(f"findmnt -no OPTIONS {PLACE}")
    game.hand.shows("Saved", timeout_s=600)
    assert {"nosuid", "nodev", "noexec", "fmask=0177", "dmask=0077"} <= set(options.split(","))
    assert game.machine.ok(f"findmnt {PLACE} || echo gone") == "gone"
    connect = 'import socket; socket.socket(socket.AF_UNIX).connect("/run/beisitzer-helper.sock")'
    assert game.machine.run(f"runuser -u nobody -- python3 -c '{connect}'").status != 0
    game.machine.ok(f"runuser -u beisitzer -- python3 -c '{connect}'")
    game.leave(NAMES[0])
    game.pull_out()
