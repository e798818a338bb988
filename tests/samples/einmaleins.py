"""Samples of Einmaleins."""

from beisitzer.testing.samples import Samples
from tests.longest import LONGEST
from tests.samples import RECORDS

PRODUCTS = sorted({a * b for a in range(1, 11) for b in range(1, 11)})

SAMPLES = Samples(
    players="Anna yellow, Ben red",
    keys=("# 42#", "28#"),
    tokens=("42=6x7", "28=4x7"),
    other=("42#", "42=6x7"),
    given=lambda chance: tuple(map(str, chance.sample(PRODUCTS, 4))),
    tags={"Open": "24"},
    codes="""
        game-over bad-move not-a-product wrong-factors no-free-card no-common-factor card-doubtful
        laid drew skipped last-card reshuffle out stalemate corrected""",
    longest=LONGEST,
    records=RECORDS,
    hand="^#12*24*35*42*8#",
)
