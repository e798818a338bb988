"""The points over a game, move by move, and their places in a chart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from engines.game import AnyPosition, Game
from pi_app.view.frame import Curve


class ScoreHistory:
    """All players' points after each move, cached because settling takes a while."""

    def __init__(self) -> None:
        self._settled: list[tuple[AnyPosition, Mapping[str, int]]] = []

    def curves(self, game: Game, positions: Iterable[AnyPosition]) -> tuple[Curve, ...]:
        """Return each player's points as if the game were settled at each position.

        () for a game without points.
        """
        settle = game.score
        if settle is None:
            return ()
        line = list(positions)
        same = 0
        for (before, _), now in zip(self._settled, line, strict=False):
            if before is not now:
                break
            same += 1
        del self._settled[same:]
        self._settled += [(at, settle(at).facts["points"]) for at in line[same:]]
        return tuple(
            Curve(
                player.name,
                player.colour,
                tuple(int(points[player.name]) for _, points in self._settled),
            )
            for player in line[0].players
        )


def curves(game: Game, positions: Iterable[AnyPosition]) -> tuple[Curve, ...] | None:
    """Return every player's points after each move; None for a game without points."""
    return ScoreHistory().curves(game, positions) or None


Box = tuple[int, int, int, int]
"""Left, top, width, height in pixels."""
Dots = tuple[tuple[int, int], ...]
"""Places of points, x and y in pixels."""


def places(curve: Curve, most: int, box: Box) -> Dots:
    """Return the places of a curve's points in a box; `most` is the value at its top edge."""
    left, top, width, height = box
    last = max(1, len(curve.points) - 1)
    return tuple(
        (left + at * (width - 1) // last, top + height - 1 - value * (height - 1) // max(1, most))
        for at, value in enumerate(curve.points)
    )


def edges(curve: Curve, most: int, box: Box) -> tuple[Dots, Dots]:
    """Return the upper and the lower edge of a curve's band; both () without a band."""
    if not curve.spreads:
        return (), ()
    each = list(zip(curve.points, curve.spreads, strict=True))
    above = replace(curve, points=tuple(min(most, value + spread) for value, spread in each))
    below = replace(curve, points=tuple(max(0, value - spread) for value, spread in each))
    return places(above, most, box), places(below, most, box)


def turning_points(curve: Curve, most: int, box: Box) -> Dots:
    """Return the places of a curve's marked moves (`turns`)."""
    dots = places(curve, most, box)
    return tuple(dots[move] for move in curve.turns if move < len(dots))


def highest(lines: Sequence[Curve]) -> int:
    """Return the end of the axis: the most points of any player, 100 for percentages."""
    if all(curve.unit == "%" for curve in lines):
        return 100
    return max(1, *(max(curve.points) for curve in lines))


def ticks(most: int, count: int) -> tuple[int, ...]:
    """Return the round numbers of an axis from 0 to `most`: 0 and at most `count` steps.

    The steps are 1, 2 or 5 of a power of ten.
    """
    step = next(
        unit * 10**power
        for power in range(len(str(max(1, most))) + 1)
        for unit in (1, 2, 5)
        if most // (unit * 10**power) <= count
    )
    return tuple(range(0, most + 1, step))
