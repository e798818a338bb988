"""Every scene looks in the window as somebody last approved it."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pygame
import pytest
from PIL import Image, ImageChops

from pi_app.displays.window import ink
from pi_app.displays.window import theme as colours
from pi_app.displays.window.painter import Painter
from pi_app.displays.window.theme import PLAYERS, RGB, SHADES, THEMES
from pi_app.view.frame import Board, Body, Frame, Mark, Tone
from tests.golden import FOLDER
from tests.options import Options
from tests.pi_app.displays.window.samples import frames
from tests.pi_app.pilot import frame_of
from tests.scenes import Scene, scenes

SMALL = (800, 480)
"""The size in pixels at which most scenes are kept, in German: its texts are the longer ones."""
OTHERS = {
    "course-open": ("en", (1920, 1080)),
    "einmaleins-hand-keyed": ("en", (480, 800)),
    "einmaleins-out": ("en", (1280, 720)),
    "history-tables": ("de", (480, 800)),
    "home-first": ("en", (1280, 720)),
    "home-name": ("de", (480, 800)),
    "home-set-up": ("de", (1920, 1080)),
    "just4fun-blocked": ("en", (480, 800)),
    "just4fun-long-names": ("de", (1920, 1080)),
    "just4fun-menu": ("en", (480, 800)),
    "numeri-choose-chain": ("en", (1280, 720)),
    "numeri-first-turn": ("de", (480, 800)),
    "sequence-board": ("de", (1920, 1080)),
    "sequence-hand": ("en", (1280, 720)),
    "sequence-twelve-players": ("de", (480, 800)),
}
"""Scenes that are kept in another language and size, so that each kind of layout is among them.

That texts fit in both languages at every size is held by `test_scenes.py`, without pictures.
"""

_WORDS_ONLY = """
einmaleins-announced einmaleins-says-told einmaleins-setup-cards-each einmaleins-table-first
history-board-barrier history-board-card-keyed history-board-cards history-board-name
history-board-track history-boards-of-a-game history-menu history-player
history-player-forgotten history-players home-colour home-how-just4fun
home-rule-in-a-sentence home-who-starts just4fun-check-differences just4fun-help
just4fun-nothing-to-undo just4fun-score-now just4fun-undone moments-all-answered
moments-answered moments-as-good moments-none moments-player moments-whose numeri-help
numeri-long-names sequence-forgot sequence-forgot-asked sequence-forgot-in-time
sequence-help sequence-jack-places-on system-board-in-window system-language system-menu
system-settings system-sounds system-voice system-window-colours
"""
IN_WORDS_ONLY = frozenset(_WORDS_ONLY.split())
"""Scenes that differ from one that is kept in words only: `oled/test_golden.py` holds the words."""

ON_SCREENS = "just4fun-first-turn", "en", ((800, 480), (1024, 600), (1280, 720), (1920, 1080))
"""The scene that `make nightly` lays beside what a machine's own screen shows, on each size."""


def pictures() -> list[tuple[Scene, str, tuple[int, int]]]:
    """Return each picture that is kept: scene, language, size in pixels."""
    every = {scene.name: scene for scene in scenes() if scene.name not in IN_WORDS_ONLY}
    name, language, sizes = ON_SCREENS
    on_screens = every.pop(name)
    found = [(on_screens, language, size) for size in sizes]
    return found + [(it, *OTHERS.get(it.name, ("de", SMALL))) for it in every.values()]


SLACK = 64
"""Steps of a channel, of 255, by which a pixel may leave what its neighbours showed before."""

STRAY = 5
"""Pixels that may do so all the same.

Other builds of SDL and FreeType draw the same scene with letters hinted and smoothed otherwise:
edges move by parts of a pixel. So a pixel counts only if the 3x3 pixels around its place never
held anything like it. Every text moved by a quarter pixel stays far below the limit, while a
single other digit exceeds it; two tests hold this to account.
"""


