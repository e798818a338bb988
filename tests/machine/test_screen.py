"""The service's window on a screen without a desktop: what is seen is what is drawn elsewhere."""

import base64
import io
import tarfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from PIL import Image

from tests.crash.process import GAME
from tests.machine.conftest import Workshop
from tests.machine.hand import Hand
from tests.machine.image import install
from tests.machine.machine import Machine, copy_disk
from tests.machine.table import NAMES, RUNS, Figures, begin, keys, random_moves

MOVES = random_moves(21)
SIZES = ((1024, 600), (1280, 720), (1920, 1080))
DRAW = """\
rm -rf /run/drawn && mkdir /run/drawn && printf '%s' '{keys}' > /run/drawn/keys && cd /run/drawn
env HOME=/run/drawn SDL_VIDEODRIVER=dummy BEISITZER_CONFIG=/run/none.toml \
  /opt/beisitzer/venv/bin/beisitzer play {game} --lang en --keys keys --display none \
  --store games.db --shots shots > /dev/null
tar -cf - -C shots $(cd shots && ls window-*.png) | base64 -w 0
"""
SEEN_S = 60


@dataclass
class Screen:
    """The machine, its panel and where its pictures are kept."""

    machine: Machine
    hand: Hand
    folder: Path

    def picture(self) -> bytes:
        """Return the pixels of what the screen shows now."""
        self.machine.screendump(file := self.folder / "screen.png")
        return pixels(file.read_bytes())

    def shows(self, wanted: bytes) -> None:
        """Wait until the screen shows this picture, to the pixel; a move may still be moving."""
        end = time.monotonic() + SEEN_S
        while (seen := self.picture()) != wanted:
            if time.monotonic() > end:
                different = sum(a != b for a, b in zip(seen, wanted, strict=False))
                pytest.fail(f"{different} of {len(wanted)} bytes differ: {self.folder}")

    def drawn(self, moves: tuple[str, ...]) -> list[bytes]:
        """Let the guest draw all the frames of these moves off-screen, with the same library."""
        words = " ".join(f"'{word}'" for word in GAME)
        script = DRAW.format(keys=" ".join(map(keys, moves)), game=words)
        packed = base64.b64decode(self.machine.ok(script, 1800))
        with tarfile.open(fileobj=io.BytesIO(packed)) as tar:
            return [_content(tar, name) for name in sorted(tar.getnames())]


def _content(tar: tarfile.TarFile, name: str) -> bytes:
    file = tar.extractfile(name)
    assert file is not None
    return pixels(file.read())


def pixels(png: bytes) -> bytes:
    """Return a picture's pixels as bytes, whatever its form."""
    with Image.open(io.BytesIO(png)) as image:
        return image.convert("RGB").tobytes()


def screen_of(width: int, height: int) -> tuple[str, ...]:
    """Return the emulator's arguments for a screen of this size, in pixels, without a desktop."""
    return ("-device", f"virtio-gpu-pci,xres={width},yres={height}")


@pytest.fixture(scope="module", name="screen")
def _screen(workshop: Workshop, parcel: Path) -> Iterator[Screen]:
    folder = workshop.folder / "screen"
    folder.mkdir()
    words = install(workshop.image, folder, parcel, "SCREEN=window")
    assert "there is no window" not in words
    disk = copy_disk(folder / "disk", folder / "machine")
    with (
        Hand(folder) as hand,
        Machine(
            workshop.image, disk, games=folder / "games", panel=hand, more=screen_of(800, 480)
        ) as machine,
    ):
        machine.wait_for(RUNS, 900)
        yield Screen(machine, hand, folder)


def test_a_whole_game_is_on_the_screen_as_it_is_drawn_elsewhere(
    screen: Screen, figures: Figures
) -> None:
    drawn = screen.drawn(MOVES)
    begin(screen.machine, screen.hand)
    after = 0
    for number, move in enumerate(MOVES[:-1]):
        screen.hand.press(keys(move))
        screen.hand.sees_turn(NAMES[(number + 1) % 2])
        after = _found(screen, drawn, after)
    figures.note(f"{len(MOVES) - 1} moves on a screen of 800x480, each as drawn elsewhere")


def _found(screen: Screen, drawn: list[bytes], after: int) -> int:
    """Wait until the screen shows one of the later frames, and return its number."""
    end = time.monotonic() + SEEN_S
    while time.monotonic() < end:
        if (seen := screen.picture()) in drawn[after:]:
            return drawn.index(seen, after)
    pytest.fail(f"this was never drawn: {screen.folder}/screen.png")
