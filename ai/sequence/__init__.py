"""Wits for Sequence: a linear score of windows that knows the hand; play-outs say the chance."""

from wits.pace import usual_tries
from wits.room import Wits
from wits.sequence import playouts
from wits.sequence.dealing import SequenceDeal
from wits.sequence.reasons import reasons
from wits.sequence.thinking import chances, choose, search, spreads

__all__ = ["WITS", "chances", "choose", "reasons", "search"]

WITS = Wits(
    search,
    choose,
    chances,
    reasons,
    SequenceDeal,
    spreads=spreads,
    tries=usual_tries(playouts),
)
