"""The rows to measure: who plays whom, how much they think, how many games.

Rows and seeds are fixed before the first game is played.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engines.games import SHIPPED
from tests.ai.opponents import einmaleins, just4fun, numeri, sequence

GREEDY: Mapping[str, Callable[..., Any]] = {
    "just4fun": just4fun.greedy,
    "sequence": sequence.greedy,
    "numeri": numeri.greedy,
    "einmaleins": einmaleins.greedy,
}
"""For each game the simplest player that makes sense."""
SEED = 2026


@dataclass(frozen=True, slots=True)
class Match:
    """The first of these seats against the others, which are all alike.

    A seat is a level of the AI, or "greedy". Each has `seconds` of processor time for a decision.
    """

    game: str
    players: int
    first: str
    others: str
    seconds: float
    rounds: int
    edition: str = ""
    """An edition of the game that is not the default one."""

    @property
    def name(self) -> str:
        game = f"{self.game}-{self.edition}" if self.edition else self.game
        return f"{game}-{self.first}-{self.others}-{self.players}p-{self.seconds:g}"


@dataclass(frozen=True, slots=True)
class Honesty:
    """Whether stated chances come true, in games of the best level without search."""

    game: str
    players: int
    rounds: int

    @property
    def name(self) -> str:
        return f"{self.game}-chances-{self.players}p"


StrengthRow = Match | Honesty


def _of_game(game: str) -> list[StrengthRow]:
    rows: list[StrengthRow] = [
        Match(game, 2, "best", "greedy", seconds, 750) for seconds in (0.0, 0.03, 0.3)
    ]
    rows += [Match(game, players, "best", "greedy", 0.03, 500) for players in (3, 4)]
    for players in (2, 3, 4):
        rows.append(Match(game, players, "best", "club", 0.03, 300))
        rows.append(Match(game, players, "club", "beginner", 0.03, 300))
    return [*rows, *(Honesty(game, players, 1_000) for players in (2, 3, 4))]


ROWS: tuple[StrengthRow, ...] = (
    *(row for game in SHIPPED for row in _of_game(game)),
    *(
        Match("numeri", players, "best", "greedy", seconds, 1_200 // players, "2009")
        for players in (2, 3, 4)
        for seconds in (0.0, 0.03)
    ),
)
