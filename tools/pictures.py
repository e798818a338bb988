"""`make pictures`: the documentation's pictures of the program, made by the program.

`docs/pictures.toml` lists the frames: the tags that begin a game, the keys to press, and the
display that shows the result. A file carries the hash of its frame, and is drawn again when that
changes; after a change of fonts or colours, remove the file.
"""

import io
import os
import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, fields, is_dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from unittest import mock

from engines import games
from hardware.framebuffer import Framebuffer
from hardware.keys import Key
from pi_app.displays.oled import paint
from pi_app.texts.catalogues import compile_catalogues
from pi_app.view.frame import Frame
from pi_app.view.key_script import read_keys
from tests import scenes as test_scenes
from tests.pi_app.pilot import Pilot
from tools import cards

if TYPE_CHECKING:
    from PIL.Image import Image

DOCS = Path(__file__).parents[1] / "docs"
LIST = DOCS / "pictures.toml"
FOLDER = DOCS / "pictures"

SCALE = 3
"""The side of an OLED's pixel in a picture."""
BEZEL = 12
"""The width of the frame around the OLED's picture."""
KEY_MS, LOOK_MS = 400, 2_500
"""How long a film shows a frame: between two keys, and where a viewer needs time."""
GLASS = ((13, 17, 23), (176, 226, 255))
"""The colours of dark and lit pixels of the OLED."""

CARRIED = re.compile(rb"Frame\0?:?([0-9a-f]{64})")
"""Where a file has the hash of its frames: a PNG in a text chunk, a WebP in its XMP."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One frame: the game's tags, the keys to press, the display, and the language.

    `scene` instead names one of the tests' scenes, with the games played before it.
    """

    name: str
    on: Literal["oled", "window", "film"]
    keys: str
    language: str
    tags: dict[str, str] = field(default_factory=dict)
    scene: str = ""

    @property
    def file(self) -> str:
        ending = "webp" if self.on == "film" else "png"
        return f"{self.name}-{self.language}.{ending}"


def scenes() -> list[Scene]:
    """Return the frames of the list, each in its languages (both, if it names none)."""
    return [
        Scene(
            entry["name"],
            entry.get("on", "oled"),
            entry.get("keys", ""),
            language,
            entry.get("tags", {}),
            entry.get("scene", ""),
        )
        for entry in tomllib.loads(LIST.read_text("utf-8"))["picture"]
        for language in entry.get("languages", ["en", "de"])
    ]


def frame_of(scene: Scene) -> Frame:
    """Play the scene's keys at a table in memory; return the frame after the last key."""
    return frames_of(scene)[-1]


def frames_of(scene: Scene) -> tuple[Frame, ...]:
    """Play the scene's keys at a table in memory; return its frames: a film shows each key."""
    if scene.scene:
        test_scene = next(other for other in test_scenes.scenes() if other.name == scene.scene)
        pilot, keys = Pilot.scene(test_scene, scene.language), test_scene.keys
    else:
        pilot, keys = Pilot(scene.tags or None, scene.language), scene.keys
    with closing(pilot.ctx.store):
        if scene.on == "film":
            return tuple(pilot.key([key]) for key in read_keys(keys))
        return (pilot.key(keys),)


def oled_image(canvas: Framebuffer) -> "Image":
    """Return the OLED's pixels enlarged, in a dark frame, with two colours."""
    from PIL import Image

    size = (canvas.width * SCALE, canvas.height * SCALE)
    glass = canvas.to_image().convert("1").resize(size, Image.Resampling.NEAREST)
    whole = Image.new("P", (size[0] + 2 * BEZEL, size[1] + 2 * BEZEL), 0)
    whole.putpalette([part for colour in GLASS for part in colour])
    whole.paste(glass.point(lambda shade: 1 if shade else 0, "L"), (BEZEL, BEZEL))
    return whole


