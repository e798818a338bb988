r"""AI: what would be good here, why, and how the game stands; a game brings its own.

>>> from random import Random
>>> from engines import begin, parse
>>> from ai import AI
>>> game, position = begin(parse('[Game "just4fun"] \n [Players "Anna yellow, Ben red"]'))
>>> best = AI[game.name].search(position, (3, 5, 11, 13), 0.1, Random(1))[0]

Nothing of a game is imported before it is asked for. `docs/ai.md` says how well they play.
"""

from collections.abc import Mapping

from ai.api import GameAI, Option, Reason
from engines.games import Parts

__all__ = ["AI", "GameAI", "Option", "Reason"]

AI: Mapping[str, GameAI] = Parts("ai")
"""Each game's AI by its `Game` tag; a game may have none."""
