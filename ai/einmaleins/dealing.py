"""Games of Einmaleins dealt by chance: deck, hands, open card and the cards under it."""

from dataclasses import replace
from random import Random

from engines import einmaleins
from engines.einmaleins.cards import FREE, PAIRS
from engines.einmaleins.moves import EinmaleinsMove
from engines.einmaleins.position import EinmaleinsPosition
from engines.game import Event, Setup


class EinmaleinsDeal:
    """A game with its cards. The first open card is never a free card, which has no number."""

    def __init__(self, setup: Setup, rng: Random) -> None:
        self._rng = rng
        self._pile = [str(number) for number in PAIRS]
        rng.shuffle(self._pile)
        tags = dict(setup.tags)
        # a tag Open names the first open card; without one it is the top card
        self._open = tags.setdefault("Open", self._pile[-1])
        self._pile.remove(self._open)
        self.position: EinmaleinsPosition = einmaleins.begin(replace(setup, tags=tags))
        # only now, so that the open card is a number
        self._pile += [FREE] * self.position.free
        rng.shuffle(self._pile)
        self._hands = [[self._pile.pop() for _ in range(size)] for size in self.position.hands]
        self._under: list[str] = []

    def given(self) -> tuple[str, ...]:
        return tuple(self._hands[self.position.seat])

    def hands(self) -> list[tuple[str, ...]]:
        return [tuple(hand) for hand in self._hands]

    def play(self, move: EinmaleinsMove) -> tuple[Event, ...]:
        seat_of = {player.name: seat for seat, player in enumerate(self.position.players)}
        seat = self.position.seat
        self.position, events = self.position.play(move)
        for event in events:
            if event.code == "laid":
                card = FREE if event.facts["free"] else str(event.facts["card"])
                self._hands[seat].remove(card)
                self._under.append(self._open)
                self._open = card
            elif event.code == "drew":
                # not always the player to move: others may have to draw
                drawer = seat_of[event.facts["player"]]
                self._hands[drawer].append(self._pile.pop())
            elif event.code == "reshuffle":
                self._pile, self._under = self._under, []
                self._rng.shuffle(self._pile)
        return events
