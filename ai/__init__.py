r"""AI: the best moves of a position, the reasons for them, and each player's chance.

>>> from random import Random
>>> from engines import begin, parse
>>> from ai import AI
>>> game, position = begin(parse('[Game "just4fun"] \n [Players "Anna yellow, Ben red"]'))
>>> best = AI[game.name].search(position, (3, 5, 11, 13), 0.1, Random(1))[0]

Each game has its own, imported on first use. `docs/ai.md` says how well they play.
"""

from collections.abc import Mapping

from ai.api import GameAI, Option, Reason
from engines.games import Parts

__all__ = ["AI", "GameAI", "Option", "Reason"]

AI: Mapping[str, GameAI] = Parts("ai")
"""The AI of each game that has one, by its `Game` tag."""
