"""The bus figures are counted, not timed: so they can be held to the budgets here as well."""

from typing import Literal

import pytest

from bench.bus import bus_bytes, traffic
from bench.whole_game import FINGERS, frames_of_a_game
from pi_app.view.frame import Tone


@pytest.mark.parametrize("driver", ["ssd1306", "sh1106"])
def test_each_kind_of_frame_is_within_its_budget(driver: Literal["ssd1306", "sh1106"]) -> None:
    full, line, digits, identical = bus_bytes(driver)
    assert full.budget is None
    assert 0 < digits.value < line.value < full.value
    for figure in (line, digits, identical):
        assert figure.within, figure
    for figure in (full, line, digits, identical):
        assert figure.plain is not None
        assert figure.plain > 1_000, "plain luma sends every frame in full"


@pytest.mark.parametrize("game", FINGERS)
def test_a_whole_game_by_keys_sends_little_more_than_what_differs(game: str) -> None:
    frames = frames_of_a_game(game)
    assert frames[-1].body.tone is Tone.WIN
    assert len(frames) > 20
    found = traffic(game)
    assert found.within, found
    assert found.value >= 1
