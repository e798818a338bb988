"""Stones on the board of Just 4 Fun: who leads on a field, and positions as words."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from engines.game import Player
from engines.just4fun.board import FIELDS, Board
from engines.notation import QUOTED, ImpossibleError, number, position_parts

STONES = 20
"""Stones of each player (printed list of what is in the box)."""
LEAD = 2
"""Printed, "Zwei Steine Vorsprung schaffen Sicherheit": the lead that secures a field."""

Stones = tuple[int, ...]
"""The stones of each seat on one field."""
Counts = tuple[Stones, ...]
"""counts[field][seat]; counts[0] is unused."""


class Standing(NamedTuple):
    """The result of comparing the stones on one field.

    `stones` are those that stay; `owner` is the seat with the majority, or None; `secured` is
    set if its lead over everybody is LEAD; `barred` are the seats that may not place here.
    """

    stones: Stones
    owner: int | None
    secured: bool
    barred: tuple[int, ...]


@lru_cache(maxsize=4096)
def standing(stones: Stones) -> Standing:
    """Judge one field by its stones, one number a seat.

    Printed rules, "Spielende": the majority is at least one stone more than each other has.
    "Zwei Steine Vorsprung schaffen Sicherheit": nobody may place where another has at least
    two stones more than he has; and as soon as somebody has two more than every other, the
    field is his to the end, and all other stones there leave the game.
    """
    most, second = sorted(stones, reverse=True)[:2]
    secured = most - second >= LEAD
    return Standing(
        stones=tuple(n if n == most else 0 for n in stones) if secured else stones,
        owner=stones.index(most) if most > second else None,
        secured=secured,
        # stones that are about to leave count too, and their owner is barred either way
        barred=tuple(seat for seat, n in enumerate(stones) if most - n >= LEAD),
    )


@dataclass(frozen=True, slots=True)
class Layout:
    """A possible position: the stones on the board and those still in hand, by seat.

    `fields` are the fields with stones, in any order.
    """

    counts: Counts
    stones_left: tuple[int, ...]
    fields: tuple[int, ...] = ()


def empty_layout(players: int) -> Layout:
    """Return the layout at the start of a game."""
    return Layout(((0,) * players,) * (FIELDS + 1), (STONES,) * players)


class Sets(NamedTuple):
    """Two sets of fields for each seat: those that it owns, and those where it may not place."""

    owned: tuple[int, ...]
    barred: tuple[int, ...]


def sets_of(layout: Layout, *, secured_closed: bool = False) -> Sets:
    """Return by seat the fields that it owns and where it is barred; bit n is field n.

    With `secured_closed` (a house rule) a secured field is barred to its owner too.
    """
    players = len(layout.stones_left)
    owned, barred = [0] * players, [0] * players
    for field in layout.fields:
        bit, judged = 1 << field, standing(layout.counts[field])
        if judged.owner is not None:
            owned[judged.owner] |= bit
        closed = secured_closed and judged.secured
        for seat in range(players) if closed else judged.barred:
            barred[seat] |= bit
    return Sets(tuple(owned), tuple(barred))


def rows_of(owned: Sequence[int], board: Board) -> tuple[int, list[list[int]]] | None:
    """Return the seat that has rows of four, and all its rows; None if nobody has one.

    `owned` are the sets of fields that the seats own. ImpossibleError if two players have rows,
    which no game reaches.
    """
    complete = None
    for seat, fields in enumerate(owned):
        rows = board.complete(fields)
        if rows and complete:
            raise ImpossibleError("two-rows", "two players have a row of four")
        if rows:
            complete = (seat, rows)
    return complete


def read_layout(text: str, players: Sequence[Player], board: Board) -> Layout:
    """Read the words of a `Position`; ImpossibleError if it is impossible.

    Stones taken off a secured field are out of the game: they count among the twenty and do not
    return to the hand.
    """
    empty: Stones = (0,) * len(players)
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
                    raise ImpossibleError("left-twice", "{colour} has left= twice", colour=colour)
                in_hand = _read_left(item)
                continue
            field, stones = _read_stones(item)
            stones_by_seat = by_field.setdefault(field, list(empty))
            if stones_by_seat[seat]:
                raise ImpossibleError(
                    "field-twice",
                    "{colour} names the field {field} twice",
                    colour=colour,
                    field=field,
                )
            stones_by_seat[seat] = stones
            placed += stones
        if placed + (in_hand or 0) > STONES:
            raise ImpossibleError(
                "too-many-stones",
                "{colour} would have {stones} stones, there are {most}",
                colour=colour,
                stones=placed + (in_hand or 0),
                most=STONES,
            )
        stones_left[seat] = STONES - placed if in_hand is None else in_hand
    counts: list[Stones] = [empty] * (FIELDS + 1)
    for field, stones_by_seat in by_field.items():
        # on a secured field the words may name stones that leave the game
        counts[field] = standing(tuple(stones_by_seat)).stones
    layout = Layout(tuple(counts), tuple(stones_left), tuple(by_field))
    rows_of(sets_of(layout).owned, board)  # only to raise its error
    return layout


def _read_left(item: str) -> int:
    stones = number(item.removeprefix("left="), STONES)
    if stones is None:
        raise ImpossibleError(
            "no-stones-left",
            "{item!r} is no number of stones from 0 to {most}",
            item=item[:QUOTED],
            most=STONES,
        )
    return stones


def _read_stones(item: str) -> tuple[int, int]:
    name, cross, times = item.partition("x")
    field = number(name, FIELDS)
    stones = number(times, STONES) if cross else 1
    if not field or not stones:
        raise ImpossibleError(
            "no-stones",
            "{item!r} names no stones on a field from 1 to {fields}, at most {most}, as 23x3 does",
            item=item[:QUOTED],
            fields=FIELDS,
            most=STONES,
        )
    return field, stones


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
