"""Key to pixels: CPU time per key press on the OLED rig, split into its stages.

The keys are those of a real game. The commit of a move has its own figure (`bench.storing`): here
the store is in memory, and its time is not counted. Plain: all text drawn again with Pillow and the
full frame sent by luma.oled.
"""

import time
import warnings
from collections.abc import Callable
from typing import Any

from bench.figure import Figure, yard
from engines.game import Result
from hardware.config import OledConfig
from hardware.oled import Oled, open_wire
from pi_app.displays.oled import paint
from pi_app.run.loop import Companion
from pi_app.run.opening import Wish, first_screen
from pi_app.screens.context import Context
from pi_app.settings.schema import Settings
from pi_app.store.store import Store
from pi_app.texts.language import Texts
from pi_app.view.frame import Frame
from pi_app.view.inputs import KeyQueue
from pi_app.view.key_script import read_keys

BUDGET_YARDS = 0.152
"""In yardsticks: 0.5 ms if one takes 3.3 ms."""
TURNS = {
    "just4fun": ({}, "5*11*13# 12*7# ^3*5*11*13#v< < 9*5# 10*9# 11*8 << 10*9# 6*2#"),
    "numeri": ({}, "d4 d6 d1 d4 d2 d3 d5 d5 d1 d2 << d6 d3"),
    "sequence": ({}, "7*1# 12*2 2# 9*4# 1*3 2# 5*1# << 5*2# 10*4 1#"),
    "einmaleins": ({"Open": "24"}, "42# 28# v v 36# << 18#"),
}
"""By game the tags that it needs, and the keys of its first turns."""
PLAYERS = {
    "just4fun": "Anna yellow, Ben red",
    "numeri": "Anna yellow, Ben red",
    "sequence": "Anna blue, Ben green",
    "einmaleins": "Anna yellow, Ben red",
}


class _Null:
    """A bus or wire of which every method does nothing and returns 0."""

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


def frames_of(game: str, script: str) -> list[Frame]:
    """Return the frame before the first key of a script and the frame after each key."""
    companion = program(game)
    companion.show()
    frames = [companion.screen.frame()]
    for key in read_keys(script):
        companion.press(key)
        frames.append(companion.screen.frame())
    return frames


def _frames(game: str) -> tuple[list[Frame], float, int]:
    """Return the frames after the keys, the screens' CPU seconds, and the number of keys.

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
    return frames, time.process_time() - start - store.spent, len(keys)


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


def _game_figures(game: str) -> list[Figure]:
    rounds, yards = [], []
    for _ in range(20):
        before = yard()
        frames, screen_s, keys = _frames(game)
        canvases = [paint(frame) for frame in frames]
        paint_s = _cpu_s(paint, frames)
        # the driver without a wire finds the changes; with one it sends them, too
        pack_s = _cpu_s(Oled(_NULL, OledConfig(), clock=lambda: 0.0).show, canvases)
        wire = open_wire(OledConfig(), bus=_NULL)
        send_s = _cpu_s(Oled(wire, OledConfig(), clock=lambda: 0.0).show, canvases)
        stages_s = (screen_s, paint_s, pack_s, send_s - pack_s)
        rounds.append([1e3 * seconds / keys for seconds in stages_s])
        yards.append(sum(stages_s) / keys / min(before, yard()))
    best = min(rounds, key=sum)  # each has the milliseconds a key of the four stages
    plain = 1e3 * _plain_s(frames) / keys
    stages = zip(("screen", "paint", "pack", "bus"), best, strict=True)
    return [
        Figure(
            f"{game}: CPU per key, OLED rig", sum(best), "ms", BUDGET_YARDS, plain, ratio=min(yards)
        ),
        *(Figure(f"{game}: of that {stage}", value, "ms") for stage, value in stages),
    ]


def figures() -> list[Figure]:
    """Return CPU time per key for each game's turn screen."""
    return [figure for game in TURNS for figure in _game_figures(game)]
