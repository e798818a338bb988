"""Everything in the window has its place, can be read across a table and hit with a finger."""

from dataclasses import replace

import pygame
import pytest

from pi_app.displays.window.layout import TITLE, VERDICT, lay_out
from pi_app.displays.window.painter import Painter
from pi_app.displays.window.theme import THEMES
from pi_app.displays.window.touch import Target
from pi_app.view.frame import Body, Choices, Frame, Header
from pi_app.view.inputs import Tap
from tests.pi_app.displays.window.samples import frames
from tests.pi_app.displays.window.watch import SIZES

SAMPLES = frames()
SCREEN_MM = (154.08, 85.92)
"""Width and height of the picture on the official 7 inch screen."""

OFFICIAL = ((800, 480), (1280, 720), (480, 800))
"""What it shows: the older one, the newer one, and one that stands upright."""

NINE_MM = 9.0
ROWS_OF_TEN_MM = 8.5
"""Ten squares side by side on a screen 85.9 mm wide, above the words; digits choose them too."""


def painted(frame: Frame, size: tuple[int, int] = (800, 480), *, keypad: bool = True) -> Painter:
    painter = Painter(pygame.Surface(size), THEMES["dark"])
    painter.keypad = keypad
    painter.paint(frame)
    return painter


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("size", [*SIZES, (1024, 768), (820, 640)])
@pytest.mark.parametrize("keypad", [True, False])
def test_regions_lie_inside_the_window_and_beside_each_other(
    name: str, size: tuple[int, int], *, keypad: bool
) -> None:
    at = lay_out(pygame.Rect(0, 0, *size), SAMPLES[name], keypad=keypad)
    boxes = (at.title, at.board, at.body, at.players, at.moves, at.chart, at.keys)
    regions = [box for box in boxes if box.height]
    for number, box in enumerate(regions):
        assert pygame.Rect(0, 0, *size).contains(box)
        assert box.collidelist(regions[number + 1 :]) == -1


def millimetres(target: Target, size: tuple[int, int]) -> float:
    """Return the shorter edge of a target on the official screen."""
    across, down = SCREEN_MM if size[0] > size[1] else SCREEN_MM[::-1]
    return min(target.box.width * across / size[0], target.box.height * down / size[1])


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("size", OFFICIAL)
@pytest.mark.parametrize("keypad", [True, False])
def test_whatever_can_be_touched_is_nine_millimetres_on_the_official_screen(
    name: str, size: tuple[int, int], *, keypad: bool
) -> None:
    frame = SAMPLES[name]
    targets = painted(frame, size, keypad=keypad).targets
    assert targets
    dense = frame.board.picture is not None and frame.board.picture.columns == 10
    least = ROWS_OF_TEN_MM if dense else NINE_MM
    small = [
        each
        for each in targets
        if millimetres(each, size) < (least if isinstance(each.deed, Tap) else NINE_MM)
    ]
    assert not small


@pytest.mark.parametrize("name", SAMPLES)
def test_targets_do_not_overlap(name: str) -> None:
    boxes = [each.box for each in painted(SAMPLES[name]).targets]
    for number, box in enumerate(boxes):
        assert box.collidelist(boxes[number + 1 :]) == -1


def test_title_and_verdict_are_at_least_24_pixels_high() -> None:
    at = lay_out(pygame.Rect(0, 0, 800, 480), SAMPLES["blocked"], keypad=True)
    assert at.px(TITLE) >= 24
    assert at.px(VERDICT) >= 24


def test_a_long_list_shows_its_chosen_item_wherever_it_is() -> None:
    items = tuple(f"item {n}" for n in range(30))
    for selected in (0, 14, 29):
        frame = Frame(Header("List"), Body(choices=Choices(items, selected)))
        chosen = pygame.Color(*THEMES["dark"].text)
        painter = painted(frame)
        assert painter.layout is not None
        column = painter.layout.body.left + 4
        colours = [
            painter.surface.get_at((column, y))
            for y in range(painter.layout.body.top, painter.layout.body.bottom)
        ]
        assert chosen in colours


def test_only_the_region_that_changed_is_painted_again() -> None:
    painter = painted(SAMPLES["free"])
    assert painter.layout is not None
    frame = SAMPLES["free"]
    assert frame.body.entry is not None
    assert painter.paint(frame) == []
    other = replace(
        frame, body=replace(frame.body, entry=replace(frame.body.entry, verdict="29: too high"))
    )
    assert painter.paint(other) == [painter.layout.body]


def test_painting_step_by_step_gives_the_same_picture_as_painting_at_once() -> None:
    painter = Painter(pygame.Surface((800, 480)), THEMES["dark"])
    for frame in SAMPLES.values():
        painter.paint(frame)
        fresh = painted(frame)
        assert painter.surface.get_buffer().raw == fresh.surface.get_buffer().raw


@pytest.mark.parametrize(
    "frame",
    [
        Frame(Header("")),
        Frame(Header("x" * 500, corner="y" * 500), Body(big="z" * 500, lines=("w" * 5000,))),
        Frame(Header("\x00\n\t"), Body(lines=("\x00",), choices=Choices(()))),
        Frame(Header("٣" * 40), Body(lines=("🂡" * 60, ""))),
    ],
    ids=["empty", "endless", "control", "strange"],
)
@pytest.mark.parametrize("size", [(800, 480), (120, 90)])
def test_no_text_however_strange_stops_the_painter(frame: Frame, size: tuple[int, int]) -> None:
    assert painted(frame, size).layout is not None


@pytest.mark.parametrize("size", [(819, 720), (1229, 1080)])
def test_beside_a_drawn_rig_the_board_has_most_of_the_width(size: tuple[int, int]) -> None:
    """The rig stands at the right of 1280x720 and 1920x1080, with the keypad."""
    at = lay_out(pygame.Rect(0, 0, *size), SAMPLES["free"], keypad=False)
    assert at.board.width >= 0.6 * size[0]
    assert at.body.width >= at.px(270)
