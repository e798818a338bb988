"""The AI for Sequence: a linear score of fives rates moves, a learnt model positions."""

from ai.api import levels_of
from ai.search import GameAI
from ai.sequence.dealing import deal, resume
from ai.sequence.reasons import reasons
from ai.sequence.value import chances, rate, reply, spread
from ai.weights_file import read_weights

AI = GameAI(
    deal,
    resume,
    rate,
    chances,
    reply,
    reasons,
    spread=spread,
    trust=100,
    ahead=2,
    candidates=6,
    gains=lambda position: len(position.players) == 2 and position.needed == 2,
    levels=levels_of(read_weights("sequence", "levels")),
)
"""Games of Sequence dealt by chance."""
