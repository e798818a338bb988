"""`python -m wits.worker`: the course of a game, worked out by a process of its own.

Compiled play-outs keep the interpreter to themselves, so who answers keys lets another one
do them. Standard input is one JSON document, `tags` and `tokens` of a game. What comes out is
a line for each point with its number, then the course (`wits.course.Course.as_text`). With
`--low` it takes only what time nobody else on the machine wants.
"""

import json
import os
import sys
from typing import TextIO

from engines.record import begin_game
from engines.replay import Step, replay
from wits import WITS
from wits.course import SEED, course, points


def lower_priority() -> None:
    """Give way to everybody else, as far as the machine knows how."""
    try:
        os.nice(19)
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    except (AttributeError, OSError):
        return  # another system, or one that forbids it: then it is only slower for others


def work(source: TextIO, sink: TextIO) -> None:
    """Read a game, write its course; KeyError, ValueError or TypeError where it is none."""
    told = json.load(source)
    game, start = begin_game(told["tags"])
    steps = [step for step in replay(start, told["tokens"]) if isinstance(step, Step)]
    wits = WITS[game.name]
    found = []
    for point in points(wits, start, steps, wits.tries):
        found.append(point)
        sink.write(f"{point.move}\n")
        sink.flush()
    sink.write(course(wits, start, steps, wits.tries, SEED, found).as_text() + "\n")
    sink.flush()


if __name__ == "__main__":
    if "--low" in sys.argv:
        lower_priority()
    try:
        work(sys.stdin, sys.stdout)
    except BrokenPipeError:  # nobody wants to know any more
        os._exit(0)
