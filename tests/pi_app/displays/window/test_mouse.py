"""Whole games by mouse alone: in a real window under a virtual X server where there is one."""

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from random import Random

import pygame
import pytest

from beisitzer.testing.pilot import find_row
from hardware.keys import Key
from pi_app.displays.window import Look, WindowDisplay, open_window
from pi_app.displays.window.touch import Choose, Deed, Toggle
from pi_app.run.loop import Companion
from pi_app.run.opening import Wish, companion, first_screen
from pi_app.screens.context import Context
from pi_app.screens.playing.turn import TurnScreen
from pi_app.settings.schema import Settings
from pi_app.store import Store
from pi_app.texts.language import Texts
from pi_app.view.inputs import KeyQueue, Tap
from tests.pi_app.pilot import Recorder
from tests.players.player import Player

PATIENCE_S = 60.0
"""So long may a click take to arrive on a busy machine, in seconds."""

Click = Callable[[tuple[int, int]], None]


def click_by_event(point: tuple[int, int]) -> None:
    """Click as SDL reports it, where no X server can do it."""
    for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        facts = {"button": pygame.BUTTON_LEFT, "touch": False, "pos": point}
        pygame.event.post(pygame.event.Event(kind, facts))


def click_by_server(point: tuple[int, int]) -> None:
    """Let the X server move its pointer and click."""
    x, y = map(str, point)
    subprocess.run(["xdotool", "mousemove", x, y, "click", "1"], check=True)


@pytest.fixture(scope="module")
def click() -> Iterator[Click]:
    """Prepare a screen of 800x480 and return how to click on it."""
    before = dict(os.environ)
    server = None
    try:
        if shutil.which("Xvfb"):
            server, number = start_server()
            os.environ |= {"DISPLAY": number, "SDL_VIDEO_WINDOW_POS": "0,0"}
            os.environ["SDL_VIDEODRIVER"] = "x11"
            yield click_by_server if shutil.which("xdotool") else click_by_event
        else:
            os.environ["SDL_VIDEODRIVER"] = "dummy"
            yield click_by_event
    finally:
        pygame.display.quit()
        os.environ.clear()
        os.environ.update(before)
        if server is not None:
            server.terminate()
            server.wait()


def start_server() -> tuple[subprocess.Popen[bytes], str]:
    """Start a virtual X server on a free display; return it and the display's name."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "800x480x24", "-noreset"]
    server = subprocess.Popen(
        [*command, "-nolisten", "tcp"], pass_fds=[writing], stderr=subprocess.DEVNULL
    )
    os.close(writing)
    with os.fdopen(reading) as answer:
        return server, f":{answer.readline().strip()}"


class Hand:
    """Somebody with nothing but a mouse."""

    def __init__(
        self, click: Click, look: Look | None = None, tags: dict[str, str] | None = None
    ) -> None:
        queue = KeyQueue()
        self.recorder = Recorder()
        self.store = Store(":memory:")
        ctx = Context(Texts("en"), Settings(), self.store, time.monotonic)
        self.window: WindowDisplay = open_window(queue, look or Look())
        first = first_screen(ctx, Wish(tags))
        self.program: Companion = companion(ctx, first, queue, [self.window, self.recorder])
        self.program.show()
        queue.open()
        self._click = click

    def hit(self, deed: Deed) -> None:
        """Click on what does this, and wait until it was answered."""
        target = next(each for each in self.window.targets if each.deed == deed)
        frames, signals = len(self.recorder.frames), len(self.recorder.signals)
        self._click(target.box.center)
        self.until(
            lambda: (len(self.recorder.frames), len(self.recorder.signals)) > (frames, signals)
        )
        self.until(lambda: self.window._pressed is None)

    def until(self, done: Callable[[], bool]) -> None:
        """Let the program run until something has happened."""
        end = time.monotonic() + PATIENCE_S
        while not done():
            assert time.monotonic() < end, "the click was not answered"
            self.program.step(0.01)

    def keys(self, keys: Iterable[Key]) -> None:
        for key in keys:
            self.hit(key)

    def choose(self, item: str) -> None:
        choices = self.recorder.frames[-1].body.choices
        assert choices is not None
        self.hit(Choose(find_row(choices.items, item) - choices.selected))

    def toggle(self) -> None:
        """Click on the sign that shows and hides the keypad."""
        before = [each.deed for each in self.window.targets]
        box = next(each.box for each in self.window.targets if each.deed == Toggle())
        self._click(box.center)
        self.until(lambda: [each.deed for each in self.window.targets] != before)
        self.until(lambda: self.window._pressed is None)

    def close(self) -> None:
        self.window.close()
        self.store.close()


def test_a_whole_game_of_just_4_fun_is_played_by_mouse_alone(click: Click) -> None:
    players = "Anna yellow, Ben red"
    hand = Hand(click, tags={"Game": "just4fun", "Players": players, "Rules": "rounds=3"})
    try:
        hand.hit(Tap("29"))
        assert "29" in hand.recorder.frames[-1].body.lines[0]
        screen = hand.program.screen
        assert isinstance(screen, TurnScreen)
        table = screen.table
        Player(
            hand.keys, lambda: hand.recorder.frames[-1], lambda: table.position, Random(4)
        ).play()
        assert any(seat.winner for seat in hand.recorder.frames[-1].extras.seats)
        hand.keys([Key.ENTER])
        assert hand.recorder.frames[-1].header.title == "Who starts now?"
        hand.keys([Key.BACK, Key.BACK])
        assert hand.recorder.frames[-1].header.title == "Beisitzer"
    finally:
        hand.close()


def test_the_keypad_can_be_hidden_and_shown_again(click: Click) -> None:
    hand = Hand(click)
    try:
        hand.choose("Just 4 Fun")
        hand.choose("Start")
        for shown in (False, True):
            hand.toggle()
            deeds = [each.deed for each in hand.window.targets]
            assert (Key.D7 in deeds) is shown
            assert Key.UP in deeds
    finally:
        hand.close()


def test_a_window_that_would_be_larger_fills_the_screen(click: Click) -> None:
    hand = Hand(click, Look(size=(1280, 720), rig=True))
    try:
        if pygame.display.get_driver() == "x11":  # the other driver has no screen
            hand.until(lambda: pygame.display.get_window_size() == (800, 480))
            hand.keys([Key.D2, Key.DIE4])
    finally:
        hand.close()
