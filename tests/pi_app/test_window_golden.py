"""The main scenes of all games look in the window as somebody last approved them."""

import os
from dataclasses import replace
from pathlib import Path

import pygame
import pytest
from PIL import Image, ImageChops, ImageFilter

from pi_app.displays.window import cells, ink, panel
from pi_app.displays.window.painter import Painter
from pi_app.displays.window.theme import RGB, THEMES
from pi_app.view.frame import Frame, Mark, Tone
from tests.golden import FOLDER
from tests.pi_app.desk import Desk
from tests.pi_app.window_samples import frames
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
    "sequence-two-free": "de",
    "sequence-taken": "en",
    "sequence-sequence": "de",
    "sequence-won": "en",
}
"""The scenes that show whose turn it is, what was refused and why, who won; and their language."""

SLACK = 64
"""Steps of a channel, of 255, by which a pixel may leave what its neighbours showed before."""

STRAY = 8
"""Pixels that may do so all the same.

Other builds of SDL and FreeType draw the same scene with letters hinted and smoothed otherwise:
edges move by parts of a pixel. So a pixel counts only if the 3x3 pixels around its place never
held anything like it. Every text moved by a quarter pixel stays far below the limit, while a
single other digit exceeds it; two tests hold this to account.
"""


def window_image(scene: Scene, language: str) -> Image.Image:
    return picture_of(Desk.scene(scene, language).key(scene.keys))


def picture_of(frame: Frame) -> Image.Image:
    painter = Painter(pygame.Surface((800, 480)), THEMES["dark"])
    painter.paint(frame)
    data = pygame.image.tobytes(painter.surface, "RGB")
    return Image.frombytes("RGB", (800, 480), data)


def strange_pixels(golden: Image.Image, image: Image.Image) -> int:
    """Return how many pixels show what nothing near their place in the golden image showed."""
    low = golden.filter(ImageFilter.MinFilter(3)).point(lambda value: max(0, value - SLACK))
    high = golden.filter(ImageFilter.MaxFilter(3)).point(lambda value: min(255, value + SLACK))
    above = ImageChops.subtract(image, high)
    below = ImageChops.subtract(low, image)
    strange = ImageChops.lighter(above, below).convert("RGB").split()
    worst = ImageChops.lighter(ImageChops.lighter(strange[0], strange[1]), strange[2])
    return sum(worst.histogram()[1:])


def _strange(one: Image.Image, other: Image.Image) -> int:
    """Return the larger count of both directions: what came and what went."""
    return max(strange_pixels(one, other), strange_pixels(other, one))


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
        return _strange(golden.convert("RGB"), image) > STRAY


SAMPLES = frames()


@pytest.mark.parametrize("name", SAMPLES)
def test_letters_smoothed_otherwise_are_the_same_picture(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = picture_of(SAMPLES[name])
    draw = ink.text_image.__wrapped__

    def moved(text: str, size: int, colour: RGB) -> pygame.Surface:
        """Return the text a quarter of a pixel further right and down."""
        image = draw(text, size, colour)
        width, height = image.get_size()
        large = pygame.Surface((width * 4, height * 4), pygame.SRCALPHA)
        large.fill((*colour, 0))
        large.blit(pygame.transform.scale(image, (width * 4, height * 4)), (1, 1))
        return pygame.transform.smoothscale(large, (width, height))

    for module in (ink, panel, cells):
        monkeypatch.setattr(module, "text_image", moved)
    ink.stone.cache_clear()
    other = picture_of(SAMPLES[name])
    ink.stone.cache_clear()
    assert other != plain
    assert _strange(plain, other) <= STRAY


def test_one_digit_one_stone_or_one_mark_more_is_another_picture() -> None:
    frame = SAMPLES["free"]
    assert frame.entry is not None
    assert frame.picture is not None
    plain = picture_of(frame)
    for other in (
        replace(frame, entry=replace(frame.entry, verdict="28 free")),
        replace(frame, entry=replace(frame.entry, text="5+11+18")),
        replace(frame, entry=replace(frame.entry, tone=Tone.BAD)),
        replace(frame, colour="red"),
        replace(frame, picture=frame.picture.marked(Mark.LAST, ("1",))),
    ):
        assert _strange(plain, picture_of(other)) > STRAY
