"""Stones on the board of Just 4 Fun: who owns what, positions in words, and the settling."""

from collections.abc import Sequence
from dataclasses import dataclass

from engines.game import Facts, Player, Result
from engines.just4fun_board import FIELDS, Board
from engines.notation import number, position_parts

STONES = 20
LEAD = 2
"""printed rule: two stones more than any other make a field safe."""

Counts = tuple[tuple[int, ...], ...]
"""counts[field][seat]: the stones of each seat on each field; counts[0] is unused."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A table that is possible: the stones on the board and those still in hand, by seat."""

    counts: Counts
    stones_left: tuple[int, ...]


def empty_layout(players: int) -> Layout:
    """Return the table at the start of a game."""
    return Layout(((0,) * players,) * (FIELDS + 1), (STONES,) * players)


def owner_of(here: Sequence[int]) -> int | None:
    """Return the seat that has more stones on a field than any other, or None."""
    most = max(here)
    return here.index(most) if most and here.count(most) == 1 else None


def is_secured(here: Sequence[int]) -> bool:
    """Tell whether one seat leads by two over every other."""
    ranked = sorted(here)
    return ranked[-1] - ranked[-2] >= LEAD


def owned_by(counts: Counts, seat: int) -> int:
    """Return the set of fields on which the seat has the majority."""
    return sum(1 << field for field, here in enumerate(counts) if owner_of(here) == seat)


def shut_for(counts: Counts, seat: int, *, secured_closed: bool) -> int:
    """Return the set of fields on which the seat may not place."""
    return sum(
        1 << field
        for field, here in enumerate(counts)
        if max(here) - here[seat] >= LEAD or (secured_closed and is_secured(here))
    )


def rows_of(counts: Counts, board: Board) -> tuple[int, list[list[int]]] | None:
    """Return the seat that has rows of four, with all of them; None where nobody has one.

    ValueError where two players have rows: no game comes to that.
    """
    found = None
    for seat in range(len(counts[0])):
        rows = board.complete(owned_by(counts, seat))
        if rows and found:
            raise ValueError("two players have a row of four")
        if rows:
            found = (seat, rows)
    return found


def read_layout(text: str, players: Sequence[Player], board: Board) -> Layout:
    """Read the words of a `Position`; ValueError with one sentence where it is impossible."""
    counts = [[0] * len(players) for _ in range(FIELDS + 1)]
    in_hand: list[int | None] = [None] * len(players)
    colours = [player.colour for player in players]
    for colour, items in position_parts(text, colours):
        seat = colours.index(colour)
        for item in items:
            if item.startswith("left="):
                if in_hand[seat] is not None:
                    raise ValueError(f"{colour} has left= twice")
                in_hand[seat] = _left(item)
                continue
            field, stones = _stones(item)
            if counts[field][seat]:
                raise ValueError(f"{colour} names the field {field} twice")
            counts[field][seat] = stones
    # what a secured field takes off goes first: only then are the stones counted
    cleared = tuple(_cleared(here) for here in counts)
    rows_of(cleared, board)
    return Layout(cleared, _stones_left(cleared, in_hand, colours))


def _stones_left(
    counts: Counts, in_hand: Sequence[int | None], colours: Sequence[str]
) -> tuple[int, ...]:
    """Return the stones in hand by seat: as named, else all that are not on the board."""
    left = []
    for seat, named in enumerate(in_hand):
        placed = sum(here[seat] for here in counts)
        if placed + (named or 0) > STONES:
            raise ValueError(f"{colours[seat]} has more than {STONES} stones")
        left.append(STONES - placed if named is None else named)
    return tuple(left)


def _left(item: str) -> int:
    stones = number(item.removeprefix("left="), STONES)
    if stones is None:
        raise ValueError(f"{item[:20]!r} is no number of stones from 0 to {STONES}")
    return stones


def _stones(item: str) -> tuple[int, int]:
    name, cross, times = item.partition("x")
    field = number(name, FIELDS)
    stones = number(times, STONES) if cross else 1
    if not field or not stones:
        raise ValueError(f"{item[:20]!r} names no stones on a field")
    return field, stones


def _cleared(here: list[int]) -> tuple[int, ...]:
    """Take the others' stones off a field that is secured."""
    if not is_secured(here):
        return tuple(here)
    most = max(here)
    return tuple(stones if stones == most else 0 for stones in here)


def describe_layout(layout: Layout, players: Sequence[Player]) -> str:
    """Write a table in the words of `Position`; who has all stones in hand is left out."""
    parts = []
    for seat, player in enumerate(players):
        stones = {field: here[seat] for field, here in enumerate(layout.counts) if here[seat]}
        words = [f"{field}x{count}" for field, count in stones.items()]
        left = layout.stones_left[seat]
        if left != STONES - sum(stones.values()):
            words.insert(0, f"left={left}")
        if words:
            parts.append(" ".join([player.colour, *words]))
    return "; ".join(parts)


@dataclass(frozen=True, slots=True)
class FieldScore:
    """How one field is settled: stones and those to be removed by seat; who counts it.

    `owner` is None where nobody has the majority; then every stone goes.
    """

    field: int
    stones: tuple[int, ...]
    removed: tuple[int, ...]
    owner: int | None


def settle(counts: Counts) -> tuple[FieldScore, ...]:
    """Settle every field that has stones, ascending.

    Printed rule: the minority goes first, then a field with a tie is cleared altogether.
    """
    fields = []
    for field, here in enumerate(counts):
        if any(here):
            owner = owner_of(here)
            removed = tuple(0 if seat == owner else stones for seat, stones in enumerate(here))
            fields.append(FieldScore(field, here, removed, owner))
    return tuple(fields)


def points_facts(counts: Counts, players: Sequence[Player]) -> Facts:
    """Return `points` and `fields` as a result tells them, by player's name."""
    fields: dict[str, list[int]] = {player.name: [] for player in players}
    for score in settle(counts):
        if score.owner is not None:
            fields[players[score.owner].name].append(score.field)
    return {"points": {name: sum(owned) for name, owned in fields.items()}, "fields": fields}


def points_result(counts: Counts, players: Sequence[Player]) -> Result:
    """Say who wins by points; equal sums: who of them owns the highest field (printed rule)."""
    facts = points_facts(counts, players)
    points, fields = facts["points"], facts["fields"]
    most = max(points.values())
    if most == 0:
        return Result((), "draw", facts)
    best = [name for name in points if points[name] == most]
    if len(best) == 1:
        return Result((best[0],), "points", facts)
    return Result((max(best, key=lambda name: fields[name][-1]),), "highest-field", facts)
