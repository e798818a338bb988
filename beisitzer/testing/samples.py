"""Sample moves and texts that the suite needs to test a game: the game's `SAMPLES`.

They are in the module `samples` of the package that has the game's presentation.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any


@dataclass(frozen=True)
class Samples:
    """Two moves, as keys and as tokens; `other` is another first move, its keys and its token.

    `players` is the `Players` tag, `tags` are the other tags that begin a game. `records` is the
    folder with golden records and their expected lines, `codes` are the violations and events that
    the records must show, separated by spaces. `given` returns what a player might hold or roll.
    `longest` has the longest value of each fact that only this game has. `hand` are the keys before
    STAR asks for a tip, in a game with an AI. `unlisted` are tokens that are legal and that `legal`
    leaves out on purpose, such as an agreed draw, separated by spaces.
    """

    players: str
    keys: tuple[str, str]
    tokens: tuple[str, str]
    other: tuple[str, str]
    codes: str
    records: Path
    given: Callable[[Random], Any] = lambda _chance: None  # nothing is hidden
    tags: Mapping[str, str] = field(default_factory=dict[str, str])
    longest: Mapping[str, str] = field(default_factory=dict[str, str])
    hand: str = ""
    unlisted: str = ""
