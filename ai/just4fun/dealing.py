"""Games of Just 4 Fun dealt by chance: the deck, the hands, the discards."""

from random import Random

from engines import just4fun
from engines.game import Event, Setup
from engines.just4fun.cards import DECK, HAND, Hand
from engines.just4fun.moves import CardMove
from engines.just4fun.position import Just4Fun


class Just4FunDeal:
    """A game with its cards."""

    def __init__(self, setup: Setup, rng: Random) -> None:
        self.position: Just4Fun = just4fun.begin(setup)
        self._rng = rng
        self._pile = [card for card, copies in DECK.items() for _ in range(copies)]
        self._discards: list[int] = []
        rng.shuffle(self._pile)
        self._hands = [[self._draw() for _ in range(HAND)] for _ in setup.players]

    def given(self) -> Hand:
        return tuple(sorted(self._hands[self.position.seat]))

    def hands(self) -> list[Hand]:
        return [tuple(sorted(hand)) for hand in self._hands]

    def play(self, move: CardMove) -> tuple[Event, ...]:
        hand = self._hands[self.position.seat]
        self.position, events = self.position.play(move)
        for card in move.cards:
            hand.remove(card)
        self._discards += move.cards
        if self.position.result is None:
            hand += [self._draw() for _ in move.cards]
        return events

    def _draw(self) -> int:
        card = self._pile.pop()
        if not self._pile:
            self._pile, self._discards = self._discards, []
            self._rng.shuffle(self._pile)
        return card
