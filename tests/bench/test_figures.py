"""The bench's own machinery: figures judge themselves, random games are real ones."""

from random import Random

import pytest

from bench.figure import Figure, timed
from bench.random_play import COUNTS, PLAYS
from engines.games import GAMES, SHIPPED


@pytest.mark.parametrize(
    ("within", "figure"),
    [
        (True, Figure("t", 2.0, "ms", 3.0)),
        (False, Figure("t", 4.0, "ms", 3.0)),
        (True, Figure("t", 70_000, "moves/s", 60_000, higher=True)),
        (False, Figure("t", 50_000, "moves/s", 60_000, higher=True)),
        (True, Figure("t", 9.0, "ms", 3.0, ratio=2.0)),
        (False, Figure("t", 1.0, "moves/s", 2.5, higher=True, ratio=2.4)),
        (None, Figure("t", 1.0, "ms")),
    ],
)
def test_a_figure_knows_whether_it_keeps_its_budget(*, within: bool | None, figure: Figure) -> None:
    assert figure.as_json()["within"] is within


def test_twice_the_work_is_twice_the_yards_on_any_machine() -> None:
    def act(times: int) -> None:
        for step in range(times * 40_000):
            step * 31 & 0xFFFF

    once, twice = (timed(lambda n=n: act(n), 7) for n in (2, 4))  # type: ignore[misc]
    assert 1.3 < twice.yards / once.yards < 3
    assert twice.seconds > once.seconds


def test_bench_json_has_the_documented_keys() -> None:
    keys = ["name", "value", "unit", "ratio", "budget", "within", "plain"]
    assert list(Figure("t", 1.0, "ms").as_json()) == keys


@pytest.mark.parametrize("game", SHIPPED)
def test_random_play_makes_legal_moves_of_whole_games_for_all_numbers_of_players(
    game: str,
) -> None:
    assert set(COUNTS[game]) == GAMES[game].player_counts
    for count in COUNTS[game]:
        course = list(PLAYS[game](count, Random(5)))
        assert course
        assert all(position.refusal(move) is None for position, _, move in course)
