"""The machine's tests, which `make nightly` runs: two machines at a time."""

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.machine.image import NoMachineError, alone, cache, image, install
from tests.machine.parcel import pack
from tests.machine.table import Figures
from tests.options import Options
from tools.package import project_version

UNPACK = "mkdir -p /srv/parcel && tar -xf /dev/disk/by-id/virtio-parcel -C /srv/parcel"
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


@pytest.fixture(scope="session", name="parcel")
def _parcel(workshop: Workshop) -> Path:
    folder = workshop.shared / "parcel"
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
