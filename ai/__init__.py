r"""Wits: what would be good here, why, and how the game stands; a game brings its own.

>>> from random import Random
>>> from engines import begin, parse
>>> from wits import WITS
>>> game, position = begin(parse('[Game "just4fun"] \n [Players "Anna yellow, Ben red"]'))
>>> best = WITS[game.name].search(position, (3, 5, 11, 13), 0.1, Random(1))[0]

Nothing of a game is imported before it is asked for. `docs/wits.md` says how well they play.
"""

from collections.abc import Mapping

from engines.games import Parts
from wits.room import Option, Reason, Wits

__all__ = ["WITS", "Option", "Reason", "Wits"]

WITS: Mapping[str, Wits] = Parts("wits")
"""The wits there are, by the name of the game's `Game` tag; a game may have none."""
