"""The main scenes of all games look in the window as somebody last approved them."""

import os
from pathlib import Path

import pygame
import pytest
from PIL import Image, ImageChops, ImageStat

from pi_app.displays.window.painter import Painter
from pi_app.displays.window.theme import THEMES
from tests.golden import FOLDER
from tests.pi_app.desk import Desk
from tests.scenes import Scene, scenes

MAIN = {
    "home-first": "en",
    "just4fun-first-turn": "de",
    "just4fun-free": "en",
    "just4fun-blocked": "de",
    "just4fun-hand-sums": "en",
    "just4fun-row": "de",
    "just4fun-points": "en",
    "numeri-first-turn": "en",
    "numeri-choose": "de",
    "numeri-stuck": "en",
    "numeri-result": "de",
    "einmaleins-announced": "en",
    "einmaleins-no-common-factor": "de",
    "einmaleins-square-laid": "en",
}
"""The scenes that show whose turn it is, what was refused and why, who won; and their language."""

TOLERANCE = 1.5
"""Mean difference of a pixel's channel, of 255, that another build of SDL or FreeType may make.

Letters hinted differently shift grey values along their edges: the same scene drawn with every
text a quarter pixel further stays below 1. One stone, one mark or one sentence more or less
exceeds it within the 160x160 tile where it lies; tiles are compared, not the whole picture.
"""

TILE = 160


def window_image(frame_of: Scene, language: str) -> Image.Image:
    desk = Desk(frame_of.tags or None, language)
    frame = desk.key(frame_of.keys)
    painter = Painter(pygame.Surface((800, 480)), THEMES["dark"])
    painter.paint(frame)
    data = pygame.image.tobytes(painter.surface, "RGB")
    return Image.frombytes("RGB", (800, 480), data)


def worst_tile(one: Image.Image, other: Image.Image) -> float:
    """Return the largest mean difference of any tile, 0 to 255."""
    difference = ImageChops.difference(one, other)
    worst = 0.0
    for left in range(0, one.width, TILE):
        for top in range(0, one.height, TILE):
            tile = difference.crop((left, top, left + TILE, top + TILE))
            worst = max(worst, *ImageStat.Stat(tile).mean)
    return worst


@pytest.mark.parametrize("name", MAIN)
def test_scene_looks_in_the_window_as_approved(name: str) -> None:
    scene = next(each for each in scenes() if each.name == name)
    image = window_image(scene, MAIN[name])
    path = FOLDER / "window" / f"{name}-{MAIN[name]}.png"
    if os.environ.get("BEISITZER_GOLDEN") == "write" and _differs(path, image):
        path.parent.mkdir(parents=True, exist_ok=True)
        image.save(path, optimize=True)
        pytest.fail(f"{path.name} was drawn anew: look at it, then run the tests again")
    assert not _differs(path, image), f"{path.name} differs: make golden draws it anew"


def _differs(path: Path, image: Image.Image) -> bool:
    if not path.exists():
        return True
    with Image.open(path) as golden:
        return worst_tile(golden.convert("RGB"), image) > TOLERANCE
