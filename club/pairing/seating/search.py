"""Looks for the cheapest way to spread people over tables, by swapping two of them at a time.

People are numbers from 0. What each pair costs at one table is given; rules are `tables.py`'s.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

Groups = list[list[int]]
"""The people at each table."""


@dataclass(frozen=True)
class Costs:
    """What a seating costs."""

    sizes: Sequence[int]
    """People at each table, largest first; together everybody."""
    pairs: Sequence[Sequence[int]]
    """For each two people what it costs that they sit at one table."""
    small: Sequence[int]
    """For each person what it costs to sit at a table that is not among the largest."""
    serious: int
    """The cost from which on a pair is a fault, and not only less nice."""

    def of(self, groups: Iterable[Sequence[int]]) -> int:
        """Return what these groups cost together."""
        return sum(map(self.of_table, groups))

    def of_faults(self, groups: Iterable[Sequence[int]]) -> int:
        """Return what the pairs that are a fault cost together: 0 if there are none."""
        return sum(
            cost
            for group in groups
            for one, two in combinations(group, 2)
            if (cost := self.pairs[one][two]) >= self.serious
        )

    def of_table(self, group: Sequence[int]) -> int:
        """Return what one table costs."""
        pairs = sum(self.pairs[one][two] for one, two in combinations(group, 2))
        small = sum(self.small[p] for p in group) if len(group) < self.sizes[0] else 0
        return pairs + small


def improve(
    costs: Costs, chance: Random, start: Groups | None = None, *, patience: int | None = None
) -> Groups:
    """Return groups with few costs; from `start` only better ones.

    `patience` is how many swaps in a row may bring nothing better, None as many as is sensible.
    """
    search = Search(costs, start or _greedy(costs, chance), chance)
    if start is None:
        search.mend(400 + 12 * len(costs.pairs) if patience is None else patience)
    search.polish()
    return search.best_groups()


def _greedy(costs: Costs, chance: Random) -> Groups:
    """Seat one after the other where they cost least, those who met most people first."""
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


class Search:
    """Swaps people: `mend` by a tabu search until no pair is a fault, `polish` downhill."""

    def __init__(self, costs: Costs, groups: Groups, chance: Random) -> None:
        self.costs = costs
        self.chance = chance
        self.people = range(len(costs.pairs))
        self.table = [0] * len(costs.pairs)
        for place, group in enumerate(groups):
            for p in group:
                self.table[p] = place
        self.count = len(groups)
        self._full = [size == costs.sizes[0] for size in costs.sizes]
        # what each person's company at each table costs, or would
        self.company = [
            [sum(row[q] for q in group) for group in groups] for row in map(list, costs.pairs)
        ]
        self.now = costs.of(groups)
        self._best = self.now, self.table[:]

    def best_groups(self) -> Groups:
        return self._groups(self._best[1])

    def groups(self) -> Groups:
        return self._groups(self.table)

    def _groups(self, table: Sequence[int]) -> Groups:
        groups: Groups = [[] for _ in range(self.count)]
        for p, place in enumerate(table):
            groups[place].append(p)
        return groups

    def mend(self, patience: int) -> None:
        """Swap until no pair is a fault, or nothing better comes for so many swaps."""
        serious = self.costs.serious
        people = len(self.people)
        until = [0] * people
        idle = 0
        step = 0
        while idle < patience:
            faulty = [p for p in self.people if self.company[p][self.table[p]] >= serious]
            if not faulty:
                return
            step += 1
            p = self.chance.choice(faulty)
            moves = self.moves(p)
            allowed = [
                (cost, q)
                for cost, q in moves
                if (until[p] < step and until[q] < step) or self.now + cost < self._best[0]
            ]
            if not allowed:
                idle += 1
                continue
            least = min(allowed)[0]
            q = self.chance.choice([q for cost, q in allowed if cost == least])
            self.swap(p, q, least)
            until[p] = step + 3 + self.chance.randrange(5)
            until[q] = step + 3 + self.chance.randrange(5)
            idle = 0 if self._keep_best() else idle + 1

    def polish(self) -> None:
        """Swap from the best so far as long as that costs less."""
        self._restore()
        better = True
        while better:
            better = False
            for p in self.people:
                cost, q = min(self.moves(p), default=(0, p))
                if cost < 0:
                    self.swap(p, q, cost)
                    better = True
        self._keep_best()

    def moves(self, p: int) -> list[tuple[int, int]]:
        """Return what swapping with each person at another table would add, and whom."""
        table, company, small = self.table, self.company, self.costs.small
        here = table[p]
        row, mine = self.costs.pairs[p], company[p]
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
        here, there = self.table[p], self.table[q]
        self.table[p], self.table[q] = there, here
        rows = self.costs.pairs
        for company, with_p, with_q in zip(self.company, rows[p], rows[q], strict=True):
            change = with_q - with_p
            company[here] += change
            company[there] -= change
        self.now += cost

    def _keep_best(self) -> bool:
        if self.now >= self._best[0]:
            return False
        self._best = self.now, self.table[:]
        return True

    def _restore(self) -> None:
        """Go back to the best so far."""
        if self.table == self._best[1]:
            return
        groups = self.best_groups()
        self.__init__(self.costs, groups, self.chance)  # type: ignore[misc]
