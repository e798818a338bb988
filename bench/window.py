"""The window: time per redraw of what changed, and what it costs while nothing happens."""

import os
import time

from bench.figure import Figure, cpu_s
from hardware.keys import Key
from pi_app.displays.window import Look, WindowDisplay
from pi_app.run.loop import Companion
from pi_app.run.opening import Wish, companion, first_screen
from pi_app.screens.context import Context
from pi_app.settings.schema import Settings
from pi_app.store.store import Store
from pi_app.texts.language import Texts
from pi_app.view.frame import Frame
from pi_app.view.inputs import KeyQueue
from pi_app.view.key_script import read_keys
from pi_app.view.output import Output

TAGS = {"Game": "just4fun", "Players": "Anna yellow, Ben red"}
TURNS = "5*11*13# 12*7# 3*4# 19*2# 7*7# 6*2# 14*1# 9*5#"
IDLE_S = 4.0
IDLE_PERCENT = 3.0
SIZES = ((800, 480), (1920, 1080))


class _Kept(Output):
    """Keeps every frame."""

    def __init__(self) -> None:
        self.frames: list[Frame] = []

    def show(self, frame: Frame) -> None:
        self.frames.append(frame)


def _table(keys: KeyQueue, *outputs: Output) -> Companion:
    ctx = Context(Texts("en"), Settings(), Store(":memory:"), time.monotonic)
    return companion(ctx, first_screen(ctx, Wish(TAGS)), keys, outputs)


def frames_of_a_game() -> list[Frame]:
    """Return the frames of a few turns, key by key."""
    kept = _Kept()
    _table(KeyQueue(), kept).play_script(read_keys(TURNS))
    return kept.frames


def redrawing(size: tuple[int, int]) -> Figure:
    """Return the CPU time for one frame of a game, on average over its keys."""
    window = WindowDisplay(KeyQueue(), Look(animation=False, size=size))
    frames = frames_of_a_game()

    def act() -> None:
        for frame in frames:
            window.show(frame)

    act()
    each = cpu_s(act) / len(frames) * 1e3
    window.close()
    return Figure(f"window {size[0]}x{size[1]}: one redraw", each, "ms")


def idling(size: tuple[int, int], seconds: float = IDLE_S) -> Figure:
    """Return the share of one core that an open window takes while nobody does anything."""
    keys = KeyQueue()
    window = WindowDisplay(keys, Look(size=size))
    program = _table(keys, window)
    program.show()
    keys.open()
    keys.put(Key.D5)
    end = time.monotonic() + 0.5
    while time.monotonic() < end:
        program.step(window.poll_every_s())
    start, cpu = time.monotonic(), time.process_time()
    while time.monotonic() - start < seconds:
        program.step(window.poll_every_s())
    share = (time.process_time() - cpu) / (time.monotonic() - start) * 100
    window.close()
    return Figure(f"window {size[0]}x{size[1]}: idle load", share, "% core", IDLE_PERCENT)


def figures() -> list[Figure]:
    """Measure on the desktop there is, else with SDL's dummy driver."""
    bare = not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    if bare:
        os.environ["SDL_VIDEODRIVER"] = "dummy"
    try:
        return [redrawing(size) for size in SIZES] + [idling(size) for size in SIZES]
    finally:
        if bare:
            del os.environ["SDL_VIDEODRIVER"]
