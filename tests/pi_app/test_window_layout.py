"""Everything in the window has its place, can be read across a table and hit with a finger."""

from dataclasses import replace

import pygame
import pytest

from pi_app.displays.window.layout import TARGET, lay_out
from pi_app.displays.window.painter import Painter
from pi_app.displays.window.panel import TITLE, VERDICT
from pi_app.displays.window.theme import THEMES
from pi_app.view.frame import Choices, Frame
from tests.pi_app.window_samples import frames

SIZES = ((800, 480), (1024, 600), (1024, 768), (1280, 720), (1920, 1080))
SAMPLES = frames()
NINE_MM = 47
"""9 mm in pixels of the official screen: 800 of them are 154 mm."""


def painted(frame: Frame, size: tuple[int, int] = (800, 480), *, keypad: bool = True) -> Painter:
    painter = Painter(pygame.Surface(size), THEMES["dark"])
    painter.keypad = keypad
    painter.paint(frame)
    return painter


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("keypad", [True, False])
def test_regions_lie_inside_the_window_and_beside_each_other(
    name: str, size: tuple[int, int], *, keypad: bool
) -> None:
    at = lay_out(pygame.Rect(0, 0, *size), SAMPLES[name], keypad=keypad)
    regions = [box for box in (at.title, at.board, at.body, at.side, at.keys) if box.height]
    for number, box in enumerate(regions):
        assert pygame.Rect(0, 0, *size).contains(box)
        assert box.collidelist(regions[number + 1 :]) == -1


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("keypad", [True, False])
def test_whatever_can_be_touched_is_nine_millimetres_on_the_official_screen(
    name: str, *, keypad: bool
) -> None:
    targets = painted(SAMPLES[name], keypad=keypad).targets
    small = [each for each in targets if min(each.box.size) < NINE_MM]
    assert targets
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
    assert TARGET >= NINE_MM


def test_a_verdict_of_three_lines_fits_beside_the_keypad() -> None:
    frame = SAMPLES["blocked"]
    assert frame.entry is not None
    long = "33 blocked: Maximilian leads by 2 on it"
    painter = painted(replace(frame, entry=replace(frame.entry, verdict=long)))
    assert painter.layout is not None
    body = painter.layout.body
    last = painter.surface.subsurface(body.left, body.bottom - 4, body.width, 4)
    ground = THEMES["dark"].background
    seen = {tuple(last.get_at((x, y))) for x in range(last.get_width()) for y in range(4)}
    assert seen == {(*ground, 255)}


def test_a_long_list_shows_its_chosen_item_wherever_it_is() -> None:
    items = tuple(f"item {n}" for n in range(30))
    for selected in (0, 14, 29):
        frame = Frame("List", choices=Choices(items, selected))
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
    assert frame.entry is not None
    assert painter.paint(frame) == []
    other = replace(frame, entry=replace(frame.entry, verdict="29: too high"))
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
        Frame(""),
        Frame("x" * 500, corner="y" * 500, big="z" * 500, lines=("w" * 5000,)),
        Frame("\x00\n\t", lines=("\x00",), choices=Choices(())),
        Frame("٣" * 40, lines=("🂡" * 60, "")),
    ],
    ids=["empty", "endless", "control", "strange"],
)
@pytest.mark.parametrize("size", [(800, 480), (120, 90)])
def test_no_text_however_strange_stops_the_painter(frame: Frame, size: tuple[int, int]) -> None:
    assert painted(frame, size).layout is not None
