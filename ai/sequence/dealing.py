"""Games of Sequence dealt by chance: the deck, the hands, the discards."""

from random import Random

from ai.cards import CardDeal, deal_hidden
from engines.game import Event, Setup
from engines.sequence.board import CARD_BITS, COPIES
from engines.sequence.notation import SequenceMove
from engines.sequence.rules import SequencePosition, begin

_DECK = dict.fromkeys(CARD_BITS, COPIES)


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
    """Return a deal at this position; hidden cards are dealt by chance.

    `given` is the hand of the player to move, None if it is hidden too.
    """
    hands, pile, discards = deal_hidden(position, _DECK, position.hands, given, rng)
    return SequenceDeal(position, hands, pile, discards, rng.getrandbits(32))
