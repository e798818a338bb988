"""The service's window on a screen without a desktop: what is seen is what is drawn elsewhere."""

import base64
import io
import shutil
import tarfile
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PIL import Image

from tests.crash.process import GAME
from tests.machine.conftest import Installed, Workshop
from tests.machine.hand import Hand
from tests.machine.image import alone, install
from tests.machine.machine import Machine, copy_disk
from tests.machine.table import NAMES, RUNS, Figures, begin, keys, random_moves

MOVES = random_moves(21)
SIZES = ((1024, 600), (1280, 720), (1920, 1080))
DRAW = """\
rm -rf /run/drawn && mkdir /run/drawn && cd /run/drawn && printf '%s' '{keys}' > keys
cat > draw.py << 'END'
from functools import partial
from pi_app.commands.cli import main
from pi_app.displays.window import opening
opening.Look = partial(opening.Look, size=({size}))
main()
END
env HOME=/run/drawn SDL_VIDEODRIVER=dummy \
  /opt/beisitzer/venv/bin/python draw.py play {game} --lang en --keys keys --display none \
  --store games.db --shots shots > words 2>&1 || {{ cat words; exit 1; }}
cd shots && tar -cf ../drawn.tar window-*.png && base64 -w 0 ../drawn.tar
"""
SEEN_S = 60


@dataclass
class Screen:
    """A machine with a screen of this size in pixels, its panel, and where its pictures are."""

    machine: Machine
    hand: Hand
    folder: Path
    size: tuple[int, int]
    drawn: list[bytes] = field(default_factory=list)
    """The pictures that it has to show, in this order."""

    def draw(self, moves: tuple[str, ...]) -> None:
        """Let the guest draw all the pictures of these moves off-screen, with the same library."""
        words = " ".join(f"'{word}'" for word in GAME)
        size = ", ".join(map(str, self.size))
        script = DRAW.format(keys=" ".join(map(keys, moves)), game=words, size=size)
        packed = base64.b64decode(self.machine.ok(script, 1800))
        with tarfile.open(fileobj=io.BytesIO(packed)) as tar:
            self.drawn = [_content(tar, name) for name in sorted(tar.getnames())]

    def shows_next(self) -> None:
        """Wait until the screen shows one of these pictures, to the pixel; no older one from now.

        A move may still be moving.
        """
        file = self.folder / "screen.png"
        end = time.monotonic() + SEEN_S
        while time.monotonic() < end:
            self.machine.screendump(file)
            if (seen := pixels(file.read_bytes())) in self.drawn:
                del self.drawn[: self.drawn.index(seen)]
                return
        shutil.copy(file, kept := Path(tempfile.gettempdir()) / "beisitzer-screen.png")
        pytest.fail(f"this was never drawn: {kept}")

    def play(self, first: int, last: int) -> None:
        """Key these moves of the game, and hold the screen to each."""
        for number in range(first, last):
            self.hand.press(keys(MOVES[number]))
            self.hand.sees_turn(NAMES[(number + 1) % 2])
            self.shows_next()


def _content(tar: tarfile.TarFile, name: str) -> bytes:
    file = tar.extractfile(name)
    assert file is not None
    return pixels(file.read())


def pixels(png: bytes) -> bytes:
    """Return a picture's pixels as bytes, whatever its form."""
    with Image.open(io.BytesIO(png)) as image:
        return image.convert("RGB").tobytes()


@pytest.fixture(scope="session", name="appliance")
def _appliance(workshop: Workshop, parcel: Path) -> Installed:
    """Install with SCREEN=window, once a run."""
    folder = workshop.shared / "screen"
    folder.mkdir(exist_ok=True)
    with alone(folder):
        if not (folder / "words").exists():
            words = install(workshop.image, folder, parcel, "SCREEN=window")
            (folder / "words").write_text(words)
    return Installed(folder / "disk", folder / "games", (folder / "words").read_text())


@pytest.fixture(name="screen")
def _screen(
    workshop: Workshop, appliance: Installed, request: pytest.FixtureRequest
) -> Iterator[Screen]:
    """Boot a machine with a screen and no desktop; the test names another size."""
    size: tuple[int, int] = getattr(request, "param", (800, 480))
    disk = copy_disk(appliance.disk, workshop.folder / "screen" / "machine")
    games = copy_disk(appliance.games, disk.parent / "store")
    device = ("-device", f"virtio-gpu-pci,xres={size[0]},yres={size[1]}")
    with (
        Hand(disk.parent) as hand,
        Machine(workshop.image, disk, games=games, panel=hand, more=device) as machine,
    ):
        machine.wait_for(RUNS, 900)
        yield Screen(machine, hand, disk.parent, size)


def test_a_whole_game_is_on_the_screen_as_it_is_drawn_elsewhere(
    screen: Screen, figures: Figures
) -> None:
    screen.draw(MOVES[:-1])
    begin(screen.machine, screen.hand)
    screen.play(0, len(MOVES) - 1)
    figures.note(f"{len(MOVES) - 1} moves on a screen of 800x480, each as drawn elsewhere")
    figures.memory(screen.machine, "with a screen")


@pytest.mark.parametrize("screen", SIZES, indirect=True)
def test_on_every_size_the_table_is_as_it_is_drawn_elsewhere(screen: Screen) -> None:
    screen.draw(())
    begin(screen.machine, screen.hand)
    screen.shows_next()


def test_after_a_crash_the_picture_comes_back(screen: Screen) -> None:
    screen.draw(MOVES[:4])
    begin(screen.machine, screen.hand)
    screen.play(0, 2)
    process = screen.machine.unit("MainPID")["MainPID"]
    screen.hand.lines.clear()
    screen.machine.ok(f"kill -9 {process}")
    screen.machine.wait_for(f"{RUNS} && test $(systemctl show -P MainPID beisitzer) != {process}")
    screen.hand.sees_turn(NAMES[0])
    screen.play(2, 4)
