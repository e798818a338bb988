"""A screen without a desktop: turned, plugged in late or changed, off while nobody plays."""

import itertools
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from hardware.keys import Key
from pi_app.displays.window import AwaitedWindow, DirectScreen, Look, NoWindowError, WindowDisplay
from pi_app.displays.window.direct import Canvas, Rotation
from pi_app.settings.schema import DisplaySettings, Settings
from pi_app.view.frame import Frame, Signal
from pi_app.view.inputs import Tap
from pi_app.view.output import FaultTolerantOutput, Output
from tests.pi_app.pilot import Clock
from tests.players.window import SAMPLES, Table, opened

ROTATIONS: tuple[Rotation, ...] = (90, 180, 270)
MODES = "1024x600\n800x480\n"


class Screen(DirectScreen):
    """A screen whose connectors are files and whose power is a list."""

    size = (800, 480)

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.turned: list[bool] = []

    def init(self) -> None:
        pygame.display.init()  # the tests' driver, not the screen's own

    def turn(self, *, on: bool) -> bool:
        self.turned.append(on)
        return True


def plug(folder: Path, name: str, status: str, modes: str = MODES) -> None:
    connector = folder / name
    connector.mkdir(exist_ok=True)
    (connector / "status").write_text(f"{status}\n")
    (connector / "modes").write_text(modes)


class Appliance(Table):
    """A window on a screen without a desktop."""

    def __init__(self, folder: Path, look: Look) -> None:
        super().__init__(look)
        self.window.close()
        plug(folder, "card0-HDMI-A-1", "connected")
        self.screen = Screen(folder)
        self.window = WindowDisplay(self.keys, look, self.clock, screen=self.screen)

    def wait(self, seconds: float) -> None:
        self.clock.now += seconds
        self.window.poll()


@pytest.fixture(name="screen_folder")
def _screen_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    return tmp_path


@pytest.fixture(name="appliance")
def _appliance(screen_folder: Path) -> Iterator[Appliance]:
    look = Look(blank_after_s=900)
    appliance = Appliance(screen_folder, look)
    yield appliance
    appliance.window.close()


@pytest.mark.parametrize("rotate", ROTATIONS)
def test_each_pixel_of_the_canvas_is_where_a_finger_finds_it(rotate: Rotation) -> None:
    screen = pygame.Surface((5, 3))
    canvas = Canvas(screen, rotate)
    size = canvas.surface.get_size()
    for number, at in enumerate(itertools.product(*map(range, size)), 1):
        canvas.surface.set_at(at, (number, 0, 0))
    turned = pygame.transform.rotate(canvas.surface, -rotate)
    for at in itertools.product(range(5), range(3)):
        assert turned.get_at(at) == canvas.surface.get_at(canvas.point(at))


@pytest.mark.parametrize("rotate", ROTATIONS)
def test_parts_are_shown_where_the_whole_would_be(
    rotate: Rotation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pygame.display, "update", lambda *_: None)
    canvas = Canvas(pygame.Surface((50, 30)), rotate)
    canvas.surface.fill("red", (3, 4, 10, 7))
    canvas.surface.fill("blue", (20, 20, 90, 5))
    canvas.update([pygame.Rect(3, 4, 10, 7), pygame.Rect(20, 20, 90, 5)])
    whole = pygame.transform.rotate(canvas.surface, -rotate)
    assert canvas.screen.get_buffer().raw == whole.convert(canvas.screen).get_buffer().raw


@pytest.mark.parametrize("rotate", [0, *ROTATIONS])
def test_a_turned_screen_is_touched_where_it_shows_the_key(
    screen_folder: Path, rotate: Rotation
) -> None:
    appliance = Appliance(screen_folder, Look(rotate=rotate))
    window = appliance.window
    window.show(SAMPLES["free"])
    shown = pygame.display.get_surface()
    assert shown is not None
    width, height = shown.get_size()
    lies = rotate in (90, 270)
    assert window.surface.get_size() == ((height, width) if lies else (width, height))
    upright = pygame.transform.rotate(shown, rotate)
    assert upright.convert(window.surface).get_buffer().raw == appliance.pixels()
    for deed in (Key.D7, Tap("34")):
        x, y = appliance.place(deed)
        point = next(
            at
            for at in itertools.product(range(width), range(height))
            if window._canvas.point(at) == (x, y)  # searched, not computed
        )
        appliance.finger(pygame.FINGERDOWN, 4, point)
        appliance.finger(pygame.FINGERUP, 4, point)
        assert appliance.heard() == [deed]
        appliance.post(pygame.MOUSEBUTTONDOWN, button=1, touch=False, pos=point)
        appliance.up(point)
        assert appliance.heard() == [deed]
    window.close()


