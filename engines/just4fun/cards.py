"""The cards of Just 4 Fun: the deck, and which of it lie in the discard pile."""

from collections.abc import Iterable
from typing import NamedTuple

# printed rule: four each of 1-12, one each of 13-19
DECK = {**dict.fromkeys(range(1, 13), 4), **dict.fromkeys(range(13, 20), 1)}
DECK_SIZE = sum(DECK.values())
HAND = 4

Hand = tuple[int, ...]
"""The values of the four cards in a hand, in any order."""

# Cards lying together are one int with eight bits a value: how many copies there are. They are
# never more than the 55 cards of the deck and a move's four, so no count spills.
_WIDTH = 8
_LIFT = sum((127 - copies) << (_WIDTH * card) for card, copies in DECK.items())
"""Added to such an int, it lifts each count that is more than the deck's to 128 or above."""


def pack_cards(cards: Iterable[int]) -> int:
    """Return these cards as one int."""
    return sum(1 << (_WIDTH * card) for card in cards)


def marks_of(cards: Iterable[int]) -> int:
    """Return what is left of `_LIFT` for these values, to ask `doubtful` about them."""
    return sum(128 << (_WIDTH * card) for card in set(cards))


class Piles(NamedTuple):
    """The draw pile's size, the discard pile's, and the cards in the latter, packed."""

    draw_pile: int
    discards: int = 0
    discarded: int = 0

    def discard(self, count: int, cards: int, *, drawn: bool) -> "Piles":
        """Return the piles after these cards (packed) were discarded and as many drawn, or none.

        Printed rule: the discard pile is shuffled when the draw pile is used up; what the old
        pile could not give comes from the new one. `discards` is 0 then, and only then.
        """
        if not drawn:
            return Piles(self.draw_pile, self.discards + count, self.discarded + cards)
        if count < self.draw_pile:
            return Piles(self.draw_pile - count, self.discards + count, self.discarded + cards)
        return Piles(self.draw_pile + self.discards)

    def count_discarded(self, card: int) -> int:
        """Return how many of this value lie in the discard pile."""
        return self.discarded >> (_WIDTH * card) & 255

    def find_doubtful(self, cards: int, marks: int) -> tuple[int, ...]:
        """Return which marked values lie here, with these cards, more often than the deck has."""
        lifted = (self.discarded + cards + _LIFT) & marks
        if not lifted:
            return ()
        return tuple(card for card in sorted(DECK) if lifted >> (_WIDTH * card) & 255)
