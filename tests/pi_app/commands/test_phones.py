"""Extras are made once they are wanted, and then told what happens."""

import pytest

from pi_app.run.extras import Extra, LaterExtra
from pi_app.screens.base import Screen
from pi_app.settings.schema import Settings, WebSettings
from pi_app.view.frame import Frame, Header, Signal

OFF, ON = Settings(), Settings(web=WebSettings(enabled=True))


class Seen(Extra):
    """An extra that notes what it is told."""

    name = "seen"

    def __init__(self) -> None:
        self.told: list[object] = []

    def invitation(self) -> Screen:
        raise NotImplementedError

    def show(self, frame: Frame) -> None:
        self.told.append(frame)

    def signal(self, signal: Signal) -> None:
        self.told.append(signal)

    def configure(self, settings: Settings) -> None:
        self.told.append(settings)

    def close(self) -> None:
        self.told.append("closed")

    def menu(self) -> Screen:
        raise NotImplementedError


@pytest.fixture
def made() -> list[Seen]:
    return []


def later(made: list[Seen], settings: Settings) -> LaterExtra:
    def make() -> Seen:
        made.append(Seen())
        return made[-1]

    return LaterExtra(settings, lambda now: now.web.enabled, make)


def test_an_extra_is_made_once_when_it_is_wanted_and_sees_the_frame_that_is_on_show(
    made: list[Seen],
) -> None:
    extra = later(made, OFF)
    extra.show(Frame(Header("one")))
    extra.signal(Signal.OK)
    extra.configure(OFF)
    extra.close()
    assert made == []
    extra.configure(ON)
    extra.signal(Signal.OK)
    extra.configure(OFF)
    extra.show(Frame(Header("two")))
    extra.close()
    assert [seen.told for seen in made] == [
        [Frame(Header("one")), Signal.OK, OFF, Frame(Header("two")), "closed"],
    ]


def test_an_extra_that_is_wanted_from_the_start_is_made_with_the_first_frame(
    made: list[Seen],
) -> None:
    extra = later(made, ON)
    extra.configure(ON)
    assert made == [], "nothing comes before the first frame"
    extra.show(Frame(Header("one")))
    assert [seen.told for seen in made] == [[Frame(Header("one"))]]


def test_an_extras_menu_makes_it(made: list[Seen]) -> None:
    with pytest.raises(NotImplementedError):
        later(made, OFF).menu()
    assert len(made) == 1
