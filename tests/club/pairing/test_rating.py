"""Ratings over evenings, and why not by the library's default model."""

from typing import Any

import pytest
from openskill.models import BradleyTerryFull, PlackettLuce

from club.pairing.model import Scored, TableResult
from club.pairing.rating import AVERAGE, PersonRating, ratings


def played(game: str, *ranks: tuple[str | None, int]) -> TableResult:
    return TableResult(None, game, tuple(Scored(p, rank) for p, rank in ranks))


def by_person(*results: TableResult) -> dict[str, PersonRating]:
    return {each.p: each for each in ratings(results)}


def ordinals(model: Any, ranks: list[float]) -> list[float]:
    """Return how strong newcomers come out of one table, as far as the model is sure."""
    rated = model.rate([[model.rating()] for _ in ranks], ranks=ranks)
    return [rating.ordinal() for (rating,) in rated]


TIES: list[list[float]] = [[1, 1, 3, 4], [1, 2, 2, 4, 5]]


@pytest.mark.parametrize("ranks", TIES)
def test_the_default_model_puts_who_shares_a_place_below_the_next_one(ranks: list[float]) -> None:
    tied = ranks.index(next(rank for rank in ranks if ranks.count(rank) > 1))
    strengths = ordinals(PlackettLuce(), ranks)
    assert strengths[tied] < strengths[tied + 2], "then the other model is no longer needed"


@pytest.mark.parametrize("ranks", TIES)
def test_the_model_in_use_keeps_the_order_of_the_places(ranks: list[float]) -> None:
    strengths = ordinals(BradleyTerryFull(), ranks)
    for one, mine in zip(ranks, strengths, strict=True):
        for other, theirs in zip(ranks, strengths, strict=True):
            assert (one < other) == (mine > theirs)


def test_a_newcomer_is_average_and_who_wins_is_stronger() -> None:
    rated = by_person(played("numeri", ("a", 1), ("b", 2), ("c", 3)))
    assert rated["a"].strength > rated["b"].strength == AVERAGE > rated["c"].strength


def test_a_strength_is_unsure_until_enough_games_were_played() -> None:
    one = played("numeri", ("a", 1), ("b", 2))
    assert by_person(one)["a"].unsure
    other = played("numeri", ("b", 1), ("a", 2))
    assert by_person(*[one, other] * 3)["a"].unsure
    rated = by_person(*[one, other] * 8)
    assert not rated["a"].unsure
    assert rated["a"].games == 16


def test_each_game_has_ratings_of_its_own() -> None:
    rated = ratings([played("numeri", ("a", 1), ("b", 2)), played("sequence", ("b", 1), ("a", 2))])
    assert [(each.game, each.p) for each in rated] == [
        ("numeri", "a"),
        ("numeri", "b"),
        ("sequence", "b"),
        ("sequence", "a"),
    ]


def test_a_guest_is_a_newcomer_each_time_and_has_no_rating() -> None:
    rated = by_person(*[played("numeri", (None, 1), ("a", 2))] * 3)
    assert rated.keys() == {"a"}
    assert rated["a"].strength < AVERAGE


def test_a_table_of_one_rates_nobody() -> None:
    assert ratings([played("numeri", ("a", 1))]) == ()
