"""Learn the values of a game and print them."""

import sys
from collections.abc import Callable

from tools.learn import einmaleins, just4fun, numeri, sequence
from tools.tune_ai import text_of

LEARN: dict[str, tuple[int, Callable[[int], str]]] = {
    "einmaleins": (6_000, lambda games: text_of(einmaleins.fit(games))),
    "just4fun": (12_000, lambda games: text_of(just4fun.fit(games))),
    "numeri": (60_000, lambda games: numeri.learn(games, sys.stderr.write)),
    "sequence": (12_000, lambda games: text_of(sequence.fit(games))),
}
"""By game, how many games are played, and what plays them and returns the model's file."""


def main(words: list[str]) -> None:
    """Learn the values of the given game and print them."""
    usual, learn = LEARN[words[0]]
    sys.stdout.write(learn(int(words[1]) if words[1:] else usual))


if __name__ == "__main__":
    main(sys.argv[1:])
