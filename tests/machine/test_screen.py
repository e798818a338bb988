"""The service's window on a screen without a desktop: what is seen is what is drawn elsewhere."""

import base64
import io
import shutil
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PIL import Image

from pi_app.displays.window import Look, WindowDisplay
from pi_app.view.inputs import KeyQueue
from pi_app.view.key_script import read_keys
from tests.crash.process import GAME
from tests.machine.conftest import Installed, Workshop
from tests.machine.image import SUITE, alone, install
from tests.machine.machine import Machine, copy_disk
from tests.machine.table import CONFIG, NAMES, PYTHON, RUNS, Figures, begin, keys, random_moves
from tests.options import Options
from tests.pi_app.displays.window.test_golden import ON_SCREENS, place
from tests.pi_app.pilot import TWO, Pilot
from tests.players.panel import Hand

MOVES = random_moves(21)
SIZES = ((800, 480), (1024, 600), (1280, 720), (1920, 1080))
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
  PYTHONPATH=/usr/lib/beisitzer /usr/bin/python3 draw.py play {game} --lang en --keys keys \
  --display none --store games --shots shots > words 2>&1 || {{ cat words; exit 1; }}
cd shots && tar -cf ../drawn.tar window-*.png && base64 -w 0 ../drawn.tar
"""
WINDOW = "python3-pygame libegl1 libgles2 libgl1-mesa-dri"
SEEN_S = 60
FIFO = "/run/touch.fifo"
CONNECTOR = "/sys/class/drm/card0-Virtual-1"
Press = Callable[[str], None]


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

    def keep(self, folder: str) -> None:
        """Keep what the screen shows above the golden picture of the same; "" keeps nothing.

        For the eye alone: the system's pygame has other letters than the one of the pictures.
        """
        if not folder:
            return
        name, language, _ = ON_SCREENS
        width, height = self.size
        sheet = Image.new("RGB", (width, 2 * height))
        self.machine.screendump(file := self.folder / "screen.png")
        for row, picture in enumerate((file, place(name, language, self.size))):
            with Image.open(picture) as image:
                sheet.paste(image.convert("RGB"), (0, row * height))
        Path(folder).mkdir(parents=True, exist_ok=True)
        sheet.save(Path(folder) / f"{SUITE}-{width}x{height}.png")

    def begin_with(self, setting: str) -> None:
        """Change a setting while the service is stopped, then begin a game."""
        self.machine.ok(f"systemctl stop beisitzer; {CONFIG} --set '{setting}'")
        begin(self.machine, self.hand)

    def play(self, first: int, last: int, press: Press | None = None) -> None:
        """Key these moves of the game at the panel, or so, and hold the screen to each."""
        for number in range(first, last):
            (press or self.hand.press)(keys(MOVES[number]))
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


class Shadow:
    """The same game on this machine: it knows where each key lies in the window."""

    def __init__(self, size: tuple[int, int]) -> None:
        self._pilot = Pilot.game("just4fun", Players=TWO)
        self._window = WindowDisplay(KeyQueue(), Look(size=size))
        self._window.show(self._pilot.program.screen.frame())

    def points(self, typed: str) -> Iterator[tuple[int, int]]:
        """Return where to touch for each of these keys, in pixels of the picture."""
        for key, sign in zip(read_keys(typed), typed, strict=True):
            boxes = {each.deed: each.box for each in self._window.targets}
            yield boxes[key].center
            self._pilot.key(sign)
            self._window.show(self._pilot.program.screen.frame())


@pytest.fixture(scope="session", name="appliance")
def _appliance(workshop: Workshop, request: pytest.FixtureRequest, options: Options) -> Installed:
    """Set up with SCREEN=window, once a run or once for the folder of `--installed`."""
    folder = Path(options.installed or workshop.shared) / "screen"
    folder.mkdir(parents=True, exist_ok=True)
    with alone(folder):
        if not (folder / "words").exists():
            parcel = request.getfixturevalue("parcel")
            words = install(workshop.image, folder, parcel, "SCREEN=window", WINDOW)
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
    device = ["-device", f"virtio-gpu-pci,xres={size[0]},yres={size[1]}"]
    with (
        Hand(disk.parent) as hand,
        Machine(workshop.image, disk, games=games, panel=hand, more=device) as machine,
    ):
        machine.wait_for(RUNS, 900)
        yield Screen(machine, hand, disk.parent, size)


@pytest.mark.parametrize("screen", SIZES, indirect=True)
def test_on_every_size_the_table_is_as_it_is_drawn_elsewhere(
    screen: Screen, options: Options
) -> None:
    screen.draw(())
    begin(screen.machine, screen.hand)
    screen.shows_next()
    screen.keep(options.screens)


def fingers(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> Press:
    """Make a touch screen in the machine, and return what touches a word's keys on it."""
    text = Path(__file__).with_name("uinput_touch.py").read_text("utf-8")
    width, height = screen.size
    screen.machine.ok(
        f"cat > /run/uinput_touch.py << 'END'\n{text}\nEND\nmodprobe uinput\n"
        f"setsid {PYTHON} /run/uinput_touch.py {FIFO} {width} {height} > /run/touch.log 2>&1 &"
    )
    screen.machine.wait_for(f"test -p {FIFO}")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    shadow = Shadow(screen.size)

    def press(typed: str) -> None:
        lines = "\n".join(f"{x} {y}" for x, y in shadow.points(typed))
        screen.machine.ok(f"printf '%s\n' '{lines}' > {FIFO}")

    return press


def test_a_whole_game_is_played_on_the_screen_itself(
    screen: Screen, monkeypatch: pytest.MonkeyPatch, figures: Figures
) -> None:
    screen.draw(MOVES[:-1])
    begin(screen.machine, screen.hand)
    screen.shows_next()
    screen.play(0, len(MOVES) - 1, fingers(screen, monkeypatch))
    figures.note(f"{len(MOVES) - 1} moves on a screen of 800x480, each as drawn elsewhere")
    figures.memory(screen.machine, "with a screen")


def test_the_screen_goes_off_when_nobody_plays_and_a_key_turns_it_on(screen: Screen) -> None:
    screen.draw(MOVES[:2])
    screen.begin_with("display.blank_after_s=20")
    screen.play(0, 1)
    screen.machine.wait_for(f"grep -q Off {CONNECTOR}/dpms")
    screen.hand.press(keys(MOVES[1]))
    screen.machine.wait_for(f"grep -q On {CONNECTOR}/dpms")
    screen.shows_next()


def test_a_screen_that_is_plugged_in_late_or_again_gets_the_picture(screen: Screen) -> None:
    screen.draw(MOVES[:1])
    screen.machine.ok(f"systemctl stop beisitzer; echo off > {CONNECTOR}/status")
    begin(screen.machine, screen.hand)
    screen.machine.wait_for("journalctl -u beisitzer | grep -q 'no screen is plugged in yet'")
    screen.machine.ok(f"echo on > {CONNECTOR}/status")
    screen.shows_next()
    screen.machine.ok(f"echo off > {CONNECTOR}/status; sleep 3; echo on > {CONNECTOR}/status")
    screen.play(0, 1)
