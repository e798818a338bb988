"""The machine's tests, which `make nightly` runs: two machines at a time."""

import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.machine.container import Container, unpack
from tests.machine.image import APT, SUITES, NoMachineError, alone, cache, image, install, system
from tests.machine.parcel import pack
from tests.machine.table import Figures
from tests.options import Options
from tools.package import project_version

RUN = "BEISITZER_MACHINE_RUN"
VERSION = project_version()


@dataclass(frozen=True)
class Workshop:
    """What machines are made of: the image, where their disks lie, what all the run's share."""

    image: Path
    folder: Path
    shared: Path


@dataclass(frozen=True)
class Installed:
    """A disk on which the package is installed, and what apt said."""

    disk: Path
    games: Path
    words: str


@dataclass(frozen=True)
class Debian:
    """A Debian for containers, what it is brought, and a folder for its copies."""

    suite: str
    tree: Path
    parcel: Path
    folder: Path

    def lay_out(self, name: str) -> Path:
        """Return a new root folder with the parcel in /srv."""
        root = unpack(self.tree, self.folder / name)
        unpack(self.parcel, root / "srv/parcel")
        return root

    def copy(self, root: Path, name: str) -> Path:
        """Return a copy of a root folder."""
        copy = self.folder / name
        shutil.rmtree(copy, ignore_errors=True)
        subprocess.run(["cp", "-a", "--reflink=auto", root, copy], check=True)
        return copy


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of an emulator."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.nightly)


def pytest_configure(config: pytest.Config) -> None:
    """Make the run's folder, for all its processes; what a killed run left goes."""
    if config.option.markexpr == "not nightly" or hasattr(config, "workerinput"):
        return
    for left in cache().glob("run-*"):
        if not Path(f"/proc/{left.name.removeprefix('run-')}").exists():
            shutil.rmtree(left)
    folder = cache() / f"run-{os.getpid()}"
    folder.mkdir(parents=True)
    os.environ[RUN] = str(folder)
    config.add_cleanup(lambda: shutil.rmtree(folder))


@pytest.fixture(scope="session", name="workshop")
def _workshop(worker_id: str) -> Workshop:
    try:
        made = image()
    except NoMachineError as error:
        pytest.skip(str(error))
    shared = Path(os.environ[RUN])
    (shared / worker_id).mkdir()
    return Workshop(made, shared / worker_id, shared)


@pytest.fixture(scope="session", name="debian", params=SUITES)
def _debian(request: pytest.FixtureRequest, worker_id: str) -> Debian:
    try:
        tree = system(request.param)
    except NoMachineError as error:
        pytest.skip(str(error))
    folder = Path(os.environ[RUN]) / f"{worker_id}-{request.param}"
    folder.mkdir(exist_ok=True)
    return Debian(request.param, tree, request.getfixturevalue("parcel"), folder)


@pytest.fixture(scope="session", name="settled")
def _settled(debian: Debian) -> Path:
    """Return the root of a system on which the package is installed, with settings for a panel."""
    root = debian.lay_out("settled")
    with Container(root) as rig:
        rig.ok(f"{APT} /srv/parcel/new.deb", 3600)
        rig.ok("beisitzer-setup SETTINGS=/srv/parcel/settings.toml; systemctl stop 'beisitzer*'")
    return root


@pytest.fixture(scope="session", name="parcel")
def _parcel() -> Path:
    folder = Path(os.environ[RUN]) / "parcel"
    folder.mkdir(exist_ok=True)
    with alone(folder):
        if not (parcel := folder / "parcel.tar").exists():
            pack(folder, VERSION).rename(parcel)
    return parcel


@pytest.fixture(scope="session", name="installed")
def _installed(workshop: Workshop, request: pytest.FixtureRequest, options: Options) -> Installed:
    """Install once a run; `--installed` names a folder that keeps it for the next one."""
    kept = options.installed
    folder = Path(kept) if kept else workshop.shared / "installed"
    folder.mkdir(parents=True, exist_ok=True)
    with alone(folder):
        if not (folder / "words").exists():
            words = install(workshop.image, folder, request.getfixturevalue("parcel"))
            (folder / "words").write_text(words)
    return Installed(folder / "disk", folder / "games", (folder / "words").read_text())


@pytest.fixture(name="figures")
def _figures(record_property: Callable[[str, object], None]) -> Figures:
    """Take measurements; they are printed when all tests are done."""
    return Figures(lambda line: record_property("figure", line))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what was measured, whichever process measured it."""
    for outcome in ("passed", "failed"):
        for report in terminalreporter.getreports(outcome):
            for name, line in report.user_properties:
                if name == "figure" and report.when == "call":
                    terminalreporter.write_line(str(line))
