"""The OLED driver against the simulated OLED: what is shown, at what cost, after what faults."""

import errno
import random
from collections.abc import Callable
from contextlib import suppress
from itertools import product
from typing import Any, Literal

import pytest
from gpiozero.pins.mock import MockFactory
from hypothesis import given, settings
from hypothesis import strategies as st
from luma.core.interface.serial import i2c
from luma.oled.device import sh1106, ssd1306

from hardware.config import OledConfig
from hardware.errors import DeviceError
from hardware.framebuffer import Framebuffer
from hardware.oled import Care, Light, Oled, find_patches, open_wire
from hardware.oled.sparing import spare_pixels
from hardware.typefaces import NUMERALS, TEXT
from tools.simulation import SimulatedI2c, SimulatedOled, SimulatedSpi

Driver = Literal["ssd1306", "sh1106"]
DRIVERS: list[Driver] = ["ssd1306", "sh1106"]
PROBE = 4
"""Bytes on the bus to see whether the OLED is still there and on."""
both = pytest.mark.parametrize("driver", DRIVERS)


class Bench:
    """A driver on a simulated OLED, with a clock that is moved by hand."""

    def __init__(self, driver: Driver = "ssd1306", care: Care | None = None, **more: Any) -> None:
        self.now = 0.0
        self.simulated = SimulatedOled(driver)
        self.bus = SimulatedI2c(self.simulated)
        config = OledConfig(driver=driver, **more)
        self.oled = Oled(open_wire(config, bus=self.bus), config, care, lambda: self.now)

    def cost(self, act: Callable[[], None]) -> int:
        before = self.bus.sent
        act()
        return self.bus.sent - before


def page_of_text(*lines: str) -> Framebuffer:
    fb = Framebuffer()
    for page, line in enumerate(lines):
        fb.text(0, 8 * page, line)
    return fb


FULL = page_of_text(*(f"Zeile {n} ♠♥♦♣ äö" for n in range(8)))


def noise(seed: int) -> Framebuffer:
    fb = Framebuffer()
    fb.data = random.Random(seed).randbytes(1024)
    return fb


@both
@pytest.mark.parametrize("rotate", [0, 180])
def test_the_glass_shows_the_picture(driver: Driver, rotate: Literal[0, 180]) -> None:
    bench = Bench(driver, rotate=rotate)
    bench.oled.show(FULL)
    seen = bench.simulated.visible_picture()
    if rotate:
        turned = Framebuffer()
        turned.data = bytes(int(f"{byte:08b}"[::-1], 2) for byte in reversed(seen.data))
        seen = turned
    assert seen == FULL


@pytest.mark.parametrize("left", [0, 1, 2, 4])
def test_an_sh1106_whose_glass_begins_at_another_column_shows_the_picture(left: int) -> None:
    bench = Bench("sh1106", offset=left)
    bench.simulated.glass_left = left
    for picture in (FULL, noise(1), noise(2)):
        bench.oled.show(picture)
        assert bench.simulated.visible_picture() == picture


@both
@pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")  # luma.oled calls it
def test_plain_luma_and_the_simulation_agree(driver: Driver) -> None:
    simulated = SimulatedOled(driver)
    device = {"ssd1306": ssd1306, "sh1106": sh1106}[driver](i2c(bus=SimulatedI2c(simulated)))
    simulated.pump = True  # luma sets up the SH1106's converter with the SSD1306's command
    device.display(FULL.to_image())
    assert simulated.visible_picture() == FULL


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(DRIVERS),
    st.lists(
        st.tuples(
            st.integers(-9, 130), st.integers(-9, 70), st.text("05♠ ", max_size=6), st.booleans()
        ),
        max_size=6,
    ),
)
def test_after_any_partial_update_the_glass_shows_the_picture(
    driver: Driver, changes: list[tuple[int, int, str, bool]]
) -> None:
    bench = Bench(driver)
    fb = FULL.copy()
    bench.oled.show(fb)
    for x, y, string, large in changes:
        fb.text(x, y, string, NUMERALS if large else TEXT)
        bench.oled.show(fb)
    assert bench.simulated.visible_picture() == fb


