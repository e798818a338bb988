"""The reasons for a move in numeri: facts of the positions before it and after all moves."""

from collections.abc import Iterator

from ai.api import Reason
from engines.numeri import NumeriPosition
from engines.numeri.moves import NumeriMove
from engines.numeri.position import Preview

LONG = 4
"""Fields of a way that is long enough to be a reason."""


def reasons(position: NumeriPosition, move: NumeriMove, given: int) -> list[Reason]:
    """Return the reasons for a legal move, the most important first."""
    ends = position.previews(given)
    this = next((end for end in ends if move in end.orders), None)
    if this is None:
        return []
    return list(_reasons(position, this, [end for end in ends if end is not this]))


def _reasons(before: NumeriPosition, this: Preview, others: list[Preview]) -> Iterator[Reason]:
    seat = before.seat
    if this.finish:
        result = this.after.result
        winners = list(result.winners) if result else []
        yield "ends-game", {"winners": winners}
    if this.chains and not this.finish:
        yield "rolls-again", {"fields": list(this.chains[0])}
    gained = this.after.points(seat) - before.points(seat)
    rest = [end.after.points(seat) - before.points(seat) for end in others]
    if gained > 0 and others and gained > max(rest):
        yield "most-points", {"points": gained}
    yield from _kept_place(before, this, others)
    for way in this.steps:
        if before.track.large >> way.end & 1:
            yield "large-field", {"stone": way.stone, "field": way.end}
    longest = max(this.steps, key=lambda way: way.end - way.start)
    if longest.end - longest.start >= LONG:
        fields = longest.end - longest.start
        yield "long-hop", {"stone": longest.stone, "field": longest.end, "fields": fields}


def _kept_place(before: NumeriPosition, this: Preview, others: list[Preview]) -> Iterator[Reason]:
    """Yield a reason if a stone keeps a valuable field that another move would leave."""
    values, own = before.track.values, before.stones(before.seat)
    moved = {way.stone for way in this.steps}
    lost = {way.stone for end in others for way in end.steps} - moved
    worth = {
        stone: stone * values[own[stone - 1] - 1]
        for stone in lost
        if own[stone - 1] and values[own[stone - 1] - 1]
    }
    if worth:
        stone = max(worth, key=lambda each: worth[each])
        facts = {"stone": stone, "field": own[stone - 1], "points": worth[stone]}
        yield "keeps-place", facts
