"""The cards of Einmaleins: their numbers and factors, the open card, the piles, their notation."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from engines.game import Event, Player
from engines.notation import number, position_parts

FREE = "*"
"""How a free card is written, in a hand and before the number it is laid as."""

Pair = tuple[int, int]


def _pairs() -> dict[int, tuple[Pair, ...]]:
    """Return every product of the table of 1 to 10 with its factors, the smaller one first."""
    found: dict[int, list[Pair]] = {}
    for a in range(1, 11):
        for b in range(a, 11):
            found.setdefault(a * b, []).append((a, b))
    return {product: tuple(found[product]) for product in sorted(found)}


PAIRS: Mapping[int, tuple[Pair, ...]] = _pairs()
"""The number cards, one of each, ascending, and the ways to announce them."""
SQUARES = frozenset(factor * factor for factor in range(1, 11))
_TOO_LARGE = 100_000

_NUMBER = "(?:0|[1-9][0-9]*)"
LAYING = re.compile(rf"(\*?)({_NUMBER})=({_NUMBER})x({_NUMBER})")


@dataclass(frozen=True, slots=True)
class OpenCard:
    """The card on top: its number, how it was announced, whether a free card stands for it.

    `pair` is None for a card that nobody announced: any of its factors matches then (ruling).
    """

    number: int
    pair: Pair | None
    free: bool = False

    @property
    def factors(self) -> tuple[int, ...]:
        """The factors that match, each once, ascending."""
        return _factors(PAIRS[self.number] if self.pair is None else (self.pair,))

    def words(self) -> str:
        """Return the card as a `Position` names it."""
        announced = "" if self.pair is None else "={}x{}".format(*self.pair)
        return f"{FREE if self.free else ''}{self.number}{announced}"


@dataclass(frozen=True, slots=True)
class Cards:
    """Where the cards are: counts, and which lie face up under the open card.

    `pile` is the draw pile, `under` all cards under the open one, `numbers` the bit set of
    number cards among them (bit n is card n), `frees` how many of them are free cards.
    """

    pile: int
    under: int = 0
    numbers: int = 0
    frees: int = 0

    def covering(self, card: OpenCard) -> "Cards":
        """Return the cards after this open card was laid upon."""
        if card.free:
            return Cards(self.pile, self.under + 1, self.numbers, self.frees + 1)
        return Cards(self.pile, self.under + 1, self.numbers | 1 << card.number, self.frees)

    def drawn(self) -> "Cards":
        return Cards(self.pile - 1, self.under, self.numbers, self.frees)

    def reshuffled(self, events: list[Event]) -> "Cards":
        """Return the cards, shuffled anew and told so where the draw pile has run out."""
        if self.pile or not self.under:
            return self
        events.append(Event("reshuffle", {}))
        return Cards(self.under)


@cache
def _factors(pairs: tuple[Pair, ...]) -> tuple[int, ...]:
    return tuple(sorted({factor for pair in pairs for factor in pair}))


def whole(digits: str) -> int:
    """Read digits; a text too long to be any card counts as _TOO_LARGE."""
    return int(digits) if len(digits) < len(str(_TOO_LARGE)) else _TOO_LARGE


def read_position(
    text: str, players: tuple[Player, ...], free: int
) -> tuple[tuple[int, ...], OpenCard | None]:
    """Read "yellow 5; red 3; open 24=4x6": cards in hand by seat, and the open card if named.

    Every colour in play must be named, because a hand cannot be guessed. ValueError, with one
    sentence, where it is impossible; `free` is the number of free cards in the deck.
    """
    deck = len(PAIRS) + free
    found: dict[str, int] = {}
    card = None
    for word, items in position_parts(text, [*(player.colour for player in players), "open"]):
        if len(items) != 1:
            raise ValueError(f"{word} needs one item, not {len(items)}")
        if word == "open":
            card = _read_open(items[0], free)
            continue
        count = number(items[0], deck)
        if count is None:
            raise ValueError(f"{items[0][:40]!r} is no number of cards from 0 to {deck}")
        found[word] = count
    missing = [player.colour for player in players if player.colour not in found]
    if missing:
        raise ValueError(f"the cards of {', '.join(missing)} are not named")
    hands = tuple(found[player.colour] for player in players)
    if sum(hands) >= deck:
        raise ValueError(f"the deck has only {deck} cards, the open one among them")
    if hands.count(0) > 1:
        raise ValueError("only one player can have laid the last card")
    return hands, card


def unannounced(word: str) -> OpenCard | None:
    """Read a number as a card that nobody announced; None where no card has it."""
    value = number(word, max(PAIRS))
    return None if value is None or value not in PAIRS else OpenCard(value, None)


def _read_open(word: str, free: int) -> OpenCard:
    """Read `24=4x6`, `*24=4x6`, or `24` for a card that nobody announced."""
    card = unannounced(word)
    if card is not None:
        return card
    found = LAYING.fullmatch(word)
    if found is not None:
        value, a, b = (whole(found[group]) for group in (2, 3, 4))
        pair = (min(a, b), max(a, b))
        if pair in PAIRS.get(value, ()) and (free or not found[1]):
            return OpenCard(value, pair, bool(found[1]))
    raise ValueError(f"{word[:40]!r} cannot be the open card")
