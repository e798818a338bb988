"""Exact answers where a search by swaps is not enough: matchings, and all tables of a small field.

People, costs and groups are those of `search.py`.
"""

from collections.abc import Iterator
from itertools import combinations

from club.pairing.matching import heaviest
from club.pairing.seating.search import Costs, Groups

STEPS = 60_000
"""How many tables are tried before an exhaustive search gives up."""

FEW = 13
"""How many people may be spread over tables in every way."""


def best_pairs(costs: Costs) -> Groups:
    """Return the cheapest tables of two."""
    pairs = combinations(range(len(costs.pairs)), 2)
    partners = heaviest({(p, q): -costs.pairs[p][q] for p, q in pairs}, all_of_them=True)
    return [[p, q] for p, q in partners.items() if p < q]


def tables_without_costs(costs: Costs, serious: int) -> Groups | None:
    """Return tables at which no pair costs `serious`; None if there are none, or none was found.

    Always takes the person with the fewest possible companions next.
    """
    people = range(len(costs.pairs))
    free = [sum(1 << q for q in people if q != p and costs.pairs[p][q] < serious) for p in people]
    found = _Exhaustive(free).run((1 << len(free)) - 1, sorted(costs.sizes))
    return None if found is None else sorted(found, key=len, reverse=True)


class _Exhaustive:
    def __init__(self, free: list[int]) -> None:
        self._free = free
        self.steps = 0

    def run(self, left: int, sizes: list[int]) -> Groups | None:
        """Return tables for the people in `left`, a set as bits; sizes in ascending order."""
        if not sizes:
            return []
        people = list(_bits(left))
        choices = {p: (self._free[p] & left).bit_count() for p in people}
        p = min(people, key=choices.__getitem__)
        if choices[p] < sizes[0] - 1:
            return None
        for size in sorted(set(sizes)):
            rest = sizes.copy()
            rest.remove(size)
            for group in self._companions([p], self._free[p] & left, size):
                self.steps += 1
                if self.steps >= STEPS:
                    return None
                others = left & ~sum(1 << q for q in group)
                found = self.run(others, rest)
                if found is not None:
                    return [group, *found]
        return None

    def _companions(self, group: list[int], possible: int, size: int) -> Iterator[list[int]]:
        if len(group) == size:
            yield group
            return
        for q in _bits(possible):
            above = possible & ~((1 << (q + 1)) - 1)
            yield from self._companions([*group, q], above & self._free[q], size)


def _bits(mask: int) -> Iterator[int]:
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def best_tables(costs: Costs, found: Groups) -> Groups | None:
    """Return the cheapest tables, at most as dear as those found; None if there are too many."""
    if len(costs.pairs) > FEW:
        return None
    search = _Cheapest(costs, found)
    search.run([], list(range(len(costs.pairs))), list(costs.sizes), 0)
    return search.best if search.steps < STEPS else None


class _Cheapest:
    def __init__(self, costs: Costs, found: Groups) -> None:
        self._costs = costs
        self.best = found
        self._least = costs.of(found)
        self.steps = 0

    def run(self, groups: Groups, left: list[int], sizes: list[int], cost: int) -> None:
        if not sizes:
            self.best, self._least = [*groups], cost
            return
        if self.steps >= STEPS:
            return
        first, *others = left
        for size in sorted(set(sizes), reverse=True):
            rest = sizes.copy()
            rest.remove(size)
            tables = [
                (self._costs.of_table(group), group)
                for group in ([first, *more] for more in combinations(others, size - 1))
            ]
            self.steps += len(tables)
            for price, group in sorted(tables):
                if cost + price >= self._least:
                    break
                remaining = [p for p in others if p not in group]
                self.run([*groups, group], remaining, rest, cost + price)
