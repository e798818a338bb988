"""The words of Einmaleins: moves and positions, read from and written as a record has them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from engines.einmaleins.cards import FREE, PAIRS, OpenCard, Pair, read_unannounced
from engines.game import Move, Player
from engines.notation import QUOTED, Fault, number, position_parts, read_digits

_NUMBER = "(?:0|[1-9][0-9]*)"
_LAYING = re.compile(rf"(\*?)({_NUMBER})=({_NUMBER})x({_NUMBER})")


@dataclass(frozen=True, slots=True)
class Lay(Move):
    """A card is laid with its factors in the order announced; `free`: a free card."""

    number: int
    factors: Pair
    free: bool = False

    @property
    def pair(self) -> Pair:
        """The announced factors, the smaller one first."""
        a, b = self.factors
        return (a, b) if a <= b else (b, a)


@dataclass(frozen=True, slots=True)
class Draw(Move):
    """The player lays nothing and draws a card."""


EinmaleinsMove = Lay | Draw
DRAW = Draw("d")


def read_laying(token: str) -> Lay | None:
    """Read `24=4x6` or `*24=4x6`; None for any other token."""
    match = _LAYING.fullmatch(token)
    if match is None:
        return None
    star, *numbers = match.groups()
    product, a, b = map(read_digits, numbers)
    return Lay(token, product, (a, b), free=bool(star))


@cache
def layings(card: str, factors: tuple[int, ...]) -> tuple[Lay, ...]:
    """Return the ways to lay this card on these factors; Fault for an unknown card."""
    free = card == FREE
    value = number(card, max(PAIRS))
    if not free and value not in PAIRS:
        raise Fault("no-card", card=card[:QUOTED])
    mark = FREE if free else ""
    # a free card has no number (value is None): it is laid as any product
    return tuple(
        Lay(f"{mark}{product}={a}x{b}", product, (a, b), free)
        for product in (PAIRS if value is None else (value,))
        for a, b in PAIRS[product]
        if a in factors or b in factors
    )


@dataclass(frozen=True, slots=True)
class Layout:
    """The number of cards in hand by seat, and the open card, or None if it is not named."""

    hands: tuple[int, ...]
    open: OpenCard | None


def read_layout(text: str, players: Sequence[Player], free: int) -> Layout:
    """Read "yellow 5; red 3; open 24=4x6"; Fault if it is impossible.

    Every colour in play must be named, because a hand cannot be guessed. `free` is the number
    of free cards in the deck.
    """
    deck = len(PAIRS) + free
    colours = [player.colour for player in players]
    counts: dict[str, int] = {}
    card = None
    for word, items in position_parts(text, [*colours, "open"]):
        if len(items) != 1:
            raise Fault("one-item", word=word, items=len(items))
        if word == "open":
            card = _read_open(items[0], free)
            continue
        count = number(items[0], deck)
        if count is None:
            raise Fault("no-cards", item=items[0][:QUOTED], most=deck)
        counts[word] = count
    missing = ", ".join(colour for colour in colours if colour not in counts)
    if missing:
        raise Fault("hand-missing", colours=missing)
    hands = tuple(counts[colour] for colour in colours)
    if sum(hands) >= deck:
        raise Fault("more-than-deck", most=deck)
    if hands.count(0) > 1:  # the first player without cards ends the game
        raise Fault("two-out")
    return Layout(hands, card)


def _read_open(word: str, free: int) -> OpenCard:
    """Read `24=4x6`, `*24=4x6`, or `24` for a card that nobody announced."""
    card = read_unannounced(word)
    if card is not None:
        return card
    laid = read_laying(word)
    # a product must have these factors; a deck without free cards cannot show one
    if laid and laid.pair in PAIRS.get(laid.number, ()) and (free or not laid.free):
        return OpenCard(laid.number, laid.pair, laid.free)
    raise Fault("no-open-card", item=word[:QUOTED])


def describe_layout(hands: Sequence[int], card: OpenCard, players: Sequence[Player]) -> str:
    """Write hands and open card in the words of `Position`."""
    parts = [f"{player.colour} {hand}" for player, hand in zip(players, hands, strict=True)]
    return "; ".join([*parts, f"open {card.words()}"])
