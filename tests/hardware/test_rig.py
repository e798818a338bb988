"""The whole rig on mock pins: every device, and what happens when one is not there."""

import errno
import logging
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hardware import pins
from hardware import rig as rig_module
from hardware.config import (
    BuzzerConfig,
    Devices,
    LampConfig,
    RigConfig,
)
from hardware.errors import DeviceError
from hardware.framebuffer import Framebuffer
from hardware.inputs.poller import Poller
from hardware.keys import Key
from hardware.pins import is_wanted, open_factory, pi_model
from hardware.rig import PAUSES_S, Rig
from tests.hardware.rig_bench import Bench
from tools.simulation import SimulatedI2c, SimulatedRig

PICTURE = Framebuffer()
PICTURE.text(0, 16, "Ben ist dran")


ALL = ("lamp", "buzzer", "oled", "keypad", "die_buttons", "encoder")


def test_rows_are_never_driven_against_each_other(bench: Bench) -> None:
    factory, keypad = bench.simulated.factory, bench.devices.keypad
    rows = [factory.pin(number) for number in keypad.rows]
    driven: list[list[bool]] = []
    column = factory.pin(keypad.columns[0])
    conducts = column.conducts

    def watched() -> Any:
        driven.append([bool(pin.state) for pin in rows if pin.function == "output"])
        return conducts()

    column.conducts = watched
    bench.simulated.down(Key.D1)
    bench.simulated.down(Key.D4)
    bench.wait(0.1)
    assert [False] in driven
    assert not any(high for levels in driven for high in levels)


