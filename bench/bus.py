"""Bytes on the OLED's bus, with addresses and control bytes, compared with plain luma.oled."""

import warnings
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any, Literal

from luma.core.interface.serial import i2c
from luma.oled.device import sh1106, ssd1306

from bench.figure import Figure
from bench.whole_game import FINGERS, frames_of_a_game
from hardware.config import OledConfig
from hardware.framebuffer import Framebuffer
from hardware.keys import Key
from hardware.oled import Oled, open_wire
from pi_app.displays.oled import paint
from pi_app.view.frame import Body, Entry, Frame, Header, Tone, soft
from tools.simulation import SimulatedI2c, SimulatedOled

Driver = Literal["ssd1306", "sh1106"]


def frames() -> list[tuple[str, Framebuffer, int | None]]:
    """Yield frames to show in turn: name, picture, budget in bytes."""
    first = Frame(
        Header("Anna", colour="yellow", score="12:27"),
        Body(entry=Entry("29", "29 free: nobody is there", Tone.GOOD)),
        keys=soft((Key.ENTER, "play"), (Key.STAR, "next")),
    )
    line = replace(first, body=Body(entry=Entry("29", "29 is leading by 2: Ben", Tone.GOOD)))
    digits = replace(line, header=replace(line.header, score="12:46"))
    return [
        ("full frame", paint(first), None),
        ("changed line", paint(line), 160),
        ("two digits", paint(digits), 40),
        ("identical frame", paint(digits), 0),
    ]


def oled_on_bus(driver: Driver = "ssd1306") -> tuple[Oled, SimulatedI2c]:
    """Return the real driver with a simulated bus and a clock that stands still."""
    config = OledConfig(driver=driver)
    bus = SimulatedI2c(SimulatedOled(driver))
    return Oled(open_wire(config, bus=bus), config, clock=lambda: 0.0), bus


def bus_bytes(driver: Driver = "ssd1306") -> list[Figure]:
    """Measure our driver and plain luma.oled with the same frames on the same simulated bus."""
    oled, ours = oled_on_bus(driver)
    plain = SimulatedI2c(SimulatedOled(driver))
    oled.show(Framebuffer())  # so that initialising the display is not counted
    figures = []
    with warnings.catch_warnings():
        # luma.oled still uses a deprecated method of Pillow
        warnings.filterwarnings("ignore", "Image.Image.getdata", DeprecationWarning)
        device = {"ssd1306": ssd1306, "sh1106": sh1106}[driver](i2c(bus=plain))
        for name, frame, budget in frames():
            value = _count_bytes(ours, oled.show, frame)
            other = _count_bytes(plain, device.display, frame.to_image())
            figures.append(Figure(f"bus, {driver}: {name}", value, "bytes", budget, other))
    return figures


def _count_bytes(bus: SimulatedI2c, show: Callable[[Any], object], frame: object) -> int:
    before = bus.sent
    show(frame)
    return bus.sent - before


def traffic(game: str) -> Figure:
    """Count the bytes on the bus from the first key of a game to its result."""
    oled, bus = oled_on_bus()
    pictures = [paint(frame) for frame in frames_of_a_game(game)]
    oled.show(pictures[0])
    before = bus.sent
    for picture in pictures[1:]:
        oled.show(picture)
    differing = sum(
        old != new
        for pair in pairwise(map(bytes, pictures))
        for old, new in zip(*pair, strict=True)
    )
    ratio = (bus.sent - before) / differing
    return Figure(f"bus, {game}, a whole game: sent to differing", ratio, "", 1.75)


def figures() -> list[Figure]:
    """Return the bytes of single frames with both controllers, and of whole games."""
    return bus_bytes("ssd1306") + bus_bytes("sh1106") + [traffic(game) for game in FINGERS]
