"""Key to pixels: CPU time per key press on the OLED rig.

The keys are those of a real game. The store is in memory, and its time is not counted. Plain: all
text drawn again with Pillow and the full frame sent by luma.oled.
"""

import time
import warnings
from collections.abc import Callable
from typing import Any

from bench.figure import Figure, measure_seconds
from engines.game import Result
from hardware.config import OledConfig
from hardware.oled import Oled, open_wire
from pi_app.displays.oled import paint
from pi_app.run.loop import Companion
from pi_app.run.opening import Wish, first_screen
from pi_app.screens.context import Context
from pi_app.settings.schema import Settings
from pi_app.store import Store
from pi_app.texts.language import Texts
from pi_app.view.frame import Frame
from pi_app.view.inputs import KeyQueue
from pi_app.view.key_script import read_keys

TURNS = {
    "just4fun": ({}, "5*11*13# 12*7# ^3*5*11*13#v< < 9*5# 10*9# 11*8 << 10*9# 6*2#"),
    "numeri": ({}, "d4 d6 d1 d4 d2 d3 d5 d5 d1 d2 << d6 d3"),
    "sequence": ({}, "7*1# 12*2 2# 9*4# 1*3 2# 5*1# << 5*2# 10*4 1#"),
    "einmaleins": ({"Open": "24"}, "42# 28# v v 36# << 18#"),
}
"""For each game its tags, and the keys of its first turns."""
PLAYERS = {
    "just4fun": "Anna yellow, Ben red",
    "numeri": "Anna yellow, Ben red",
    "sequence": "Anna blue, Ben green",
    "einmaleins": "Anna yellow, Ben red",
}


class _Null:
    """A bus or wire with methods that do nothing and return 0."""

    def __getattr__(self, _name: str) -> Callable[..., int]:
        return lambda *_: 0


_NULL: Any = _Null()


class _Timed(Store):
    """A store that measures the CPU time of its writing."""

    spent = 0.0

    def append(self, game: int, n: int, token: str, result: Result | None) -> None:
        start = time.process_time()
        super().append(game, n, token, result)
        self.spent += time.process_time() - start

    def mark(self, game: int, n: int, state: str, result: Result | None) -> None:
        start = time.process_time()
        super().mark(game, n, state, result)
        self.spent += time.process_time() - start


def program(game: str, ctx: Context | None = None) -> Companion:
    """Return the companion at the beginning of a game of two, by default with a new store."""
    tags, _ = TURNS[game]
    ctx = ctx or Context(Texts("en"), Settings(), Store(":memory:"), lambda: 0.0)
    wish = Wish({"Game": game, "Players": PLAYERS[game], **tags}, new_game=True)
    first = first_screen(ctx, wish)
    return Companion(ctx, first, KeyQueue(), [])


def _play(game: str) -> tuple[list[Frame], float]:
    """Return the frames after the keys, and the screens' CPU seconds.

    Another game is played first, so that what a process does once (compiling SQL) is not counted.
    """
    _, script = TURNS[game]
    keys = read_keys(script)
    store = _Timed(":memory:")
    ctx = Context(Texts("en"), Settings(), store, lambda: 0.0)
    program(game, ctx).play_script(keys)
    companion = program(game, ctx)
    companion.show()
    frames = []
    store.spent = 0.0
    start = time.process_time()
    for key in keys:
        companion.press(key)
        if companion.frame is not None:
            frames.append(companion.frame)
    return frames, time.process_time() - start - store.spent


def _cpu_s(act: Callable[[Any], object], things: list[Any]) -> float:
    start = time.process_time()
    for thing in things:
        act(thing)
    return time.process_time() - start


def _plain_s(frames: list[Frame]) -> float:
    """Return the CPU seconds of drawing all text again and sending full frames."""
    from luma.core.interface.serial import i2c
    from luma.core.render import canvas
    from luma.oled.device import ssd1306
    from PIL import ImageFont

    font = ImageFont.load_default(size=10)

    def show(frame: Frame) -> None:
        with canvas(device) as draw:
            lines = (frame.header.title, frame.body.big, *frame.body.lines)
            for row, line in enumerate(lines[:6]):  # more do not fit
                draw.text((0, row * 10), line, font=font, fill="white")

    with warnings.catch_warnings():
        # luma.oled still uses a deprecated method of Pillow
        warnings.filterwarnings("ignore", "Image.Image.getdata", DeprecationWarning)
        device = ssd1306(i2c(bus=_NULL))
        show(frames[0])  # so that initialising the display is not counted
        return _cpu_s(show, frames)


def _cpu_of_a_key(game: str) -> Figure:
    _, script = TURNS[game]
    keys = len(read_keys(script))

    def seconds_a_key() -> float:
        frames, screen_s = _play(game)
        canvases: list[Any] = []
        paint_s = _cpu_s(lambda frame: canvases.append(paint(frame)), frames)
        wire = open_wire(OledConfig(), bus=_NULL)
        send_s = _cpu_s(Oled(wire, OledConfig(), clock=lambda: 0.0).show, canvases)
        return (screen_s + paint_s + send_s) / keys

    plain_ms = 1e3 * _plain_s(_play(game)[0]) / keys
    timed = measure_seconds(seconds_a_key, 20)
    return timed.figure_ms(f"CPU of a key, OLED rig, {game}", 0.5, plain_ms)


def figures() -> list[Figure]:
    """Return CPU time per key for each game's turn screen."""
    return [_cpu_of_a_key(game) for game in TURNS]