def _colours() -> Iterator[RGB]:
    """Yield the colours that areas, stones and letters have; smoothed edges lie between them."""
    theme = THEMES["dark"]
    yield from (theme.background, theme.area, theme.text, theme.faint, theme.line)
    yield from (theme.button, theme.pressed, *theme.tones.values(), *theme.tints.values())
    yield from (*SHADES, colours.EDGE, colours.GLOW)
    yield from (colours.CARD, colours.CARD_RED, colours.CARD_BLACK, (118, 124, 134))
    yield from ((18, 128, 72), (196, 30, 30), (120, 126, 136))
    for paint in PLAYERS.values():
        yield from (paint.fill, paint.ink)
    for paint in PLAYERS.values():  # the veil of a band
        yield _mixed(_mixed(paint.fill, theme.area), theme.area)
    # Half way between the colours that meet: a smoothed edge must not turn into a third one.
    for one, other in (
        *((paint.fill, colours.EDGE) for paint in PLAYERS.values()),
        *((paint.fill, paint.ink) for paint in PLAYERS.values()),
        *((shade, colours.EDGE) for shade in SHADES),
        *((shade, (255, 255, 255)) for shade in SHADES),
        *((theme.text, ground) for ground in (theme.background, theme.area, theme.button)),
        *((theme.faint, ground) for ground in (theme.background, theme.area, theme.button)),
        *((theme.tones[tone], theme.tints[tone]) for tone in Tone),
        (colours.CARD_RED, colours.CARD),
        (colours.CARD_BLACK, colours.CARD),
        (colours.GLOW, colours.EDGE),
    ):
        yield _mixed(one, other)


