"""Curves of the points over a game, and where to draw their dots in a chart."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from engines.game import AnyPosition, Game
from pi_app.view.frame import Curve


class ScoreHistory:
    """All players' points after each move, cached because settling takes a while."""

    def __init__(self) -> None:
        self._settled: list[tuple[AnyPosition, Mapping[str, int]]] = []
        """Pairs: a position, and then every player's points by the player's name."""

    def curves(self, game: Game, positions: Iterable[AnyPosition]) -> tuple[Curve, ...]:
        """Return each player's points as if the game were settled at each position.

        () for a game without points.
        """
        settle = game.score
        if settle is None:
            return ()
        current = list(positions)
        unchanged = 0  # how many positions at the beginning are still the same
        for (cached, _), position in zip(self._settled, current, strict=False):
            if cached is not position:
                break
            unchanged += 1
        del self._settled[unchanged:]
        new = current[unchanged:]
        self._settled += [(position, settle(position).facts["points"]) for position in new]
        return tuple(
            Curve(
                player.name,
                player.colour,
                tuple(int(points[player.name]) for _, points in self._settled),
            )
            for player in current[0].players
        )


def curves(game: Game, positions: Iterable[AnyPosition]) -> tuple[Curve, ...] | None:
    """Return every player's points after each move; None for a game without points."""
    return ScoreHistory().curves(game, positions) or None


Box = tuple[int, int, int, int]
"""Left, top, width, height in pixels."""
Dots = tuple[tuple[int, int], ...]
"""Pixels in a chart, x and y."""


def dots_of(curve: Curve, most: int, box: Box) -> Dots:
    """Return a curve's dots in a box; `most` is the value at its top edge."""
    left, top, width, height = box
    last_move = max(1, len(curve.points) - 1)  # the first points are those at the start
    bottom = top + height - 1
    return tuple(
        (left + move * (width - 1) // last_move, bottom - value * (height - 1) // max(1, most))
        for move, value in enumerate(curve.points)
    )


def edges(curve: Curve, most: int, box: Box) -> tuple[Dots, Dots]:
    """Return the upper and the lower edge of a curve's band; both () without a band."""
    if not curve.spreads:
        return (), ()
    pairs = list(zip(curve.points, curve.spreads, strict=True))
    # neither edge leaves the chart
    upper = replace(curve, points=tuple(min(most, value + spread) for value, spread in pairs))
    lower = replace(curve, points=tuple(max(0, value - spread) for value, spread in pairs))
    return dots_of(upper, most, box), dots_of(lower, most, box)


def turning_points(curve: Curve, most: int, box: Box) -> Dots:
    """Return the dots of a curve's turning points (`turns`)."""
    dots = dots_of(curve, most, box)
    # a move beyond the points has no place in this chart
    return tuple(dots[move] for move in curve.turns if move < len(dots))


def highest(lines: Sequence[Curve]) -> int:
    """Return the value at the top of the axis: the most points of any player, or 100 percent."""
    if all(curve.unit == "%" for curve in lines):
        return 100
    return max(1, *(max(curve.points) for curve in lines))


def ticks(most: int, count: int) -> tuple[int, ...]:
    """Return the numbers to print at an axis from 0 to `most`, at most `count` after the 0.

    Their distance is 1, 2 or 5 times a power of ten: 0, 20, 40, 60.
    """
    powers = range(len(str(max(1, most))) + 1)  # one more digit than `most`: a step always fits
    distances = (unit * 10**power for power in powers for unit in (1, 2, 5))
    step = next(distance for distance in distances if most // distance <= count)
    return tuple(range(0, most + 1, step))
