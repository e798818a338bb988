"""The AI for Sequence: a linear score of windows that knows the hand; play-outs say the chance."""

from ai.api import GameAI
from ai.pace import usual_tries
from ai.sequence import playouts
from ai.sequence.dealing import SequenceDeal
from ai.sequence.reasons import reasons
from ai.sequence.thinking import chances, choose, search, spreads

__all__ = ["AI", "chances", "choose", "reasons", "search"]

AI = GameAI(
    search,
    choose,
    chances,
    reasons,
    SequenceDeal,
    spreads=spreads,
    tries=usual_tries(playouts),
)
