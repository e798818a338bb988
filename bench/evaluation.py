"""How much an evaluation in the background delays keys, and what it costs.

The loop and the worker share one core, as on the smallest Pi. Plain: the worker with normal
priority.
"""

import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from random import Random
from statistics import median
from subprocess import DEVNULL, PIPE, Popen
from threading import Event, Thread
from typing import Any, NamedTuple

from ai import AI
from bench.figure import Figure
from bench.keys import program
from engines.record import setup_of
from hardware.keys import Key
from pi_app.past.reckoning import COMMAND
from pi_app.run.loop import Companion
from pi_app.view.frame import Frame
from pi_app.view.output import Output

PLAIN = tuple(part for part in COMMAND if part != "--low")
"""The worker with normal priority."""
KEYS = 300
PAUSE_S = 0.01
"""The time between two keys, so that the other process is working when a key comes."""
TAGS = {"Game": "sequence", "Players": "Anna blue, Ben green"}


class Shown(Output):
    """A display that sets an event when it shows a frame."""

    name = "shown"

    def __init__(self) -> None:
        self.event = Event()

    def show(self, frame: Frame) -> None:
        del frame
        self.event.set()


def play_game() -> dict[str, Any]:
    """Play a game between two good players; return its tags and tokens."""
    rng = Random(3)
    ai = AI[TAGS["Game"]]
    _, setup = setup_of(TAGS)
    deal = ai.deal(setup, rng)
    tokens = []
    while deal.position.result is None:
        # 0.0 seconds of thinking: the fewest play-outs
        move = ai.choose(deal.position, deal.given(), "best", 0.0, rng)
        tokens.append(move.token)
        deal.play(move)
    return {"tags": TAGS, "tokens": tokens}


@contextmanager
def one_core() -> Iterator[None]:
    """Run this process and its children on one core together."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


@contextmanager
def _working(worker: Sequence[str], game: dict[str, Any]) -> Iterator[Popen[str]]:
    """Run the worker on a game inside the block."""
    process = Popen(worker, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, text=True)  # noqa: S603
    if process.stdin is None or process.stdout is None:
        raise OSError("the worker has no pipes")
    json.dump(game, process.stdin)
    process.stdin.close()
    process.stdout.readline()  # its first progress: from now on it is at work
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


class Waits(NamedTuple):
    """Milliseconds from a key to its frame: the median, and the limit that 99 of 100 keep."""

    median: float
    most: float


def waits_at_table(work: Callable[[Companion], AbstractContextManager[object]]) -> Waits:
    """Measure how long keys wait at a running loop while `work` runs."""
    companion, display = program("just4fun"), Shown()
    companion.outputs = [display]
    loop = Thread(target=companion.run, daemon=True)
    loop.start()
    display.event.wait(10)
    time.sleep(0.1)
    waits = []
    with work(companion):
        for number in range(KEYS):
            time.sleep(PAUSE_S)
            display.event.clear()
            start = time.perf_counter()
            # a digit is entered and deleted in turn
            companion.keys.put(Key.BACK if number % 2 else Key.D7)
            display.event.wait(10)
            waits.append(1000 * (time.perf_counter() - start))
    companion.keys.stop()
    loop.join(10)
    return Waits(median(waits), sorted(waits)[len(waits) * 99 // 100])


def wait_figures(alone: Waits, working: Waits, plain: Waits, task: str) -> list[Figure]:
    """Return how long keys wait: alone, and while the program does `task` in the background.

    `plain` are the waits if that work is done without the measures that spare the keys.
    """
    return [
        Figure("key to frame, median, alone", alone.median, "ms"),
        Figure(f"the same, {task} beside", working.median, "ms", plain=plain.median),
        Figure("key to frame, 99 of 100, alone", alone.most, "ms"),
        Figure(f"the same, {task} beside", working.most, "ms", plain=plain.most),
    ]


def figures() -> list[Figure]:
    """Return how long keys wait while a worker runs, and what an evaluation costs."""
    game = play_game()
    with one_core():
        alone = waits_at_table(lambda _: nullcontext())
        low, usual = (
            waits_at_table(lambda _, worker=worker: _working(worker, game))  # type: ignore[misc]
            for worker in (COMMAND, PLAIN)
        )
    before = os.times().children_user
    with _working(PLAIN, game) as process:
        rollup = Path(f"/proc/{process.pid}/smaps_rollup").read_text("ascii")
        if process.stdout is not None:
            process.stdout.read()  # until it ends
    cpu_s = os.times().children_user - before
    _, *lines = rollup.splitlines()  # after a heading lines such as "Private_Clean: 512 kB"
    rows = (line.split() for line in lines)
    own = sum(int(kib) for name, kib, *_ in rows if name.startswith("Private_")) / 1024
    return [
        *wait_figures(alone, low, usual, "a course worked out"),
        Figure("memory of the worker alone", own, "MiB"),
        Figure(f"CPU of a course, Sequence, {len(game['tokens'])} moves", cpu_s, "s"),
    ]
