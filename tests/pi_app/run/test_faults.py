"""A fault in a screen closes that screen; the game, the other screens and the keys go on."""

import logging
from functools import cache, partial
from itertools import cycle

import pytest

from hardware.keys import Key
from pi_app.run.loop import FaultScreen
from pi_app.screens.base import Action, Screen
from pi_app.screens.playing.menu import GameMenu
from pi_app.screens.starting.home import GamesMenu
from pi_app.screens.starting.set_up import SetupScreen
from pi_app.table.presentation import PRESENTATIONS
from pi_app.view.frame import Frame
from tests.pi_app.pilot import Pilot
from tests.scenes import Scene, scenes


@cache
def scenes_by_screen() -> dict[type[Screen], Scene]:
    """Return one scene for each class of screens that scenes lead to."""
    found: dict[type[Screen], Scene] = {}
    for scene in scenes():
        pilot = Pilot.scene(scene, "en")
        pilot.key(scene.keys)
        found.setdefault(type(pilot.program.screen), scene)
    return found


def fail(*_: object) -> Frame | Action | float | None:
    raise ZeroDivisionError


METHODS = ("frame", "press", "tap", "expire", "deadline")


@pytest.mark.usefixtures("only_shipped_games")
def test_a_fault_in_any_screen_closes_it_is_told_and_loses_no_move(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Each screen fails in one way, and each way with some screens."""
    assert len(scenes_by_screen()) > 40
    for method, (kind, scene) in zip(cycle(METHODS), scenes_by_screen().items()):
        fails_well(kind, scene, method, caplog)


@pytest.mark.nightly
@pytest.mark.usefixtures("only_shipped_games")
@pytest.mark.parametrize("method", METHODS)
def test_a_fault_of_any_kind_in_any_screen_is_no_worse(
    method: str, caplog: pytest.LogCaptureFixture
) -> None:
    for kind, scene in scenes_by_screen().items():
        fails_well(kind, scene, method, caplog)


def fails_well(
    kind: type[Screen], scene: Scene, method: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Let a method of a screen fail: it is closed and told of, the game and the keys go on."""
    pilot = Pilot.scene(scene, "en")
    pilot.key(scene.keys)
    program, before = pilot.program, pilot.tokens()
    failing = program.screen
    caplog.clear()
    with pytest.MonkeyPatch.context() as patch, caplog.at_level(logging.ERROR):
        patch.setattr(kind, method, fail)
        if method == "expire":
            patch.setattr(kind, "deadline", lambda _: 0.0)
        match method:
            case "frame":
                program.show()
            case "press":
                program.press(Key.ENTER)
            case "tap":
                program.do(partial(failing.tap, "1"))
            case _:
                program.expire()
        program.keys.open()
        program.keys.put(Key.UP)
        program.step(0)
    assert program.screen is not failing, kind
    assert f"the screen {kind.__name__} failed" in caplog.text
    assert pilot.frame.alert is not None, kind
    assert pilot.tokens() == before
    for key in Key:
        pilot.key([key])


class Faulty(Screen):
    """A screen that can neither be shown nor used."""

    def frame(self) -> Frame:
        raise ZeroDivisionError

    def press(self, key: Key) -> Action:
        raise ZeroDivisionError(key)


@pytest.mark.parametrize("key", list(Key))
def test_where_the_first_screen_fails_a_plain_one_leads_to_the_menu_by_any_key(key: Key) -> None:
    pilot = Pilot()
    pilot.program.stack = [Faulty(pilot.ctx)]
    pilot.program.show()
    assert isinstance(pilot.program.screen, FaultScreen)
    assert "Any key" in " ".join(pilot.frame.body.lines)
    pilot.key([key])
    assert isinstance(pilot.program.screen, GamesMenu)


def test_a_fault_is_logged_once_while_its_alert_is_on_show(
    caplog: pytest.LogCaptureFixture,
) -> None:
    pilot = Pilot.game("just4fun")
    pilot.program.stack.append(Faulty(pilot.ctx))
    with caplog.at_level(logging.ERROR):
        for _ in range(3):
            pilot.program.show()
    assert caplog.text.count("the screen Faulty failed") == 1


def test_a_game_without_places_greys_what_needs_them(monkeypatch: pytest.MonkeyPatch) -> None:
    presentation = type(PRESENTATIONS["just4fun"])
    monkeypatch.setattr(presentation, "places", None)
    pilot = Pilot.game("just4fun")
    pilot.key([Key.MENU])
    assert isinstance(pilot.program.screen, GameMenu)
    frame = pilot.choose("Check table")
    assert isinstance(pilot.program.screen, GameMenu)
    assert frame.body.lines == ("This game does not list its places.",)
    pilot = Pilot()
    frame = pilot.choose("Just 4 Fun", "Position")
    assert isinstance(pilot.program.screen, SetupScreen)
    assert frame.body.lines == ("This game does not list its places.",)
