"""The reasons for a move in Just 4 Fun: facts of the positions before and after it."""

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

from ai.api import Reason
from engines.just4fun.board import Hand
from engines.just4fun.notation import CardMove
from engines.just4fun.rules import Just4Fun


def fields_in(bits: int) -> list[int]:
    """Return the fields of a set, ascending."""
    return [field for field in range(bits.bit_length()) if bits >> field & 1]


def closing(position: Just4Fun, seat: int) -> Mapping[int, list[int]]:
    """Return the fields where one stone completes a row for a seat, each with such a row."""
    fields: dict[int, list[int]] = {}
    if not position.stones_left[seat]:
        return fields
    owned = position.owned[seat]
    for row in position.terms.board.row_sets:
        missing = row & ~owned
        if missing.bit_count() == 1:
            field = missing.bit_length() - 1
            stones = position.counts[field]
            rival_stones = max(count for other, count in enumerate(stones) if other != seat)
            barred = position.barred[seat] >> field & 1
            # a field belongs to the player who alone has the most stones there
            if not barred and stones[seat] + 1 > rival_stones:
                fields.setdefault(field, fields_in(row))
    return fields


def open_rows(position: Just4Fun, seat: int) -> int:
    """Return how many rows a seat can still complete of which it owns two fields or more."""
    # the seat may not place a stone on a barred field and never gets it
    out_of_reach = position.barred[seat] & ~position.owned[seat]
    return sum(
        not row & out_of_reach and (row & position.owned[seat]).bit_count() >= 2
        for row in position.terms.board.row_sets
    )


def reasons(position: Just4Fun, move: CardMove, given: Hand) -> list[Reason]:
    """Return the reasons for a legal move, the most important first."""
    if move.exchange:
        return []
    after, events = position.play(move)
    return list(_reasons(position, after, move, given, {event.code for event in events}))


def _reasons(
    before: Just4Fun, after: Just4Fun, move: CardMove, hand: Hand, codes: set[str]
) -> Iterator[Reason]:
    seat, field = before.seat, move.total
    name = before.players[seat].name
    if after.result is not None and name in after.result.winners:
        if after.result.reason == "row":
            yield "wins-row", {"row": after.result.facts["rows"][0]}
        else:
            yield "wins-points", {"points": after.result.facts["points"][name]}
        return
    for other, player in enumerate(before.players):
        if other != seat:
            remaining = closing(after, other)
            for place, row in closing(before, other).items():
                if place not in remaining:
                    yield "stops-row", {"player": player.name, "field": place, "row": row}
    old_fields, new_fields = closing(before, seat), closing(after, seat)
    if len(new_fields) >= 2 > len(old_fields):
        yield "two-ways", {"fields": sorted(new_fields)}
    for place in sorted(new_fields.keys() - old_fields.keys()):
        yield "makes-three", {"row": new_fields[place], "field": place}
    yield from _field_reasons(before, after, field, codes)
    yield from _kept_cards(hand, move, new_fields)


def _field_reasons(
    before: Just4Fun, after: Just4Fun, field: int, codes: set[str]
) -> Iterator[Reason]:
    seat = before.seat
    for other, player in enumerate(before.players):
        if other != seat and open_rows(after, other) < open_rows(before, other):
            yield "hinders", {"player": player.name, "field": field}
    if "secured" in codes:
        yield "secures", {"field": field}
    old_owner, new_owner = before.owner(field), after.owner(field)
    mover = before.players[seat]
    if new_owner == mover and old_owner != mover:
        yield "takes-lead", {"field": field}
    if old_owner is not None and old_owner != mover and new_owner is None:
        yield "ties", {"field": field, "player": old_owner.name}


def _kept_cards(hand: Hand, move: CardMove, closing_fields: Mapping[int, Any]) -> Iterator[Reason]:
    """Yield a reason if remaining cards can complete a row next time.

    `closing_fields` are the fields where one stone completes a row, as keys.
    """
    rest = list(hand)
    for card in move.cards:
        rest.remove(card)
    for count in range(1, len(rest) + 1):
        for cards in combinations(sorted(rest), count):
            if sum(cards) in closing_fields:
                yield "keeps-card", {"cards": list(cards), "field": sum(cards)}
                return
