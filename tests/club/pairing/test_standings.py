"""Evening points, ties and what a correction changes."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from club.pairing.model import Scored, TableResult
from club.pairing.standings import (
    StandingLine,
    evening_points,
    points_number,
    standing_changes,
    standings,
)

THIRD = Fraction(1, 3)


@pytest.mark.parametrize(
    ("ranks", "points"),
    [
        ((1, 2, 3, 4), (5, 3, 2, 1)),
        ((4, 3, 2, 1), (1, 2, 3, 5)),
        ((1, 2, 3), (5, 3, 1)),
        ((2, 1), (1, 4)),
        ((1, 1), (2.5, 2.5)),
        ((1, 2, 2, 4), (5, 2.5, 2.5, 1)),
        ((1, 2, 2, 3), (5, 2.5, 2.5, 1)),  # ranks without a gap mean the same
        ((1, 1, 3, 3), (4, 4, 1.5, 1.5)),  # two teams of two
        ((2, 1, 2, 1), (1.5, 4, 1.5, 4)),
        ((1, 1, 1, 4), (10 * THIRD, 10 * THIRD, 10 * THIRD, 1)),
        ((1, 1, 1), (3, 3, 3)),
        ((1, 1, 1, 1), (2.75,) * 4),
        ((1,), (0,)),
        ((1, 2, 3, 4, 5), (5, 3, 2, 1, 0)),
        ((), ()),
    ],
)
def test_who_shares_a_rank_shares_the_sum_of_its_places(
    ranks: tuple[int, ...], points: tuple[float, ...]
) -> None:
    assert evening_points(ranks) == points


@given(st.lists(st.integers(1, 6), min_size=2, max_size=4))
def test_a_table_gives_all_its_points_and_more_to_who_is_better(ranks: list[int]) -> None:
    points = evening_points(ranks)
    assert sum(points) == {2: 5, 3: 9, 4: 11}[len(ranks)]
    for one, mine in zip(ranks, points, strict=True):
        for other, theirs in zip(ranks, points, strict=True):
            assert (one < other) == (mine > theirs)


def test_points_are_whole_numbers_in_json_where_they_are_whole() -> None:
    assert [points_number(Fraction(n, 6)) for n in (12, 15, 20)] == [2, 2.5, 10 / 3]
    assert isinstance(points_number(Fraction(12, 6)), int)


def table(round_: int, *ranks: tuple[str, int]) -> TableResult:
    """Return a result; the people in the order of their seats."""
    return TableResult(round_, "", tuple(Scored(p, rank) for p, rank in ranks))


def decided(lines: tuple[StandingLine, ...]) -> list[tuple[str, str]]:
    return [(line.p, line.decided_by) for line in lines]


def test_more_points_come_first() -> None:
    lines = standings([], [table(1, ("a", 2), ("b", 1), ("c", 3))])
    assert [(line.p, points_number(line.points), line.rank) for line in lines] == [
        ("b", 5, 1),
        ("a", 3, 2),
        ("c", 1, 3),
    ]
    assert {line.decided_by for line in lines} == {"points"}


def test_of_equal_points_more_wins_decide_and_both_say_so() -> None:
    # a: 5 + 1, b: 3 + 3
    results = [
        table(1, ("a", 1), ("x", 2), ("y", 3)),
        table(2, ("x", 1), ("y", 2), ("a", 3)),
        table(1, ("z", 1), ("b", 2), ("w", 3)),
        table(2, ("w", 1), ("b", 2), ("z", 3)),
    ]
    lines = {line.p: line for line in standings([], results)}
    assert lines["a"].points == lines["b"].points == 6
    assert lines["a"].rank < lines["b"].rank
    assert lines["a"].decided_by in ("wins", "direct", "opponents", "first_moves", "lot")
    assert lines["b"].decided_by == "wins"


def test_of_equal_wins_who_was_better_at_one_table_comes_first() -> None:
    results = [
        table(1, ("a", 2), ("b", 1)),
        table(2, ("a", 1), ("c", 2)),
        table(2, ("b", 2), ("d", 1)),
    ]
    lines = standings([], results)
    order = [line.p for line in lines]
    by_p = {line.p: line for line in lines}
    assert by_p["a"].points == by_p["b"].points == 5
    assert order.index("b") < order.index("a")
    assert by_p["a"].decided_by == by_p["b"].decided_by == "direct"


def test_who_never_met_is_decided_by_what_their_opponents_have() -> None:
    results = [
        table(1, ("a", 1), ("x", 2)),
        table(1, ("b", 1), ("y", 2)),
        table(2, ("x", 1), ("z", 2)),
        table(2, ("y", 2), ("w", 1)),
    ]
    lines = {line.p: line for line in standings([], results)}
    assert lines["a"].points == lines["b"].points == lines["w"].points
    assert lines["a"].rank < lines["b"].rank
    assert lines["a"].decided_by == "opponents"


def test_the_direct_encounter_counts_only_if_all_of_the_tie_met() -> None:
    # a beat b, but c, with as many points and wins, met neither
    results = [
        table(1, ("a", 1), ("b", 2)),
        table(2, ("b", 1), ("s", 2)),
        table(2, ("a", 2), ("t", 1)),
        table(1, ("c", 1), ("u", 2)),
        table(2, ("c", 2), ("v", 1)),
    ]
    lines = {line.p: line for line in standings([], results)}
    assert {lines[p].points for p in "abc"} == {Fraction(5)}
    assert "direct" not in {lines[p].decided_by for p in "abc"}


def test_of_all_else_equal_fewer_first_moves_come_first() -> None:
    # two draws against each other: the same opponents, the same results
    lines = standings([], [table(1, ("a", 1), ("b", 1)), table(2, ("a", 1), ("b", 1))])
    assert decided(lines) == [("b", "first_moves"), ("a", "first_moves")]


def test_the_lot_decides_last_and_stays_whoever_else_comes() -> None:
    few = [line.p for line in standings("abc", [], seed=4)]
    many = [line.p for line in standings("fedcba", [], seed=4)]
    assert [p for p in many if p in few] == few
    assert {line.decided_by for line in standings("abc", [])} == {"lot"}
    assert len({tuple(line.p for line in standings("abcdef", [], seed=s)) for s in range(9)}) > 1


def test_a_table_where_all_are_equal_has_no_winner_unless_the_game_says_so() -> None:
    draw = table(1, ("a", 1), ("b", 1))
    assert {line.wins for line in standings([], [draw])} == {0}
    shared = replace(draw, seats=tuple(replace(seat, won=True) for seat in draw.seats))
    assert {line.wins for line in standings([], [shared])} == {1}


def test_a_guest_without_a_number_takes_a_place_and_no_line() -> None:
    result = TableResult(1, "", (Scored(None, 1), Scored("a", 2), Scored("b", 3)))
    assert [(line.p, points_number(line.points)) for line in standings([], [result])] == [
        ("a", 3),
        ("b", 1),
    ]


RESULTS = st.lists(
    st.tuples(
        st.lists(st.sampled_from("abcdefgh"), min_size=2, max_size=4, unique=True),
        st.lists(st.integers(1, 4), min_size=4, max_size=4),
    ).map(lambda both: table(1, *zip(both[0], both[1], strict=False))),
    max_size=12,
)


@given(RESULTS, st.permutations(range(12)))
def test_the_order_in_which_results_come_does_not_matter(
    results: list[TableResult], order: list[int]
) -> None:
    shuffled = [results[place] for place in order if place < len(results)]
    assert standings("abcdefgh", results) == standings("hgfedcba", shuffled)


@given(RESULTS)
def test_ranks_follow_the_criteria_and_only_the_lot_shares_one(results: list[TableResult]) -> None:
    lines = standings("abcdefgh", results)
    for place, line in enumerate(lines, 1):
        shared = [other for other in lines if other.rank == line.rank]
        assert (line.decided_by == "lot") == (len(shared) > 1)
        assert line.rank <= place < line.rank + len(shared)
    assert [*lines] == sorted(lines, key=lambda line: (-line.points, line.rank))
    for line in lines:
        equal = [other for other in lines if other.points == line.points and other.p != line.p]
        assert (line.decided_by == "points") == (not equal)
        if line.decided_by not in ("points", "wins"):
            assert line.wins in {other.wins for other in equal}


def test_a_correction_says_whose_points_and_ranks_change_and_nobody_elses() -> None:
    others = [table(1, ("y", 1), ("z", 2))]
    wrong = table(1, ("a", 1), ("b", 2), ("c", 3))
    right = table(1, ("b", 1), ("a", 2), ("c", 3))
    before, after = standings("d", [wrong, *others]), standings("d", [right, *others])
    changes = standing_changes(before, after)
    assert changes == [
        {
            "p": p,
            "before": {"points": old, "wins": old // 5, "rank": rank},
            "after": {"points": new, "wins": new // 5, "rank": after_rank},
        }
        for p, old, new, rank, after_rank in (("b", 3, 5, 3, 1), ("a", 5, 3, 1, 3))
    ]
    assert standing_changes(before, before) == []


def test_a_withdrawn_result_takes_its_guests_out_of_the_standings() -> None:
    before = standings(["a"], [table(1, ("a", 1), ("b", 2))])
    changes = standing_changes(before, standings(["a"], []))
    assert [(each["p"], each["after"] is None) for each in changes] == [("a", False), ("b", True)]
