"""The card's tests, which `make nightly` runs where there is an image."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.machine.conftest import RUN
from tests.machine.image import alone
from tests.options import Options
from tools.image.emulator import take_boot_files

DIST = Path(__file__).parents[3] / "dist"
NEEDED = ("qemu-system-aarch64", "mcopy", "xz", "setpriv", "fdtoverlay", "fdtget")


@dataclass(frozen=True)
class Image:
    """The image as `make image` packed it, the files of its first partition, room for copies."""

    card: Path
    boot: Path
    folder: Path


@pytest.fixture(scope="session", name="image")
def _image(options: Options, worker_id: str) -> Image:
    for tool in NEEDED:
        if shutil.which(tool) is None:
            pytest.skip(f"the card's tests need {tool}: CONTRIBUTING.md has the list")
    packed = Path(options.card or max(DIST.glob("beisitzer-*.img.xz"), default="none"))
    if not packed.is_file():
        pytest.skip("there is no image to test: sudo make image, or --card FILE")
    shared = Path(os.environ[RUN])
    (shared / worker_id).mkdir()
    with alone(shared):
        card = shared / "card.img"
        if not card.exists():
            unpack(packed, card)
            take_boot_files(card, shared)
    return Image(card, shared / "boot", shared / worker_id)


def unpack(packed: Path, card: Path) -> None:
    """Unpack the image as somebody would who writes it to a card."""
    if packed.suffix != ".xz":
        shutil.copy(packed, card)
        return
    with card.with_suffix(".new").open("wb") as file:
        subprocess.run(["xz", "-dc", packed], stdout=file, check=True)
    card.with_suffix(".new").rename(card)


@pytest.fixture(name="free")
def _free(image: Image) -> Iterator[Path]:
    """Return a folder for one test's cards, which is gone after it."""
    folder = image.folder / "free"
    folder.mkdir()
    yield folder
    shutil.rmtree(folder)
