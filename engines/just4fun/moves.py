"""The moves of Just 4 Fun: their tokens, the faults of cards, and the sums of a hand."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from engines.game import GivenError, Move, Refusal
from engines.just4fun.board import FIELDS
from engines.just4fun.cards import DECK, HAND, Hand, marks_of, pack_cards
from engines.notation import QUOTED, TOO_LARGE, number, read_digits

_CARDS = re.compile(r"(x?)((?:0|[1-9][0-9]*)(?:\+(?:0|[1-9][0-9]*))*)")


@dataclass(frozen=True, slots=True)
class CardMove(Move):
    """Cards that are played, or shown and exchanged.

    `total` is their sum and `bit` the field's bit, 0 if there is no such field; `packed` and
    `marks` are the cards as `Piles` takes them. `fault` is why these cards are illegal on every
    board, or None.
    """

    cards: tuple[int, ...]
    exchange: bool
    fault: Refusal | None
    total: int
    bit: int = 0
    packed: int = 0
    marks: int = 0


@dataclass(frozen=True, slots=True)
class Sum:
    """One sum of a hand: its move, and why it is illegal (None: it is legal)."""

    move: CardMove
    refusal: Refusal | None


def read_cards(token: str) -> CardMove | None:
    """Read `5+11+13` or `x3+9+9+12`; None for any other token."""
    match = _CARDS.fullmatch(token)
    if match is None:
        return None
    cards = tuple(map(read_digits, match[2].split("+")))
    exchange = bool(match[1])
    # tokens and numbers of any length end here, so that the cache of `card_move` stays small
    fault = _wrong_count(token, len(cards), exchange=exchange)
    if fault is None and TOO_LARGE in cards:
        fault = Refusal("unknown-card", token, {"card": max(cards)})
    if fault is not None:
        return CardMove(token, cards, exchange, fault, sum(cards))
    return card_move(cards, exchange=exchange)


@lru_cache(maxsize=8192)
def card_move(cards: tuple[int, ...], *, exchange: bool = False) -> CardMove:
    """Make the move of these cards, legal or not."""
    token = ("x" if exchange else "") + "+".join(map(str, cards))
    fault = _fault(token, cards, exchange=exchange)
    total = sum(cards)
    if fault is not None:
        return CardMove(token, cards, exchange, fault, total)
    bit = 0 if exchange else 1 << total
    return CardMove(token, cards, exchange, None, total, bit, pack_cards(cards), marks_of(cards))


def _wrong_count(token: str, count: int, *, exchange: bool) -> Refusal | None:
    if exchange and count != HAND:
        return Refusal("exchange-needs-four", token, {"cards": count})
    if count > HAND:
        return Refusal("too-many-cards", token, {"cards": count})
    return None


def _fault(token: str, cards: tuple[int, ...], *, exchange: bool) -> Refusal | None:
    """Return the first violation of these cards on any board, in the documented order."""
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
    """The moves of a hand: one for each distinct sum, ascending.

    `all` has every sum; `moves` only those that name a field, and `fields` is the bit set of
    these fields. `exchange` exchanges the whole hand.
    """

    all: tuple[CardMove, ...]
    moves: tuple[CardMove, ...]
    fields: int
    exchange: CardMove


def sums_of(hand: Iterable[int]) -> Sums:
    """Return the sums of four cards; GivenError if they cannot be a hand."""
    return _sums(tuple(sorted(hand)))


@lru_cache(maxsize=8192)
def _sums(hand: Hand) -> Sums:
    exchange = card_move(hand, exchange=True)
    if exchange.fault is not None:
        fault = exchange.fault
        sentence = _IMPOSSIBLE[fault.code].format(**fault.facts)
        raise GivenError(sentence, fault.code, **fault.facts)
    by_total: dict[int, CardMove] = {}
    for cards in _combinations(hand):
        total = sum(cards)
        if total not in by_total:
            by_total[total] = card_move(cards)
    every = tuple(by_total[total] for total in sorted(by_total))
    moves = tuple(move for move in every if move.fault is None)
    # as no two moves share a bit, their sum is the set of all
    return Sums(every, moves, sum(move.bit for move in moves), exchange)


def combinations_of(hand: Iterable[int]) -> list[CardMove]:
    """Return every different choice of these cards, by sum, whether or not anybody can hold them.

    Choices with the same sum begin with the fewest cards, then the smallest.
    """
    choices = dict.fromkeys(_combinations(tuple(sorted(hand))))
    return [card_move(cards) for cards in sorted(choices, key=sum)]


def _combinations(hand: Hand) -> Iterator[tuple[int, ...]]:
    """Yield every choice of cards of a sorted hand, the fewest cards first, then the smallest."""
    for count in range(1, HAND + 1):
        yield from combinations(hand, count)


_IMPOSSIBLE = {
    "exchange-needs-four": "a hand has four cards, not {cards}",
    "unknown-card": "no card of the deck has the value {card}",
    "more-than-deck": "the deck has only {copies} of the card {card}",
}


def read_hand(text: str) -> Hand:
    """Read a hand written as "3,5,11,13"; GivenError if it cannot be a hand."""
    cards: list[int] = []
    for word in text.split(","):
        card = number(word.strip(), TOO_LARGE)
        if card is None:
            reason = f"{word.strip()[:QUOTED]!r} in the hand is no card"
            raise GivenError(reason, "no-card", card=word.strip()[:QUOTED])
        cards.append(card)
    sums_of(cards)  # only to raise its error
    return tuple(cards)
