"""Samples of Just 4 Fun."""

from beisitzer.testing.samples import Samples
from tests.longest import LONGEST
from tests.samples import RECORDS

DECK = [card for card in range(1, 13) for _ in range(4)] + list(range(13, 20))

SAMPLES = Samples(
    players="Anna yellow, Ben red",
    keys=("5*11#", "9#"),
    tokens=("5+11", "9"),
    other=("7#", "7"),
    given=lambda chance: tuple(chance.sample(DECK, 4)),
    codes="""
        game-over bad-move too-many-cards unknown-card more-than-deck sum-too-high field-blocked
        field-secured exchange-needs-four exchange-not-allowed card-doubtful placed secured row
        stones-out rounds-over corrected""",
    longest=LONGEST,
    records=RECORDS,
    hand="^3*5*11*13#",
)
