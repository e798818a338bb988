"""The Swiss system: held to FIDE's rules by a checker that tries every pairing."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from club.pairing.exports import trf
from club.pairing.model import PairingError, PairingRequest, Round, Scored, Seating, TableResult
from club.pairing.pair import pair
from club.pairing.swiss import Pairs, SwissPerson, add_up, dutch, pair_swiss, start_numbers
from tests.club.pairing.dutch import best_quality, faults

Seen = tuple[tuple[SwissPerson, ...], Pairs]


def play(paired: Round, chance: Random) -> list[TableResult]:
    """Return a result by chance for each table: won, lost or drawn."""
    ranks = [chance.choice(((1, 2), (2, 1), (1, 1))) for _ in paired.tables]
    return [
        TableResult(
            paired.number,
            "",
            tuple(Scored(p, rank) for p, rank in zip(table.people, each, strict=True)),
        )
        for table, each in zip(paired.tables, ranks, strict=True)
    ]


def evening(number: int, *, absent: float = 0.0) -> tuple[PairingRequest, list[Seen]]:
    """Play a Swiss evening by chance; return it after its last round, and what the system did."""
    chance = Random(number)
    people = tuple(f"p{n}" for n in range(chance.randint(4, 9)))
    rounds = chance.randint(3, max(3, len(people) // 2))
    seen: list[Seen] = []

    def watched(people: Sequence[SwissPerson], number: int, rounds: int) -> Pairs:
        pairs = dutch(people, number, rounds)
        seen.append((tuple(people), pairs))
        return pairs

    request = PairingRequest(1, people, per_table=2, rounds=rounds, roster=people)
    for round_ in range(1, rounds + 1):
        there = tuple(p for p in people if chance.random() >= absent)
        if len(there) < 4:
            there = people
        request = replace(request, number=round_, people=there)
        paired = pair_swiss(request, watched)
        request = replace(
            request,
            history=(*request.history, paired),
            results=(*request.results, *play(paired, chance)),
        )
    return request, seen


@pytest.mark.parametrize("number", range(25))
def test_each_round_is_as_good_as_fides_rules_allow(number: int) -> None:
    _, seen = evening(number)
    assert [faults(people, pairs) for people, pairs in seen] == [[] for _ in seen]


def test_the_checker_notices_a_pair_that_met_before_and_groups_that_are_mixed() -> None:
    noticed = 0
    for number in range(12):
        _, seen = evening(number)
        people, pairs = seen[-1]
        (one, two), (three, four), *rest = pairs
        swapped = ((one, four), (three, two), *rest)
        noticed += bool(faults(people, swapped)) or best_quality(people) is None
    assert noticed >= 10


def test_the_first_round_pairs_the_upper_with_the_lower_half() -> None:
    people = tuple(f"p{n}" for n in range(1, 8))
    paired = pair("swiss", PairingRequest(1, people, per_table=2, rounds=3))
    assert {frozenset(table.people) for table in paired.tables} == {
        frozenset({"p1", "p4"}),
        frozenset({"p2", "p5"}),
        frozenset({"p3", "p6"}),
    }
    assert paired.byes == ("p7",)


def test_who_was_away_keeps_their_number_and_scores_nothing() -> None:
    request, _ = evening(3, absent=0.3)
    numbers = start_numbers(request)
    assert [*numbers] == [*request.roster]
    totals = add_up(numbers, request.history, request.results)
    for p, total in totals.items():
        there = [each for each in request.history if p in _people(each)]
        assert len(total.first_moves) == len(request.history)
        assert total.score <= len(there)


def _people(each: Round) -> set[str]:
    return {p for table in each.tables for p in table.people} | {*each.byes}


def test_who_waited_for_somebody_who_never_came_has_a_point_and_met_nobody() -> None:
    seated = Round(1, (Seating(("a", "b"), absent=frozenset("b")),))
    totals = add_up("ab", [seated], [])
    assert (totals["a"].score, totals["a"].byes, totals["a"].opponents) == (1, 1, set())
    assert totals["b"].score == 0


def test_a_missing_result_counts_as_a_draw() -> None:
    totals = add_up("ab", [Round(1, (Seating(("a", "b")),))], [])
    assert [total.score for total in totals.values()] == [0.5, 0.5]


def test_larger_tables_and_exhausted_fields_are_refused() -> None:
    with pytest.raises(PairingError, match="two-only"):
        pair("swiss", PairingRequest(1, ("a", "b", "c"), per_table=3))
    first = Round(1, (Seating(("a", "b")),))
    with pytest.raises(PairingError, match="no-swiss"):
        pair("swiss", PairingRequest(2, ("a", "b"), (first,), per_table=2, rounds=2))


@pytest.mark.parametrize("number", range(6))
def test_a_trf_is_what_the_librarys_own_checker_pairs_again(number: int) -> None:
    from caissify_pairings.fpc import check_trf

    request, _ = evening(number)
    text = trf("Evening", request, {"p1": "Ann\nMüller"}, {})
    report = check_trf(text)
    assert report["num_players"] == len(request.roster)
    assert report["summary"]["rounds_checked"] == request.rounds
    assert report["summary"]["total_discrepancies"] == 0
    players = [line for line in text.splitlines() if line.startswith("001")]
    assert len(players) == len(request.roster)
    assert {len(line) for line in players} == {91 + 10 * request.rounds}
    assert any("Ann Müller" in line for line in players)
