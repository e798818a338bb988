"""Wits for Just 4 Fun: a linear score of rows and fields, and play-outs that play by it."""

from wits.just4fun import playouts
from wits.just4fun.dealing import Just4FunDeal
from wits.just4fun.reasons import reasons
from wits.just4fun.thinking import chances, choose, search
from wits.pace import usual_tries
from wits.room import Wits

__all__ = ["WITS", "chances", "choose", "reasons", "search"]

WITS = Wits(search, choose, chances, reasons, Just4FunDeal, tries=usual_tries(playouts))
