"""The Swiss system: held to FIDE's rules by a checker that tries every pairing."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

import pytest
from caissify_pairings import generate_pairings

from club.pairing import matching
from club.pairing.exports import trf
from club.pairing.model import PairingError, PairingRequest, Round, Scored, Seating, TableResult
from club.pairing.pair import pair
from club.pairing.swiss import brackets
from club.pairing.swiss.dutch import dutch
from club.pairing.swiss.person import Pairs, SwissPerson
from club.pairing.swiss.rounds import add_up, pair_swiss, start_numbers
from tests.club.pairing.dutch import best_quality, faults
from tests.options import Options

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


def evening(
    number: int, *, absent: float = 0.0, most: int = 9
) -> tuple[PairingRequest, list[Seen]]:
    """Play a Swiss evening by chance; return it after its last round, and what the system did."""
    chance = Random(number)
    people = tuple(f"p{n}" for n in range(chance.randint(4, most)))
    rounds = chance.randint(3, max(3, min(9, len(people) // 2)))
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


def by_the_library(people: Sequence[SwissPerson], number: int, rounds: int) -> Pairs:
    """Pair a round by caissify-pairings, which its author holds to bbpPairings."""
    moves = {True: "white", False: "black"}
    players = [
        {
            "id": p.number,
            "name": "",
            "score": p.score,
            "rating": 0,
            "starting_number": p.number,
            "pairing_number": p.number,
            "color_hist": [moves[first] for first in p.first_moves if first is not None],
            "float_history": [*p.floats],
            "bye_count": p.byes,
        }
        for p in people
    ]
    met = {(min(p.number, other), max(p.number, other)) for p in people for other in p.opponents}
    pairs = generate_pairings("dutch", players, met, number, rounds)
    return tuple((pair["white_id"], pair["black_id"]) for pair in pairs)


def leaving(people: Sequence[SwissPerson], pairs: Pairs) -> list[int]:
    """Return how many of each score and above find no opponent there: the first criterion."""
    scores = {p.number: p.score for p in people}
    groups = [(scores[one], scores[two] if two else -1.0) for one, two in pairs]
    return [
        sum(max(both) >= score > min(both) for both in groups)
        for score in sorted(set(scores.values()), reverse=True)
    ]


@pytest.mark.parametrize(
    ("most", "absent"), [(9, 0.0), (9, 0.2), (24, 0.0), (24, 0.1), (40, 0.0), (41, 0.1)]
)
def test_each_round_is_the_one_that_another_program_finds(
    most: int, absent: float, pytestconfig: pytest.Config
) -> None:
    rounds = better = 0
    for number in range(10 * Options.of(pytestconfig).times):
        request, seen = evening(number, absent=absent, most=most)
        for round_, (people, pairs) in enumerate(seen, 1):
            rounds += 1
            theirs = by_the_library(people, round_, request.rounds)
            if pairs != theirs:
                # it counts scores before pairs, where FIDE and bbpPairings count pairs first
                assert leaving(people, pairs) < leaving(people, theirs), (number, round_)
                better += 1
    assert better <= rounds / 50


def test_a_round_of_200_people_takes_few_matchings(monkeypatch: pytest.MonkeyPatch) -> None:
    # each costs a tenth of a second where a hundred people have one score
    sizes: list[int] = []
    heaviest = matching.heaviest

    def counted(weights: Mapping[tuple[int, int], int], **more: bool) -> dict[int, int]:
        sizes.append(len(weights))
        return heaviest(weights, **more)

    for module in (matching, brackets):
        monkeypatch.setattr(module, "heaviest", counted)
    people = tuple(f"p{n}" for n in range(199))
    request = PairingRequest(1, people, per_table=2, rounds=4, roster=people)
    chance = Random(3)
    for round_ in range(1, 5):
        paired = pair_swiss(replace(request, number=round_))
        results = (*request.results, *play(paired, chance))
        request = replace(request, history=(*request.history, paired), results=results)
        scores = 2 * round_ - 1
        assert len(sizes) <= 3 * scores
        # not all 19,900 pairs each time
        assert sum(sizes) <= 40_000
        sizes.clear()


def test_the_last_round_lets_those_in_front_have_a_move_three_times() -> None:
    # both had the first move twice; the other two have met both
    lines = [
        SwissPerson(1, 2.0, (True, True), ("none",) * 2, 0, frozenset({3, 4})),
        SwissPerson(2, 2.0, (True, True), ("none",) * 2, 0, frozenset({3, 4})),
        SwissPerson(3, 0.0, (True, False), ("none",) * 2, 0, frozenset({1, 2})),
        SwissPerson(4, 0.0, (False, True), ("none",) * 2, 0, frozenset({1, 2})),
    ]
    with pytest.raises(PairingError, match="no-swiss"):
        dutch(lines, 3, 5)
    assert dutch(lines, 3, 3) == ((2, 1), (3, 4))
    behind = [replace(line, score=2 - line.score) for line in lines]
    with pytest.raises(PairingError, match="no-swiss"):
        dutch(behind, 3, 3)


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
