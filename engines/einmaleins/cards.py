"""The cards of Einmaleins: their numbers and factors, the open card, the piles."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from engines.game import Event
from engines.notation import number

FREE = "*"
"""How a free card is written, in a hand and before the number it is laid as."""

Pair = tuple[int, int]


_ALL = [(a, b) for a in range(1, 11) for b in range(a, 11)]
PAIRS: Mapping[int, tuple[Pair, ...]] = {
    product: tuple((a, b) for a, b in _ALL if a * b == product)
    for product in sorted({a * b for a, b in _ALL})
}
"""The number cards, one of each, ascending, and the ways to announce them, the smaller first."""
SQUARES = frozenset(factor * factor for factor in range(1, 11))


@dataclass(frozen=True, slots=True)
class OpenCard:
    """The card on top: its number, how it was announced, whether a free card stands for it.

    `pair` is None for a card that nobody announced: any of its factors matches then (ruling).
    """

    number: int
    pair: Pair | None
    free: bool = False

    @property
    def factors(self) -> tuple[int, ...]:
        """The factors that match, each once, ascending."""
        return _factors(PAIRS[self.number] if self.pair is None else (self.pair,))

    def words(self) -> str:
        """Return the card as a `Position` names it."""
        announced = "" if self.pair is None else "={}x{}".format(*self.pair)
        return f"{FREE if self.free else ''}{self.number}{announced}"


@dataclass(frozen=True, slots=True)
class Piles:
    """Where the cards are: counts, and which lie face up under the open card.

    `draw_pile` are those left to draw, `under` all cards under the open one, `numbers` the bit
    set of number cards among them (bit n is card n), `frees` how many are free cards.
    """

    draw_pile: int
    under: int = 0
    numbers: int = 0
    frees: int = 0

    def cover(self, card: OpenCard) -> "Piles":
        """Return the cards after this open card was laid upon."""
        if card.free:
            return Piles(self.draw_pile, self.under + 1, self.numbers, self.frees + 1)
        return Piles(self.draw_pile, self.under + 1, self.numbers | 1 << card.number, self.frees)

    def draw(self) -> "Piles":
        return Piles(self.draw_pile - 1, self.under, self.numbers, self.frees)

    def reshuffle(self, events: list[Event]) -> "Piles":
        """Return the cards, shuffled anew and told so where the draw pile has run out."""
        if self.draw_pile or not self.under:
            return self
        events.append(Event("reshuffle", {}))
        return Piles(self.under)


@cache
def _factors(pairs: tuple[Pair, ...]) -> tuple[int, ...]:
    return tuple(sorted({factor for pair in pairs for factor in pair}))


def read_unannounced(word: str) -> OpenCard | None:
    """Read a number as a card that nobody announced; None where no card has it."""
    value = number(word, max(PAIRS))
    return None if value is None or value not in PAIRS else OpenCard(value, None)
