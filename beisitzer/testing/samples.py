"""What the suite must know of a game to try it: the game brings it as `SAMPLES`.

They are in the module `samples` of the package that the game's words are in.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

from engines.games import SHIPPED, plugins


def _nothing_hidden(_chance: Random) -> None:
    """Return what a player might hold or roll in a game where all lies on the board."""


@dataclass(frozen=True)
class Samples:
    """Two moves by keys and their tokens; `other` is another first move, its keys and its token.

    `players` are those of the `Players` tag, `tags` what else begins a game. `records` is the
    folder with golden records and their expected lines, `codes` are the violations and events
    that these must show, separated by spaces. `given` returns what a player might hold or roll.
    `longest` are the longest values of facts that only this game's texts have, by their names.
    `hand` are the keys that come before STAR asks for a tip, in a game with an AI.
    """

    players: str
    keys: tuple[str, str]
    tokens: tuple[str, str]
    other: tuple[str, str]
    codes: str
    records: Path
    given: Callable[[Random], Any] = _nothing_hidden
    tags: Mapping[str, str] = field(default_factory=dict)
    longest: Mapping[str, str] = field(default_factory=dict)
    hand: str = ""

    def record_tags(self, game: str) -> dict[str, str]:
        """Return the tags that begin a game."""
        return {"Game": game, "Players": self.players, **self.tags}


def samples_module(game: str, shipped: str = "") -> str:
    """Name the module with a game's samples; `shipped` is the package with those shipped here."""
    if game in SHIPPED:
        return f"{shipped}.{game}"
    return f"{plugins()[game].presentation.partition(':')[0].rpartition('.')[0]}.samples"


@cache
def samples_of(game: str, shipped: str = "") -> Samples:
    """Return a game's samples; ImportError or AttributeError where there are none."""
    samples: Samples = import_module(samples_module(game, shipped)).SAMPLES
    return samples
