"""Evening points, ties and changes by a correction.

Everything is computed from the counted results, so even the correction of an old result is just
another call.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from itertools import groupby, permutations
from typing import Literal, get_args

from club.pairing.model import TableResult

Criterion = Literal["points", "wins", "direct", "opponents", "first_moves", "lot"]
"""The criteria for ranking people, in this order."""
PLACES = {1: (0,), 2: (4, 1), 3: (5, 3, 1), 4: (5, 3, 2, 1)}
"""Evening points by seats, for each place."""


@dataclass(frozen=True, slots=True)
class StandingLine:
    """One person's line in the standings.

    `decided_by` is the criterion that gave them this rank alone: "points" if nobody else has as
    many, "wins" for two with equal points and different wins, and so on.
    """

    p: str
    points: Fraction
    wins: int
    rank: int
    """From 1; people whom only the lot separates share a rank."""
    decided_by: Criterion
    games: int = 0
    """How many results count."""


def evening_points(ranks: Sequence[int]) -> tuple[Fraction, ...]:
    """Return the evening points of each seat from the ranks at one table, in the same order.

    5-3-2-1 for four seats, and 0 for any after them, 5-3-1 for three, 4-1 for two, 0 for one;
    people with a shared rank share the sum of its places. Ranks may leave gaps (1, 1, 3) or not (1,
    1, 2).
    """
    by_place = PLACES.get(len(ranks), (*PLACES[4], *[0] * max(0, len(ranks) - 4)))
    shared: dict[int, Fraction] = {}
    place = 0
    for rank, count in sorted(Counter(ranks).items()):
        shared[rank] = Fraction(sum(by_place[place : place + count]), count)
        place += count
    return tuple(shared[rank] for rank in ranks)


def points_number(points: Fraction) -> int | float:
    """Return points for JSON: a whole number if possible, else the nearest float."""
    return points.numerator if points.denominator == 1 else float(points)


def standings(
    people: Iterable[str], results: Iterable[TableResult], seed: int | str = 0
) -> tuple[StandingLine, ...]:
    """Return everybody's line, best first: all in `people` and in any result.

    The lot depends on `seed` and the person only, so it stays the same when others come or go.
    """
    score = _Score(people, results)
    lots = {p: sha256(f"{seed} {p}".encode()).digest() for p in score.points}
    lines: list[StandingLine] = []
    for group, decided_by in _split(list(score.points), list(get_args(Criterion)), score):
        rank = len(lines) + 1
        for p in sorted(group, key=lots.__getitem__):
            line = StandingLine(p, score.points[p], score.wins[p], rank, decided_by, score.games[p])
            lines.append(line)
    return tuple(lines)


class _Score:
    """The sums for each criterion."""

    def __init__(self, people: Iterable[str], results: Iterable[TableResult]) -> None:
        self.points: dict[str, Fraction] = dict.fromkeys(people, Fraction(0))
        self.wins: Counter[str] = Counter()
        self.games: Counter[str] = Counter()
        self.firsts: Counter[str] = Counter()
        self.opponents: dict[str, list[str]] = defaultdict(list)
        self.direct: dict[tuple[str, str], list[Fraction]] = defaultdict(list)
        for result in results:
            self._add(result)

    def _add(self, result: TableResult) -> None:
        ranks = [seat.rank for seat in result.seats]
        for place, (seat, points) in enumerate(
            zip(result.seats, evening_points(ranks), strict=True)
        ):
            p = seat.p
            if p is None:
                continue
            self.points[p] = self.points.get(p, Fraction(0)) + points
            won = seat.won if seat.won is not None else seat.rank == min(ranks) < max(ranks)
            self.wins[p] += won
            self.games[p] += 1
            self.firsts[p] += place == 0
            for other in result.seats:
                if other.p is not None and other.p != p:
                    self.opponents[p].append(other.p)
                    self.direct[p, other.p].append(_against(seat.rank, other.rank))

    def average(self, p: str) -> Fraction:
        """Return the opponents' average points, each counted once a meeting."""
        met = self.opponents[p]
        return sum((self.points[q] for q in met), Fraction(0)) / len(met) if met else Fraction(0)


def _against(rank: int, other: int) -> Fraction:
    return Fraction(1, 2) if rank == other else Fraction(rank < other)


Decided = tuple[list[str], Criterion]


def _split(people: list[str], left: list[Criterion], score: _Score) -> Iterator[Decided]:
    """Yield groups of people, best first, with the criterion that separated them."""
    criterion, *rest = left
    if criterion == "lot":
        yield people, criterion
        return
    keys = _keys(people, criterion, score)
    for _, same in groupby(sorted(people, key=keys.__getitem__), key=keys.__getitem__):
        group = list(same)
        if len(group) == 1:
            yield group, criterion
        else:
            yield from _split(group, rest, score)


def _keys(people: list[str], criterion: Criterion, score: _Score) -> Mapping[str, Fraction | int]:
    """Return people's sort keys, the least first."""
    match criterion:
        case "points":
            return {p: -score.points[p] for p in people}
        case "wins":
            return {p: -score.wins[p] for p in people}
        case "direct":
            return {p: -won for p, won in _direct(people, score).items()}
        case "opponents":
            return {p: -score.average(p) for p in people}
        case _:
            return {p: score.firsts[p] for p in people}


def _direct(people: list[str], score: _Score) -> dict[str, Fraction]:
    """Return each person's score against the others of a tie; all 0 unless everybody met everybody.

    A higher rank at a table is 1, an equal one 1/2; several meetings with one person are averaged.
    """
    won = dict.fromkeys(people, Fraction(0))
    if all(pair in score.direct for pair in permutations(people, 2)):
        for p, q in permutations(people, 2):
            met = score.direct[p, q]
            won[p] += sum(met, Fraction(0)) / len(met)
    return won


def standing_changes(
    before: Iterable[StandingLine], after: Iterable[StandingLine]
) -> list[dict[str, object]]:
    """Return all changes of points, wins or rank, in the order of the standings after.

    People who are only in the standings before come last; None stands for no line.
    """
    old, new = ({line.p: _brief(line) for line in lines} for lines in (before, after))
    both = [(p, old.get(p), new.get(p)) for p in dict.fromkeys((*new, *old))]
    return [{"p": p, "before": one, "after": two} for p, one, two in both if one != two]


def _brief(line: StandingLine) -> dict[str, object]:
    return {"points": points_number(line.points), "wins": line.wins, "rank": line.rank}
