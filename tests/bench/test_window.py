"""The window's benchmark measures what it says."""

import pytest

from bench.window import frames_of_a_game, idling, redrawing


def test_the_frames_are_those_of_a_game_key_by_key() -> None:
    frames = frames_of_a_game()
    assert sum(frame.body.entry is not None for frame in frames) > 20
    assert frames[-1].board.picture is not None
    assert sum(len(cell.tokens) for cell in frames[-1].board.picture.cells) == 8


def test_redraw_and_idle_load_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    assert redrawing((800, 480)).value > 0
    figure = idling((800, 480), seconds=0.2)
    assert figure.budget == 3.0
    assert figure.unit == "% core"