def test_of_two_fingers_each_presses_its_key_once(appliance: Appliance) -> None:
    appliance.window.show(SAMPLES["free"])
    first, second = appliance.place(Key.D7), appliance.place(Key.D8)
    appliance.finger(pygame.FINGERDOWN, 1, first)
    appliance.finger(pygame.FINGERDOWN, 2, second)
    appliance.finger(pygame.FINGERUP, 1, first)
    appliance.finger(pygame.FINGERUP, 2, second)
    assert appliance.heard() == [Key.D7, Key.D8]


def test_a_finger_that_a_desktop_reports_also_as_a_mouse_presses_once(appliance: Appliance) -> None:
    appliance.window.show(SAMPLES["free"])
    point = appliance.place(Key.D7)
    for finger, button in (
        (pygame.FINGERDOWN, pygame.MOUSEBUTTONDOWN),
        (pygame.FINGERUP, pygame.MOUSEBUTTONUP),
    ):
        appliance.finger(finger, 1, point)
        appliance.post(button, button=1, touch=True, pos=point)
    assert appliance.heard() == [Key.D7]


def test_a_setting_turns_the_screen_and_a_desktop_s_window_stays(
    appliance: Appliance, monkeypatch: pytest.MonkeyPatch
) -> None:
    turned = Settings(display=DisplaySettings(rotate=90))
    appliance.window.show(SAMPLES["free"])
    appliance.window.configure(turned)
    screen = pygame.display.get_surface()
    assert screen is not None
    assert appliance.window.surface.get_size() == (screen.get_height(), screen.get_width())
    for table in opened(Table, monkeypatch):
        table.window.show(SAMPLES["free"])
        table.window.configure(turned)
        assert table.window.surface.get_size() == (800, 480)


def test_the_screen_goes_off_when_nobody_plays_and_a_key_turns_it_on(appliance: Appliance) -> None:
    appliance.window.show(SAMPLES["free"])
    shown = appliance.pixels()
    appliance.wait(899)
    assert not appliance.screen.turned
    appliance.wait(2)
    assert appliance.screen.turned == [False]
    assert set(appliance.pixels()) <= {0, 255}
    appliance.wait(9000)
    assert appliance.screen.turned == [False]
    appliance.window.signal(Signal.TICK)
    assert appliance.screen.turned == [False, True]
    assert appliance.pixels() == shown


def test_a_screen_that_is_off_stays_off_whatever_hour_it_is(appliance: Appliance) -> None:
    hours = iter([*[19] * 3, *[21] * 10])
    window = WindowDisplay(
        appliance.keys,
        replace(appliance.window.look, theme="day"),
        appliance.clock,
        lambda: next(hours),
        appliance.screen,
    )
    appliance.window = window
    window.show(SAMPLES["free"])
    for _ in range(3):
        appliance.wait(901)
    assert appliance.screen.turned == [False]


def test_a_finger_on_a_screen_that_is_off_only_turns_it_on(appliance: Appliance) -> None:
    appliance.window.show(SAMPLES["free"])
    point = appliance.place(Key.D7)
    appliance.wait(901)
    appliance.post(pygame.MOUSEBUTTONDOWN, button=1, touch=False, pos=point)
    appliance.up(point)
    assert appliance.heard() == []
    assert appliance.screen.turned == [False, True]
    assert appliance.click(Key.D7) == [Key.D7]


def test_another_screen_gets_the_picture_and_one_that_was_out_gets_it_again(
    appliance: Appliance, screen_folder: Path
) -> None:
    appliance.window.show(SAMPLES["free"])
    shown, first = appliance.pixels(), appliance.window.surface
    for status in ("connected", "disconnected"):
        plug(screen_folder, "card0-HDMI-A-1", status)
        appliance.wait(3)
        assert appliance.window.surface is first
    plug(screen_folder, "card0-HDMI-A-1", "connected")
    appliance.wait(3)
    assert appliance.window.surface is not first
    assert appliance.pixels() == shown
    again = appliance.window.surface
    plug(screen_folder, "card0-HDMI-A-1", "connected", "1920x1080\n")
    appliance.wait(3)
    assert appliance.window.surface is not again
    assert appliance.pixels() == shown


