"""How a game went, worked out beside the loop: what keys notice of it, and what it takes.

Loop and worker share one core, as on the smallest Pi. Plain: the worker with everybody's
priority.
"""

import json
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import median
from subprocess import DEVNULL, PIPE, Popen
from threading import Event, Thread
from typing import Any

from bench.figure import Figure
from bench.keys import program
from engines.record import setup_of
from hardware.keys import Key
from pi_app.past.reckoning import WORKER
from pi_app.run.loop import Companion
from pi_app.view.frame import Frame
from pi_app.view.output import Output
from wits import WITS

KEYS = 300
PAUSE_S = 0.01
"""Between two keys, so that the other process is at work when one comes."""
TAGS = {"Game": "sequence", "Players": "Anna blue, Ben green"}


class Shown(Output):
    """Tells when a frame was shown."""

    name = "shown"

    def __init__(self) -> None:
        self.event = Event()

    def show(self, frame: Frame) -> None:
        del frame
        self.event.set()


def played() -> dict[str, Any]:
    """Return tags and tokens of a game between two good players."""
    rng = Random(3)
    wits = WITS[TAGS["Game"]]
    deal, tokens = wits.deal(setup_of(TAGS)[1], rng), []
    while deal.position.result is None:
        move = wits.choose(deal.position, deal.given(), "best", 0.0, rng)
        tokens.append(move.token)
        deal.play(move)
    return {"tags": TAGS, "tokens": tokens}


@contextmanager
def one_core() -> Iterator[None]:
    """Let this process and those it starts have one core together."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


@contextmanager
def _working(worker: Sequence[str], told: dict[str, Any]) -> Iterator[Popen[str]]:
    """Work out the course of a game again and again."""
    process = Popen(worker, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, text=True)  # noqa: S603
    if process.stdin is None or process.stdout is None:
        raise OSError("the worker has no pipes")
    json.dump(told, process.stdin)
    process.stdin.close()
    process.stdout.readline()
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def waits_of(companion: Companion, shown: Shown) -> list[float]:
    """Press keys at a running loop; return the milliseconds until each one's frame."""
    found = []
    for at in range(KEYS):
        key = (Key.D7, Key.BACK)[at % 2]
        time.sleep(PAUSE_S)
        shown.event.clear()
        start = time.perf_counter()
        companion.keys.put(key)
        shown.event.wait(10)
        found.append(1000 * (time.perf_counter() - start))
    return sorted(found)


def _at_table(worker: Sequence[str] | None, told: dict[str, Any]) -> tuple[float, float]:
    """Return the median and the 99th of 100 waits, with a worker beside or alone."""
    companion, shown = program("just4fun"), Shown()
    companion.outputs = [shown]
    loop = Thread(target=companion.run, daemon=True)
    loop.start()
    shown.event.wait(10)
    time.sleep(0.1)
    if worker is None:
        waits = waits_of(companion, shown)
    else:
        with _working(worker, told):
            waits = waits_of(companion, shown)
    companion.keys.stop()
    loop.join(10)
    return median(waits), waits[len(waits) * 99 // 100]


def _memory(told: dict[str, Any]) -> float:
    """Return what a worker has for itself, in MiB."""
    with _working(WORKER[:-1], told) as process:
        text = Path(f"/proc/{process.pid}/smaps_rollup").read_text("ascii")
    rows = (line.split() for line in text.splitlines()[1:])
    return sum(int(row[1]) for row in rows if row[0].startswith("Private_")) / 1024


def _takes(told: dict[str, Any]) -> float:
    """Return the CPU seconds of a whole course."""
    before = os.times()
    with _working(WORKER[:-1], told) as process:
        if process.stdout is not None:
            process.stdout.read()
    after = os.times()
    return after.children_user - before.children_user


def figures() -> list[Figure]:
    """Return what keys wait for beside a worker, and what a course takes."""
    told = played()
    with one_core():
        alone = _at_table(None, told)
        beside, plain = (_at_table(worker, told) for worker in (WORKER, WORKER[:-1]))
    moves = len(told["tokens"])
    return [
        Figure("key to frame, median, alone", alone[0], "ms"),
        Figure("the same, a course worked out beside", beside[0], "ms", plain=plain[0]),
        Figure("key to frame, 99 of 100, alone", alone[1], "ms"),
        Figure("the same, a course worked out beside", beside[1], "ms", plain=plain[1]),
        Figure("memory of the worker alone", _memory(told), "MiB"),
        Figure(f"CPU of a course, Sequence, {moves} moves", _takes(told), "s"),
    ]
