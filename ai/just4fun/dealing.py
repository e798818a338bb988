"""Games of Just 4 Fun dealt by chance: the deck, the hands, the discards."""

from random import Random

from ai.cards import CardDeal, deal_hidden
from engines.game import Event, Setup
from engines.just4fun.board import DECK, HAND, Hand
from engines.just4fun.notation import CardMove
from engines.just4fun.rules import Just4Fun, begin


class Just4FunDeal(CardDeal[int]):
    """A game with its cards; hands are sorted."""

    position: Just4Fun

    def play(self, move: CardMove) -> tuple[Event, ...]:
        seat = self.position.seat
        self.position, events = self.position.play(move)
        self._hands[seat] = tuple(sorted(self._exchange(seat, move.cards)))
        return events


def deal(setup: Setup, rng: Random) -> Just4FunDeal:
    """Deal a game by chance."""
    return resume(begin(setup), None, rng)


def resume(position: Just4Fun, given: Hand | None, rng: Random) -> Just4FunDeal:
    """Return a deal at this position; hidden cards are dealt by chance.

    `given` is the hand of the player to move, None if it is hidden too.
    """
    sizes = [HAND] * len(position.players)
    hands, pile, discards = deal_hidden(position, DECK, sizes, given, rng)
    return Just4FunDeal(
        position, [tuple(sorted(hand)) for hand in hands], pile, discards, rng.getrandbits(32)
    )
