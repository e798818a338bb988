"""Learn the model of a game and write its file."""

import sys
from pathlib import Path

from tools.learn import linear, net

USUAL = {"just4fun": 3_000, "sequence": 3_000, "einmaleins": 2_000, "numeri": 12_000}
"""The default number of games.

A third word is the number of games with more than two players; for numeri it is an edition, and
only its nets are learnt.
"""


def main(words: list[str]) -> None:
    """Learn the model of the given game."""
    game = words[0]
    games = int(words[1]) if words[1:] else USUAL[game]
    if game == "numeri":
        text = net.learn(games, *words[2:])
    else:
        text = linear.learn(game, games, int(words[2]) if words[2:] else games)
    Path("ai", game, "model.toml").write_text(text, "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