def window_image(frame: Frame, *, rig: bool = False) -> "Image":
    """Return the window's picture: the whole table, with `rig` also the rig next to it."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    import pygame
    from PIL import Image

    from pi_app.displays.window.painter import Painter
    from pi_app.displays.window.rig import RigPainter
    from pi_app.displays.window.theme import THEMES

    size = (1280, 640) if rig else (800, 480)
    surface = pygame.Surface(size)
    wide = 820 if rig else 800  # the rig takes the rest of the width
    painter = Painter(surface.subsurface((0, 0, wide, size[1])), THEMES["dark"])
    painter.keypad = not rig
    painter.paint(frame)
    if rig:
        place = (wide, 0, size[0] - wide, size[1])
        RigPainter(surface.subsurface(place), THEMES["dark"]).paint(frame)
    return Image.frombytes("RGB", size, pygame.image.tobytes(surface, "RGB"))


def film(frames: Sequence[Frame], keys: Sequence[Key], carried: bytes) -> bytes:
    """Return an animated WebP of the window with the rig; it waits where a viewer needs time."""
    images = [window_image(frame, rig=True) for frame in frames]
    after = (*keys[1:], Key.ENTER)
    times = [LOOK_MS if key in (Key.ENTER, Key.BACK_HELD) else KEY_MS for key in after]
    file = io.BytesIO()
    images[0].save(
        file, "WEBP", save_all=True, append_images=images[1:], duration=times, loop=0,
        quality=80, xmp=carried,
    )  # fmt: skip
    return file.getvalue()


def hash_of(*frames: Frame) -> str:
    """Return a hash of the frames' content; golden pictures test how displays draw it."""
    return sha256("".join(repr(_plain(frame)) for frame in frames).encode()).hexdigest()


def _plain(value: object) -> object:
    """Return a part of a frame without hidden parts and parts that differ between runs."""
    if is_dataclass(value):
        return [_plain(getattr(value, each.name)) for each in fields(value)]
    if isinstance(value, tuple | frozenset):
        plain = [_plain(each) for each in value]
        return plain if isinstance(value, tuple) else sorted(plain, key=str)
    return "" if callable(value) else str(value)


def carried_by(path: Path) -> str:
    """Return the hash of the frame from a picture's file, "" if it has none."""
    found = CARRIED.search(path.read_bytes()) if path.exists() else None
    return found[1].decode() if found else ""


def draw(scene: Scene, *frames: Frame) -> bytes:
    """Return the content of a picture's file, with the hash of its frames."""
    if scene.on == "film":
        return film(frames, read_keys(scene.keys), f"Frame:{hash_of(*frames)}".encode())
    from PIL.PngImagePlugin import PngInfo

    (frame,) = frames
    image = oled_image(paint(frame)) if scene.on == "oled" else window_image(frame)
    carried = PngInfo()
    carried.add_text("Frame", hash_of(frame))
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True, pnginfo=carried)
    return file.getvalue()


def pictures() -> Iterator[tuple[Scene, tuple[Frame, ...]]]:
    """Yield each picture with its frames."""
    for scene in scenes():
        # the pages show only the games that come with the program
        with mock.patch.object(games, "plugins", return_value=games.SHIPPED):
            frames = frames_of(scene)
        yield scene, frames


def main() -> None:
    """Write new and changed files, remove pictures that are no longer listed."""
    compile_catalogues()
    FOLDER.mkdir(parents=True, exist_ok=True)
    names = set()
    for scene, frames in pictures():
        names.add(scene.file)
        path = FOLDER / scene.file
        if carried_by(path) != hash_of(*frames):
            path.write_bytes(draw(scene, *frames))
            sys.stdout.write(f"drawn: {path}\n")
    for path in sorted(FOLDER.iterdir()):
        if path.name not in names:
            path.unlink()
            sys.stdout.write(f"removed: {path}\n")
    cards.FOLDER.mkdir(exist_ok=True)
    written = {cards.FOLDER / name: page for name, page in cards.cards()}
    for path, page in written.items():
        if not path.exists() or path.read_text("utf-8") != page:
            path.write_text(page, "utf-8")
            sys.stdout.write(f"written: {path}\n")


if __name__ == "__main__":
    main()
