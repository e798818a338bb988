"""The standings of an evening computed a second time, plainly, from docs/club.md alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, permutations

PLACES = {2: (4, 1), 3: (5, 3, 1), 4: (5, 3, 2, 1)}
Criterion = Callable[[str], Fraction]


@dataclass(frozen=True)
class PlainSeat:
    """Who sat there, seat 1 first, at which place they ended, and whether they won."""

    p: str
    rank: int
    won: bool


PlainResult = tuple[PlainSeat, ...]


def keyed(ranks: Iterable[tuple[str, int]]) -> PlainResult:
    """Return a result that was keyed: the first place has won unless all share it."""
    given = list(ranks)
    shared = len({rank for _, rank in given}) == 1
    return tuple(PlainSeat(p, rank, rank == 1 and not shared) for p, rank in given)


def points_at(result: PlainResult) -> dict[str, Fraction]:
    """Return the evening points: those who share a place share the points of their places."""
    found = {}
    for seat in result:
        above = sum(other.rank < seat.rank for other in result)
        beside = sum(other.rank == seat.rank for other in result)
        shared = PLACES[len(result)][above : above + beside]
        found[seat.p] = Fraction(sum(shared), beside)
    return found


def standings(
    people: Iterable[str], results: Sequence[PlainResult]
) -> list[tuple[frozenset[str], Fraction, int]]:
    """Return everybody best first, with points and wins; only a lot parts those in one group."""
    names = {*people, *(seat.p for result in results for seat in result)}
    points, wins = dict.fromkeys(names, Fraction(0)), dict.fromkeys(names, Fraction(0))
    firsts, met = dict.fromkeys(names, 0), {p: [] for p in names}  # type: dict[str, int], dict[str, list[tuple[str, Fraction]]]
    for result in results:
        given = points_at(result)
        firsts[result[0].p] += 1
        for seat in result:
            points[seat.p] += given[seat.p]
            wins[seat.p] += seat.won
            for other in result:
                if other.p != seat.p:
                    better = Fraction(2 * (seat.rank < other.rank) + (seat.rank == other.rank), 2)
                    met[seat.p].append((other.p, better))

    def direct(group: Sequence[str]) -> Criterion:
        against = {
            (one, two): [won for other, won in met[one] if other == two]
            for one, two in permutations(group, 2)
        }
        if not all(against.values()):
            return lambda _: Fraction(0)
        return lambda p: sum(
            (Fraction(sum(won), len(won)) for (one, _), won in against.items() if one == p),
            Fraction(0),
        )

    def opponents(p: str) -> Fraction:
        return Fraction(sum(points[q] for q, _ in met[p]), max(1, len(met[p])))

    ways: list[Callable[[Sequence[str]], Criterion]] = [
        lambda _: points.__getitem__,
        lambda _: wins.__getitem__,
        direct,
        lambda _: opponents,
        lambda _: lambda p: Fraction(-firsts[p]),
    ]
    groups = [sorted(names)]
    for way in ways:
        groups = [part for group in groups for part in _split(group, way(group))]
    return [(frozenset(group), points[group[0]], int(wins[group[0]])) for group in groups]


def _split(group: Sequence[str], criterion: Criterion) -> list[list[str]]:
    """Return a group in parts that are equal by a criterion, the highest first."""
    in_order = sorted(group, key=criterion, reverse=True)
    return [list(part) for _, part in groupby(in_order, key=criterion)]
