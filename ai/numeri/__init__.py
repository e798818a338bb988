"""The AI for numeri: play-outs by a greedy player, for every move that a roll allows."""

from ai.api import GameAI
from ai.numeri import playouts
from ai.numeri.dealing import NumeriDeal
from ai.numeri.reasons import reasons
from ai.numeri.thinking import chances, choose, search
from ai.pace import usual_tries

__all__ = ["AI", "chances", "choose", "reasons", "search"]

AI = GameAI(
    search,
    choose,
    chances,
    reasons,
    NumeriDeal,
    given_of=lambda move: move.roll,
    tries=usual_tries(playouts),
)
