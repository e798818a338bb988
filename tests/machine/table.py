"""A table in the machine: the installed companion with a game, and what its disk says."""

import base64
import random
import shutil
import subprocess
import tarfile
from collections.abc import Callable
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.crash.process import GAME, Process, stored
from tests.machine.asked import Asked
from tests.machine.machine import SBIN
from tests.pi_app.pilot import Pilot
from tests.players.panel import Hand
from tests.players.player import Player
from tests.ran import ran

NAMES = ("Anna", "Ben")
BRING = """\
cd /var/lib/beisitzer && rm -rf games* boards
base64 -d << END | tar xz --owner=beisitzer --group=beisitzer
{game}
END
chown -R beisitzer:beisitzer games
sync  # as the program leaves its files
"""
RUNS = "systemctl is-active beisitzer"
PYTHON = "/usr/bin/env PYTHONPATH=/usr/lib/beisitzer /usr/bin/python3"
CONFIG = (
    "cd /; runuser -u beisitzer -- env BEISITZER_APPLIANCE=1"
    " BEISITZER_CONFIG=/var/lib/beisitzer/settings.toml /usr/bin/beisitzer config"
)
"""Looks at or changes the service's settings, from wherever it is called."""


class Figures:
    """What was measured, told at the end."""

    def __init__(self, note: Callable[[str], None]) -> None:
        self.note = note

    def start(self, machine: Asked, how: str) -> None:
        """Measure a boot: from the kernel's first moment to the service, and to its first frame."""
        found = machine.unit("ExecMainStartTimestampMonotonic", "ActiveEnterTimestampMonotonic")
        begun, ready = (int(value) / 1e6 for value in found.values())
        system = machine.ok("systemd-analyze | head -1")
        self.note(
            f"start {how}: {ready:.1f} s from the kernel to the first frame, {begun:.1f} s of it"
            f" before the service, {ready - begun:.1f} s ours; {system}"
        )
        self.memory(machine, how)

    def memory(self, machine: Asked, how: str, unit: str = "beisitzer.service") -> float:
        """Measure what a service takes, and what of it is its own; return the MiB it takes."""
        process = machine.unit("MainPID", unit=unit)["MainPID"]
        lines = machine.ok(f"cat /proc/{process}/smaps_rollup").splitlines()
        sizes = {line.split()[0]: int(line.split()[1]) / 1024 for line in lines[1:]}
        self.note(
            f"memory {how}: {sizes['Rss:']:.1f} MiB resident, {sizes['Pss:']:.1f} MiB proportional"
        )
        return sizes["Rss:"]


def begin(machine: Asked, hand: Hand, lay_out: str = "") -> None:
    """Lay out a new game, brought from here or by this script; the service then goes on with it."""
    machine.ok("systemctl stop beisitzer")
    hand.lines.clear()
    machine.ok(lay_out or bring())
    machine.ok("systemctl reset-failed beisitzer; systemctl start beisitzer")
    hand.sees_turn(NAMES[0])


@cache
def bring(*game: str) -> str:
    """Return a script that lays out a new game, by default of Just 4 Fun.

    The program makes it on this machine's own processor, which is many times as fast.
    """
    with TemporaryDirectory() as folder:
        store = Path(folder) / "games"
        Process(store, *(game or GAME)).end()
        packed = BytesIO()
        with tarfile.open(fileobj=packed, mode="w:gz") as archive:
            archive.add(store, "games")
        text = base64.b64encode(packed.getvalue()).decode()
    return BRING.format(game=text)


@cache
def random_moves(seed: int) -> tuple[str, ...]:
    """Return a game's moves, legal one after the other."""
    pilot = Pilot.game("just4fun")
    table, chance = pilot.table, random.Random(seed)
    Player(pilot.key, lambda: pilot.frame, lambda: table.position, chance).play()
    return tuple(table.tokens())


def keys(token: str) -> str:
    """Return how a move is keyed."""
    return token.replace("+", "*") + "#"


def on_disk(disk: Path, folder: Path, store: str = "") -> tuple[str, ...]:
    """Return the moves that a disk holds once its journal is replayed, as the next boot does it.

    The store lies in this folder of the disk.
    """
    checked = ran(["e2fsck", "-fy", disk], env=SBIN)
    assert checked.returncode in (0, 1), checked.stdout
    folder.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(folder / "games", ignore_errors=True)
    subprocess.run(
        ["debugfs", "-R", f"rdump {store}/games {folder}", disk],
        env=SBIN, capture_output=True, check=True,
    )  # fmt: skip
    return stored(folder / "games")[0]
