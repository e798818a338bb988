"""What an AI is made of: what would be good here, why, and how the game stands."""

from ai.api import Deal, GameAI, Option, Reason, final_shares
from ai.pace import moves_in

__all__ = ["Deal", "GameAI", "Option", "Reason", "final_shares", "moves_in"]
