"""The words of Just 4 Fun: moves and positions, read from and written as a record has them."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from engines.game import Move, Player, Refusal
from engines.just4fun.board import (
    DECK,
    FIELDS,
    HAND,
    STONES,
    Counts,
    Hand,
    Stones,
    marks_of,
    pack_cards,
    standing,
)
from engines.notation import QUOTED, TOO_LARGE, Fault, number, position_parts, read_digits

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
    """Return the sums of four cards; Fault if they cannot be a hand."""
    return _sums(tuple(sorted(hand)))


@lru_cache(maxsize=8192)
def _sums(hand: Hand) -> Sums:
    exchange = card_move(hand, exchange=True)
    if len(hand) != HAND:
        raise Fault("hand-of-four", n=len(hand))
    if exchange.fault is not None:
        raise exchange.fault.as_fault()
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


def read_hand(text: str) -> Hand:
    """Read a hand written as "3,5,11,13"; Fault if it cannot be a hand."""
    cards: list[int] = []
    for word in text.split(","):
        card = number(word.strip(), TOO_LARGE)
        if card is None:
            raise Fault("no-card", card=word.strip()[:QUOTED])
        cards.append(card)
    sums_of(cards)  # only to raise its fault
    return tuple(cards)


@dataclass(frozen=True, slots=True)
class Layout:
    """Where stones are: on the board and still in hand, by seat.

    `fields` are the fields with stones, in any order.
    """

    counts: Counts
    stones_left: tuple[int, ...]
    fields: tuple[int, ...] = ()


def empty_layout(players: int) -> Layout:
    """Return the layout at the start of a game."""
    return Layout(((0,) * players,) * (FIELDS + 1), (STONES,) * players)


def read_layout(text: str, players: Sequence[Player]) -> Layout:
    """Read the words of a `Position`; Fault if a player would have more stones than there are.

    Stones taken off a secured field are out of the game: they count among the twenty and do not
    return to the hand.
    """
    by_field: dict[int, list[int]] = {}
    stones_left = [STONES] * len(players)
    colours = [player.colour for player in players]
    for colour, items in position_parts(text, colours):
        seat = colours.index(colour)
        in_hand = None  # the words need not say how many stones are left
        placed = 0
        for item in items:
            if item.startswith("left="):
                if in_hand is not None:
                    raise Fault("left-twice", colour=colour)
                in_hand = number(item.removeprefix("left="), STONES)
                if in_hand is None:
                    raise Fault("no-stones-left", item=item[:QUOTED], most=STONES)
                continue
            name, cross, times = item.partition("x")
            field = number(name, FIELDS)
            stones = number(times, STONES) if cross else 1
            if not field or not stones:
                raise Fault("no-stones", item=item[:QUOTED], fields=FIELDS, most=STONES)
            stones_by_seat = by_field.setdefault(field, [0] * len(players))
            if stones_by_seat[seat]:
                raise Fault("field-twice", colour=colour, field=field)
            stones_by_seat[seat] = stones
            placed += stones
        if placed + (in_hand or 0) > STONES:
            stones = placed + (in_hand or 0)
            raise Fault("too-many-stones", colour=colour, stones=stones, most=STONES)
        stones_left[seat] = STONES - placed if in_hand is None else in_hand
    counts: list[Stones] = [(0,) * len(players)] * (FIELDS + 1)
    for field, stones_by_seat in by_field.items():
        # on a secured field the words may name stones that leave the game
        counts[field] = standing(tuple(stones_by_seat)).stones
    return Layout(tuple(counts), tuple(stones_left), tuple(by_field))


def describe_layout(layout: Layout, players: Sequence[Player]) -> str:
    """Write a layout in the words of `Position`; a player with all stones in hand is left out."""
    parts: list[str] = []
    for seat, player in enumerate(players):
        stones = {
            field: stones_by_seat[seat]
            for field, stones_by_seat in enumerate(layout.counts)
            if stones_by_seat[seat]
        }
        words = [f"{field}x{count}" for field, count in stones.items()]
        left = layout.stones_left[seat]
        # unless stones have left the game, the reader can work out how many are in hand
        if left != STONES - sum(stones.values()):
            words.insert(0, f"left={left}")
        if words:
            parts.append(" ".join([player.colour, *words]))
    return "; ".join(parts)
