"""Pads that come and go, several at once, for the table alone; no key is lost on the way."""

import logging
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hardware.config import PadsConfig
from hardware.errors import DeviceError
from hardware.keys import TIMES, Key
from hardware.pads import InputDevice, PadCalls, PadPorts, Pads
from hardware.pads.device import LOOK_S, SOON_S, WAITING_KEY_LIMIT, EventSource
from hardware.pads.table import CODES
from tests.hardware.pads.fakes import FakeSource, change, dropped, keyboard, pad, tap


class Bench:
    """Pads on fake devices: a test plugs them in, presses keys, and turns the clock."""

    def __init__(self, config: PadsConfig, *, appliance: bool = True) -> None:
        self.now = 0.0
        self.there: list[InputDevice] = []
        self.sources: dict[str, FakeSource] = {}
        self.broken: dict[str, Exception] = {}
        self.heard: list[Key] = []
        self.full = False
        self.lost = 0
        self.changed = threading.Condition()
        self.pads = self.make(config, appliance=appliance)

    def make(self, config: PadsConfig, folder: Path = Path("/nowhere"), *, appliance: bool) -> Pads:
        return Pads(
            config,
            PadCalls(self.put, lost=self.note_lost),
            appliance=appliance,
            ports=PadPorts(lambda: list(self.there), self.open, lambda: self.now, folder),
        )

    def put(self, key: Key) -> bool:
        with self.changed:
            if not self.full:
                self.heard.append(key)
                self.changed.notify_all()
        return not self.full

    def note_lost(self) -> None:
        self.lost += 1

    def open(self, path: str) -> EventSource:
        if path in self.broken:
            raise self.broken[path]
        return self.sources[path]

    def plug(self, device: InputDevice) -> FakeSource:
        source = self.sources[device.path] = FakeSource()
        self.there.append(device)
        return source

    def unplug(self, device: InputDevice) -> None:
        self.there.remove(device)
        self.sources[device.path].unplug()

    def hears(self, now: float | None = None) -> list[Key]:
        """Let the pads be read at this time or after their last event; return the new keys."""
        before = len(self.heard)
        times = [event.at for source in self.sources.values() for event in source.events]
        self.now = max(times, default=self.now) if now is None else now
        self.pads.hear(self.now)
        return self.heard[before:]


@pytest.fixture(name="make")
def _make() -> Iterator[Callable[..., Bench]]:
    made: list[Bench] = []

    def make(*, appliance: bool = True, **config: str) -> Bench:
        made.append(Bench(PadsConfig(**config), appliance=appliance))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for bench in made:
        bench.pads.close()


Make = Callable[..., Bench]


def test_a_pad_that_is_plugged_in_is_taken_and_heard(make: Make) -> None:
    bench = make()
    assert bench.pads.look() is None
    source = bench.plug(pad())
    assert bench.pads.look() is None
    assert source.grabbed
    assert bench.pads.names == ("Numpad",)
    source.say(*tap("KP5"), *tap("KPENTER", 1))
    assert bench.hears() == [Key.D5, Key.ENTER]


def test_pads_that_are_left_alone_hear_nothing_and_can_be_opened_again(make: Make) -> None:
    """The contract of every input: `tests/hardware/test_contract.py`."""
    for _ in range(2):
        bench = make()
        bench.plug(pad())
        bench.pads.look()
        for step in range(50):
            assert bench.hears(step * 0.005) == []
        bench.pads.close()
        bench.pads = bench.make(PadsConfig(), appliance=True)


def test_a_pad_that_is_pulled_out_amid_a_press_sends_nothing_and_comes_back(make: Make) -> None:
    bench = make()
    source = bench.plug(pad())
    bench.pads.look()
    source.say(*change("BACKSPACE", 1, 0))
    assert bench.hears() == []
    bench.unplug(pad())
    assert bench.hears(TIMES.hold_s + 1) == []
    assert bench.pads.names == ()
    assert source.closed
    again = bench.plug(pad())
    bench.pads.look()
    again.say(*change("BACKSPACE", 0, 2), *tap("KP1", 3))
    assert bench.hears(4) == [Key.D1]


def test_a_pad_that_comes_back_under_another_number_is_heard_and_so_is_another_under_its_own(
    make: Make,
) -> None:
    bench = make()
    first = bench.plug(pad())
    bench.pads.look()
    bench.unplug(pad())  # and nobody has noticed that yet
    back = bench.plug(pad("/dev/input/event7"))
    other = bench.plug(pad(name="Other", port="usb-9"))
    bench.pads.look()
    assert bench.hears(1) == []
    bench.pads.look()
    assert first.closed
    assert sorted(bench.pads.names) == ["Numpad", "Other"]
    back.say(*tap("KP1", 2))
    other.say(*tap("KP2", 3))
    assert bench.hears(4) == [Key.D1, Key.D2]


def test_two_pads_at_once_are_heard_in_the_order_of_the_presses(make: Make) -> None:
    bench = make()
    one, two = bench.plug(pad()), bench.plug(pad("/dev/input/event5", port="usb-7"))
    bench.pads.look()
    two.say(*tap("KP2", 0.2), *tap("KP4", 0.4))
    one.say(*tap("KP1", 0.1), *tap("KP3", 0.3))
    assert bench.hears() == [Key.D1, Key.D2, Key.D3, Key.D4]


def test_what_is_pressed_while_pads_are_read_waits_for_its_turn(make: Make) -> None:
    """The first pad was read when its key went down; that of the second, later, was read first."""
    bench = make()
    one, two = bench.plug(pad()), bench.plug(pad("/dev/input/event5", port="usb-7"))
    bench.pads.look()
    two.say(*tap("KP2", 0.2))
    assert bench.hears(0.1) == []
    one.say(*tap("KP1", 0.15))
    assert bench.hears(0.3) == [Key.D1, Key.D2]


