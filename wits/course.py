"""The course of a game: each player's chance move by move, and the moves at which it turned."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from random import Random

from engines.game import AnyPosition
from engines.replay import Step
from wits.room import Wits

MOST_TURNS = 3


@dataclass(frozen=True, slots=True)
class Point:
    """After a move (0: before the first): each player's chance, and its standard error."""

    move: int
    chances: tuple[float, ...]
    errors: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """A move (its number) at which the chance of a player (the seat) fell by so much."""

    move: int
    seat: int
    fell: float


def point_of(wits: Wits, position: AnyPosition, move: int, tries: int, seed: int) -> Point:
    """Return the chances in a position; the same seed gives the same, whatever else is asked."""
    chances = wits.chances(position, tries, Random(f"{seed} {move}"))
    exact = position.result is not None
    # as if one play-out more had been half won: no chance of a few play-outs is certain
    errors = [0.0 if exact else _error(chance, tries) for chance in chances]
    return Point(move, tuple(chances), tuple(errors))


def _error(chance: float, tries: int) -> float:
    softened = (chance * tries + 0.5) / (tries + 1)
    return sqrt(softened * (1 - softened) / tries)


def course(
    wits: Wits, start: AnyPosition, steps: Iterable[Step], tries: int, seed: int = 1
) -> Iterator[Point]:
    """Return the chances before the first move and after each one."""
    yield point_of(wits, start, 0, tries, seed)
    for number, step in enumerate(steps, 1):
        yield point_of(wits, step.after, number, tries, seed)


def turns(points: Sequence[Point]) -> list[Turn]:
    """Return the up to three moves at which a chance fell most, in the order of the game.

    A fall counts only where it is above two standard errors of the difference.
    """
    found = []
    for before, after in pairwise(points):
        falls = [
            Turn(after.move, seat, was - now)
            for seat, (was, now) in enumerate(zip(before.chances, after.chances, strict=True))
            if was - now > 2 * sqrt(before.errors[seat] ** 2 + after.errors[seat] ** 2)
        ]
        if falls:
            found.append(max(falls, key=lambda turn: turn.fell))
    largest = sorted(found, key=lambda turn: -turn.fell)[:MOST_TURNS]
    return sorted(largest, key=lambda turn: turn.move)