def test_a_missing_oled_is_one_line_and_it_is_found_when_it_comes(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    devices = Devices()
    simulated = SimulatedRig(devices)
    assert isinstance(simulated.bus, SimulatedI2c)
    simulated.bus.dead = True
    bench = Bench(devices, bus=simulated.bus)
    assert [error.code for error in bench.rig.missing] == ["no-answer"]
    for second in range(120):
        bench.now = float(second)
        bench.rig.show(PICTURE)
        bench.rig.tick()
    assert [record.getMessage() for record in caplog.records] == [
        "oled is not used: it does not answer (I2C device not found on address: 0x3C)"
    ]
    simulated.bus.dead = False
    bench.now += 61
    bench.rig.tick()
    assert simulated.oled.visible_picture() == PICTURE
    assert caplog.messages[1:] == ["oled: works again"]


def test_an_oled_that_fails_midway_is_retried_with_growing_pauses(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    bus = bench.simulated.bus
    bus.dead = True
    bench.rig.show(PICTURE)
    assert "oled" not in bench.rig.working
    pauses = []
    for _ in range(9):
        pause = bench.rig.due_s()
        assert pause is not None
        pauses.append(round(pause, 3))
        bench.now += pause
        before = bus.writes
        bench.rig.tick()
        assert bus.writes > before
    assert pauses == [*PAUSES_S, *[PAUSES_S[-1]] * (9 - len(PAUSES_S))]
    assert max(pauses) < 2
    assert len(caplog.records) == 1
    bus.dead = False
    bench.simulated.oled.power_cycle()
    bench.now += PAUSES_S[-1]
    bench.rig.tick()
    assert bench.simulated.oled.visible_picture() == PICTURE
    assert bench.rig.due_s() is None


def test_a_key_ends_the_pause_before_the_next_try(bench: Bench) -> None:
    bench.simulated.bus.dead = True
    for _ in range(5):
        bench.rig.show(PICTURE)
        bench.now += 10
        bench.rig.tick()
    bench.simulated.bus.dead = False
    bench.simulated.oled.power_cycle()
    bench.rig.touch()
    assert bench.simulated.oled.visible_picture() == PICTURE


def test_a_key_that_is_stuck_is_named_and_heard_no_more_until_it_is_released(bench: Bench) -> None:
    bench.simulated.down(Key.UP)
    bench.wait(10.1)
    assert bench.rig.stuck == (Key.UP,)
    heard = len(bench.heard)
    assert heard > 60
    bench.wait(5)
    bench.key(Key.D5)
    assert bench.heard[heard:] == [Key.D5]
    bench.simulated.up(Key.UP)
    bench.wait(0.1)
    assert not bench.rig.stuck
    bench.key(Key.UP)
    assert bench.heard[heard:] == [Key.D5, Key.UP]


def test_an_input_that_fails_midway_comes_back_and_the_others_go_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def gone() -> list[bool]:
        raise OSError(errno.ENODEV, "No such device")

    bench = Bench()
    monkeypatch.setattr(bench.rig._parts["keypad"].device._columns, "read_closed", gone)
    bench.key(Key.DIE3)
    assert bench.heard == [Key.DIE3]
    bench.rig.tick()
    assert [error.part for error in bench.rig.missing] == ["keypad"]
    bench.key(Key.D5)
    assert bench.heard == [Key.DIE3]
    bench.now += 2
    bench.rig.tick()
    bench.key(Key.D5)
    assert bench.heard == [Key.DIE3, Key.D5]


def test_a_lamp_that_comes_back_has_the_colour_of_now(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(Devices(lamp=LampConfig(brightness=100)))
    lamp = bench.rig._parts["lamp"].device

    def broken(_colour: str) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(lamp, "set", broken)
    bench.rig.light("00FF00")
    assert "lamp" not in bench.rig.working
    bench.now += 2
    bench.rig.tick()
    assert bench.simulated.colour() == "00FF00"


def test_a_part_that_is_switched_off_is_neither_opened_nor_missed() -> None:
    bench = Bench(replace(Devices(), buzzer=BuzzerConfig(enabled=False)))
    bench.rig.sound("win")
    assert "buzzer" not in bench.rig.working
    assert bench.rig.missing == ()


def test_without_a_pin_library_each_part_is_missing_and_the_oled_works(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    def none(_config: RigConfig) -> Any:
        asked.append(1)
        raise DeviceError("gpio", "no-lgpio", "No module named 'lgpio'")

    monkeypatch.setattr(rig_module, "open_factory", none)
    bench = Bench(factory=None)
    assert bench.rig.working == ("oled",)
    assert {(error.part, error.code) for error in bench.rig.missing} == {
        (part, "no-lgpio") for part in ALL if part != "oled"
    }
    assert len(asked) == 1
    bench.now += 100
    bench.rig.tick()
    assert len(asked) == 1


def test_pins_that_are_taken_are_told() -> None:
    config = Devices()
    simulated = SimulatedRig(config)
    first = Bench(config, factory=simulated.factory)
    second = Bench(config, factory=simulated.factory)
    assert {error.code for error in second.rig.missing} == {"pin-in-use"}
    first.rig.close()
    second.now += 2
    second.rig.tick()
    assert second.rig.missing == ()


def test_closing_goes_in_reverse_and_leaves_everything_dark(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.rig.light("FFFFFF")
    order = []
    for name, slot in bench.rig._parts.items():
        close = slot.device.close

        def closed(name: str = name, close: Any = close) -> None:
            order.append(name)
            close()

        monkeypatch.setattr(slot.device, "close", closed)
    bench.rig.close()
    assert order == list(reversed(ALL))
    assert not bench.simulated.oled.on
    assert bench.simulated.colour() == "000000"
    bench.rig.show(PICTURE)
    bench.rig.sound("ok")
    bench.rig.tick()


def test_a_device_that_fails_while_closing_does_not_stop_the_others(bench: Bench) -> None:
    bench.simulated.bus.dead = True
    bench.rig.close()
    again = Bench(bench.devices, factory=bench.simulated.factory)
    assert again.rig.working == ALL  # every pin was given back


def test_the_thread_hears_a_key_and_stops() -> None:
    simulated = SimulatedRig(Devices())
    heard = threading.Event()
    found = Rig(Devices(), lambda _key: heard.set(), ports=simulated.ports())
    found.start()
    simulated.down(Key.D5)
    assert heard.wait(10)
    found.close()
    assert not any(thread.name == "rig" for thread in threading.enumerate())


def test_no_rig_is_wanted_where_there_is_no_pi_or_the_settings_want_none(tmp_path: Path) -> None:
    model = tmp_path / "model"
    assert not is_wanted(RigConfig(), model)
    model.write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    assert pi_model(model) == "Raspberry Pi 5 Model B Rev 1.0"
    assert is_wanted(RigConfig(), model)
    assert not is_wanted(RigConfig(enabled=False), model)
    model.write_bytes(b"Some Other Board\0")
    assert not is_wanted(RigConfig(), model)
    assert is_wanted(RigConfig(enabled=True), model)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ModuleNotFoundError("No module named 'lgpio'", name="lgpio"), "no-lgpio"),
        (ModuleNotFoundError("No module named 'gpiozero'", name="gpiozero"), "no-gpiozero"),
        (ImportError("liblgpio.so.1: cannot open", name="lgpio"), "broken-library"),
        (ModuleNotFoundError("No module named '_ctypes'", name="_ctypes"), "broken-library"),
        (PermissionError(errno.EACCES, "denied", "/dev/gpiochip0"), "no-permission"),
        (RuntimeError("can not open gpiochip"), "no-gpio"),
        (RuntimeError("something else"), "failed"),
    ],
)
def test_why_there_are_no_pins_is_told(
    monkeypatch: pytest.MonkeyPatch, error: Exception, code: str
) -> None:
    def fails(_name: str) -> Any:
        raise error

    monkeypatch.setattr(pins, "_make_factory", fails)
    with pytest.raises(DeviceError) as caught:
        open_factory(RigConfig())
    assert caught.value.code == code


def test_rpigpio_on_a_pi_5_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_name: str) -> Any:
        raise RuntimeError("Cannot determine SOC peripheral base address")

    monkeypatch.setattr(pins, "_make_factory", fails)
    with pytest.raises(DeviceError) as caught:
        open_factory(RigConfig(pin_factory="rpigpio"))
    assert caught.value.code == "rpigpio-on-pi5"


def test_rpigpio_is_tried_when_lgpio_cannot_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []

    def only_rpigpio(name: str) -> Any:
        tried.append(name)
        if name == "lgpio":
            raise ImportError("No module named 'lgpio'", name="lgpio")
        return "factory"

    monkeypatch.setattr(pins, "_make_factory", only_rpigpio)
    assert open_factory(RigConfig()) == "factory"
    assert tried == ["lgpio", "rpigpio"]


def test_the_mock_factory_can_be_asked_for() -> None:
    assert str(open_factory(RigConfig(pin_factory="mock")).pin(5)) == "GPIO5"


def test_the_poller_drops_a_part_that_raises_and_keeps_the_rest() -> None:
    failed = []
    poller = Poller(lambda: 0.0, 0.005, lambda name, error: failed.append((name, str(error))))

    class Bad:
        def poll(self, _now: float) -> bool:
            raise RuntimeError("gone")

    class Good:
        polls = 0

        def poll(self, _now: float) -> bool:
            self.polls += 1
            return True

    good = Good()
    poller.add("bad", Bad())
    poller.add("good", good)
    assert poller.poll()
    assert poller.poll()
    assert failed == [("bad", "gone")]
    assert good.polls == 2
