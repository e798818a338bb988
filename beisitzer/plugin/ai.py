"""Names for an AI: it chooses moves, gives reasons, and rates positions."""

from ai.api import Deal, Level, Option, Reason, final_shares, levels_of
from ai.search import GameAI, OpenDeal

__all__ = ["Deal", "GameAI", "Level", "OpenDeal", "Option", "Reason", "final_shares", "levels_of"]
