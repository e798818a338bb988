"""What wits are made of: what would be good here, why, and how the game stands."""

from wits.pace import moves_in
from wits.room import Deal, Option, Reason, Wits, settled

__all__ = ["Deal", "Option", "Reason", "Wits", "moves_in", "settled"]
