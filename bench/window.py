"""The window: time of a redraw after a key, and load while nothing happens."""

import os
import time

from bench.figure import Figure, measure
from bench.keys import frames_of, program
from hardware.keys import Key
from pi_app.displays.window import Look, WindowDisplay
from pi_app.view.inputs import KeyQueue

TURNS = "5*11*13# 12*7# 3*4# 19*2# 7*7# 6*2# 14*1# 9*5#"
"""The keys of some turns of Just 4 Fun."""
IDLE_S = 4.0
"""How long the idle load is measured."""
IDLE_PERCENT = 3.0
"""The budget of the idle load."""
SIZES = ((800, 480), (1920, 1080))


def redrawing(size: tuple[int, int]) -> Figure:
    """Measure the CPU time for one frame of a game, on average over its keys."""
    window = WindowDisplay(KeyQueue(), Look(size=size))
    frames = frames_of("just4fun", TURNS)

    def act() -> None:
        for frame in frames:
            window.show(frame)

    act()  # so that what a window draws once is not measured
    redraw_ms = measure(act).seconds / len(frames) * 1e3
    window.close()
    return Figure(f"window {size[0]}x{size[1]}: one redraw", redraw_ms, "ms")


def idling(size: tuple[int, int], seconds: float = IDLE_S) -> Figure:
    """Measure the share of one core that an open window takes while nothing happens."""
    companion = program("just4fun")
    companion.ctx.clock = time.monotonic
    keys = companion.keys
    window = WindowDisplay(keys, Look(size=size))
    companion.outputs = [window]
    companion.show()
    keys.open()
    keys.put(Key.D5)
    # until the key's frame has been shown and its animation is over
    end = time.monotonic() + 0.5
    while time.monotonic() < end:
        companion.step(window.poll_every_s())
    start, cpu = time.monotonic(), time.process_time()
    while time.monotonic() - start < seconds:
        companion.step(window.poll_every_s())
    share = (time.process_time() - cpu) / (time.monotonic() - start) * 100
    window.close()
    return Figure(f"window {size[0]}x{size[1]}: idle load", share, "% core", IDLE_PERCENT)


def figures() -> list[Figure]:
    """Measure on the desktop, or with SDL's dummy driver if there is none."""
    bare = not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    if bare:
        os.environ["SDL_VIDEODRIVER"] = "dummy"
    try:
        return [redrawing(size) for size in SIZES] + [idling(size) for size in SIZES]
    finally:
        if bare:
            del os.environ["SDL_VIDEODRIVER"]
