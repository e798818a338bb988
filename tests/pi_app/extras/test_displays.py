"""Which display is opened: a window only where a desktop is, or where somebody asked for one."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import pytest

from pi_app.extras import displays
from pi_app.extras.displays import TerminalChoice, WindowChoice
from pi_app.run.extras import NoDisplayError, Start, open_display
from pi_app.settings.schema import DisplaySettings, Settings
from pi_app.view.output import Output
from tests.pi_app.pilot import Pilot


class Shown(Output):
    """A display that was opened."""

    def __init__(self, name: str) -> None:
        self.name = name


@pytest.fixture(name="opened")
def _opened(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Return what opens a display and returns the names of what is open then."""
    monkeypatch.setattr(WindowChoice, "open", lambda *_: Shown("window"))
    monkeypatch.setattr(TerminalChoice, "open", lambda *_: Shown("terminal"))

    def opened(settings: Settings, existing: str = "needed", **options: Any) -> list[str]:
        pilot = Pilot()
        pilot.ctx.settings = settings
        pilot.program.display = existing  # type: ignore[assignment]
        try:
            open_display(pilot.program, Start({"display": None, **options}))
        except NoDisplayError:
            return ["none"]
        return [output.name for output in pilot.program.outputs if output.name != "recorder"]

    return opened


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
    opened: Callable[..., list[str]],
    show: tuple[str, ...] | Literal["auto"],
    desktop: bool,
    window: bool,
) -> None:
    """A service on a Pi: no terminal, and the kernel's device of a screen is always there."""
    monkeypatch.setattr(displays, "has_screen", lambda: desktop)
    monkeypatch.setattr(TerminalChoice, "wanted", lambda *_: False)
    settings = Settings(display=replace(DisplaySettings(), show=show))
    assert opened(settings) == (["window"] if window else ["none"])


@pytest.mark.parametrize(
    ("existing", "options", "shown"),
    [
        ("needed", {}, ["terminal"]),
        ("needed", {"rig": True}, ["window"]),
        ("needed", {"rig": True, "display": "terminal"}, ["terminal"]),
        ("needed", {"display": "none"}, []),
        ("useful", {}, ["terminal"]),
        ("replaced", {}, []),
        ("replaced", {"display": "auto"}, ["terminal"]),
    ],
)
def test_the_command_line_decides_first_then_what_is_there(
    monkeypatch: pytest.MonkeyPatch,
    opened: Callable[..., list[str]],
    existing: str,
    options: dict[str, Any],
    shown: list[str],
) -> None:
    monkeypatch.setattr(displays, "has_screen", lambda: False)
    monkeypatch.setattr(TerminalChoice, "wanted", lambda *_: True)
    assert opened(Settings(), existing, **options) == shown


@pytest.mark.parametrize(("existing", "shown"), [("needed", ["none"]), ("useful", [])])
def test_a_rig_or_a_panel_may_be_all_there_is(
    monkeypatch: pytest.MonkeyPatch,
    opened: Callable[..., list[str]],
    existing: str,
    shown: list[str],
) -> None:
    monkeypatch.setattr(displays, "has_screen", lambda: False)
    monkeypatch.setattr(TerminalChoice, "wanted", lambda *_: False)
    assert opened(Settings(), existing) == shown
