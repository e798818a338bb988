"""Round robin: everybody meets everybody, whoever comes late."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from club.pairing.model import PairingError, PairingRequest, Round
from club.pairing.pair import pair
from club.pairing.round_robin import circle


@given(st.integers(2, 40))
def test_the_circle_lets_all_meet_once_and_shares_the_first_move(count: int) -> None:
    people = [f"p{n}" for n in range(count)]
    rounds = count - 1 + count % 2
    met: Counter[frozenset[str]] = Counter()
    first: Counter[str] = Counter()
    out: Counter[str] = Counter()
    for number in range(1, rounds + 1):
        pairs = circle(people, number)
        assert sorted(p for each in pairs for p in each if p is not None) == sorted(people)
        for one, two in pairs:
            if two is None:
                out[one] += 1
            else:
                met[frozenset((one, two))] += 1
                first.update({one: 1, two: -1})
    assert met == Counter(frozenset(each) for each in combinations(people, 2))
    assert all(abs(balance) <= 1 for balance in first.values())
    assert not out or (len(out) == count and set(out.values()) == {1})


def play_all(people: tuple[str, ...], per_table: int, chance: Random | None = None) -> list[Round]:
    """Pair rounds until all have met; by chance some are away in the first rounds."""
    history: list[Round] = []
    number = 0
    while True:
        number += 1
        away = {p for p in people if chance and number < 4 and chance.random() < 0.3}
        there = tuple(p for p in people if p not in away)
        request = PairingRequest(number, there, tuple(history), per_table=per_table, roster=people)
        try:
            history.append(pair("round-robin", request))
        except PairingError:
            if not away:
                return history


@pytest.mark.parametrize("count", [2, 3, 7, 8, 13])
def test_without_absences_it_takes_as_many_rounds_as_it_must(count: int) -> None:
    people = tuple(f"p{n}" for n in range(count))
    assert len(play_all(people, 2)) == count - 1 + count % 2


@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.nightly) for seed in range(2, 8))]
)
def test_whoever_comes_late_all_meet_and_it_ends(seed: int) -> None:
    people = tuple(f"p{n}" for n in range(8 + seed % 2))
    history = play_all(people, 2, Random(seed))
    met = {pair for each in history for table in each.tables for pair in table.meetings()}
    assert met == {frozenset(each) for each in combinations(people, 2)}
    assert len(history) <= 2 * len(people) + 3


@pytest.mark.parametrize("per_table", [3, 4])
def test_at_larger_tables_rounds_go_on_until_all_have_met(per_table: int) -> None:
    people = tuple(f"p{n}" for n in range(9))
    history = play_all(people, per_table)
    met = {pair for each in history for table in each.tables for pair in table.meetings()}
    assert met == {frozenset(each) for each in combinations(people, 2)}
    if per_table == 3:
        assert len(history) == 4  # the fewest possible: nobody meets anybody twice
