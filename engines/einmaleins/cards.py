"""The cards of Einmaleins: their numbers and factors, the open card, the piles."""

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
