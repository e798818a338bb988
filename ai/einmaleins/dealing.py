"""Games of Einmaleins dealt by chance: deck, hands, open card and the cards under it."""

from dataclasses import replace
from random import Random

from ai.cards import CardDeal
from engines.einmaleins.cards import FACTORS_OF, FREE, PAIRS
from engines.einmaleins.notation import EinmaleinsMove, Lay
from engines.einmaleins.rules import EinmaleinsPosition, begin
from engines.game import Event, Setup

_NUMBERS = [str(number) for number in PAIRS]
_FITTING = {FREE: 0, **{str(number): factors for number, factors in FACTORS_OF.items()}}
"""The factors of each card, as bits; none for a free card, because players hold it back."""


class EinmaleinsDeal(CardDeal[str]):
    """A game with its cards; the discards are the cards under the open one."""

    position: EinmaleinsPosition

    def play(self, move: EinmaleinsMove) -> tuple[Event, ...]:
        before, seat = self.position, self.position.seat
        self.position, events = before.play(move)
        if isinstance(move, Lay):
            hand = list(self._hands[seat])
            hand.remove(FREE if move.free else str(move.number))
            self._hands[seat] = tuple(hand)
            self._discards.append(FREE if before.open.free else str(before.open.number))
        # `drew` and `reshuffle` come in the order in which they happened
        for code, facts in events:
            if code == "drew":
                # not always the player to move: others may have to draw
                names = [player.name for player in before.players]
                self._hands[names.index(facts["player"])] += (_draw(self._pile),)
            elif code == "reshuffle":
                self._reshuffle()
        return events


def deal(setup: Setup, rng: Random) -> EinmaleinsDeal:
    """Deal a game by chance.

    A tag Open names the first open card; without one it is drawn, but never a free card, which has
    no number.
    """
    tags = {"Open": rng.choice(_NUMBERS), **setup.tags}
    return resume(begin(replace(setup, tags=tags)), None, rng)


def resume(
    position: EinmaleinsPosition, given: tuple[str, ...] | None, rng: Random
) -> EinmaleinsDeal:
    """Return a deal at this position; hidden cards are dealt by chance.

    `given` is the hand of the player to move, None if it is hidden too. The hands agree with what
    their players could not lay.
    """
    known = {*(given or ()), "" if position.open.free else str(position.open.number)}
    under = [
        card for card in _NUMBERS if position.piles.numbers >> int(card) & 1 and card not in known
    ]
    known.update(under)
    pile = [card for card in _NUMBERS if card not in known]
    # a record can claim more free cards than there are
    free = max(0, position.free - (given or ()).count(FREE) - position.open.free)
    laid_free = min(position.piles.frees, free)
    under += [FREE] * laid_free
    pile += [FREE] * (free - laid_free)
    sizes = [
        0 if given is not None and seat == position.seat else size
        for seat, size in enumerate(position.hands)
    ]
    if len(pile) < sum(sizes) + (position.piles.draw_pile > 0):
        # only a corrected record can claim so many known cards: the claim is ignored
        pile, under = pile + under, []
    rng.shuffle(pile)
    hands: list[tuple[str, ...]] = []
    for seat, size in enumerate(sizes):
        lacking = position.lacking[seat] if position.lacking and size else (0,) * size
        # the cards that lack most are dealt first, while there are most to choose from
        lacks = sorted(lacking, key=int.bit_count, reverse=True)
        hands.append(tuple([_draw(pile, factors) for factors in lacks]))
    if given is not None:
        hands[position.seat] = given
    return EinmaleinsDeal(position, hands, pile, under, rng.getrandbits(32))


def _draw(pile: list[str], lacking: int = 0) -> str:
    """Draw the top card of the pile that lacks these factors, the top one if none does."""
    if not pile:  # only a corrected record can claim more cards than there are
        pile.extend(_NUMBERS)
    if lacking:
        for place in range(len(pile) - 1, -1, -1):
            if not _FITTING[pile[place]] & lacking:
                return pile.pop(place)
    return pile.pop()
