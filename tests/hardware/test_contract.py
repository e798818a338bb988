"""What every implementation of a device kind must do, mock or real.

`--test-rig` on a bench Pi adds the real rig of its settings: nothing may be pressed, and
whoever watches sees pictures, colours and sounds.
"""

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, TypeVar

import pytest

from hardware.config import Devices, RigConfig
from hardware.device import Device, Site
from hardware.errors import DeviceError
from hardware.inputs.buttons import DieButtons
from hardware.inputs.encoder import Encoder
from hardware.inputs.keypad import Keypad
from hardware.keys import Key, Put
from hardware.oled import Care, Light, Oled, open_wire
from hardware.outputs.buzzer import SOUNDS, Buzzer
from hardware.outputs.lamp import Lamp
from hardware.pins import open_factory
from hardware.rig import Rig, RigPorts
from tests.hardware.rpi_gpio import installed
from tests.options import Options
from tools.gpio.rig import picture
from tools.simulation import SimulatedRig

D = TypeVar("D", bound=Device)
Wake = Callable[[], None]


class Place:
    """Where devices are opened: the mock's pins and bus, or the machine's own."""

    def __init__(self, name: str) -> None:
        self.config = Devices()
        self.bus: Any = None
        self.now = 0.0
        if name == "simulated":
            simulated = SimulatedRig(self.config)
            self.factory: Any = simulated.factory
            self.bus = simulated.bus
        elif name == "rpigpio":
            self.factory = open_factory(RigConfig(pin_factory="rpigpio"))
            self.bus = SimulatedRig(self.config).bus
        else:
            from pi_app.settings.file import load

            self.config = load().settings
            self.factory = open_factory(self.config.rig)

    def clock(self) -> float:
        return self.now

    def open(self, kind: type[D], put: Put = lambda _key: None, wake: Wake = lambda: None) -> D:
        site = Site(self.config, lambda: self.factory, self.bus, put, wake, self.clock)
        return kind.open(site)

    def oled(self, care: Care | None = None) -> Oled:
        wire = open_wire(self.config.oled, bus=self.bus, factory=self.factory)
        return Oled(wire, self.config.oled, care, self.clock)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Try every site; the machine's own only where that is asked for."""
    if "site" in metafunc.fixturenames:
        real = ["real"] if Options.of(metafunc.config).test_rig else []
        metafunc.parametrize("site", ["simulated", "rpigpio", *real], indirect=True)


@pytest.fixture(name="site")
def _site(request: pytest.FixtureRequest) -> Iterator[Place]:
    with installed() if request.param == "rpigpio" else nullcontext():
        site = Place(request.param)
        yield site
        site.factory.close()


def test_an_oled_shows_dims_wakes_and_can_be_opened_again(site: Place) -> None:
    for text in ("eins", "zwei"):
        oled = site.oled(Care(dim_after_s=10, blank_after_s=20))
        oled.show(picture(text))
        lights = [oled.light]
        for _ in range(2):
            site.now += 10
            oled.tick()
            lights.append(oled.light)
        oled.touch()
        assert [*lights, oled.light] == [Light.FULL, Light.DIM, Light.DARK, Light.FULL]
        oled.show(picture(text[::-1]))
        oled.close()


def test_an_oled_takes_a_hundred_partial_updates(site: Place) -> None:
    oled = site.oled()
    fb = picture("0")
    for number in range(100):
        fb.text(0, number % 64, str(number))
        oled.show(fb)
    oled.close()


def test_an_oled_that_is_not_there_is_a_device_error(site: Place) -> None:
    nowhere = replace(site.config.oled, bus="i2c", address=0x77)
    oled = Oled(open_wire(nowhere, bus=site.bus), nowhere, clock=site.clock)
    with pytest.raises(DeviceError) as caught:
        oled.show(picture("?"))
    assert caught.value.code == "no-answer"


def test_a_lamp_takes_colours_and_refuses_what_is_none(site: Place) -> None:
    lamp = site.open(Lamp)
    for colour in ("FF0000", "00ff00", "0000FF", "000000"):
        lamp.set(colour)
    for junk in ("", "red", "#FF0000", "FF00000", "٠٠٠٠٠٠"):
        with pytest.raises(ValueError, match="RRGGBB"):
            lamp.set(junk)
    lamp.close()
    site.open(Lamp).close()


def test_a_buzzer_plays_every_sound_to_its_end(site: Place) -> None:
    woken: list[None] = []
    buzzer = site.open(Buzzer, wake=lambda: woken.append(None))
    for sound in SOUNDS:
        buzzer.play(sound)
        assert buzzer.poll(site.now)
        site.now += 10
        assert not buzzer.poll(site.now)
    assert len(woken) == len(SOUNDS)
    buzzer.close()


@pytest.mark.parametrize("kind", ["keypad", "die_buttons", "encoder"])
def test_an_input_that_is_left_alone_hears_nothing_and_can_be_opened_again(
    site: Place, kind: str
) -> None:
    heard: list[Key] = []
    opens: Any = {"keypad": Keypad, "die_buttons": DieButtons, "encoder": Encoder}[kind]
    for _ in range(2):
        device = site.open(opens, heard.append)
        for _ in range(50):
            site.now += 0.005
            assert not device.poll(site.now)
        device.close()
    assert heard == []


def test_keys_are_heard_through_rpi_gpio_without_its_edge_detection() -> None:
    with installed() as board:
        config = Devices(rig=RigConfig(enabled=True, pin_factory="rpigpio"))
        heard: list[Key] = []
        now = 0.0
        ports = RigPorts(bus=SimulatedRig(config).bus, clock=lambda: now)
        rig = Rig(config, heard.append, ports=ports)
        assert rig.missing == ()
        keypad = config.keypad
        presses = [(keypad.rows[0], keypad.columns[1]), (keypad.rows[3], keypad.columns[2])]
        presses += [(config.die_buttons.pins[5], -1), (int(config.encoder.push), -1)]
        for wire in presses:
            for wires in ({wire}, set[tuple[int, int]]()):
                board.wires = wires
                for _ in range(20):
                    now += 0.005
                    rig.poll()
        assert heard == [Key.D2, Key.ENTER, Key.DIE6, Key.ENTER]
        rig.light("00FF00")
        assert board.pwm == {}
        rig.light("008000")
        assert round(board.pwm[config.lamp.green].duty or 0) == 50
        rig.close()
        assert board.functions == {}
        assert board.pwm == {}
