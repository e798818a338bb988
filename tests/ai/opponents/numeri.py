"""An opponent in numeri that people would write first; it measures how well the AI plays."""

from random import Random

from engines.numeri.notation import NumeriMove
from engines.numeri.rules import NumeriPosition


def greedy(position: NumeriPosition, given: int, rng: Random) -> NumeriMove:
    """Roll again if possible, else the most points, else the longest way."""
    ends = position.previews(given)
    if not ends:
        return position.legal(given)[0]
    seat = position.seat
    best = max(
        ends,
        key=lambda end: (
            bool(end.chains),
            end.after.points(seat),
            sum(way.end - way.start for way in end.steps),
        ),
    )
    return best.move