def test_a_key_held_on_one_pad_is_not_released_by_the_other(make: Make) -> None:
    bench = make()
    one, two = bench.plug(pad()), bench.plug(pad("/dev/input/event5", port="usb-7"))
    bench.pads.look()
    one.say(*change("BACKSPACE", 1, 0))
    two.say(*tap("BACKSPACE", 0.1))
    assert bench.hears(0.2) == [Key.BACK]
    assert bench.hears(TIMES.hold_s) == [Key.BACK_HELD]


def test_a_second_pad_can_be_six_die_buttons(make: Make) -> None:
    bench = make(dice="usb-7")
    one, two = bench.plug(pad()), bench.plug(pad("/dev/input/event5", port="usb-7/input0"))
    bench.pads.look()
    one.say(*tap("KP6", 0.1))
    two.say(*tap("KP6", 0.2))
    assert bench.hears() == [Key.D6, Key.DIE6]


def test_a_key_released_while_the_program_was_stopped_was_not_held(make: Make) -> None:
    bench = make()
    source = bench.plug(pad())
    bench.pads.look()
    source.say(*change("BACKSPACE", 1, 0))
    bench.hears()
    source.say(*change("BACKSPACE", 0, 0.2))
    assert bench.hears(9) == [Key.BACK]


def test_a_key_that_is_held_repeats_and_at_last_counts_as_stuck(make: Make) -> None:
    bench = make()
    source = bench.plug(pad())
    bench.pads.look()
    source.say(*change("KPMINUS", 1, 0))
    assert bench.hears() == [Key.UP]
    assert bench.hears(TIMES.repeat_after_s) == [Key.UP]
    assert not bench.pads.stuck
    bench.hears(TIMES.stuck_s)
    assert bench.pads.stuck == (Key.UP,)


def test_dropped_events_are_told(make: Make, caplog: pytest.LogCaptureFixture) -> None:
    bench = make()
    source = bench.plug(pad())
    bench.pads.look()
    source.say(*tap("KP1"), *dropped(1), *tap("KP2", 2))
    assert bench.hears() == [Key.D1, Key.D2]
    assert bench.lost == 1
    assert "Numpad: keys were lost" in caplog.text


def test_keys_wait_for_room_and_keep_their_order(make: Make) -> None:
    bench = make()
    source = bench.plug(pad())
    bench.pads.look()
    bench.full = True
    source.say(*tap("KP1"), *tap("KP2", 1))
    assert bench.hears() == []
    source.say(*tap("KP3", 2))
    bench.full = False
    assert bench.hears() == [Key.D1, Key.D2, Key.D3]
    assert not bench.lost


def test_more_keys_than_may_wait_are_told_as_lost(make: Make) -> None:
    bench = make()
    source = bench.plug(pad())
    bench.pads.look()
    bench.full = True
    source.say(*(event for at in range(WAITING_KEY_LIMIT + 5) for event in tap("KP1", at)))
    bench.hears()
    assert bench.lost == 5
    bench.full = False
    assert len(bench.hears()) == WAITING_KEY_LIMIT


def test_a_pad_whose_key_is_down_is_taken_after_its_release(make: Make) -> None:
    bench = make()
    source = bench.plug(pad())
    source.down = [CODES["KPENTER"]]
    assert bench.pads.look() == SOON_S
    assert not source.grabbed
    source.down = []
    bench.sources[pad().path] = again = FakeSource()
    assert bench.pads.look() is None
    assert again.grabbed


def test_a_pad_that_another_program_holds_is_logged_once_and_tried_again(
    make: Make, caplog: pytest.LogCaptureFixture
) -> None:
    bench = make()
    bench.plug(pad()).busy = True
    assert bench.pads.look() == LOOK_S
    bench.sources[pad().path] = source = FakeSource()
    source.busy = True
    assert bench.pads.look() == LOOK_S
    assert caplog.text.count("Numpad is not used: Device or resource busy") == 1
    bench.sources[pad().path] = FakeSource()
    assert bench.pads.look() is None
    assert bench.pads.names == ("Numpad",)


def test_without_the_library_the_log_says_so_and_nothing_is_tried_again(
    make: Make, caplog: pytest.LogCaptureFixture
) -> None:
    bench = make()
    bench.plug(pad())
    bench.broken[pad().path] = DeviceError("pads", "no-evdev")
    assert bench.pads.look() is None
    assert "python-evdev is not installed" in caplog.text


def test_a_desktops_keyboard_is_left_alone_and_a_pad_is_taken(make: Make) -> None:
    bench = make(appliance=False)
    bench.plug(pad())
    bench.plug(keyboard())
    bench.pads.look()
    assert bench.pads.names == ("Numpad",)


def test_the_thread_hears_a_pad_that_comes_later_and_leaves_it_at_the_end(
    make: Make, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    bench = make()
    bench.pads.close()
    bench.pads = bench.make(PadsConfig(), tmp_path, appliance=True)
    bench.pads.start()
    source = bench.plug(pad())
    (tmp_path / "event3").touch()  # what the kernel does for a new device
    source.say(*tap("KP5", -1.0))
    with bench.changed:
        assert bench.changed.wait_for(lambda: bench.heard == [Key.D5], 60)
    bench.pads.close()
    assert source.closed
    bench.pads = bench.make(PadsConfig(), appliance=True)
    assert "number pad Numpad on usb-1" in caplog.text
