"""Samples of Sequence."""

from beisitzer.testing.samples import Samples
from tests.longest import LONGEST
from tests.samples import RECORDS

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
DECK = [rank + suit for rank in RANKS for suit in "SHDC"]

SAMPLES = Samples(
    players="Anna blue, Ben green",
    keys=("7*1#", "12*2 2#"),
    tokens=("7S@r1c7", "QH@r2c8"),
    other=("9*1#", "9S@r1c9"),
    given=lambda chance: tuple(chance.sample(DECK, 5)),
    codes="""
        game-over bad-move unknown-card wrong-jack corner wrong-square square-taken not-opponent
        in-sequence dead-jack not-dead one-dead-card bad-choice must-play card-doubtful placed
        removed sequence dead-card no-draw passed talk stalemate corrected""",
    longest=LONGEST,
    records=RECORDS,
    hand="^#12*2 10*1 11*1 11*3 7*1 8*4 10*2#",
)
