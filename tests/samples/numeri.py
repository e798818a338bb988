"""Samples of numeri."""

from beisitzer.testing.samples import Samples
from tests.longest import LONGEST
from tests.samples import RECORDS

SAMPLES = Samples(
    players="Anna yellow, Ben red",
    keys=("d4", "d6"),
    tokens=("4", "6"),
    other=("d2", "2"),
    given=lambda chance: chance.randint(1, 6),
    codes="""
        game-over bad-move bad-die bad-split split-too-early stone-stuck must-move moved
        turn-lost chain finish corrected""",
    longest=LONGEST,
    records=RECORDS,
    hand="d6",
)
