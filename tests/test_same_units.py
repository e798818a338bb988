"""What the package brings starts on a flashed card too: the same units, users and folders."""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.units import KINDS, drop_ins, settings
from tools.image import base, system
from tools.package import DEBIAN, MACHINE

UNITS = "usr/lib/systemd/system"
CARD_MAY_DRAW = {"beisitzer.service": {"video", "render"}}
"""The groups that a unit has on a card alone: nobody says there which screen is plugged in."""
COMPILED = {"python3-lgpio"}
"""Debian lacks it; the image's build compiles it."""
ESSENTIAL = {"init-system-helpers", "systemd"}
"""In every Debian, and with systemd-sysv."""
STATE = "/var/lib"


@dataclass(frozen=True)
class Needs:
    """What a unit cannot start without: users and groups, and its folders with their modes."""

    names: frozenset[str]
    folders: frozenset[tuple[str, str, str]]
    """Path, mode, owner."""


@pytest.fixture(name="package")
def _package(tmp_path: Path) -> Path:
    return Path(shutil.copytree(MACHINE, tmp_path / "package", symlinks=True))


@pytest.fixture(name="card")
def _card(package: Path, tmp_path: Path) -> Path:
    root = Path(shutil.copytree(package, tmp_path / "card", symlinks=True))
    system.lay_over(root, "1.2")
    return root


def units(root: Path) -> dict[str, Path]:
    return {path.name: path for path in (root / UNITS).iterdir() if path.suffix in KINDS}


def accounts(root: Path) -> dict[str, str]:
    """Return each user and group that a system makes, with its number ("-": the system's)."""
    files = sorted((root / "usr/lib/sysusers.d").glob("*.conf"))
    lines = [line.split() for path in files for line in path.read_text().splitlines()]
    return {words[1]: words[2] for words in lines if words and words[0] in ("u", "g")}


def made(root: Path) -> dict[str, tuple[str, str]]:
    """Return mode and owner of each folder that a system makes at its start."""
    files = sorted((root / "usr/lib/tmpfiles.d").glob("*.conf"))
    lines = [line.split() for path in files for line in path.read_text().splitlines()]
    return {words[1]: (words[2], words[3]) for words in lines if words and words[0] == "d"}


def needs(unit: Path) -> Needs:
    found = settings(unit)
    named = ("User", "Group", "SupplementaryGroups", "SocketUser", "SocketGroup")
    names = {name for key in named for value in found.get(key, ()) for name in value.split()}
    mode, owner = found.get("StateDirectoryMode", ["0755"])[-1], found.get("User", ["root"])[-1]
    folders = {(f"{STATE}/{name}", mode, owner) for name in found.get("StateDirectory", ())}
    return Needs(frozenset(names - {"root"}), frozenset(folders))


def test_every_unit_of_the_package_is_on_the_card_and_needs_the_same_there(
    package: Path, card: Path
) -> None:
    here, there = units(package), units(card)
    assert len(here) > 10
    assert accounts(package) == accounts(card)
    assert set(there) - set(here) == {name for name in there if name.startswith("card-")}
    masked = [path.name for path in (card / "etc/systemd/system").iterdir() if path.is_symlink()]
    assert not set(masked) & set(here)
    for name, unit in here.items():
        more = CARD_MAY_DRAW.get(name, set())
        wanted = needs(unit)
        assert needs(there[name]) == Needs(wanted.names | more, wanted.folders), name
        assert {path.name for path in drop_ins(unit)} <= {
            each.name for each in drop_ins(there[name])
        }


def test_every_folder_that_a_unit_writes_is_on_the_cards_own_partition_with_its_owner(
    package: Path, card: Path
) -> None:
    """The card's system is only read: what no line of its fstab covers cannot be written."""
    mounted = system.mounts(card / "etc/fstab")
    wanted = {folder for unit in units(package).values() for folder in needs(unit).folders}
    wanted |= {(path, *rest) for path, rest in made(package).items()}
    assert len(wanted) > 3
    for path, mode, owner in wanted:
        assert path in mounted, path
        assert made(card)[mounted[path][0]] == (mode, owner), path
    written = {value.lstrip("-") for unit in units(card).values()
               for value in settings(unit).get("ReadWritePaths", ())}  # fmt: skip
    for path in written:
        assert path in mounted or path in made(card), path


def test_a_card_has_what_the_package_asks_of_debian_or_can_use() -> None:
    control = (DEBIAN / "control").read_text()
    lines = re.findall(r"(?m)^(?:Depends|Recommends|Suggests): (.*)", control)
    asked = {each.split()[0] for line in lines for each in line.split(", ") if each[0] != "$"}
    assert asked - set(base.PACKAGES) == COMPILED | ESSENTIAL
