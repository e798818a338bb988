"""`python -m bench.strength [NAME ...]`: measures rows of docs/ai.md; a stopped run goes on."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace

from bench.strength.measure import lines
from bench.strength.rows import ROWS


def main(words: Sequence[str] | None = None) -> int:
    """Measure the named rows; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.strength", description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of names: every row that has one of them")
    parser.add_argument("--list", action="store_true", help="only say which rows there are")
    parser.add_argument("--rounds", type=int, help="another number of rounds")
    parser.add_argument("--looks", type=int, help="so many looks a decision, not by seconds")
    asked = parser.parse_args(words)
    rows = [row for row in ROWS if not asked.names or any(name in row.name for name in asked.names)]
    if not rows:
        sys.stderr.write(f"no row is called {' or '.join(asked.names)}: --list names all\n")
        return 1
    for row in rows:
        if asked.list:
            sys.stdout.write(f"{row.name}: {row.rounds} rounds\n")
            continue
        for line in lines(replace(row, rounds=asked.rounds or row.rounds), asked.looks):
            sys.stdout.write(line + "\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
