"""Wits for numeri: play-outs by a greedy player, for every move that a roll allows."""

from wits.numeri import playouts
from wits.numeri.dealing import NumeriDeal
from wits.numeri.reasons import reasons
from wits.numeri.thinking import chances, choose, search
from wits.pace import usual_tries
from wits.room import Wits

__all__ = ["WITS", "chances", "choose", "reasons", "search"]

WITS = Wits(
    search,
    choose,
    chances,
    reasons,
    NumeriDeal,
    told=lambda move: move.roll,
    tries=usual_tries(playouts),
)
