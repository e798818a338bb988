"""Which display is opened: a window only where a desktop is, or where somebody asked for one."""

from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest

from pi_app.run import opening
from pi_app.run.opening import NoDisplayError, open_displays
from pi_app.settings.schema import DisplayName, DisplaySettings, Settings
from pi_app.texts.language import Texts
from pi_app.view.frame import Frame
from pi_app.view.inputs import KeyQueue
from pi_app.view.output import Output


class Window(Output):
    name = "window"

    def show(self, frame: Frame) -> None:
        del frame


@pytest.mark.parametrize(
    ("show", "desktop", "window"),
    [
        ("auto", False, False),
        ("auto", True, True),
        (("oled",), True, False),
        (("oled", "window"), False, True),
        (("window",), True, True),
    ],
)
def test_a_window_is_tried_only_where_it_is_wanted(
    monkeypatch: pytest.MonkeyPatch,
    show: tuple[DisplayName, ...] | Literal["auto"],
    desktop: bool,
    window: bool,
) -> None:
    """A service on a Pi: no terminal, and the kernel's device of a screen is always there."""
    monkeypatch.setattr(Path, "glob", lambda folder, _: iter([folder / "card0"]))
    monkeypatch.setattr(opening, "has_screen", lambda: desktop)
    monkeypatch.setattr(opening, "_at_terminal", lambda: False)
    monkeypatch.setattr(opening, "_window", lambda *_, **__: Window())
    display = replace(DisplaySettings(), show=show)
    settings = replace(Settings(), display=display)
    try:
        opened = open_displays("auto", KeyQueue(), Texts("en"), settings)
    except NoDisplayError:
        opened = []
    assert [output.name for output in opened] == ["window"] * window
