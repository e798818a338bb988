"""The AI for Einmaleins: play-outs in which everybody who can lay a card lays one."""

from ai.api import GameAI
from ai.einmaleins import playouts
from ai.einmaleins.dealing import EinmaleinsDeal
from ai.einmaleins.reasons import reasons
from ai.einmaleins.thinking import chances, choose, search
from ai.pace import usual_tries

__all__ = ["AI", "chances", "choose", "reasons", "search"]

AI = GameAI(
    search,
    choose,
    chances,
    reasons,
    EinmaleinsDeal,
    tries=usual_tries(playouts),
)