@both
def test_bus_budgets_hold(driver: Driver) -> None:
    bench = Bench(driver)
    bench.oled.show(FULL)
    fb = FULL.copy()
    assert bench.cost(lambda: bench.oled.show(fb)) == 0
    fb.text(0, 24, "#" * 21)
    assert 100 < bench.cost(lambda: bench.oled.show(fb)) <= 160
    fb.text(90, 40, "29")
    assert 8 < bench.cost(lambda: bench.oled.show(fb)) <= 40
    fb.rect(0, 0, 29, 16, on=False)
    assert bench.cost(lambda: bench.oled.show(fb)) <= 2 * 40
    assert bench.simulated.visible_picture() == fb
    assert bench.cost(lambda: bench.oled.show(noise(1))) <= 1_140


def test_far_changes_in_one_line_do_not_send_what_lies_between() -> None:
    bench = Bench()
    bench.oled.show(Framebuffer())
    fb = Framebuffer()
    fb.pixel(0, 9)
    fb.pixel(127, 9)
    assert bench.cost(lambda: bench.oled.show(fb)) <= 2 * 11


@both
@pytest.mark.parametrize("at", [*range(12), *range(12, 1200, 37)])
def test_a_write_broken_off_at_any_byte_is_healed_at_once(driver: Driver, at: int) -> None:
    bench = Bench(driver)
    bench.oled.show(FULL)
    bench.bus.fail_at_byte(at)
    with suppress(DeviceError):
        for seed in range(3):
            bench.oled.show(noise(seed))
    assert bench.bus.broken
    bench.oled.tick()
    assert bench.simulated.visible_picture() in (noise(0), noise(1), noise(2))
    bench.oled.show(FULL)
    assert bench.simulated.visible_picture() == FULL


