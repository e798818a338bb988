"""A tip that is thought about beside the loop: what keys notice of it, and how long it takes.

Loop and thought share one core, as on the smallest Pi. Plain: the same search in a thread that
never stands still.
"""

import time
from collections.abc import Callable
from random import Random
from statistics import median
from threading import Event, Thread
from typing import Any

from bench.course import Shown, one_core, waits_of
from bench.figure import Figure
from bench.keys import program
from engines.game import AnyPosition
from engines.record import begin_game
from pi_app.run.loop import Companion
from pi_app.screens.thinking import Thought
from pi_app.screens.tips import SECONDS, find_tips

TAGS = {"Game": "sequence", "Players": "Anna blue, Ben green"}
HAND = "QH,10S,JD,7S,8C,10H,2D"
"""Of all games its play-outs take longest."""
LONG_S = 1000.0
"""Longer than the keys take: whoever left it ends it."""


def _asked() -> tuple[AnyPosition, Any]:
    game, position = begin_game(TAGS)
    return position, game.given(position, HAND, None)


def _quiet(companion: Companion) -> Callable[[], None]:
    del companion
    return lambda: None


def _thought(companion: Companion) -> Callable[[], None]:
    """Think as a tip does; return what ends it."""
    position, given = _asked()

    def think(thought: Thought) -> None:
        find_tips(TAGS["Game"], position, given, LONG_S, thought.chance(1))

    thought = companion.ctx.thinking.begin(think, lambda _: None)
    return thought.leave if thought is not None else lambda: None


def _bare(companion: Companion) -> Callable[[], None]:
    """Think in a thread that knows of no loop."""
    del companion
    position, given = _asked()
    end = Event()

    def think() -> None:
        while not end.is_set():
            find_tips(TAGS["Game"], position, given, 0.05, Random(1))

    Thread(target=think, daemon=True).start()
    return end.set


def _at_table(beside: Callable[[Companion], Callable[[], None]]) -> tuple[float, float]:
    """Return the median and the 99th of 100 waits, with something beside."""
    companion, shown = program("just4fun"), Shown()
    companion.outputs = [shown]
    loop = Thread(target=companion.run, daemon=True)
    loop.start()
    shown.event.wait(10)
    time.sleep(0.1)
    end = beside(companion)
    time.sleep(0.5)
    waits = waits_of(companion, shown)
    end()
    companion.keys.stop()
    loop.join(10)
    return median(waits), waits[len(waits) * 99 // 100]


def _takes() -> float:
    """Return the CPU seconds of a tip."""
    position, given = _asked()
    find_tips(TAGS["Game"], position, given, 0.0, Random(1))
    start = time.process_time()
    find_tips(TAGS["Game"], position, given, SECONDS, Random(1))
    return time.process_time() - start


def figures() -> list[Figure]:
    """Return what keys wait for beside a tip, and what a tip takes."""
    with one_core():
        alone, beside, plain = (_at_table(what) for what in (_quiet, _thought, _bare))
    return [
        Figure("key to frame, median, alone", alone[0], "ms"),
        Figure("the same, a tip thought about beside", beside[0], "ms", plain=plain[0]),
        Figure("key to frame, 99 of 100, alone", alone[1], "ms"),
        Figure("the same, a tip thought about beside", beside[1], "ms", plain=plain[1]),
        Figure("CPU of a tip, Sequence", _takes(), "s"),
    ]
