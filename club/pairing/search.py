"""Searches for the cheapest way to seat people at tables, by swapping two of them at a time.

People are numbers from 0. The cost of each pair at one table is given; `tables.py` has the rules.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

Groups = list[list[int]]
"""The people at each table."""


@dataclass(frozen=True)
class Costs:
    """The costs of seatings."""

    sizes: Sequence[int]
    """People at each table, largest first; together everybody."""
    pairs: Sequence[Sequence[int]]
    """The cost of each two people at one table."""
    small: Sequence[int]
    """Each person's cost at a table that is not among the largest."""
    serious: int
    """From this cost on a pair is a fault, not only unwelcome."""

    def of(self, groups: Iterable[Sequence[int]]) -> int:
        """Return the total cost of these groups."""
        return sum(map(self._of_table, groups))

    def has_faults(self, groups: Iterable[Sequence[int]]) -> bool:
        """Tell whether a pair at one table is a fault."""
        return any(
            self.pairs[one][two] >= self.serious
            for group in groups
            for one, two in combinations(group, 2)
        )

    def _of_table(self, group: Sequence[int]) -> int:
        pairs = sum(self.pairs[one][two] for one, two in combinations(group, 2))
        small = sum(self.small[p] for p in group) if len(group) < self.sizes[0] else 0
        return pairs + small


def search(costs: Costs, chance: Random, patience: int) -> Groups:
    """Return groups with low costs, by a tabu search.

    Swaps of people in faulty pairs come first. The search ends after `patience` swaps in a row
    without an improvement.
    """
    seating = _Seating(costs, _greedy(costs, chance))
    best, least = seating.table[:], seating.now
    until = [0] * len(costs.pairs)
    idle = step = 0
    while idle < patience:
        step += 1
        idle += 1
        p = chance.choice(seating.faulty() or seating.people)
        allowed = [
            (cost, q)
            for cost, q in seating.moves(p)
            if (until[p] < step and until[q] < step) or seating.now + cost < least
        ]
        if not allowed:
            continue
        cheapest = min(allowed)[0]
        q = chance.choice([q for cost, q in allowed if cost == cheapest])
        seating.swap(p, q, cheapest)
        until[p] = step + 3 + chance.randrange(5)
        until[q] = step + 3 + chance.randrange(5)
        if seating.now < least:
            best, least, idle = seating.table[:], seating.now, 0
    groups: Groups = [[] for _ in costs.sizes]
    for p, place in enumerate(best):
        groups[place].append(p)
    return groups


def _greedy(costs: Costs, chance: Random) -> Groups:
    """Seat people one by one where they cost least, beginning with those who met most others."""
    people = list(range(len(costs.pairs)))
    chance.shuffle(people)
    people.sort(key=lambda p: -sum(cost >= costs.serious for cost in costs.pairs[p]))
    groups: Groups = [[] for _ in costs.sizes]
    full = costs.sizes[0]
    for p in people:
        row = costs.pairs[p]
        there = (
            (
                sum(row[q] for q in group) + (costs.small[p] if size < full else 0),
                len(group) - size,
                place,
            )
            for place, (group, size) in enumerate(zip(groups, costs.sizes, strict=True))
            if len(group) < size
        )
        groups[min(there)[2]].append(p)
    return groups


class _Seating:
    """A seating, and the cost of each swap."""

    def __init__(self, costs: Costs, groups: Groups) -> None:
        self.people = range(len(costs.pairs))
        self.now = costs.of(groups)
        self.table = [0] * len(costs.pairs)
        for place, group in enumerate(groups):
            for p in group:
                self.table[p] = place
        self._costs = costs
        self._full = [size == costs.sizes[0] for size in costs.sizes]
        # each person's actual or possible cost at each table
        self._company = [[sum(row[q] for q in group) for group in groups] for row in costs.pairs]

    def faulty(self) -> list[int]:
        """Return the people in faulty pairs."""
        serious = self._costs.serious
        return [p for p in self.people if self._company[p][self.table[p]] >= serious]

    def moves(self, p: int) -> list[tuple[int, int]]:
        """Return the added cost of each swap with a person at another table, and that person."""
        table, company, small = self.table, self._company, self._costs.small
        here = table[p]
        row, mine = self._costs.pairs[p], company[p]
        base = mine[here]
        found = [
            (mine[there] + theirs[here] - 2 * row[q] - base - theirs[there], q)
            for q, (there, theirs) in enumerate(zip(table, company, strict=True))
            if there != here
        ]
        if all(self._full):
            return found
        full = self._full
        return [
            (cost + (small[p] - small[q]) * (full[here] - full[table[q]]), q) for cost, q in found
        ]

    def swap(self, p: int, q: int, cost: int) -> None:
        """Swap two people, which adds this cost."""
        here, there = self.table[p], self.table[q]
        self.table[p], self.table[q] = there, here
        rows = self._costs.pairs
        for company, with_p, with_q in zip(self._company, rows[p], rows[q], strict=True):
            change = with_q - with_p
            company[here] += change
            company[there] -= change
        self.now += cost
