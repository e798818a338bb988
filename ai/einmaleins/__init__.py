"""The AI for Einmaleins: a linear score of layings, and tries to the end that play by it."""

from ai.api import levels_of
from ai.einmaleins.dealing import deal, resume
from ai.einmaleins.reasons import reasons
from ai.einmaleins.value import chances, rate, reply
from ai.search import GameAI
from ai.weights_file import read_weights

AI = GameAI(
    deal,
    resume,
    rate,
    chances,
    reply,
    reasons,
    trust=80,
    ahead=8,
    levels=levels_of(read_weights("einmaleins", "levels")),
)
