"""Games of Sequence dealt by chance: the deck, the hands, the discards."""

from random import Random

from ai.cards import CardDeal, deal_hands
from engines.game import Event, Setup
from engines.sequence.board import CARD_BITS, COPIES
from engines.sequence.notation import SequenceMove
from engines.sequence.rules import SequencePosition, begin


class SequenceDeal(CardDeal[str]):
    """A game with its cards."""

    position: SequencePosition

    def play(self, move: SequenceMove) -> tuple[Event, ...]:
        seat = self.position.seat
        self.position, events = self.position.play(move)
        card = getattr(move, "card", None)  # a pass and table talk play none
        if card is not None:
            self._hands[seat] = tuple(self._exchange(seat, [card]))
        return events


def deal(setup: Setup, rng: Random) -> SequenceDeal:
    """Deal a game by chance."""
    return resume(begin(setup), None, rng)


def resume(position: SequencePosition, given: tuple[str, ...] | None, rng: Random) -> SequenceDeal:
    """Return a deal that stands at a position; whatever it hides is dealt by chance.

    `given` is the hand of the player to move, None if it is hidden too.
    """
    pile: list[str] = []
    discards: list[str] = []
    for card in CARD_BITS:
        hidden = COPIES - (given.count(card) if given else 0)
        discarded = min(hidden, position.piles.count_discarded(card))
        discards += [card] * discarded
        pile += [card] * (hidden - discarded)
    sizes = list(position.hands)
    if given is not None:
        sizes[position.seat] = 0
    hands = deal_hands(pile, discards, sizes, rng)
    if given is not None:
        hands[position.seat] = tuple(given)
    return SequenceDeal(position, hands, pile, discards, rng.getrandbits(32))
