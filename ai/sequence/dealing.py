"""Games of Sequence dealt by chance: the deck, the hands, the discards."""

from collections.abc import Sequence
from random import Random

from engines import sequence
from engines.game import Event, Setup
from engines.sequence.board import CARD_BITS, COPIES
from engines.sequence.moves import SequenceMove
from engines.sequence.position import SequencePosition

_Cards = tuple[str, ...]


class SequenceDeal:
    """A game with its cards: the hands by seat, the pile, the discards since the last shuffle."""

    rolls: Sequence[_Cards] = ()

    def __init__(
        self,
        position: SequencePosition,
        hands: list[_Cards],
        pile: list[str],
        discards: list[str],
        seed: int,
    ) -> None:
        self.position = position
        self._hands = hands
        self._pile = pile
        self._discards = discards
        # copies shuffle alike
        self._seed = seed

    def given(self) -> _Cards:
        return self._hands[self.position.seat]

    def hands(self) -> list[_Cards]:
        return list(self._hands)

    def play(self, move: SequenceMove) -> tuple[Event, ...]:
        seat = self.position.seat
        self.position, events = self.position.play(move)
        card = getattr(move, "card", None)  # a pass and table talk play none
        if card is not None:
            hand = list(self._hands[seat])
            hand.remove(card)
            self._discards.append(card)
            if self.position.result is None:
                hand.append(self._pile.pop())
                if not self._pile:
                    self._pile, self._discards = self._discards, []
                    Random(self._seed).shuffle(self._pile)
            self._hands[seat] = tuple(hand)
        return events

    def copy(self) -> "SequenceDeal":
        piles = self._pile[:], self._discards[:]
        return SequenceDeal(self.position, self._hands[:], *piles, self._seed)


def deal(setup: Setup, rng: Random) -> SequenceDeal:
    """Deal a game by chance."""
    return resume(sequence.begin(setup), None, rng)


def resume(position: SequencePosition, given: _Cards | None, rng: Random) -> SequenceDeal:
    """Return a deal that stands at a position; whatever it hides is dealt by chance.

    `given` is the hand of the player to move, None if it is hidden too.
    """
    pile: list[str] = []
    discards: list[str] = []
    for card, bit in CARD_BITS.items():
        hidden = COPIES - (given.count(card) if given else 0)
        # sets of the cards of which one copy or more, and both copies, are discarded
        gone = bool(position.piles.once & bit) + bool(position.piles.twice & bit)
        discarded = min(hidden, gone)
        discards += [card] * discarded
        pile += [card] * (hidden - discarded)
    sizes = list(position.hands)
    if given is not None:
        sizes[position.seat] = 0
    if len(pile) <= sum(sizes):
        # only a corrected record can claim so many known cards: the claim is ignored
        pile, discards = pile + discards, []
    rng.shuffle(pile)
    hands: list[_Cards] = []
    for size in sizes:
        hands.append(tuple(pile[len(pile) - size :]))
        del pile[len(pile) - size :]
    if given is not None:
        hands[position.seat] = tuple(given)
    return SequenceDeal(position, hands, pile, discards, rng.getrandbits(32))
