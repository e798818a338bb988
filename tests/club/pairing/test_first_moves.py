"""First moves: shared out as well as the people at the tables allow, and no better is possible."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from club.pairing.evening import PlannedEvening, plan
from club.pairing.model import Round
from club.pairing.seating.first_moves import levels, missing, most_owed, share_first_moves
from club.pairing.seating.search import Costs, Groups
from tests.club.pairing.reference import again

SMALL_FIELDS = [(people, per_table) for per_table in (2, 3, 4) for people in range(4, 10)]


def ways_to_sit(people: Sequence[str], sizes: Sequence[int]) -> Iterator[list[tuple[str, ...]]]:
    """Yield every way to sit these people at tables of these sizes."""
    if not sizes:
        yield []
        return
    first, *others = people
    for size in set(sizes):
        left = [*sizes]
        left.remove(size)
        for more in combinations(others, size - 1):
            for rest in ways_to_sit([p for p in others if p not in more], left):
                yield [(first, *more), *rest]


Owed = dict[str, Fraction]
"""How many first moves less than their share of the games each person had."""


def play(tables: Sequence[Sequence[str]], owed: Owed) -> Owed:
    """Return what is owed after these tables, where seat 1 has the first move."""
    after = dict(owed)
    for table in tables:
        for p in table:
            after[p] += Fraction(1, len(table)) - (p == table[0])
    return after


def spread(owed: Owed) -> Fraction:
    return max(owed.values()) - min(owed.values())


def best_seats(tables: Sequence[Sequence[str]], owed: Owed) -> list[list[str]]:
    """Return the tables with whoever is owed most in seat 1: one first move a table is all."""
    return [sorted(table, key=lambda p: -owed[p]) for table in tables]


def evening(people: int, per_table: int, seed: int) -> tuple[Round, ...]:
    everybody = tuple(f"p{n}" for n in range(1, people + 1))
    return plan(PlannedEvening(everybody, 6, per_table, seed))


@pytest.mark.parametrize(("people", "per_table"), SMALL_FIELDS)
def test_no_way_to_sit_brings_first_moves_closer_without_more_second_meetings(
    people: int, per_table: int
) -> None:
    for seed in range(3):
        owed = {f"p{n}": Fraction(0) for n in range(1, people + 1)}
        met: set[frozenset[str]] = set()
        for each in evening(people, per_table, seed):
            there = [p for p in owed if p not in each.byes]
            sizes = [len(table.people) for table in each.tables]
            meetings = sum(again(table.people, met) for table in each.tables)
            possible = min(
                spread(play(best_seats(tables, owed), owed))
                for tables in ways_to_sit(there, sizes)
                if sum(again(table, met) for table in tables) <= meetings
            )
            owed = play([table.people for table in each.tables], owed)
            met.update(pair for table in each.tables for pair in table.meetings())
            # a fraction is not worth a swap: tables of three and four give other shares of a move
            assert spread(owed) < max(possible, Fraction(1)) + Fraction(1, 2), (seed, each.number)


def test_who_moves_first_differs_by_one_where_there_is_room() -> None:
    chance = Random(9)
    apart: Counter[int] = Counter()
    for seed in range(60):
        people, per_table = chance.randint(30, 200), chance.choice((2, 3, 4))
        firsts = Counter({f"p{n}": 0 for n in range(1, people + 1)})
        for each in plan(PlannedEvening((*firsts,), 4, per_table, seed)):
            firsts.update(table.people[0] for table in each.tables)
        apart[max(firsts.values()) - min(firsts.values())] += 1
    assert set(apart) <= {0, 1}


@given(st.lists(st.integers(-2, 2), min_size=6, max_size=8), st.integers(2, 4))
def test_nothing_gives_more_than_the_bound(owed: list[int], size: int) -> None:
    groups: Groups = [[*range(len(owed))][start::size] for start in range(size)]
    costs = Costs([len(group) for group in groups], [[0] * len(owed) for _ in owed], owed, 10)
    found = share_first_moves(costs, groups, owed, Random(1))
    assert sorted(p for group in found for p in group) == [*range(len(owed))]
    assert sum(max(owed[p] for p in group) for group in found) <= most_owed(owed, size)
    assert missing(found, owed) == 0, "without second meetings to avoid, the bound can be reached"


def test_no_first_move_is_worth_a_second_meeting() -> None:
    # 0 and 1 are owed a move and sit together; any other way makes two meet again
    rows = [[10_000] * 4 for _ in range(4)]
    rows[0][1] = rows[1][0] = rows[2][3] = rows[3][2] = 0
    costs = Costs([2, 2], rows, [0] * 4, 10_000)
    owed = [1, 1, 0, 0]
    assert share_first_moves(costs, [[0, 1], [2, 3]], owed, Random(1)) == [[0, 1], [2, 3]]
    assert missing([[0, 1], [2, 3]], owed) == 1


def test_who_sits_out_stays_out() -> None:
    costs = Costs([2, 2, 2], [[0] * 6 for _ in range(6)], [0] * 6, 10)
    found = share_first_moves(costs, [[0, 1], [2, 3], [4, 5]], [0, 0, 1, 1, 2, 0], Random(2), 5)
    assert [4, 5] in found
    assert missing(found, [0, 0, 1, 1, 2, 0], 5) == 0


def test_fractions_of_a_move_are_not_worth_a_swap() -> None:
    assert levels([0.25, 0.33, -0.75, -0.67, 1.25], 4) == [0, 0, -1, -1, 1]
    assert levels([0.5, 0, -0.5], 2) == [1, 0, -1]
    assert levels([], 4) == []
