"""The AI for Just 4 Fun: a linear score of rows and fields, and short tries that play by it."""

from ai.api import levels_of
from ai.just4fun.dealing import deal, resume
from ai.just4fun.reasons import reasons
from ai.just4fun.value import chances, rate, reply
from ai.search import GameAI
from ai.weights_file import read_weights

AI = GameAI(
    deal,
    resume,
    rate,
    chances,
    reply,
    reasons,
    trust=100,
    ahead=4,
    candidates=6,
    gains=lambda position: len(position.players) == 2,
    levels=levels_of(read_weights("just4fun", "levels")),
)
