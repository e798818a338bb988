"""Names for an AI: it chooses moves, gives reasons, and evaluates positions."""

from ai.api import Deal, GameAI, Option, Reason, final_shares
from ai.pace import moves_in

__all__ = ["Deal", "GameAI", "Option", "Reason", "final_shares", "moves_in"]
