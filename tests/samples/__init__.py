"""What the suites that hold for every game need to know of one; each game brings its own.

A shipped game's samples are the module of its name here, those of a game that is a distribution
of its own the module `samples` of the package its words are in. Either has a `SAMPLES`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

from engines.games import SHIPPED, plugins

RECORDS = Path(__file__).parents[1] / "records"


@dataclass(frozen=True)
class Samples:
    """Two moves by keys and their tokens; `other` is another first move, its keys and its token.

    `codes` are the violations and events that the golden records in `records` must show,
    separated by spaces. `tags` begin a game beside its players. `given` returns what a player
    might hold or roll. `longest` are the longest values of facts that only this game's texts have.
    """

    players: str
    keys: tuple[str, str]
    tokens: tuple[str, str]
    other: tuple[str, str]
    given: Callable[[Random], Any]
    codes: str
    tags: Mapping[str, str] = field(default_factory=dict)
    longest: Mapping[str, str] = field(default_factory=dict)
    records: Path = RECORDS


@cache
def samples_of(game: str) -> Samples:
    """Return a game's samples; a game without any fails the suites."""
    package = f"tests.samples.{game}"
    if game not in SHIPPED:
        package = f"{plugins()[game].words.partition(':')[0].rpartition('.')[0]}.samples"
    samples: Samples = import_module(package).SAMPLES
    return samples
