"""Wits for Sequence: a linear score of windows that knows the hand; play-outs say the chance."""

from wits.room import Wits
from wits.sequence.dealing import SequenceDeal
from wits.sequence.reasons import reasons
from wits.sequence.thinking import chances, choose, search

__all__ = ["WITS", "chances", "choose", "reasons", "search"]

WITS = Wits(search, choose, chances, reasons, SequenceDeal)
