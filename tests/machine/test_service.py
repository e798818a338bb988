"""The installed service in its machine: it starts, loses panel and disk, switches it off."""

import shutil
from collections.abc import Iterator

import pytest

from tests.machine.conftest import Installed, Workshop
from tests.machine.image import APT
from tests.machine.machine import Machine, copy_disk
from tests.machine.table import NAMES, PYTHON, RUNS, Figures, begin, keys, on_disk, random_moves
from tests.players.panel import Hand

MOVES = random_moves(21)
STORE = "/var/lib/beisitzer"


class Rig:
    """The machine, its panel, and the game that is played on it."""

    def __init__(self, workshop: Workshop, installed: Installed, hand: Hand) -> None:
        self.hand = hand
        self.image = workshop.image
        self.disk = copy_disk(installed.disk, workshop.folder / "service")
        self.games = copy_disk(installed.games, workshop.folder / "service" / "store")
        self.played = 0
        self.boot()

    def boot(self) -> None:
        """Switch it on, with the panel lying beside it."""
        self.machine = Machine(
            self.image, self.disk, games=self.games, panel=self.hand, plugged=False
        )
        self.plugged = False
        self.machine.wait_for(RUNS, 900)

    def plug(self) -> None:
        """Plug the panel in, if it is not."""
        if not self.plugged:
            self.machine.plug()
        self.plugged = True

    def begin(self) -> None:
        self.plug()
        begin(self.machine, self.hand)
        self.played = 0

    def play(self, count: int = 1) -> None:
        """Key moves and wait until the panel shows each as counted."""
        for _ in range(count):
            self.hand.press(keys(MOVES[self.played]))
            self.played += 1
            self.hand.sees_turn(NAMES[self.played % 2])

    def process(self) -> str:
        return self.machine.unit("MainPID")["MainPID"]


@pytest.fixture(scope="module", name="rig")
def _rig(workshop: Workshop, installed: Installed) -> Iterator[Rig]:
    """Boot once with the panel lying beside: it is plugged in when the service is up."""
    with Hand(workshop.folder / "service") as hand:
        rig = Rig(workshop, installed, hand)
        try:
            yield rig
        finally:
            rig.machine.kill()


@pytest.fixture(name="game")
def _game(rig: Rig) -> Rig:
    """Lay out a new game, panel plugged in."""
    rig.begin()
    return rig


def test_the_package_is_installed_on_a_fresh_system_that_does_not_run(installed: Installed) -> None:
    assert "Setting up beisitzer" in installed.words
    assert "now has" in installed.words, "the boot configuration"
    assert "not whole" not in installed.words
    assert "Error" not in installed.words


def test_installing_once_more_starts_the_service_anew(rig: Rig) -> None:
    process = rig.process()
    rig.machine.ok(f"{APT} --reinstall /srv/parcel/new.deb", 1800)
    rig.machine.wait_for(RUNS)
    assert rig.process() != process


def test_the_installed_program_starts_from_byte_code(rig: Rig) -> None:
    words = rig.machine.ok(
        f"{PYTHON} -B -v -c 'import pi_app.commands.cli' 2>&1"
        " | grep '^# code object from .*/usr/lib/beisitzer/'"
    )
    loaded = words.splitlines()
    assert len(loaded) > 5
    assert not [line for line in loaded if ".pyc" not in line]


def test_a_panel_that_is_plugged_in_after_the_boot_is_found(rig: Rig, figures: Figures) -> None:
    figures.start(rig.machine, "without a panel")
    rig.plug()
    rig.hand.shows("Just 4 Fun")


def test_a_panel_that_is_pulled_out_and_plugged_in_again_goes_on(game: Rig) -> None:
    game.play(2)
    process = game.process()
    for _ in range(2):
        game.machine.unplug()
        game.machine.wait_for("! test -e /dev/ttyUSB0")
        game.hand.lines.clear()
        game.machine.plug()
        game.hand.sees_turn(NAMES[0])
        game.play(2)
    assert game.process() == process


def test_a_disk_that_fails_is_told_and_what_was_written_before_is_there(game: Rig) -> None:
    """ext4 makes it read-only at an error, and keeps it so until it was checked."""
    game.play(2)
    stored = MOVES[: game.played]
    game.machine.ok(f"mount -o remount,errors=remount-ro {STORE}")
    name = game.machine.ok(f"basename $(findmnt -no SOURCE {STORE})")
    game.hand.lines.clear()
    game.machine.ok(f"echo 1 > /sys/fs/ext4/{name}/trigger_fs_error")
    game.hand.press(keys(MOVES[game.played]))
    game.played += 1
    assert game.hand.wait_for(lambda lines: any("!" in line for line in lines), 120)
    process = game.process()
    game.hand.press("#")  # the alert goes, the game goes on in memory
    game.hand.sees_turn(NAMES[game.played % 2])
    game.play(1)
    assert game.process() == process
    game.machine.ok(f"systemctl stop beisitzer; umount {STORE}; e2fsck -fy /dev/{name} || true")
    game.machine.ok(f"mount {STORE}")
    _holds(game, stored)


def _holds(game: Rig, moves: tuple[str, ...]) -> None:
    """Hold the disk to have these moves; the service is stopped, and started again."""
    folder = game.machine.folder
    game.machine.cut((game.games, folder / "copy"))
    assert on_disk(folder / "copy", folder / "read") == moves
    game.machine.ok("systemctl start beisitzer")


def test_restart_in_the_menu_starts_the_machine_anew(game: Rig) -> None:
    game.play(1)

    def restart() -> None:
        game.hand.press("MENU")
        game.hand.choose("System", "Restart", "yes")

    game.machine.restart(restart)
    game.hand.lines.clear()
    game.hand.sees_turn(NAMES[1], timeout_s=900)
    game.play(1)


def test_switch_off_in_the_menu_switches_the_machine_off(game: Rig) -> None:
    game.play(1)
    game.hand.press("MENU")
    game.hand.choose("System", "Switch off", "yes")
    assert game.machine.end() == "guest-shutdown"
    game.machine.kill()
    shutil.copy(game.games, copy := game.games.with_name("copy"))
    assert on_disk(copy, game.disk.parent / "read") == MOVES[: game.played]
    game.boot()
