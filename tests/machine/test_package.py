"""The Debian package in its machine: installed, upgraded, removed, purged; the games stay."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.machine.conftest import UNPACK, VERSION, Workshop
from tests.machine.image import APT
from tests.machine.machine import Machine, copy_disk, games_disk
from tests.machine.table import NAMES, RUNS, Figures, begin, keys, random_moves
from tests.players.panel import Hand

LIBRARY = "/usr/lib/beisitzer"
COMMAND = "/usr/bin/beisitzer"
LAY_OUT = f"""\
cd / && runuser -u beisitzer -- env HOME=/var/lib/beisitzer XDG_DATA_HOME=/var/lib \
  XDG_STATE_HOME=/var/lib BEISITZER_CONFIG=/run/none.toml BEISITZER_APPLIANCE=1 \
  {COMMAND} play just4fun --players "Anna yellow, Ben red" --keys /dev/null --display none \
  --store /var/lib/beisitzer/games
"""
"""The package lays out the game itself: an older one does not read what a newer one writes."""


@dataclass(frozen=True)
class Packaged:
    """A machine with the package of the last release."""

    machine: Machine
    hand: Hand


@pytest.fixture(scope="module", name="packaged")
def _packaged(workshop: Workshop, parcel: Path) -> Iterator[Packaged]:
    disk = copy_disk(workshop.image / "disk", workshop.folder / "package")
    games = games_disk(disk.parent)
    with (
        Hand(disk.parent) as hand,
        Machine(workshop.image, disk, games=games, parcel=parcel, panel=hand) as machine,
    ):
        machine.ok(UNPACK)
        machine.ok(f"{APT} /srv/parcel/old.deb", 3600)
        machine.ok("beisitzer-setup SETTINGS=/srv/parcel/settings.toml")
        machine.ok("systemctl restart beisitzer")
        yield Packaged(machine, hand)


def test_a_life_of_the_package(packaged: Packaged, figures: Figures) -> None:
    """Install, play, upgrade with a changed conffile, play on, remove, purge.

    One test: each step stands on the one before, as on a rig.
    """
    machine, hand = packaged.machine, packaged.hand
    machine.wait_for(RUNS)
    machine.ok("systemctl is-enabled beisitzer")
    hand.shows("Just 4 Fun")
    assert machine.ok("dpkg-query -W -f '${Version}' beisitzer") != VERSION
    assert "[all]" in machine.ok("cat /boot/firmware/config.txt")
    begin(machine, hand, LAY_OUT)
    _play(packaged, 0)
    machine.ok("echo '# mine' >> /etc/default/beisitzer")

    hand.lines.clear()
    machine.ok(f"{APT} /srv/parcel/new.deb", 3600)
    machine.wait_for(RUNS)
    assert machine.ok("dpkg-query -W -f '${Version}' beisitzer") == VERSION
    assert "# mine" in machine.ok("cat /etc/default/beisitzer")
    assert int(machine.ok(f"find {LIBRARY} -name '*.pyc' | wc -l")) > 100
    hand.sees_turn(NAMES[1])
    _play(packaged, 1)
    figures.memory(machine, "of the package")

    machine.ok("apt-get remove -y -q beisitzer", 1800)
    assert machine.run(RUNS).status != 0
    machine.ok(f"! test -e {LIBRARY} && ! test -e {COMMAND}")
    machine.ok("test -e /var/lib/beisitzer/games && test -e /etc/default/beisitzer")

    machine.ok("apt-get purge -y -q beisitzer", 1800)
    machine.ok("! test -e /etc/default/beisitzer")
    assert "Beisitzer" not in machine.ok("cat /boot/firmware/config.txt")
    machine.ok("test -e /var/lib/beisitzer/games && getent passwd beisitzer")


def _play(packaged: Packaged, number: int) -> None:
    packaged.hand.press(keys(random_moves(7)[number]))
    packaged.hand.sees_turn(NAMES[(number + 1) % 2])
