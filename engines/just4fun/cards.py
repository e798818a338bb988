"""The cards of Just 4 Fun: the deck, and the cards in the discard pile."""

from collections.abc import Iterable
from typing import NamedTuple

# printed rule: four each of 1-12, one each of 13-19
DECK = {**dict.fromkeys(range(1, 13), 4), **dict.fromkeys(range(13, 20), 1)}
DECK_SIZE = sum(DECK.values())
HAND = 4

Hand = tuple[int, ...]
"""The values of the four cards in a hand, in any order."""

# Several cards are packed into one int with eight bits a value, which count its copies. There are
# at most the 55 cards of the deck and four of a move, so no count overflows.
_WIDTH = 8
_LIFT = sum((127 - copies) << (_WIDTH * card) for card, copies in DECK.items())
"""Added to such an int, it raises each count above the deck's to 128 or more."""


def pack_cards(cards: Iterable[int]) -> int:
    """Return these cards as one int."""
    return sum(1 << (_WIDTH * card) for card in cards)


def marks_of(cards: Iterable[int]) -> int:
    """Return the top bit of the counts of these values, for `Piles.find_doubtful`."""
    return sum(128 << (_WIDTH * card) for card in set(cards))


class Piles(NamedTuple):
    """The draw pile and the discard pile.

    `draw_pile` and `discards` count their cards; `discarded` are the cards of the discard pile,
    packed into one int (`pack_cards`).
    """

    draw_pile: int
    discards: int = 0
    discarded: int = 0

    def discard(self, count: int, cards: int, *, drawn: bool) -> "Piles":
        """Return the piles after these packed cards were discarded and, if `drawn`, replaced.

        Printed rule: the discard pile is shuffled when the draw pile is used up, and gives the
        cards that are still to be drawn. `discards` is 0 then, and only then.
        """
        if not drawn:
            return Piles(self.draw_pile, self.discards + count, self.discarded + cards)
        if count < self.draw_pile:
            return Piles(self.draw_pile - count, self.discards + count, self.discarded + cards)
        # these cards join the discards, all are shuffled, and as many as were played are drawn
        return Piles(self.draw_pile + self.discards)

    def count_discarded(self, card: int) -> int:
        """Return how many cards of this value are in the discard pile."""
        return self.discarded >> (_WIDTH * card) & 255

    def find_doubtful(self, cards: int, marks: int) -> tuple[int, ...]:
        """Return the values of which discards and these cards exceed the deck's copies.

        `cards` are packed; `marks` (`marks_of` these cards) limits the search to their values.
        """
        # a count above the deck's copies reaches 128: its top bit is set
        lifted = (self.discarded + cards + _LIFT) & marks
        if not lifted:
            return ()
        return tuple(card for card in sorted(DECK) if lifted >> (_WIDTH * card) & 255)
