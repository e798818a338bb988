"""Swaps people between tables so that nobody moves first again before others have once.

At one table the first move can go to anybody, so it goes to whoever is owed it most. That is unfair
only where one table has nobody who is owed it while another has two of them.
"""

from collections.abc import Sequence
from random import Random
from statistics import median_low

from club.pairing.seating.search import Costs, Groups, Search

WORTH = 1_000
"""What a first move too many costs: less than that two people meet again, more than all else."""
PATIENCE = 120
"""How many swaps in a row may bring nothing better; and as many again for each three people."""


def levels(debts: Sequence[float], per_table: int) -> list[int]:
    """Return how much each person is owed a first move, as steps from the middle of all.

    A step is a whole move, because tables of three and four give other shares of one: who played
    all rounds differs by whole moves from others who did, and by some fraction that is not worth a
    swap. At tables of two a step is half a move, which is what a game gives.
    """
    middle = median_low(debts) if debts else 0
    steps = 2 if per_table == 2 else 1
    return [round(steps * (debt - middle)) for debt in debts]


def most_owed(owed: Sequence[int], tables: int) -> int:
    """Return the most that those with the first move can be owed together: the bound."""
    return sum(sorted(owed, reverse=True)[:tables])


def missing(groups: Groups, owed: Sequence[int], nobody: int | None = None) -> int:
    """Return how far the first moves of these groups are from the bound: 0 is as fair as can be."""
    tables = [group for group in groups if nobody not in group]
    given = sum(max(owed[p] for p in group) for group in tables)
    return most_owed([owed[p] for group in tables for p in group], len(tables)) - given


def share_first_moves(
    costs: Costs, groups: Groups, owed: Sequence[int], chance: Random, nobody: int | None = None
) -> Groups:
    """Return groups whose first moves go to people who are owed them more, or the same groups.

    `nobody` is the number that stands for sitting out; who does stays. No pair becomes a fault
    unless another one was.
    """
    out = next((place for place, group in enumerate(groups) if nobody in group), None)
    search = _Sharing(costs, groups, chance, owed, out)
    search.share(PATIENCE + len(owed) // 3)
    return search.fairest


class _Sharing(Search):
    """A tabu search from the tables that take a first move from somebody who is owed it."""

    def __init__(
        self,
        costs: Costs,
        groups: Groups,
        chance: Random,
        owed: Sequence[int],
        out: int | None,
    ) -> None:
        super().__init__(costs, groups, chance)
        self._owed = owed
        self._out = out
        self.fairest = groups
        playing = [owed[p] for p in self.people if self.table[p] != out]
        self._ideal = most_owed(playing, self.count - (out is not None))
        self._least = sorted(playing, reverse=True)[self.count - (out is not None) - 1]

    def share(self, patience: int) -> None:
        """Swap until the bound is reached, or nothing better comes for so many swaps."""
        limit = self.now + WORTH
        faults = self.costs.of_faults(self.fairest)
        best = self.now + WORTH * (self._ideal - self._look())
        until = [0] * len(self._owed)
        idle = step = 0
        while idle < patience and (self._given < self._ideal or self.now >= limit):
            step += 1
            idle += 1
            p = self.chance.choice(self._faulty() or [*self.people])
            value = self.now + WORTH * (self._ideal - self._given)
            allowed = [
                (cost, q)
                for cost, q in self._fair_moves(p)
                if (until[p] < step and until[q] < step) or value + cost < best
            ]
            if not allowed:
                continue
            least = min(allowed)[0]
            q = self.chance.choice([q for cost, q in allowed if cost == least])
            self._exchange(p, q)
            until[p] = step + 3 + self.chance.randrange(5)
            until[q] = step + 3 + self.chance.randrange(5)
            value = self.now + WORTH * (self._ideal - self._look())
            if value < best and self.costs.of_faults(self.groups()) <= faults:
                best, idle = value, 0
                self.fairest = self.groups()

    def _look(self) -> int:
        """Note what each table's best and second are owed; return what the first moves give."""
        self._tops = [[-99, -99] for _ in range(self.count)]
        for p in self.people:
            top = self._tops[self.table[p]]
            owed = self._owed[p]
            if owed > top[0]:
                top[:] = owed, top[0]
            elif owed > top[1]:
                top[1] = owed
        self._given = sum(top[0] for place, top in enumerate(self._tops) if place != self._out)
        return self._given

    def _faulty(self) -> list[int]:
        """Return who sits where nobody is owed enough, or two are owed more, or two meet again."""
        serious = self.costs.serious
        bad = {
            place
            for place, (first, second) in enumerate(self._tops)
            if place != self._out and (first < self._least or second > self._least)
        }
        return [
            p
            for p in self.people
            if self.table[p] != self._out
            and (self.table[p] in bad or self.company[p][self.table[p]] >= serious)
        ]

    def _fair_moves(self, p: int) -> list[tuple[int, int]]:
        """Return what swaps with each person at another table cost, unfairness included."""
        mine = self.table[p]
        tops, owed = self._tops, self._owed
        others = self._without(p)
        found = []
        for cost, q in self.moves(p):
            theirs = self.table[q]
            if theirs == self._out:
                continue
            if owed[p] == owed[q]:
                found.append((cost, q))
                continue
            after = max(others, owed[q]) + max(self._without(q), owed[p])
            found.append((cost + WORTH * (tops[mine][0] + tops[theirs][0] - after), q))
        return found

    def _without(self, p: int) -> int:
        """Return what is owed most to the others at somebody's table."""
        first, second = self._tops[self.table[p]]
        return second if self._owed[p] == first else first

    def _exchange(self, p: int, q: int) -> None:
        cost = next(cost for cost, other in self.moves(p) if other == q)
        self.swap(p, q, cost)
