"""Wits for Einmaleins: play-outs in which who can lay, lays; for every way to lay a card."""

from wits.einmaleins import playouts
from wits.einmaleins.dealing import EinmaleinsDeal
from wits.einmaleins.reasons import reasons
from wits.einmaleins.thinking import chances, choose, search
from wits.pace import usual_tries
from wits.room import Wits

__all__ = ["WITS", "chances", "choose", "reasons", "search"]

WITS = Wits(search, choose, chances, reasons, EinmaleinsDeal, tries=usual_tries(playouts))
