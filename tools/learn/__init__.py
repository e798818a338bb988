"""Learns the worth of positions from games that the AI plays against itself.

`python -m tools.learn GAME [GAMES]` writes `ai/GAME/model.toml`. The games are played on the rules
of `engines` with fixed seeds, so a run can be repeated to the digit. numeri gets its nets, every
other game a linear model of its `features`. Only this needs numpy.
"""

import sys
from collections.abc import Iterable
from typing import Any

SEED = 47


def say(text: str) -> None:
    """Print the progress."""
    sys.stderr.write(text + "\n")


def text_of(head: Iterable[str], tables: dict[str, dict[str, Any]]) -> str:
    """Return tables of weights as TOML, after a head of comments; a list of lists has lines."""
    lines = [f"# {line}" for line in head]
    for name, table in tables.items():
        lines.append(f"[{name}]")
        for key, value in table.items():
            if isinstance(value, list) and isinstance(value[0], list):
                rows = [f"  [{', '.join(map(str, row))}]," for row in value]
                lines += [f"{key} = [", *rows, "]"]
            else:
                lines.append(f"{key} = {value}")
    return "\n".join(lines) + "\n"
