"""The bus figures are counted, not timed: so they can be held to the budgets here as well."""

from typing import Literal

import pytest

from bench import recovery
from bench.bus import bus_bytes
from bench.whole_game import BUDGET, FINGERS, frames_of_a_game, traffic
from pi_app.view.frame import Tone


@pytest.mark.parametrize("driver", ["ssd1306", "sh1106"])
def test_each_kind_of_frame_is_within_its_budget(driver: Literal["ssd1306", "sh1106"]) -> None:
    figures = bus_bytes(driver)
    assert [figure.name.removeprefix(f"bus, {driver}: ") for figure in figures] == [
        "full frame",
        "changed line",
        "two digits",
        "identical frame",
    ]
    for figure in figures:
        assert figure.budget is None or figure.value <= figure.budget, figure
        assert figure.plain is not None
        assert figure.plain > 1_000, figure
    assert figures[1].value > 0
    assert figures[2].value > 0


def test_plain_luma_sends_the_full_frame_every_time() -> None:
    assert {figure.plain for figure in bus_bytes("ssd1306")} == {1_096}


def test_the_glass_is_right_again_within_its_budgets() -> None:
    for figure in recovery.figures():
        assert figure.budget is not None
        assert 0 < figure.value <= figure.budget, figure


@pytest.mark.parametrize("game", FINGERS)
def test_a_whole_game_by_keys_sends_little_more_than_what_differs(game: str) -> None:
    frames = frames_of_a_game(game)
    assert frames[-1].body.tone is Tone.WIN
    found = traffic(game)
    assert found.keys == len(frames) - 1 > 20
    assert found.differing <= found.sent <= BUDGET * found.differing
    assert found.sent < found.full
