"""The cards of Just 4 Fun: the deck, moves made of cards, and the sums of a hand."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from engines.game import GivenError, Move, Refusal
from engines.just4fun_board import FIELDS
from engines.notation import number

# printed rule: four each of 1-12, one each of 13-19
DECK = {**dict.fromkeys(range(1, 13), 4), **dict.fromkeys(range(13, 20), 1)}
DECK_SIZE = sum(DECK.values())
HAND = 4

Hand = tuple[int, ...]
"""The values of the four cards in a hand, in any order."""

# A pile of cards is one int with eight bits a value: how many copies lie in it. A pile never
# holds more than the 55 cards of the deck (and a move at most four more), so no count spills.
_WIDTH = 8
# Added to a pile it lifts each count that is more than the deck's to 128 or above.
LIFT = sum((127 - copies) << (_WIDTH * card) for card, copies in DECK.items())

_CARDS = re.compile(r"(x?)((?:0|[1-9][0-9]*)(?:\+(?:0|[1-9][0-9]*))*)")
_LONGEST_CARD = 6
"""Digits; a longer number is refused without ever becoming an int."""


def count_in(pile: int, card: int) -> int:
    """Return how many copies of a card lie in a pile."""
    return pile >> (_WIDTH * card) & 255


@dataclass(frozen=True, slots=True)
class CardMove(Move):
    """Cards that are played, or shown and exchanged.

    `total` is their sum and `bit` the field's bit, 0 where there is no such field; `pile` the
    cards as a pile and `marks` the bits that LIFT raises for them. `fault` is what is wrong
    with the cards wherever they are played.
    """

    cards: tuple[int, ...]
    exchange: bool
    fault: Refusal | None
    total: int
    bit: int
    pile: int
    marks: int


def read_cards(token: str) -> CardMove | None:
    """Read `5+11+13` or `x3+9+9+12`; None where it is no such token."""
    match = _CARDS.fullmatch(token)
    if match is None:
        return None
    words = match[2].split("+")
    if all(len(word) <= _LONGEST_CARD for word in words):
        return card_move(tuple(map(int, words)), exchange=bool(match[1]))
    fault = _wrong_count(token, len(words), exchange=bool(match[1]))
    if fault is None:
        longest = max(words, key=len)
        fault = Refusal("unknown-card", token, {"card": f"{longest[:_LONGEST_CARD]}..."})
    return CardMove(token, (), bool(match[1]), fault, 0, 0, 0, 0)


@lru_cache(maxsize=8192)
def card_move(cards: tuple[int, ...], *, exchange: bool = False) -> CardMove:
    """Make the move of these cards, legal or not."""
    token = ("x" if exchange else "") + "+".join(map(str, cards))
    fault = _fault(token, cards, exchange=exchange)
    if fault is not None:
        return CardMove(token, cards, exchange, fault, sum(cards), 0, 0, 0)
    pile = sum(1 << (_WIDTH * card) for card in cards)
    marks = sum(128 << (_WIDTH * card) for card in set(cards))
    bit = 0 if exchange else 1 << sum(cards)
    return CardMove(token, cards, exchange, None, sum(cards), bit, pile, marks)


def _wrong_count(token: str, count: int, *, exchange: bool) -> Refusal | None:
    if exchange and count != HAND:
        return Refusal("exchange-needs-four", token, {"cards": count})
    if count > HAND:
        return Refusal("too-many-cards", token, {"cards": count})
    return None


def _fault(token: str, cards: tuple[int, ...], *, exchange: bool) -> Refusal | None:
    """Return what is wrong with the cards on any board, in the documented order."""
    fault = _wrong_count(token, len(cards), exchange=exchange)
    if fault is not None:
        return fault
    for card in cards:
        if card not in DECK:
            return Refusal("unknown-card", token, {"card": card})
    for card, copies in sorted(Counter(cards).items()):
        if copies > DECK[card]:
            return Refusal("more-than-deck", token, {"card": card, "copies": DECK[card]})
    if sum(cards) > FIELDS and not exchange:
        return Refusal("sum-too-high", token, {"sum": sum(cards)})
    return None


@dataclass(frozen=True, slots=True)
class Sums:
    """What a hand can make: a move for each distinct sum, ascending.

    `fields` is the set of fields that the sums name, `moves` those that name one.
    """

    all: tuple[CardMove, ...]
    moves: tuple[CardMove, ...]
    fields: int
    exchange: CardMove


def sums_of(hand: Iterable[int]) -> Sums:
    """Return the sums of four cards; GivenError where nobody can hold these cards."""
    return _sums(tuple(sorted(hand)))


@lru_cache(maxsize=8192)
def _sums(hand: Hand) -> Sums:
    exchange = card_move(hand, exchange=True)
    if exchange.fault is not None:
        raise GivenError(_IMPOSSIBLE[exchange.fault.code].format(**exchange.fault.facts))
    found: dict[int, CardMove] = {}
    for count in range(1, HAND + 1):
        # combinations of sorted cards come in ascending order: the first is the smallest
        for cards in combinations(hand, count):
            total = sum(cards)
            if total not in found:
                found[total] = card_move(cards)
    every = tuple(found[total] for total in sorted(found))
    moves = tuple(move for move in every if move.fault is None)
    return Sums(every, moves, sum(move.bit for move in moves), exchange)


_IMPOSSIBLE = {
    "exchange-needs-four": "a hand has four cards, not {cards}",
    "unknown-card": "no card of the deck has the value {card}",
    "more-than-deck": "the deck has only {copies} of the card {card}",
}


def read_hand(text: str) -> Hand:
    """Read a hand written as "3,5,11,13"; GivenError where nobody can hold it."""
    cards = []
    for word in text.split(","):
        card = number(word.strip(), 10**_LONGEST_CARD)
        if card is None:
            raise GivenError(f"{word.strip()[:20]!r} in the hand is no card")
        cards.append(card)
    sums_of(cards)
    return tuple(cards)
