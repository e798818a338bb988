"""Keys travel one way through queue, screen and frames, and nothing stops the table."""

import logging
from collections.abc import Callable

import pytest

from beisitzer.testing.pilot import find_row, keys_to
from hardware.keys import Key
from pi_app.screens.base import Action, Pop, Push, Screen, Stay
from pi_app.screens.context import Context
from pi_app.view.frame import Frame, Header
from pi_app.view.inputs import LIMIT, KeyQueue
from pi_app.view.output import RETRY_S, FaultTolerantOutput, Output
from tests.pi_app.pilot import Clock, Pilot, Recorder, choices_of


def test_keys_before_the_first_frame_are_dropped() -> None:
    queue = KeyQueue()
    assert not queue.put(Key.D5)
    queue.open()
    assert queue.put(Key.D6)
    assert queue.get(0) is Key.D6
    assert queue.get(0) is None


def test_a_key_that_is_pressed_while_the_menus_are_imported_is_not_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pilot = Pilot.game("just4fun")
    taken: list[bool] = []

    def importing() -> None:
        taken.append(pilot.program.keys.put(Key.D5))
        pilot.program.keys.stop()

    monkeypatch.setattr("pi_app.run.loop.import_menus", importing)
    pilot.program.run()
    assert taken == [True]


def test_a_flood_of_keys_is_bounded_and_the_oldest_stay() -> None:
    queue = KeyQueue()
    queue.open()
    assert queue.put(Key.D1)
    taken = sum(queue.put(Key.D2) for _ in range(10 * LIMIT))
    assert taken == LIMIT - 1
    assert queue.get(0) is Key.D1


def test_a_stopped_queue_does_not_wait() -> None:
    queue = KeyQueue()
    queue.open()
    queue.stop()
    assert queue.get(None) is None


class Dead(Output):
    """An output whose wire is cut while `broken`."""

    name = "oled"

    def __init__(self) -> None:
        self.broken = True
        self.shown: list[Frame] = []

    def show(self, frame: Frame) -> None:
        if self.broken:
            raise OSError("no such device")
        self.shown.append(frame)


def test_a_dead_display_is_one_log_line_and_is_tried_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock, dead = Clock(), Dead()
    guarded = FaultTolerantOutput(dead, clock)
    with caplog.at_level(logging.INFO):
        for number in range(5):
            guarded.show(Frame(Header(str(number))))
        clock.now += RETRY_S
        guarded.poll()
        dead.broken = False
        clock.now += RETRY_S
        guarded.poll()
    assert dead.shown == [Frame(Header("4"))]
    assert [record.message for record in caplog.records] == [
        "oled failed, trying again later: no such device",
        "oled works again",
    ]


def test_a_dead_display_is_tried_again_at_once_then_later_and_later() -> None:
    clock, dead = Clock(), Dead()
    guarded = FaultTolerantOutput(dead, clock)
    guarded.show(Frame(Header("1")))
    pauses = []
    for _ in range(8):
        pause = guarded.poll_every_s()
        assert pause is not None
        pauses.append(pause)
        clock.now += pause
        guarded.poll()
    assert pauses[:3] == pytest.approx([0.1, 0.2, 0.4])
    assert pauses[-1] == pytest.approx(RETRY_S)
    dead.broken = False
    guarded.show(Frame(Header("2")))  # what a key leads to does not wait
    assert dead.shown == [Frame(Header("2"))]


class Stuck(Recorder):
    """An output with a key that nobody lets go of."""

    keys: tuple[Key, ...] = ()

    def stuck_keys(self) -> tuple[Key, ...]:
        return self.keys


@pytest.mark.parametrize(("key", "name"), [(Key.BACK, "C"), (Key.D5, "5"), (Key.DIE3, "button 3")])
def test_a_stuck_key_is_named_on_the_display_once(key: Key, name: str) -> None:
    pilot = Pilot.game("just4fun")
    output = Stuck()
    pilot.program.outputs = [FaultTolerantOutput(output, pilot.clock)]
    pilot.key("5")
    output.keys = (key,)
    pilot.program.step(0)
    alert = output.frames[-1].alert
    assert alert is not None
    assert f"{name} is stuck" in alert.text
    pilot.wait(3)
    pilot.key("1")
    pilot.program.step(0)
    assert output.frames[-1].alert is None


class Forgetful(Output):
    """An input that has lost keys, and says so once."""

    lost = True

    def lost_keys(self) -> bool:
        lost, self.lost = self.lost, False
        return lost


def test_lost_keys_are_told_once() -> None:
    pilot = Pilot.game("just4fun")
    pilot.program.follow(Forgetful())
    pilot.program.step(0)
    alert = pilot.frame.alert
    assert alert is not None
    assert alert.text == "Keys were lost: check what you keyed last."
    pilot.wait(3)
    pilot.key("5")
    pilot.program.step(0)
    assert pilot.frame.alert is None


def test_a_dead_display_does_not_keep_the_others_from_showing() -> None:
    pilot = Pilot.game("just4fun")
    recorder = Recorder()
    pilot.program.outputs = [FaultTolerantOutput(Dead(), pilot.clock), recorder]
    pilot.key("5")
    assert recorder.frames[-1].body.entry is not None


def test_the_same_frame_is_not_shown_twice() -> None:
    pilot = Pilot.game("just4fun")
    shown = len(pilot.recorder.frames)
    pilot.key("###")
    assert len(pilot.recorder.frames) == shown


def test_quit_ends_the_loop() -> None:
    pilot = Pilot.game("just4fun")
    pilot.key([Key.MENU])
    choices = choices_of(pilot.choose("System"))
    pilot.program.keys.open()
    for key in keys_to(choices, find_row(choices.items, "Quit")):
        pilot.program.keys.put(key)
    assert pilot.program.run().power == "stay"


def test_push_and_pop_hand_values_to_the_screen_below() -> None:
    pilot = Pilot.game("just4fun")
    answers: list[Key] = []

    class Below(Screen):
        def frame(self) -> Frame:
            return Frame(Header("below"))

        def press(self, key: Key) -> Action:
            del key
            return Push(Above(self.ctx, self.take), signals=())

        def take(self, key: Key) -> Action:
            answers.append(key)
            return Stay()

    class Above(Screen):
        def __init__(self, ctx: Context, done: Callable[[Key], Action]) -> None:
            super().__init__(ctx)
            self.done = done

        def frame(self) -> Frame:
            return Frame(Header("above"))

        def press(self, key: Key) -> Action:
            return Pop(then=lambda: self.done(key))

    pilot.program.stack.append(Below(pilot.ctx))
    pilot.key("5 7")
    assert answers == [Key.D7]
    assert pilot.frame.header.title == "below"
