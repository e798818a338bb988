"""The window's benchmark measures what it says."""

import pytest

from bench.window import idling, redrawing


def test_redraw_and_idle_load_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    assert redrawing((800, 480)).value > 0
    figure = idling((800, 480), seconds=0.2)
    assert figure.budget == 3.0
    assert figure.unit == "% core"
