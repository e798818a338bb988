"""The panel's own display gets the care of the one on a Pi's header, by itself."""

import pytest

from firmware.panel.display import COLUMNS, ROWS, WIDTH
from firmware.panel.oled import (
    CHECK_MS,
    DARK_MS,
    DIM,
    DIM_MS,
    FULL,
    REFRESH_MS,
    RETRY_MS,
    SHIFT_MS,
    PanelOled,
)
from hardware.config import OledConfig
from hardware.oled import Care
from tools.simulation import SimulatedOled

STEP_MS = 20


class Bench:
    """A panel's display on a simulated bus; `readable`: its status can be read."""

    def __init__(self, *, readable: bool = True) -> None:
        self.glass = SimulatedOled()
        self.readable = readable
        self.there = True
        self.now = 0
        self.sent = 0
        self.oled = PanelOled(self)
        for row in range(ROWS):
            self.oled.text(row, "█" * COLUMNS if row else "Beisitzer ...")
        self.run(200)

    def writevto(self, address: int, parts: tuple[bytes | bytearray, ...]) -> None:
        if not self.there:
            raise OSError(5)
        assert address == 0x3C
        (kind,), data = parts
        self.sent += len(data)
        (self.glass.data if kind == 0x40 else self.glass.command)(list(data))

    def readfrom_into(self, _address: int, data: bytearray) -> None:
        if not (self.there and self.readable):
            raise OSError(5)
        data[0] = 0x03 if self.glass.on else 0x43

    def run(self, ms: int, *, touched: bool = False) -> None:
        for _ in range(ms // STEP_MS):
            self.now += STEP_MS
            self.oled.tick(self.now, touched=touched)

    def picture(self) -> bytes:
        return bytes(self.glass.visible_picture())


def test_both_displays_are_cared_for_at_the_same_times() -> None:
    care, config = Care(), OledConfig()
    assert [
        1000 * s
        for s in (config.refresh_s, care.dim_after_s, care.blank_after_s, care.shift_after_s)
    ] == [REFRESH_MS, DIM_MS, DARK_MS, SHIFT_MS]
    assert [round(share * 255 / 100) for share in (care.brightness, care.dim_brightness)] == [
        FULL,
        DIM,
    ]


@pytest.mark.parametrize(("readable", "within_ms"), [(True, CHECK_MS), (False, REFRESH_MS)])
def test_a_display_that_lost_its_power_unnoticed_is_set_up_again(
    readable: bool, within_ms: int
) -> None:
    bench = Bench(readable=readable)
    before = bench.picture()
    assert any(before)
    bench.glass.power_cycle()
    bench.run(40)
    assert bench.picture() != before
    bench.run(within_ms + 200)
    assert bench.picture() == before


@pytest.mark.parametrize(
    "command",
    [(0xAE,), (0xA5,), (0xA7,), (0x2F,), (0x8D, 0x10), (0xD3, 9), (0x45,), (0xA0,), (0xC0,),
     (0xD6, 1), (0x20, 2), (0x81,), (0x21, 4)],
)  # fmt: skip
def test_every_mode_it_may_have_slipped_into_is_set_back(command: tuple[int, ...]) -> None:
    bench = Bench(readable=False)
    before = bench.picture()
    bench.glass.command(command)
    bench.run(REFRESH_MS + 200)
    assert (bench.picture(), bench.glass.contrast) == (before, FULL)


def test_a_refresh_shows_no_flicker() -> None:
    bench = Bench()
    before = bench.picture()
    for _ in range((REFRESH_MS + 400) // STEP_MS):
        bench.run(STEP_MS)
        assert bench.glass.on
    assert bench.picture() == before


def test_one_off_the_bus_is_noticed_and_shows_all_when_it_is_back() -> None:
    for readable in (True, False):
        bench = Bench(readable=readable)
        before = bench.picture()
        bench.there = False
        bench.run(CHECK_MS + 40)
        assert not bench.oled.works
        bench.glass.power_cycle()
        bench.there = True
        bench.run(RETRY_MS + 400)
        assert bench.oled.works
        assert bench.picture() == before


def test_it_dims_goes_dark_and_wakes_at_a_key_or_a_new_text_only() -> None:
    for wake in ("key", "text"):
        bench = Bench()
        assert bench.glass.contrast == FULL
        bench.run(DIM_MS)
        assert bench.glass.contrast == DIM
        for row in range(1, ROWS):
            bench.oled.text(row, "█" * COLUMNS)  # the host sends its whole state every 5 s
        bench.run(DARK_MS - DIM_MS)
        assert not bench.glass.on
        sent = bench.sent
        bench.run(REFRESH_MS + SHIFT_MS)
        assert bench.sent == sent
        if wake == "text":
            bench.oled.text(0, "Anna")
        bench.run(STEP_MS, touched=wake == "key")
        bench.run(200)
        assert bench.glass.on
        assert bench.glass.contrast == FULL


def test_no_dot_of_a_stroke_is_lit_all_the_time_and_none_is_lost_at_the_edge() -> None:
    bench = Bench()
    for row in range(ROWS):
        bench.oled.text(row, "MWgy LTHE 0123 abSÄö")
    pictures = []
    for _ in range(4):
        bench.run(400, touched=True)
        pictures.append(int.from_bytes(bench.picture()))
        bench.run(SHIFT_MS - 400, touched=True)
    first, second, third, fourth = pictures
    assert len(set(pictures)) == 4
    assert {picture.bit_count() for picture in pictures} == {first.bit_count()}
    assert not first & second & third & fourth


def test_only_rows_that_changed_go_over_the_bus() -> None:
    bench = Bench()
    sent = bench.sent
    bench.oled.text(2, "Rot")
    bench.run(100)
    assert bench.sent - sent < 2 * WIDTH + 10
