"""What the table knows of a hidden hand: whoever draws has no number card that could be laid.

Of each card in a hand, in the order drawn, it is kept which factors it lacks, as a set with bit f
for the factor f. Nothing is known of free cards: players hold them back.
"""

from engines.einmaleins.cards import PAIRS, OpenCard

Lacking = tuple[int, ...]
"""By card of a hand, the oldest first, the factors that it lacks."""

FACTORS_OF = {
    number: sum(1 << factor for factor in {factor for pair in pairs for factor in pair})
    for number, pairs in PAIRS.items()
}
"""By number, the set of all factors of its pairs."""


def after_draw(hand: Lacking, card: OpenCard) -> Lacking:
    """Return what is known after its player drew instead of laying on this open card."""
    announced = sum(1 << factor for factor in card.factors)
    return (*(lacks | announced for lacks in hand), 0)


def after_laying(hand: Lacking, card: OpenCard) -> Lacking:
    """Return what is known after one card of the hand was laid; nobody sees which.

    It is taken for one of the most frequent kind of those that it can have been.
    """
    factors = 0 if card.free else FACTORS_OF[card.number]
    possible = [lacks for lacks in hand if not lacks & factors] or [hand[-1]]
    gone = max(possible, key=lambda lacks: (possible.count(lacks), lacks))
    place = hand.index(gone)
    return hand[:place] + hand[place + 1 :]
