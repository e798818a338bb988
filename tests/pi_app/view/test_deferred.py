"""Outputs of extras are made once they are wanted, and then told what happens."""

import pytest

from pi_app.settings.schema import Settings
from pi_app.view.frame import Frame, Header, Signal
from pi_app.view.output import DeferredOutput, Output

ONE, TWO = Frame(Header("one")), Frame(Header("two"))
CHANGED = Settings()


class Seen(Output):
    """An output that notes what it is told."""

    name = "seen"

    def __init__(self) -> None:
        self.told: list[object] = []

    def show(self, frame: Frame) -> None:
        self.told.append(frame)

    def signal(self, signal: Signal) -> None:
        self.told.append(signal)

    def configure(self, settings: Settings) -> None:
        self.told.append(settings)

    def leave(self, frame: Frame) -> None:
        self.told.append(("left", frame))

    def close(self) -> None:
        self.told.append("closed")


class Desk:
    """A deferred output, what was made, and whether it is wanted."""

    def __init__(self, *, wanted: bool) -> None:
        self.made: list[Seen] = []
        self.wanted = wanted
        self.output = DeferredOutput("seen", lambda: self.wanted, self._make)

    def _make(self) -> Seen:
        self.made.append(Seen())
        return self.made[-1]

    @property
    def told(self) -> list[list[object]]:
        return [seen.told for seen in self.made]


def test_an_output_is_made_once_when_it_is_wanted_and_sees_the_frame_that_is_on_show() -> None:
    desk = Desk(wanted=False)
    desk.output.show(ONE)
    desk.output.signal(Signal.OK)
    desk.output.configure(CHANGED)
    desk.output.leave(ONE)
    desk.output.close()
    assert desk.made == []
    desk.wanted = True
    desk.output.configure(CHANGED)
    desk.output.signal(Signal.OK)
    desk.wanted = False
    desk.output.configure(CHANGED)
    desk.output.show(TWO)
    desk.output.close()
    assert desk.told == [[ONE, Signal.OK, CHANGED, TWO, "closed"]]


def test_an_output_that_is_wanted_from_the_start_is_made_with_the_first_frame() -> None:
    desk = Desk(wanted=True)
    desk.output.configure(CHANGED)
    assert desk.made == [], "nothing comes before the first frame"
    desk.output.show(ONE)
    assert desk.told == [[ONE]]


@pytest.mark.parametrize("times", [1, 2])
def test_somebody_who_needs_it_makes_it_once(times: int) -> None:
    desk = Desk(wanted=False)
    for _ in range(times):
        assert desk.output.make_now() is desk.made[0]
    assert len(desk.made) == 1


def test_what_was_made_leaves_in_its_own_way() -> None:
    desk = Desk(wanted=True)
    desk.output.show(ONE)
    desk.output.leave(TWO)
    assert desk.told == [[ONE, ("left", TWO)]]
