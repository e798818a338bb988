"""Games of Just 4 Fun dealt by chance: the deck, the hands, the discards."""

from collections.abc import Sequence
from random import Random

from engines import just4fun
from engines.game import Event, Setup
from engines.just4fun.cards import DECK, HAND, Hand
from engines.just4fun.moves import CardMove
from engines.just4fun.position import Just4Fun


class Just4FunDeal:
    """A game with its cards: the hands by seat, the pile, the discards since the last shuffle."""

    rolls: Sequence[Hand] = ()

    def __init__(
        self,
        position: Just4Fun,
        hands: list[Hand],
        pile: list[int],
        discards: list[int],
        seed: int,
    ) -> None:
        self.position = position
        self._hands = hands
        self._pile = pile
        self._discards = discards
        # copies shuffle alike
        self._seed = seed

    def given(self) -> Hand:
        return self._hands[self.position.seat]

    def hands(self) -> list[Hand]:
        return list(self._hands)

    def play(self, move: CardMove) -> tuple[Event, ...]:
        seat = self.position.seat
        self.position, events = self.position.play(move)
        hand = list(self._hands[seat])
        for card in move.cards:
            hand.remove(card)
        self._discards += move.cards
        if self.position.result is None:
            for _ in move.cards:
                hand.append(self._pile.pop())
                if not self._pile:
                    self._pile, self._discards = self._discards, []
                    Random(self._seed).shuffle(self._pile)
        self._hands[seat] = tuple(sorted(hand))
        return events

    def copy(self) -> "Just4FunDeal":
        piles = self._pile[:], self._discards[:]
        return Just4FunDeal(self.position, self._hands[:], *piles, self._seed)


def deal(setup: Setup, rng: Random) -> Just4FunDeal:
    """Deal a game by chance."""
    return resume(just4fun.begin(setup), None, rng)


def resume(position: Just4Fun, given: Hand | None, rng: Random) -> Just4FunDeal:
    """Return a deal that stands at a position; whatever it hides is dealt by chance.

    `given` is the hand of the player to move, None if it is hidden too.
    """
    discards: list[int] = []
    pile: list[int] = []
    for card, copies in DECK.items():
        hidden = copies - (given.count(card) if given else 0)
        discarded = min(hidden, position.piles.count_discarded(card))
        discards += [card] * discarded
        pile += [card] * (hidden - discarded)
    if len(pile) <= HAND * (len(position.players) - bool(given)):
        # only a corrected record can claim so many known cards: the claim is ignored
        pile, discards = pile + discards, []
    rng.shuffle(pile)
    hands: list[Hand] = []
    for seat in range(len(position.players)):
        if given and seat == position.seat:
            hands.append(tuple(sorted(given)))
        else:
            hands.append(tuple(sorted(pile[-HAND:])))
            del pile[-HAND:]
    return Just4FunDeal(position, hands, pile, discards, rng.getrandbits(32))
