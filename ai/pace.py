"""How many play-out moves a second of thinking is, by game and machine.

Thinking is limited by moves, never by the clock, so the same seed gives the same answer however
busy the machine is. The figures are those of a desktop core, rounded down; a Pi Zero 2 W manages
a tenth.
"""

import platform

_SMALL = 0.1
"""The speed of a core of a Pi Zero 2 W; that of a desktop core is 1."""


def moves_in(seconds: float, a_second: float) -> int:
    """Return how many play-out moves fit into `seconds`; a desktop core makes `a_second`."""
    # any other machine is taken for the slowest
    share = 1.0 if platform.machine().lower() in {"x86_64", "amd64"} else _SMALL
    return int(seconds * a_second * share)


def usual_tries(module: object) -> int:
    """Return how many play-outs measure a position: fewer if they are not compiled."""
    return 200 if is_compiled(module) else 40


def is_compiled(module: object) -> bool:
    """Tell whether a module of play-outs is compiled."""
    return not str(getattr(module, "__file__", "")).endswith((".py", ".pyc"))
