r"""AI: the best moves of a position, the reasons for them, and each player's chance.

>>> from random import Random
>>> from engines import begin, parse
>>> from ai import AI
>>> game, position = begin(parse('[Game "just4fun"] \n [Players "Anna yellow, Ben red"]'))
>>> best = AI[game.name].search(position, (3, 5, 11, 13), 500, Random(1))[0]

Each game has its own, imported on first use; a game in which nothing is hidden needs none.
`docs/ai.md` says how well they play.
"""

from collections.abc import Iterator, Mapping

from ai.api import Option, Reason
from ai.search import GameAI, open_ai
from engines.games import GAMES, Parts, has_ai

__all__ = ["AI", "GameAI", "Option", "Reason"]


class _AIs(Mapping[str, GameAI]):
    """The AI of each game that has one, by its `Game` tag."""

    def __init__(self) -> None:
        self._own = Parts[GameAI]("ai")
        self._open: dict[str, GameAI] = {}

    def __getitem__(self, name: str) -> GameAI:
        if name in self._own:
            return self._own[name]
        if name not in self:
            raise KeyError(name)
        return self._open.setdefault(name, open_ai(GAMES[name]))

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and has_ai(name)

    def __iter__(self) -> Iterator[str]:
        return (name for name in GAMES if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


AI: Mapping[str, GameAI] = _AIs()
