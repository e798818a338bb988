"""Deals of card games: hands that others do not see, a pile, and discards that become the pile."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Generic, Self, TypeVar

Card = TypeVar("Card")


class CardDeal(Generic[Card]):
    """A game with its cards: the hands by seat, the pile, the discards since the last shuffle."""

    rolls: Sequence[Any] = ()

    def __init__(
        self,
        position: Any,
        hands: list[tuple[Card, ...]],
        pile: list[Card],
        discards: list[Card],
        seed: int,
    ) -> None:
        self.position = position
        self._hands = hands
        self._pile = pile
        self._discards = discards
        # copies shuffle alike
        self._seed = seed

    def given(self) -> tuple[Card, ...]:
        seat: int = self.position.seat
        return self._hands[seat]

    def hands(self) -> list[tuple[Card, ...]]:
        return list(self._hands)

    def copy(self) -> Self:
        piles = self._pile[:], self._discards[:]
        return type(self)(self.position, self._hands[:], *piles, self._seed)

    def _exchange(self, seat: int, cards: Sequence[Card]) -> list[Card]:
        """Discard these cards of a seat and draw as many, unless the game is over; return its hand.

        The discards are shuffled as soon as the pile is used up.
        """
        hand = list(self._hands[seat])
        for card in cards:
            hand.remove(card)
        self._discards += cards
        if self.position.result is None:
            for _ in cards:
                hand.append(self._pile.pop())
                if not self._pile:
                    self._reshuffle()
        return hand

    def _reshuffle(self) -> None:
        """Make the discards the pile."""
        self._pile, self._discards = self._discards, []
        Random(self._seed).shuffle(self._pile)


def deal_hidden(
    position: Any,
    deck: Mapping[Card, int],
    sizes: Sequence[int],
    given: tuple[Card, ...] | None,
    rng: Random,
) -> tuple[list[tuple[Card, ...]], list[Card], list[Card]]:
    """Return each seat's hand, the pile and the discards; whatever is hidden is dealt by chance.

    `deck` has the copies of each card, `sizes` the cards in each seat's hand. `given` is the hand
    of the player to move, None if it is hidden too.
    """
    discards: list[Card] = []
    pile: list[Card] = []
    for card, copies in deck.items():
        hidden = copies - (given.count(card) if given else 0)
        discarded = min(hidden, position.piles.count_discarded(card))
        discards += [card] * discarded
        pile += [card] * (hidden - discarded)
    known = {} if given is None else {position.seat: given}
    needed = sum(size for seat, size in enumerate(sizes) if seat not in known)
    if len(pile) <= needed:
        # only a corrected record can claim so many known cards: the claim is ignored
        pile, discards = pile + discards, []
    rng.shuffle(pile)
    hands: list[tuple[Card, ...]] = []
    for seat, size in enumerate(sizes):
        if seat in known:
            hands.append(known[seat])
            continue
        first = len(pile) - size
        hands.append(tuple(pile[first:]))
        del pile[first:]
    return hands, pile, discards
