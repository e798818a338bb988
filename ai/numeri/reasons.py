"""The reasons for a move in numeri: facts of the positions before it and after all moves."""

from collections.abc import Iterator

from ai.api import Reason
from engines.numeri.notation import NumeriMove
from engines.numeri.rules import NumeriPosition, Preview

LONG = 4
"""A way of this many fields is long enough to be a reason."""


def reasons(position: NumeriPosition, move: NumeriMove, given: int) -> list[Reason]:
    """Return the reasons for a legal move, the most important first."""
    outcomes = position.previews(given)
    chosen = next((outcome for outcome in outcomes if move in outcome.orders), None)
    if chosen is None:  # a lost turn has no outcome
        return []
    return list(
        _reasons(position, chosen, [outcome for outcome in outcomes if outcome is not chosen])
    )


def _reasons(before: NumeriPosition, chosen: Preview, others: list[Preview]) -> Iterator[Reason]:
    seat = before.seat
    if chosen.finish:
        result = chosen.after.result
        winners = list(result.winners) if result else []
        yield "ends-game", {"winners": winners}
    if chosen.chains and not chosen.finish:
        yield "rolls-again", {"fields": list(chosen.chains[0])}
    gained = chosen.after.points(seat) - before.points(seat)
    rest = [outcome.after.points(seat) - before.points(seat) for outcome in others]
    if gained > 0 and others and gained > max(rest):
        yield "most-points", {"points": gained}
    yield from _kept_place(before, chosen, others)
    for way in chosen.steps:
        if before.track.large >> way.end & 1:  # `large` is a bit set of fields
            yield "large-field", {"stone": way.stone, "field": way.end}
    longest = max(chosen.steps, key=lambda way: way.end - way.start)
    if longest.end - longest.start >= LONG:
        fields = longest.end - longest.start
        yield "long-hop", {"stone": longest.stone, "field": longest.end, "fields": fields}


def _kept_place(before: NumeriPosition, chosen: Preview, others: list[Preview]) -> Iterator[Reason]:
    """Yield a reason if a stone keeps a valuable field that another move would leave."""
    values, own = before.track.values, before.stones(before.seat)
    moved = {way.stone for way in chosen.steps}
    left_behind = {way.stone for outcome in others for way in outcome.steps} - moved
    worth: dict[int, int] = {}
    for stone in left_behind:
        field = own[stone - 1]
        points = stone * values[field - 1] if field else 0  # 0: the stone is in the hand
        if points > 0:
            worth[stone] = points
    if worth:
        stone = max(worth, key=lambda other: worth[other])
        facts = {"stone": stone, "field": own[stone - 1], "points": worth[stone]}
        yield "keeps-place", facts
