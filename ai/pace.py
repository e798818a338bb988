"""How much thinking a second is: play-out moves, by game and machine.

What is counted is moves, never the clock, so the same seed gives the same answer however busy
the machine. The figures are what a desktop core makes, somewhat rounded down; a Pi Zero 2 W
makes a tenth of it.
"""

import platform

_SMALL = 0.1
"""What a core of a Pi Zero 2 W makes of a desktop core's work."""


def moves_in(seconds: float, a_second: float) -> int:
    """Return how many play-out moves these seconds are, `a_second` being a desktop core's."""
    share = 1.0 if platform.machine().lower() in {"x86_64", "amd64"} else _SMALL
    return int(seconds * a_second * share)


def usual_tries(module: object) -> int:
    """Return how many play-outs say how a position stands, fewer where they are not compiled."""
    return 200 if is_compiled(module) else 40


def is_compiled(module: object) -> bool:
    """Tell whether a module of play-outs is compiled."""
    return not str(getattr(module, "__file__", "")).endswith((".py", ".pyc"))
