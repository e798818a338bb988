"""`python -m bench`: prints every figure with its budget, writes bench.json.

An exceeded budget is no failure. If a module cannot be measured, the others still are, and the exit
status is 1.
"""

import json
import logging
import sys
import time
from importlib import import_module
from pathlib import Path

from bench.figure import Figure

MODULES = ("bus", "keys", "start", "store", "random_play", "ai", "rig", "phones", "link", "club")
"""Each has `figures()`; a module whose library is missing is named and left out."""


def _figure_line(figure: Figure) -> str:
    budget, plain = (
        "" if number is None else f"{number:,.4g}" for number in (figure.budget, figure.plain)
    )
    mark = {None: "", True: "within", False: "OVER"}[figure.within]
    value = f"{figure.value:,.0f}" if figure.value >= 1000 else f"{figure.value:,.4g}"
    line = f"{figure.name:<54} {value:>10} {figure.unit:<8} {budget:>8} {mark:<7} {plain:>8}"
    return line.rstrip() + "\n"


def main(names: list[str]) -> int:
    """Measure the named modules, by default all; return how many could not be measured."""
    figures: list[Figure] = []
    failed = 0
    write = sys.stdout.write
    write(f"{'figure':<54} {'value':>10} {'unit':<8} {'budget':>8} {'':<7} {'plain':>8}\n")
    for name in names or MODULES:
        start = time.monotonic()
        try:
            measured: list[Figure] = import_module(f"bench.{name}").figures()
        except ImportError as error:
            write(f"{name}: left out, {error}\n")
            continue
        except Exception:
            # the figures of the other modules must not be lost with this one
            logging.exception("%s could not be measured", name)
            failed += 1
            continue
        for figure in measured:
            write(_figure_line(figure))
        write(f"{name}: measured in {time.monotonic() - start:.0f} s\n")
        sys.stdout.flush()
        figures += measured
    text = json.dumps([figure.as_json() for figure in figures], indent=1)
    Path("bench.json").write_text(text + "\n", "utf-8")
    within = sum(figure.within is True for figure in figures)
    budgets = sum(figure.within is not None for figure in figures)
    write(f"{within} of {budgets} budgets kept; all figures are in bench.json\n")
    return failed


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1:]) else 0)
