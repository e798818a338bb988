"""The AI for numeri: small nets rate positions, and every roll that may follow is looked at."""

from ai.api import levels_of
from ai.numeri.dealing import deal, resume
from ai.numeri.reasons import reasons
from ai.numeri.value import chances, rate
from ai.search import GameAI
from ai.weights_file import read_weights

AI = GameAI(
    deal,
    resume,
    rate,
    chances,
    reasons=reasons,
    given_of=lambda move: move.roll,
    trust=20,
    ahead=6,
    levels=levels_of(read_weights("numeri", "levels")),
)
"""Games of numeri with a die."""
