"""The bench's own machinery: figures judge themselves, random games are real ones."""

import json
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

import bench.__main__ as bench
from ai.match import Tally
from bench import figure, wins
from bench.figure import Figure, measure
from bench.random_play import play
from bench.storing import transactions
from bench.strength.rows import ROWS, Match, RowFigure
from bench.strength.side import Thinking
from engines.games import GAMES, SHIPPED


@pytest.mark.parametrize(
    ("within", "one"),
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
def test_a_figure_knows_whether_it_keeps_its_budget(*, within: bool | None, one: Figure) -> None:
    assert one.as_json()["within"] is within


@pytest.mark.parametrize("slow", [1.0, 3.0])
def test_twice_the_work_is_twice_the_yards_on_any_machine(
    slow: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    spent = 0.0

    def act(times: int) -> None:
        nonlocal spent
        spent += times * 0.003 * slow

    monkeypatch.setattr("bench.figure.time.process_time", lambda: spent)
    monkeypatch.setattr(figure, "yard", lambda: 0.003 * slow)
    once, twice = measure(lambda: act(2)), measure(lambda: act(4))
    assert (once.yards, twice.yards) == pytest.approx((2, 4))
    assert twice.seconds == pytest.approx(0.012 * slow)


def test_bench_json_has_the_documented_keys() -> None:
    keys = ["name", "value", "unit", "budget", "within", "plain"]
    assert list(Figure("t", 1.0, "ms").as_json()) == keys


@pytest.mark.parametrize(
    "one",
    [
        Figure("t", 0.34, "s", 105, ratio=68),
        Figure("t", 0.34, "s", 105, ratio=106),
        Figure("t", 44_000, "moves/s", 2.5, higher=True, ratio=3.1),
        Figure("t", 44_000, "moves/s", 2.5, higher=True, ratio=2.4),
    ],
)
def test_a_budget_in_bench_json_is_in_the_unit_of_its_value(one: Figure) -> None:
    found = one.as_json()
    value, budget = found["value"], found["budget"]
    assert isinstance(value, float | int)
    assert isinstance(budget, float)
    assert found["within"] is (value >= budget if one.higher else value <= budget)


def test_a_module_that_fails_takes_no_others_figures_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails() -> list[Figure]:
        raise OSError("no chip")

    for name, figures_of in (
        ("first", fails),
        ("second", lambda: [Figure("kept", 1.0, "ms", 2.0)]),
    ):
        module = ModuleType(name)
        vars(module)["figures"] = figures_of
        monkeypatch.setitem(sys.modules, f"bench.{name}", module)
    monkeypatch.chdir(tmp_path)
    assert bench.main(["first", "second"]) == 1
    assert [row["name"] for row in json.loads(Path("bench.json").read_text("utf-8"))] == ["kept"]
    assert "1 of 1 budgets kept" in capsys.readouterr().out


def test_a_move_is_one_transaction(tmp_path: Path) -> None:
    found = transactions(tmp_path)
    assert (found.value, found.within) == (1, True)


@pytest.mark.parametrize("game", SHIPPED)
def test_random_play_makes_legal_moves_of_whole_games_for_all_numbers_of_players(
    game: str,
) -> None:
    for count in GAMES[game].player_counts:
        moves = list(play(game, count, Random(5)))
        assert moves
        assert all(position.refusal(move) is None for position, _, move in moves)


@pytest.mark.parametrize(("won", "below"), [(0, 49), (3, 95), (4, 100)])
def test_few_wins_miss_a_goal_only_where_even_the_upper_end_does(
    won: int, below: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of four games none won is 0 to 49 %: too few where half of all has to be reached."""
    low, high = (100 * end for end in Tally(won, 4).interval)
    monkeypatch.setattr(wins, "sampled", lambda *_: RowFigure(4, 25 * won, low, high))
    found = wins.figures()
    rows = [row for row in ROWS if row.sample]
    assert len(found) == 3 * len(rows)
    figures = zip(found[::3], found[1::3], found[2::3], strict=True)
    for row, (share, least, most) in zip(rows, figures, strict=True):
        assert least.value <= share.value <= most.value
        assert share.within is None
        possible = (
            None if row.goal is None else row.goal.possible(RowFigure(4, 25 * won, low, high))
        )
        kept = [figure.within for figure in (least, most) if figure.within is not None]
        assert all(kept) is possible if kept else possible is None, row.name
        if row.goal is not None and row.goal.part == "low" and row.goal.most > 100:
            assert most.within is (row.goal.least < below), row.name


def test_the_bench_plays_the_same_games_in_a_sample_of_any_row(tmp_path: Path) -> None:
    rows = [row for row in ROWS if row.sample and isinstance(row, Match)]
    fast = replace(rows[0], seats=(Thinking(seconds=0.0), "greedy"), sample=2)
    assert wins.sampled(fast, tmp_path) == wins.sampled(fast, tmp_path / "again")
