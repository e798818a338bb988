"""Levels: how well a beginner, a club player and the best one choose, and how that is found."""

from collections.abc import Sequence
from importlib import import_module
from math import exp
from random import Random
from typing import Any

import pytest

from ai.api import Option
from ai.halving import LEVELS, Level, choose_move, levels_of
from tests.ai.play_outs import COUNTS
from tools.levels import ENDS, SOFTNESS, carelessness_for, level_of, main, spread


def of_game(game: str) -> dict[str, Level]:
    levels: dict[str, Level] = import_module(f"ai.{game}.thinking").LEVELS
    return levels


@pytest.mark.parametrize("game", COUNTS)
def test_each_level_is_more_careful_than_the_one_below(game: str) -> None:
    levels = of_game(game)
    assert list(levels) == list(LEVELS)
    beginner, club, best = (levels[name] for name in ("beginner", "club", "best"))
    assert 1 > beginner.overlooked > club.overlooked > best.overlooked == 0
    assert beginner.softness > club.softness > best.softness == 0
    assert 0 < beginner.seconds <= club.seconds < best.seconds


class Table:
    """A position with two moves."""

    def legal(self, _given: object) -> tuple[str, str]:
        return "good", "bad"


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_thinks_no_longer_than_it_may(level: str) -> None:
    levels = levels_of({"club": {"overlooked": 0.2, "softness": 0.1, "seconds": 0.5}})
    assert levels["club"] == Level(0.2, 0.1, 0.5)
    asked = []

    def search(
        position: Table, given: object, seconds: float, _rng: Random, *, decide: bool = False
    ) -> Sequence[Option]:
        asked.append((seconds, decide))
        return [Option(move, 0.5, 1) for move in position.legal(given)]  # type: ignore[arg-type]

    for seconds in (0.001, 3.0):
        choose_move(search, Table(), None, level, seconds, Random(1), levels=levels)
    assert asked == [(0.001, True), (min(3.0, levels[level].seconds), True)]


def games(rival: float, slope: float, count: int = 4_000) -> list[tuple[float, float]]:
    """Return games by chance in which carelessness tells as a logistic curve says."""
    chance = Random(7)
    values = [chance.random() for _ in range(count)]
    wins = [chance.random() < 1 / (1 + exp(slope * (rival - value))) for value in values]
    return [(value, float(won)) for value, won in zip(values, wins, strict=True)]


@pytest.mark.parametrize(("rival", "slope"), [(0.0, 2.0), (0.2, 3.0), (0.1, 40.0)])
def test_the_carelessness_is_found_at_which_the_goal_is_won(rival: float, slope: float) -> None:
    wanted = rival + 0.8473 / slope  # 0.8473 are the log-odds of 70 %
    assert carelessness_for(games(rival, slope), rival) == pytest.approx(wanted, rel=0.08)


def test_what_no_carelessness_reaches_is_one_of_the_ends() -> None:
    assert carelessness_for(games(0.0, 0.5), 0.0) == ENDS[1]
    assert carelessness_for(games(0.0, -3.0), 0.0) == ENDS[1]
    assert carelessness_for([(0.5, 1.0)] * 40, 0.0) == ENDS[0], "lost every game"


def test_values_are_spread_within_the_ends() -> None:
    values = spread(-0.1, 0.3)
    assert values[0] == ENDS[0]
    assert values[-1] == pytest.approx(0.3)
    assert values == sorted(values)
    assert level_of(0.4, 0.02) == Level(0.4, 0.4 * SOFTNESS, 0.02)


def test_the_command_prints_levels_that_a_game_can_read(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import tomllib

    monkeypatch.setattr("tools.levels.VALUES", 2)
    monkeypatch.setattr("tools.levels.BEST_S", 0.0005)
    monkeypatch.setattr("tools.levels.SECONDS", {"club": 0.0005, "beginner": 0.0005})
    main(["just4fun", "8"])
    text = capsys.readouterr().out
    read: dict[str, Any] = tomllib.loads(text)
    assert list(levels_of(read)) == list(LEVELS)
    assert read["club"]["softness"] == pytest.approx(
        SOFTNESS * read["club"]["overlooked"], abs=1e-4
    )
