"""Settles the fields at the end of a game, and counts their points."""

from collections.abc import Sequence
from dataclasses import dataclass

from engines.game import Facts, Player, Result
from engines.just4fun.board import Counts, standing


@dataclass(frozen=True, slots=True)
class FieldScore:
    """How one field is settled at the end of a game.

    `stones` and `removed` are by seat: the stones on the field, and how many of them are taken
    away. `owner` is the seat that scores the field; None if nobody has the majority, and then
    every stone is removed.
    """

    field: int
    stones: tuple[int, ...]
    removed: tuple[int, ...]
    owner: int | None


def settle(counts: Counts) -> tuple[FieldScore, ...]:
    """Settle every field that has stones, ascending.

    Printed rule, "Spielende": the minority goes first, then a field with a tie is cleared
    altogether.
    """
    fields: list[FieldScore] = []
    for field, stones in enumerate(counts):
        if any(stones):
            owner = standing(stones).owner
            removed = tuple(0 if seat == owner else count for seat, count in enumerate(stones))
            fields.append(FieldScore(field, stones, removed, owner))
    return tuple(fields)


def points_facts(counts: Counts, players: Sequence[Player]) -> Facts:
    """Return `points` and `fields` of a result, by player's name."""
    fields: dict[str, list[int]] = {player.name: [] for player in players}
    for score in settle(counts):
        if score.owner is not None:
            fields[players[score.owner].name].append(score.field)
    return {
        "points": {name: sum(own_fields) for name, own_fields in fields.items()},
        "fields": fields,
    }


def points_result(counts: Counts, players: Sequence[Player]) -> Result:
    """Return who wins by points; of equal sums, who owns the highest field (printed rule)."""
    facts = points_facts(counts, players)
    points, fields = facts["points"], facts["fields"]
    most = max(points.values())
    if most == 0:
        return Result((), "draw", facts)
    best = [name for name in points if points[name] == most]
    if len(best) == 1:
        return Result((best[0],), "points", facts)
    highest = max(best, key=lambda name: fields[name][-1])  # its fields ascend
    return Result((highest,), "highest-field", facts)


def add_settlement(counts: Counts, players: Sequence[Player], result: Result | None) -> Result:
    """Add the points of every field to a result; `result` None: as if the game ended now."""
    ended = result or points_result(counts, players)
    names = [player.name for player in players]
    fields = [
        {
            "field": field.field,
            "stones": _by_name(names, field.stones),
            "removed": _by_name(names, field.removed),
            "counts": None if field.owner is None else names[field.owner],
        }
        for field in settle(counts)
    ]
    facts = {**ended.facts, **points_facts(counts, players), "settled": fields}
    return Result(ended.winners, ended.reason, facts)


def _by_name(names: Sequence[str], stones: Sequence[int]) -> dict[str, int]:
    return {name: count for name, count in zip(names, stones, strict=True) if count}
