"""The AI for Just 4 Fun: a linear score of rows and fields, and play-outs that play by it."""

from ai.api import GameAI
from ai.just4fun import playouts
from ai.just4fun.dealing import Just4FunDeal
from ai.just4fun.reasons import reasons
from ai.just4fun.thinking import chances, choose, search
from ai.pace import usual_tries

__all__ = ["AI", "chances", "choose", "reasons", "search"]

AI = GameAI(
    search,
    choose,
    chances,
    reasons,
    Just4FunDeal,
    tries=usual_tries(playouts),
)