def test_a_screen_that_could_not_be_opened_again_is_tried_with_the_next_frame(
    appliance: Appliance, screen_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    appliance.window.show(SAMPLES["free"])
    shown = appliance.pixels()
    plug(screen_folder, "card0-HDMI-A-1", "connected", "640x480\n")
    with monkeypatch.context() as patch:
        patch.setenv("SDL_VIDEODRIVER", "no such driver")
        with pytest.raises(pygame.error):
            appliance.wait(3)
        with pytest.raises(pygame.error):
            appliance.window.show(SAMPLES["free"])
    appliance.window.show(SAMPLES["free"])
    assert appliance.pixels() == shown


class Recorder(Output):
    def __init__(self) -> None:
        self.shown: list[Frame] = []
        self.settings: list[Settings] = []

    def show(self, frame: Frame) -> None:
        self.shown.append(frame)

    def configure(self, settings: Settings) -> None:
        self.settings.append(settings)


def test_a_window_opens_when_its_screen_is_plugged_in_and_shows_the_last_frame(
    tmp_path: Path,
) -> None:
    plug(tmp_path, "card1-HDMI-A-1", "disconnected")
    recorder, settings = Recorder(), Settings()
    window = AwaitedWindow(DirectScreen(tmp_path), lambda: recorder)
    window.configure(settings)
    window.show(SAMPLES["blocked"])
    window.show(SAMPLES["free"])
    window.poll()
    assert not recorder.shown
    plug(tmp_path, "card1-HDMI-A-1", "connected")
    window.poll()
    assert recorder.shown == [SAMPLES["free"]]
    assert recorder.settings == [settings]


def test_without_any_connector_no_screen_is_awaited(tmp_path: Path) -> None:
    assert not DirectScreen(tmp_path).awaits()
    plug(tmp_path, "card0-HDMI-A-1", "connected")
    plug(tmp_path, "card0-HDMI-A-2", "disconnected")
    assert not DirectScreen(tmp_path).awaits()
    plug(tmp_path, "card0-HDMI-A-1", "disconnected")
    assert DirectScreen(tmp_path).awaits()


def test_a_mouse_has_an_arrow_once_it_moves_and_a_finger_has_none(appliance: Appliance) -> None:
    assert not pygame.mouse.get_visible()
    appliance.post(pygame.MOUSEMOTION, pos=(5, 5), rel=(5, 5), touch=True)
    assert not pygame.mouse.get_visible()
    appliance.post(pygame.MOUSEMOTION, pos=(5, 5), rel=(0, 0), touch=False)
    assert not pygame.mouse.get_visible()
    appliance.post(pygame.MOUSEMOTION, pos=(6, 5), rel=(1, 0), touch=False)
    assert pygame.mouse.get_visible()


@pytest.mark.parametrize("chosen", [None, "wayland"])
def test_sdl_draws_on_the_screen_itself_unless_told_otherwise(
    chosen: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(os, "environ", {"SDL_VIDEODRIVER": chosen} if chosen else {})
    monkeypatch.setattr(pygame.display, "init", lambda: asked.append(os.environ["SDL_VIDEODRIVER"]))
    DirectScreen().init()
    assert asked == [chosen or "kmsdrm"]
    assert os.environ.get("SDL_VIDEODRIVER") == chosen
    assert os.environ["SDL_FRAMEBUFFER_ACCELERATION"] == "opengles2"


def test_a_screen_that_cannot_be_opened_is_told_once_and_tried_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    plug(tmp_path, "card1-HDMI-A-1", "disconnected")
    recorder, clock, tries = Recorder(), Clock(), iter([False, False, False, True])

    def open_recorder() -> Recorder:
        if not next(tries):
            raise NoWindowError("no permission")
        return recorder

    awaited = AwaitedWindow(DirectScreen(tmp_path), open_recorder)
    window = FaultTolerantOutput(awaited, clock)
    window.show(SAMPLES["free"])
    plug(tmp_path, "card1-HDMI-A-1", "connected")
    for _ in range(8):
        clock.now += 5
        window.poll()
    assert recorder.shown[0] == SAMPLES["free"]
    assert caplog.text.count("no permission") == 1
