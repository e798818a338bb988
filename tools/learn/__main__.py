"""Fit the model of a game and print it."""

import sys

from tools.learn import just4fun, sequence
from tools.tune_ai import text_of

FITTERS = {"just4fun": just4fun.fit, "sequence": sequence.fit}


def main(words: list[str]) -> None:
    """Fit the model of the given game and print it."""
    game, games = words[0], int(words[1]) if words[1:] else 12_000
    sys.stdout.write(text_of(FITTERS[game](games)))


if __name__ == "__main__":
    main(sys.argv[1:])
