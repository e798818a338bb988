"""The bench's own machinery: figures judge themselves, random games are real ones."""

import json
import sys
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

import bench.__main__ as bench
from bench import figure
from bench.figure import Figure, Timed, measure
from bench.random_play import play
from bench.store import appends
from engines.games import GAMES, SHIPPED


@pytest.mark.parametrize(
    ("within", "one"),
    [
        (True, Figure("t", 2.0, "MiB", 3.0)),
        (False, Figure("t", 4.0, "MiB", 3.0)),
        (True, Figure("t", 2.6, "", 2.5, higher=True)),
        (False, Figure("t", 2.4, "", 2.5, higher=True)),
        (None, Figure("t", 1.0, "ms")),
        (True, Timed(0.004, slowness=2.0).figure_ms("t", 3.0)),
        (False, Timed(0.004, slowness=1.0).figure_ms("t", 3.0)),
    ],
)
def test_a_figure_knows_whether_it_keeps_its_budget(*, within: bool | None, one: Figure) -> None:
    found = one.as_json()
    assert list(found) == ["name", "value", "unit", "budget", "within", "plain"]
    assert found["within"] is within


@pytest.mark.parametrize("slowness", [1.0, 3.0])
def test_twice_the_work_takes_twice_as_much_of_the_budget_on_any_machine(
    slowness: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    spent = 0.0

    def act(times: int) -> None:
        nonlocal spent
        spent += times * 0.003 * slowness

    monkeypatch.setattr(figure, "slowness", lambda: slowness)
    once, twice = (measure(lambda n=n: act(n), clock=lambda: spent) for n in (2, 4))  # type: ignore[misc]
    for timed, share in ((once, 0.5), (twice, 1)):
        shown = timed.figure_ms("t", 12.0)
        assert shown.budget is not None
        assert shown.value / shown.budget == pytest.approx(share)


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


def test_a_move_is_one_append_and_one_flush(tmp_path: Path) -> None:
    assert [(found.value, found.within) for found in appends(tmp_path)] == [(1, True)] * 2


@pytest.mark.parametrize("game", SHIPPED)
def test_random_play_makes_legal_moves_of_whole_games_for_all_numbers_of_players(
    game: str,
) -> None:
    for count in GAMES[game].player_counts:
        moves = list(play(game, count, Random(5)))
        assert moves
        assert all(position.refusal(move) is None for position, _, move in moves)
