"""How much a search for a tip delays keys, and how long a tip takes.

The loop and the search share one core, as on the smallest Pi. Plain: the search for the tip in a
thread that never pauses.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from random import Random
from threading import Event, Thread
from typing import Any

from bench.evaluation import TAGS, one_core, wait_figures, waits_at_table
from bench.figure import Figure
from engines.game import AnyPosition
from engines.record import begin_game
from pi_app.files.worker import Job
from pi_app.run.loop import Companion
from pi_app.screens.tips import SECONDS, find_tips

HAND = "QH,10S,JD,7S,8C,10H,2D"
"""A hand in Sequence, whose play-outs take longest of all games."""
LONG_S = 1000.0
"""Longer than the keys take: the search is dropped at the end."""


def _position() -> tuple[AnyPosition, Any]:
    game, position = begin_game(TAGS)
    return position, game.given(position, HAND, None)


@contextmanager
def _thinking(companion: Companion) -> Iterator[None]:
    """Search as for a tip inside the block."""
    position, given = _position()

    def think(job: Job) -> None:
        find_tips(TAGS["Game"], position, given, LONG_S, job.chance(1))

    job = companion.ctx.worker.begin(think, lambda _: None)
    time.sleep(0.5)  # until it is at work
    yield
    if job is not None:
        job.drop()


@contextmanager
def _thinking_plainly(_: Companion) -> Iterator[None]:
    """Search inside the block in a thread that never pauses for the loop."""
    position, given = _position()
    end = Event()

    def think() -> None:
        while not end.is_set():
            find_tips(TAGS["Game"], position, given, 0.05, Random(1))

    Thread(target=think, daemon=True).start()
    time.sleep(0.5)
    yield
    end.set()


def figures() -> list[Figure]:
    """Return how long keys wait during the search for a tip, and its CPU time."""
    with one_core():
        alone = waits_at_table(lambda _: nullcontext())
        thinking, plain = waits_at_table(_thinking), waits_at_table(_thinking_plainly)
    position, given = _position()
    # so that what a process does once is not measured
    find_tips(TAGS["Game"], position, given, 0.0, Random(1))
    start = time.process_time()
    find_tips(TAGS["Game"], position, given, SECONDS, Random(1))
    taken = time.process_time() - start
    return [
        *wait_figures(alone, thinking, plain, "a tip thought about"),
        Figure("CPU of a tip, Sequence", taken, "s"),
    ]
