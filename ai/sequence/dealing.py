"""Games of Sequence dealt by chance: the deck, the hands, the discards."""

from random import Random

from engines import sequence
from engines.game import Event, Setup
from engines.sequence.board import CARDS, COPIES
from engines.sequence.moves import SequenceMove
from engines.sequence.position import SequencePosition


class SequenceDeal:
    """A game with its cards."""

    def __init__(self, setup: Setup, rng: Random) -> None:
        self.position: SequencePosition = sequence.begin(setup)
        self._rng = rng
        self._pile = list(CARDS) * COPIES
        self._discards: list[str] = []
        rng.shuffle(self._pile)
        self._hands = [[self._draw() for _ in range(size)] for size in self.position.hands]

    def given(self) -> tuple[str, ...]:
        return tuple(self._hands[self.position.seat])

    def hands(self) -> list[tuple[str, ...]]:
        return [tuple(hand) for hand in self._hands]

    def play(self, move: SequenceMove) -> tuple[Event, ...]:
        hand = self._hands[self.position.seat]
        self.position, events = self.position.play(move)
        card = getattr(move, "card", None)  # a pass and table talk play none
        if card is not None:
            hand.remove(card)
            self._discards.append(card)
            if self.position.result is None:
                hand.append(self._draw())
        return events

    def _draw(self) -> str:
        card = self._pile.pop()
        if not self._pile:
            self._pile, self._discards = self._discards, []
            self._rng.shuffle(self._pile)
        return card
