"""The machine's tests: only where `make vm-test` asks for them; one machine at a time."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.machine.image import NoMachineError, cache, image
from tests.machine.machine import Machine, copy_disk, games_disk
from tests.machine.parcel import pack
from tests.machine.table import Figures

collect_ignore_glob = [] if os.environ.get("BEISITZER_MACHINE") else ["test_*.py"]
UNPACK = "mkdir -p /srv/parcel && tar -xf /dev/disk/by-id/virtio-parcel -C /srv/parcel"


@dataclass(frozen=True)
class Workshop:
    """What machines are made of: the image, and where their disks lie."""

    image: Path
    folder: Path


@dataclass(frozen=True)
class Installed:
    """A disk on which `make install` has been, and what it said."""

    disk: Path
    games: Path
    words: str


@pytest.fixture(scope="session", name="workshop")
def _workshop() -> Iterator[Workshop]:
    try:
        made = image()
    except NoMachineError as error:
        pytest.exit(str(error), 1)
    folder = cache() / f"run-{os.getpid()}"
    folder.mkdir()
    try:
        yield Workshop(made, folder)
    finally:
        shutil.rmtree(folder)


@pytest.fixture(scope="session", name="parcel")
def _parcel(workshop: Workshop) -> Path:
    return pack(workshop.folder / "parcel")


@pytest.fixture(scope="session", name="installed")
def _installed(workshop: Workshop, request: pytest.FixtureRequest) -> Installed:
    """Install once a run; BEISITZER_INSTALLED names a folder that keeps it for the next one."""
    kept = os.environ.get("BEISITZER_INSTALLED")
    if kept and (Path(kept) / "words").exists():
        return Installed(
            Path(kept) / "disk", Path(kept) / "games", (Path(kept) / "words").read_text()
        )
    parcel = request.getfixturevalue("parcel")
    disk = copy_disk(workshop.image / "disk", workshop.folder / "installed")
    games = games_disk(disk.parent)
    with Machine(workshop.image, disk, games=games, parcel=parcel) as machine:
        machine.ok(f"{UNPACK} && ln -s /srv/parcel/wheels /srv/wheels")
        words = machine.ok(
            "cd /srv/parcel/beisitzer && make install SETTINGS=/srv/parcel/settings.toml", 3600
        )
        machine.power_off()
    if kept:
        shutil.copytree(disk.parent, kept)
        (Path(kept) / "words").write_text(words)
    return Installed(disk, games, words)


@pytest.fixture(scope="session", name="figures")
def _figures(request: pytest.FixtureRequest) -> Iterator[Figures]:
    """Take measurements; they are printed when all tests are done."""
    figures = Figures()
    yield figures
    reporter = request.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None:
        reporter.write_line("")
        for line in figures.lines:
            reporter.write_line(line)