SLIPS: dict[str, tuple[int, ...]] = {
    "scrolling": (0x2F,),
    "everything lit": (0xA5,),
    "inverse": (0xA7,),
    "offset": (0xD3, 5),
    "first row": (0x49,),
    "another way of addressing": (0x20, 0x02),
    "enlarged": (0xD6, 0x01),
    "mirrored": (0xA0,),
    "upside down": (0xC0,),
    "off": (0xAE,),
    "a command without its argument": (0x81,),
    "a long command without its arguments": (0x26,),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_every_mode_a_controller_may_have_slipped_into_is_set_back_by_the_refresh(
    slip: str,
) -> None:
    bench = Bench()
    bench.oled.show(FULL)
    bench.simulated.command(SLIPS[slip])
    bench.now = OledConfig().refresh_s
    bench.oled.tick()
    assert bench.simulated.visible_picture() == FULL


@both
def test_power_lost_unnoticed_is_healed_within_a_second(driver: Driver) -> None:
    bench = Bench(driver, refresh_s=30, care=Care(shift_after_s=0))
    bench.oled.show(FULL)
    bench.simulated.power_cycle()
    assert not any(bench.simulated.visible_picture().data)
    bench.now = 1.0
    bench.oled.tick()
    assert bench.simulated.visible_picture() == FULL
    assert bench.cost(bench.oled.tick) <= PROBE


def test_a_controller_that_cannot_be_read_is_healed_within_the_refresh_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench = Bench(refresh_s=30, care=Care(shift_after_s=0))

    def refuses(_address: int) -> int:
        raise OSError(errno.EREMOTEIO, "Remote I/O error")

    monkeypatch.setattr(bench.bus, "read_byte", refuses)
    bench.oled.show(FULL)
    bench.simulated.power_cycle()
    bench.now = 29.0
    assert bench.cost(bench.oled.tick) <= PROBE
    bench.now = 30.0
    bench.oled.tick()
    assert bench.simulated.visible_picture() == FULL
    bench.bus.dead = True
    with pytest.raises(DeviceError):
        bench.oled.tick()


def test_an_oled_that_is_dead_all_along_says_so_each_time() -> None:
    bench = Bench()
    bench.bus.dead = True
    for _ in range(3):
        with pytest.raises(DeviceError):
            bench.oled.show(FULL)
    bench.bus.dead = False
    bench.oled.tick()
    assert bench.simulated.visible_picture() == FULL


@both
def test_it_dims_goes_dark_and_wakes_with_a_key(driver: Driver) -> None:
    care = Care(
        brightness=100, dim_brightness=10, dim_after_s=60, blank_after_s=600, shift_after_s=0
    )
    bench = Bench(driver, care=care, refresh_s=3600)
    bench.oled.show(FULL)
    assert bench.simulated.contrast == 255
    bench.now = 60.0
    assert 0 < bench.cost(bench.oled.tick) < 10 + PROBE
    assert bench.simulated.contrast == 26
    assert bench.cost(bench.oled.tick) <= PROBE
    bench.oled.touch()
    assert bench.simulated.contrast == 255
    assert bench.oled.light is Light.FULL
    bench.now = 660.0
    bench.oled.tick()
    assert not bench.simulated.on
    assert bench.cost(bench.oled.tick) == 0
    bench.oled.show(noise(3))
    assert not bench.simulated.on
    bench.simulated.power_cycle()
    bench.oled.touch()
    assert bench.simulated.visible_picture() == noise(3)
    assert bench.simulated.contrast == 255


def test_zero_seconds_means_never_dimmed_or_blanked() -> None:
    bench = Bench(care=Care(dim_after_s=0, blank_after_s=0, shift_after_s=0))
    bench.now = 1e9
    assert bench.oled.light is Light.FULL


def _shares(picture: Framebuffer) -> dict[tuple[int, int], float]:
    """Return for how many of many turns each pixel is lit that is lit at all."""
    turns = 8
    shown = Framebuffer()
    counts: dict[tuple[int, int], int] = {}
    for turn in range(turns):
        shown.data = spare_pixels(bytes(picture), turn)
        for x, y in product(range(128), range(64)):
            if shown.get(x, y):
                counts[x, y] = counts.get((x, y), 0) + 1
    return {at: count / turns for at, count in counts.items()}


@pytest.mark.parametrize("seed", range(3))
def test_no_pixel_shines_for_more_than_half_of_the_turns_whatever_is_shown(seed: int) -> None:
    lit = Framebuffer()
    lit.rect(0, 0, 128, 64)
    assert max(_shares((lit, noise(seed), FULL)[seed]).values()) == 0.5


def test_thin_strokes_stay_whole_while_thick_ones_are_hatched() -> None:
    picture = Framebuffer()
    picture.hline(10, 9, 30)
    picture.vline(60, 10, 30)
    picture.rect(80, 10, 20, 20)
    shown = Framebuffer()
    shown.data = spare_pixels(bytes(picture), 3)  # where it was painted
    assert all(shown.get(x, 9) for x in range(10, 40))
    assert all(shown.get(60, y) for y in range(10, 40))
    assert sum(shown.get(x, y) for x, y in product(range(81, 100), range(11, 30))) in (180, 181)


@both
def test_it_stands_on_four_places_in_turn(driver: Driver) -> None:
    bench = Bench(driver, care=Care(dim_after_s=0, blank_after_s=0, shift_after_s=10))
    bench.oled.show(FULL)
    assert bench.simulated.visible_picture() == FULL
    for turn in range(6):
        bench.now = 10.0 * (turn + 1)
        bench.oled.tick()
        assert bytes(bench.simulated.visible_picture()) == spare_pixels(bytes(FULL), turn)
        bench.oled.show(noise(4))
        bench.oled.show(FULL)
        assert bytes(bench.simulated.visible_picture()) == spare_pixels(bytes(FULL), turn)


def test_an_i2c_bus_that_is_not_there_is_told() -> None:
    with pytest.raises(DeviceError) as caught:
        open_wire(OledConfig(port=22))
    assert caught.value.code == "no-bus"


@both
def test_over_spi_the_glass_shows_the_picture(driver: Driver) -> None:
    factory = MockFactory()
    config = OledConfig(driver=driver, bus="spi")
    simulated = SimulatedOled(driver)
    bus = SimulatedSpi(simulated, lambda: bool(factory.pin(config.dc).state))
    wire = open_wire(config, bus=bus, factory=factory)
    oled = Oled(wire, config, clock=lambda: 0.0)
    oled.show(FULL)
    oled.show(noise(5))
    assert simulated.visible_picture() == noise(5)
    assert factory.pin(3).state
    oled.close()
    assert bus.opened is None
    open_wire(config, bus=bus, factory=factory).cleanup()


def test_a_picture_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="128 by 64"):
        Bench().oled.show(Framebuffer(64, 64))


@given(st.binary(min_size=1024, max_size=1024), st.integers(0, 1023), st.booleans())
@settings(max_examples=30, deadline=None)
def test_patches_cover_every_difference(data: bytes, at: int, windows: bool) -> None:
    old = bytes(1024)
    new = old[:at] + data[at:]
    covered = {
        page * 128 + x
        for patch in find_patches(old, new, windows=windows)
        for page in range(patch.page, patch.pages_end)
        for x in range(patch.left, patch.right)
    }
    assert {i for i in range(1024) if new[i]} <= covered
