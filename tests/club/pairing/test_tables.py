"""Tables of two to four: their sizes, who sits out, seats, first moves and games."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from club.pairing.evening import plan
from club.pairing.model import (
    Mode,
    PairingError,
    PairingRequest,
    Round,
    Scored,
    Seating,
    Sheet,
    TableResult,
)
from club.pairing.pair import pair
from club.pairing.standings import standings
from club.pairing.tables import give_each_seat_once, sizes
from tests.club.pairing.reference import again, table_sizes


@given(st.integers(2, 300), st.sampled_from([2, 3, 4]))
def test_as_many_tables_are_full_as_can_be(people: int, per_table: int) -> None:
    assert sizes(people, per_table) == table_sizes(people, per_table)


@pytest.mark.parametrize(
    ("people", "per_table", "expected"),
    [
        (14, 4, [4, 4, 3, 3]),
        (9, 4, [3, 3, 3]),
        (5, 4, [3, 2]),
        (2, 4, [2]),
        (3, 4, [3]),
        (7, 3, [3, 2, 2]),
        (4, 3, [2, 2]),
        (9, 2, [2, 2, 2, 2]),
    ],
)
def test_smaller_tables_are_only_where_nothing_else_fits(
    people: int, per_table: int, expected: list[int]
) -> None:
    assert sizes(people, per_table) == expected


def again_in(rounds: Sequence[Round]) -> list[int]:
    """Return how many pairs meet again in each round."""
    met: set[frozenset[str]] = set()
    found = []
    for each in rounds:
        found.append(sum(again(table.people, met) for table in each.tables))
        met.update(pair for table in each.tables for pair in table.meetings())
    return found


def evening(people: int, rounds: int, per_table: int, **more: Any) -> tuple[Round, ...]:
    everybody = tuple(f"p{n}" for n in range(1, people + 1))
    mode = more.pop("mode", "tables")
    first = PairingRequest(
        1, everybody, per_table=per_table, rounds=rounds, roster=everybody, **more
    )
    return plan(mode, first, Sheet())


@pytest.mark.parametrize(
    ("people", "rounds", "per_table"), [(16, 5, 4), (20, 5, 4), (9, 4, 3), (8, 7, 2), (30, 9, 3)]
)
def test_a_small_field_begins_so_that_the_last_round_works_too(
    people: int, rounds: int, per_table: int
) -> None:
    for seed in range(3):
        assert again_in(evening(people, rounds, per_table, seed=seed)) == [0] * rounds


@pytest.mark.parametrize(
    ("people", "rounds", "per_table", "seed"),
    [(16, 4, 4, 190), (20, 4, 4, 165), (12, 6, 3, 240), (4, 8, 4, 0), (6, 7, 2, 0)],
)
def test_of_full_tables_everybody_has_each_seat_as_often_as_the_others(
    people: int, rounds: int, per_table: int, seed: int
) -> None:
    everybody = [f"p{n}" for n in range(1, people + 1)]
    had: Counter[tuple[str, int]] = Counter()
    for number, each in enumerate(evening(people, rounds, per_table, seed=seed), 1):
        had.update((p, seat) for table in each.tables for seat, p in enumerate(table.people))
        spread = [[had[p, seat] for p in everybody] for seat in range(per_table)]
        assert max(map(max, spread)) - min(map(min, spread)) <= 1, f"round {number}"


@given(st.integers(2, 4), st.integers(1, 8), st.data())
def test_nobody_has_a_seat_twice_in_as_many_rounds_as_a_table_has_seats(
    per_table: int, tables: int, data: st.DataObject
) -> None:
    people = [f"p{n}" for n in range(per_table * tables)]
    mixed = st.permutations(people).map(tuple)
    groups = [
        order[at : at + per_table]
        for order in data.draw(st.lists(mixed, min_size=1, max_size=per_table))
        for at in range(0, len(people), per_table)
    ]
    seated = give_each_seat_once(groups)
    assert [set(each) for each in seated] == [set(each) for each in groups]
    had = Counter((p, seat) for each in seated for seat, p in enumerate(each))
    assert max(had.values()) == 1


@pytest.mark.parametrize(
    ("people", "rounds", "per_table"), [(60, 8, 4), (48, 6, 3), (40, 7, 2), (21, 4, 4), (50, 6, 4)]
)
def test_first_moves_and_seats_are_shared_out(people: int, rounds: int, per_table: int) -> None:
    paired = evening(people, rounds, per_table)
    first: Counter[str] = Counter(dict.fromkeys((f"p{n}" for n in range(1, people + 1)), 0))
    seats: Counter[tuple[str, int]] = Counter()
    for each in paired:
        for table in each.tables:
            first[table.people[0]] += 1
            seats.update((p, seat) for seat, p in enumerate(table.people))
    assert max(first.values()) - min(first.values()) <= 1
    assert max(seats.values()) <= rounds // per_table + 2


@pytest.mark.parametrize("per_table", [2, 3, 4])
def test_people_of_near_points_sit_together_who_have_not_met(per_table: int) -> None:
    people = tuple(f"p{n}" for n in range(24))
    apart = Counter[Mode]()
    for mode in ("swiss", "tables"):
        request = PairingRequest(1, people, per_table=per_table, seed=3)
        for number in range(1, 5):
            paired = pair(mode, replace(request, number=number))
            points = {line.p: float(line.points) for line in standings(people, request.results)}
            for table in paired.tables:
                scores = [points[p] for p in table.people]
                apart[mode] += round(max(scores) - min(scores))
            # the stronger one, by number, always wins
            ranked = (sorted(table.people, key=people.index) for table in paired.tables)
            played = tuple(
                TableResult(number, "", tuple(Scored(p, rank) for rank, p in enumerate(each, 1)))
                for each in ranked
            )
            request = replace(
                request,
                history=(*request.history, paired),
                results=(*request.results, *played),
            )
        assert again_in(request.history) == [0] * 4
    assert apart["swiss"] < 0.6 * apart["tables"]


def test_all_take_their_turn_at_the_smaller_tables() -> None:
    paired = evening(46, 5, 4)
    small: Counter[str] = Counter()
    for each in paired:
        small.update(p for table in each.tables if len(table.people) == 3 for p in table.people)
    assert sum(small.values()) == 30
    assert max(small.values()) == 1


def test_nobody_sits_out_twice_before_all_have_once() -> None:
    out = [p for each in evening(7, 14, 2) for p in each.byes]
    assert sorted(out[:7]) == sorted(out[7:]) == [f"p{n}" for n in range(1, 8)]


def test_who_came_late_does_not_sit_out_at_once() -> None:
    history = (Round(1, (Seating(("a", "b")), Seating(("c", "d")))),)
    paired = pair("tables", PairingRequest(2, tuple("abcde"), history, per_table=2))
    assert paired.byes != ("e",)


def test_who_came_late_sits_out_when_all_others_have() -> None:
    history = evening(5, 5, 2)
    people = (*(f"p{n}" for n in range(1, 7)), "late")
    assert {p for each in history for p in each.byes} == {*people[:5]}
    history = (*history, Round(6, (Seating(("p1", "p2")),), ("p6",)))
    paired = pair("tables", PairingRequest(7, people, history, per_table=2))
    assert paired.byes == ("late",)


def test_each_plays_all_games_before_one_twice() -> None:
    games = ("just4fun", "numeri", "sequence", "einmaleins")
    paired = evening(60, 4, 4, games=games)
    played = Counter(
        (p, table.game) for each in paired for table in each.tables for p in table.people
    )
    assert sum(times - 1 for times in played.values()) <= 60 * 4 // 16
    for each in paired:
        assert {table.game for table in each.tables} <= {*games}


def test_another_evening_of_the_same_people_has_other_tables() -> None:
    people = tuple(f"p{n}" for n in range(12))
    tonight, next_week = (
        pair("tables", PairingRequest(1, people, seed=evening_id))
        for evening_id in ("e7k2", "e9x4")
    )
    assert {frozenset(table.people) for table in tonight.tables} != {
        frozenset(table.people) for table in next_week.tables
    }


def test_who_never_came_to_a_table_may_meet_its_people() -> None:
    seated = Seating(("a", "b"), absent=frozenset("b"))
    paired = pair("tables", PairingRequest(2, ("a", "b"), (Round(1, (seated,)),), per_table=2))
    assert again_in([Round(1, (seated,)), paired]) == [0, 0]


@pytest.mark.parametrize("people", [(), ("a",)])
def test_a_round_that_is_impossible_says_why(people: tuple[str, ...]) -> None:
    with pytest.raises(PairingError) as raised:
        pair("tables", PairingRequest(1, people))
    assert raised.value.code == "too-few"


def test_the_order_of_people_and_history_does_not_change_who_met() -> None:
    people = tuple(f"p{n}" for n in range(12))
    history = evening(12, 2, 3)
    one = PairingRequest(3, people, history, per_table=3, seed=1)
    other = PairingRequest(3, people, history[::-1], per_table=3, seed=1)
    assert pair("tables", one) == pair("tables", other)
    assert pair("free", one) == pair("tables", one)
