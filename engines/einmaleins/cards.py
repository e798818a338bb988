"""The cards of Einmaleins: numbers and factors, the open card, the piles, what hands lack."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from engines.game import Event
from engines.notation import number

FREE = "*"
"""Marks a free card: in a hand, and before the number it is laid as."""

Pair = tuple[int, int]
FACTORS = tuple(range(1, 11))

_ALL_PAIRS = [(a, b) for a in FACTORS for b in FACTORS if a <= b]
PAIRS: Mapping[int, tuple[Pair, ...]] = {
    product: tuple((a, b) for a, b in _ALL_PAIRS if a * b == product)
    for product in sorted({a * b for a, b in _ALL_PAIRS})
}
"""The number cards, one of each, and the pairs to announce them with, all ascending."""
SQUARES = frozenset(factor * factor for factor in range(1, 11))


@dataclass(frozen=True, slots=True)
class OpenCard:
    """The card on top: its number, the announced pair, and whether it is a free card.

    `pair` is None for a card that nobody announced: then any of its factors matches (ruling).
    """

    number: int
    pair: Pair | None
    free: bool = False

    @property
    def factors(self) -> tuple[int, ...]:
        """The factors that match, ascending."""
        return _factors(PAIRS[self.number] if self.pair is None else (self.pair,))

    def words(self) -> str:
        """Return the card in the words of a `Position`."""
        announced = "" if self.pair is None else "={}x{}".format(*self.pair)
        return f"{FREE if self.free else ''}{self.number}{announced}"


@dataclass(frozen=True, slots=True)
class Piles:
    """The draw pile and the cards that lie face up under the open card.

    `draw_pile` counts the cards left to draw, `under` the cards under the open card. Of these
    `numbers` is the bit set of the number cards (bit n is card n), `frees` counts the free cards.
    """

    draw_pile: int
    under: int = 0
    numbers: int = 0
    frees: int = 0

    def cover(self, card: OpenCard) -> "Piles":
        """Return the piles after a card was laid on this open card."""
        if card.free:
            return Piles(self.draw_pile, self.under + 1, self.numbers, self.frees + 1)
        return Piles(self.draw_pile, self.under + 1, self.numbers | 1 << card.number, self.frees)

    def draw(self) -> "Piles":
        return Piles(self.draw_pile - 1, self.under, self.numbers, self.frees)

    def reshuffle(self, events: list[Event]) -> "Piles":
        """Return the piles; shuffle the cards under the open one if none can be drawn."""
        if self.draw_pile or not self.under:
            return self
        events.append(Event("reshuffle", {}))
        return Piles(self.under)  # all cards under the open one can be drawn now


@cache
def _factors(pairs: tuple[Pair, ...]) -> tuple[int, ...]:
    return tuple(sorted({factor for pair in pairs for factor in pair}))


def read_unannounced(word: str) -> OpenCard | None:
    """Read a number as a card that nobody announced; None if no card has it."""
    value = number(word, max(PAIRS))
    return None if value is None or value not in PAIRS else OpenCard(value, None)


# What the table knows of a hidden hand: a player who draws has no number card that fits. So
# each card in a hand has a set of factors that it surely lacks, bit f for the factor f. Nothing is
# known of free cards: players hold them back.

Lacking = tuple[int, ...]
"""The factors that each card of a hand lacks, the oldest card first."""

FACTORS_OF = {
    number: sum(1 << factor for factor in {factor for pair in pairs for factor in pair})
    for number, pairs in PAIRS.items()
}
"""By number, the set of all factors of its pairs."""
HAVING = [
    sum(1 << number for number, factors in FACTORS_OF.items() if factors >> factor & 1)
    for factor in range(11)
]
"""By factor the set of number cards that have it, bit n for the number n; 0 is no factor."""
FOLLOWERS: dict[Pair, int] = {
    pair: HAVING[pair[0]] | HAVING[pair[1]] for pairs in PAIRS.values() for pair in pairs
}
"""By pair the set of number cards that fit on it."""


def after_draw(hand: Lacking, card: OpenCard) -> Lacking:
    """Return the hand's knowledge after its player drew instead of laying on this open card."""
    announced = sum(1 << factor for factor in card.factors)
    return (*(lacks | announced for lacks in hand), 0)


def after_laying(hand: Lacking, card: OpenCard) -> Lacking:
    """Return the hand's knowledge after a card was laid; nobody sees which.

    Of all possible cards, one of the most frequent kind is assumed.
    """
    factors = 0 if card.free else FACTORS_OF[card.number]
    possible = [lacks for lacks in hand if not lacks & factors] or [hand[-1]]
    gone = max(possible, key=lambda lacks: (possible.count(lacks), lacks))
    place = hand.index(gone)
    return hand[:place] + hand[place + 1 :]