def _mixed(one: RGB, other: RGB) -> RGB:
    return ((one[0] + other[0]) // 2, (one[1] + other[1]) // 2, (one[2] + other[2]) // 2)


def palette() -> Image.Image:
    """Return an image whose palette are these colours."""
    flat = [part for colour in dict.fromkeys(_colours()) for part in colour]
    image = Image.new("P", (1, 1))
    image.putpalette(flat + flat[:3] * (256 - len(flat) // 3))
    return image


PALETTE = palette()


def picture_of(frame: Frame, size: tuple[int, int] = (800, 480)) -> Image.Image:
    """Return the window's picture of a frame."""
    painter = Painter(pygame.Surface(size), THEMES["dark"])
    painter.paint(frame)
    return Image.frombytes("RGB", size, pygame.image.tobytes(painter.surface, "RGB"))


def kept(image: Image.Image) -> Image.Image:
    """Return a picture as it is kept: each pixel in the nearest colour of the palette."""
    return image.quantize(palette=PALETTE, dither=Image.Dither.NONE).convert("RGB")


def strange_pixels(golden: Image.Image, image: Image.Image) -> int:
    """Return how many pixels show what nothing near their place in the golden image showed."""
    low = _around(golden, ImageChops.darker).point(lambda value: max(0, value - SLACK))
    high = _around(golden, ImageChops.lighter).point(lambda value: min(255, value + SLACK))
    above = ImageChops.subtract(image, high)
    below = ImageChops.subtract(low, image)
    strange = ImageChops.lighter(above, below).convert("RGB").split()
    worst = ImageChops.lighter(ImageChops.lighter(strange[0], strange[1]), strange[2])
    return sum(worst.histogram()[1:])


def _around(
    image: Image.Image, chosen: Callable[[Image.Image, Image.Image], Image.Image]
) -> Image.Image:
    """Return for each pixel the one chosen of the 3x3 around it, like a rank filter but sooner."""
    for x, y in ((1, 0), (0, 1)):
        there, back = image.copy(), image.copy()
        there.paste(image, (x, y))
        back.paste(image, (-x, -y))
        image = chosen(chosen(image, there), back)
    return image


def _strange(one: Image.Image, other: Image.Image) -> int:
    """Return the larger count of both directions: what came and what went."""
    far = ImageChops.difference(one, other).point(lambda value: max(0, value - SLACK)).getbbox()
    if far is None:
        return 0
    place = (max(0, far[0] - 1), max(0, far[1] - 1), far[2] + 1, far[3] + 1)
    place = (*place[:2], min(place[2], one.width), min(place[3], one.height))
    one, other = one.crop(place), other.crop(place)
    return max(strange_pixels(one, other), strange_pixels(other, one))


def place(name: str, language: str, size: tuple[int, int], folder: str = "window") -> Path:
    """Return where a picture is kept."""
    return FOLDER / folder / f"{size[0]}x{size[1]}" / f"{name}-{language}.webp"


OWN_LETTERS = pytest.mark.skipif(
    not getattr(pygame, "IS_CE", False),
    reason="the pictures are drawn with pygame-ce; the system's own pygame has other letters",
)


@OWN_LETTERS
@pytest.mark.usefixtures("only_shipped_games")
@pytest.mark.parametrize("part", range(8))
def test_scenes_look_in_the_window_as_approved(part: int, options: Options) -> None:
    wrong = []
    for scene, language, size in pictures()[part::8]:
        path = place(scene.name, language, size)
        image = picture_of(frame_of(scene, language), size)
        if _differs(path, image):
            wrong.append(f"{path.name} differs: --golden write draws it again, look at it")
            if options.golden == "write":
                path.parent.mkdir(parents=True, exist_ok=True)
                kept(image).save(path, lossless=True, method=6, quality=100)
    assert not wrong, "\n".join(wrong)


def test_no_picture_is_kept_of_what_is_no_scene_any_more() -> None:
    kept = {place(scene.name, language, size) for scene, language, size in pictures()}
    assert {path for path in (FOLDER / "window").rglob("*") if path.is_file()} == kept


def _differs(path: Path, image: Image.Image) -> bool:
    """Tell whether an image shows something else than the golden one of this name."""
    if not path.exists():
        return True
    with Image.open(path) as file:
        golden = file.convert("RGB")
    if golden.size != image.size:
        return True
    if ImageChops.difference(golden, kept(image)).getbbox() is None:
        return False
    return _strange(golden, image) > STRAY * image.width * image.height // (800 * 480)


SAMPLES = frames()


@pytest.mark.parametrize("name", SAMPLES)
def test_letters_smoothed_otherwise_are_the_same_picture(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = picture_of(SAMPLES[name])
    draw = ink.draw_text

    def moved(text: str, size: int, colour: RGB) -> pygame.Surface:
        """Return the text a quarter of a pixel further right and down."""
        image = draw(text, size, colour)
        width, height = image.get_size()
        large = pygame.Surface((width * 4, height * 4), pygame.SRCALPHA)
        large.fill((*colour, 0))
        large.blit(pygame.transform.scale(image, (width * 4, height * 4)), (1, 1))
        return pygame.transform.smoothscale(large, (width, height))

    monkeypatch.setattr(ink, "text_image", moved)
    ink.stone.cache_clear()
    other = picture_of(SAMPLES[name])
    ink.stone.cache_clear()
    assert other != plain
    assert _strange(kept(plain), other) <= STRAY


def test_one_digit_one_stone_or_one_mark_more_is_another_picture() -> None:
    frame = SAMPLES["free"]
    assert frame.body.entry is not None
    assert frame.board.picture is not None
    plain = kept(picture_of(frame))
    entry = frame.body.entry
    for other in (
        replace(frame, body=Body(entry=replace(entry, verdict="28 free"))),
        replace(frame, body=Body(entry=replace(entry, text="5+11+18"))),
        replace(frame, body=Body(entry=replace(entry, tone=Tone.BAD))),
        replace(frame, header=replace(frame.header, colour="red")),
        replace(frame, board=Board(frame.board.picture.with_mark(Mark.LAST, ("1",)))),
    ):
        assert _strange(plain, picture_of(other)) > STRAY
