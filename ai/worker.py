"""`python -m ai.worker`: evaluates a game in a process of its own.

Compiled play-outs hold the interpreter's lock, so they run outside the process that answers
keys. Standard input is one JSON document with a game's `tags` and `tokens`. The output is a
line with the number of each evaluated point, then `Evaluation.as_text`. With `--low` the
worker uses only time that no other process wants; if that is not permitted (in the
service's sandbox), it rests as long as it works.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from typing import TextIO

from ai import AI
from ai.evaluation import SEED, Pace, Point, evaluate, measure_points, no_pause
from engines.record import begin_game
from engines.replay import Step, replay


def lower_priority() -> Pace:
    """Let every other process go first; return what to call after each point for that."""
    try:
        os.nice(19)
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    except (AttributeError, OSError):  # another system, or one that forbids it
        return Breaks().take
    return no_pause


class Breaks:
    """Makes breaks as long as the work before them."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._clock = clock
        self._sleep = sleep
        self._since = clock()

    def take(self) -> None:
        """Rest as long as the work since the last break took."""
        self._sleep(max(0.0, self._clock() - self._since))
        self._since = self._clock()


def work(source: TextIO, sink: TextIO, pace: Pace = no_pause) -> None:
    """Read a game, write its evaluation; KeyError, ValueError or TypeError for other input."""
    job = json.load(source)
    game, start = begin_game(job["tags"])
    # an illegal token leaves the table as it was, so there is no point to measure
    steps = [step for step in replay(start, job["tokens"]) if isinstance(step, Step)]
    ai = AI[game.name]
    measured: list[Point] = []
    for point in measure_points(ai, start, steps, ai.tries):
        measured.append(point)
        sink.write(f"{point.move}\n")
        sink.flush()
        pace()
    evaluation = evaluate(ai, start, steps, ai.tries, SEED, measured, pace)
    sink.write(evaluation.as_text() + "\n")
    sink.flush()


if __name__ == "__main__":
    try:
        work(sys.stdin, sys.stdout, lower_priority() if "--low" in sys.argv else no_pause)
    except BrokenPipeError:  # nobody reads the result any more
        os._exit(0)  # a usual exit would flush the output and fail again
