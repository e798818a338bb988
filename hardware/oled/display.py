"""SSD1306 and SH1106 displays: only changes go over the bus.

After a short loss of power, or a disturbance of its mode, a display still accepts bytes. Hence
set-up and whole picture are sent after every failure of the bus, on waking from dark, when the
controller reports that it is off though it was switched on, and every `refresh_s` seconds, because
not every controller can be read.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from time import monotonic
from typing import Any, Self

from hardware.config import OledConfig
from hardware.device import Device, Site, Topic
from hardware.errors import DeviceError, device_error
from hardware.framebuffer import Framebuffer
from hardware.oled.patches import PAGES, WIDTH, Patch, find_patches
from hardware.oled.sparing import spare_pixels
from hardware.oled.wire import Wire, open_wire

DISPLAY_OFF, DISPLAY_ON, CONTRAST = 0xAE, 0xAF, 0x81
COLUMN_WINDOW, PAGE_WINDOW, PAGE = 0x21, 0x22, 0xB0

NOTHING = 0xE3
FLUSH = (NOTHING,) * 6
"""Commands that do nothing: an interrupted command takes them as its arguments."""
OFF_BIT = 0x40
"""The bit of the status for a display that is off; on some controllers only a change counts."""

_COMMON = (
    *(0xD5, 0x80),  # clock divider and oscillator as after reset
    *(0xA8, 0x3F),  # 64 rows
    *(0xD3, 0x00),  # no vertical offset
    0x40,  # first row of the memory on top
    *(0xDA, 0x12),  # rows wired alternately
    0xA4,  # show the memory
    0xA6,  # lit is lit
)
_SETUP = {
    "ssd1306": (
        *_COMMON,
        0x2E,  # no scrolling
        *(0xA3, 0x00, 0x40),  # all rows would scroll
        *(0x23, 0x00),  # neither fading nor blinking
        *(0xD6, 0x00),  # not enlarged
        *(0x20, 0x00),  # horizontal addressing: windows
        *(0x8D, 0x14),  # charge pump on
        *(0xD9, 0xF1),  # periods of charging before a row is lit
        *(0xDB, 0x40),  # voltage of rows that are not lit
    ),
    "sh1106": (
        *_COMMON,
        0xEE,  # columns advance with each byte
        *(0xAD, 0x8B),  # DC-DC converter on
        *(0xD9, 0x22),  # periods of charging before a row is lit
        *(0xDB, 0x35),  # voltage of rows that are not lit
    ),
}
_UPRIGHT = {0: (0xA1, 0xC8), 180: (0xA0, 0xC0)}
"""The commands for the directions of columns and rows, by the rotation in degrees."""

WHOLE = Patch(0, PAGES, 0, WIDTH)


class Light(Enum):
    """How bright the display is."""

    FULL = "full"
    DIM = "dim"
    DARK = "dark"


@dataclass(frozen=True)
class Care:
    """Protection of the display: brightness in percent, times in seconds (0: never)."""

    brightness: int = 80
    dim_brightness: int = 5
    dim_after_s: float = 60
    blank_after_s: float = 900
    shift_after_s: float = 120


class Oled(Device):
    """One display. Every method that talks to it raises DeviceError when the bus fails.

    After a failure the next call starts over; nothing has to be reset by the caller.
    `clock` counts seconds and never goes back.
    """

    name = "oled"
    follows = ("care", "picture")

    @classmethod
    def open(cls, site: Site) -> Self:
        """Open its bus, and its two pins on SPI."""
        config = site.config.oled
        factory = site.pins() if config.bus == "spi" else None
        return cls(open_wire(config, bus=site.bus, factory=factory), config, clock=site.clock)

    def tell(self, topic: Topic, value: Any) -> None:
        """Take the new care, or show a picture."""
        if topic == "care":
            self.set_care(value)
        else:
            self.show(value)

    def __init__(
        self,
        wire: Wire,
        config: OledConfig,
        care: Care | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._wire = wire
        self._config = config
        self._clock = clock
        self._windows = config.driver == "ssd1306"
        """Whether it takes a rectangle in one go; the SH1106 takes one page at a time."""
        self._first = config.first_column
        self._picture = Framebuffer()
        self._sent: bytes | None = None
        """The picture in the display; None if that is unknown."""
        self._healthy: int | None = None
        """The off bit of its status while it is on; None if it cannot be read."""
        self._sent_light = Light.DARK
        # the times of the last key, of the last shift and of the last whole picture
        self._touched = self._shifted_at = self._refreshed = clock()
        self._turn: int | None = None
        """Counts the shifts that protect against burn-in; None before the first."""
        self.set_care(care or Care())

    def set_care(self, care: Care) -> None:
        """Change brightness and when it dims; the display follows with the next update."""
        self._care = care
        self._levels = {Light.FULL: care.brightness, Light.DIM: care.dim_brightness}
        self._sent_level: int | None = None
        """The brightness in the display, 0 to 255; None: to be sent with the next update."""

    @property
    def light(self) -> Light:
        """How bright the display should be now: time without a key counts."""
        # a setting of 0 s means never
        idle = self._clock() - self._touched
        if 0 < self._care.blank_after_s <= idle:
            return Light.DARK
        if 0 < self._care.dim_after_s <= idle:
            return Light.DIM
        return Light.FULL

    def show(self, picture: Framebuffer) -> None:
        """Show a picture of 128 by 64 pixels; only the changes are sent."""
        if (picture.width, picture.pages) != (WIDTH, PAGES):
            raise ValueError(f"the display shows {WIDTH} by {8 * PAGES} pixels")
        self._picture = picture.copy()
        self._update()

    def touch(self) -> None:
        """Note that somebody is there: full brightness, and the times begin again."""
        self._touched = self._clock()
        if self._sent_light is not Light.FULL:
            self._update()

    def tick(self) -> None:
        """Dim, go dark, shift or refresh when it is time; call it about every second."""
        now = self._clock()
        if 0 < self._care.shift_after_s <= now - self._shifted_at:
            self._shifted_at = now
            self._turn = 0 if self._turn is None else self._turn + 1
        is_lit = self._sent_light is not Light.DARK
        is_old = now - self._refreshed >= self._config.refresh_s
        # a dark display gets everything anyway when it wakes
        if is_lit and (is_old or self._lost_power()):
            self._sent = None  # so that the update sends everything
        self._update()

    def _off_bit(self) -> int | None:
        try:
            status = self._wire.status()
        except OSError:
            return None
        return None if status is None else status & OFF_BIT

    def _lost_power(self) -> bool:
        """Tell whether its status shows that it lost its power.

        If the status cannot be read, a missing display still causes a DeviceError.
        """
        if self._healthy is None:
            self._guard(lambda: self._wire.command(NOTHING))
            return False
        return self._off_bit() != self._healthy

    def close(self) -> None:
        """Switch the display off and release the bus, whatever state they are in."""
        try:
            self._wire.command(DISPLAY_OFF)
        except Exception as error:  # as in _guard
            raise device_error("oled", error) from error
        finally:
            self._wire.cleanup()

    def _update(self) -> None:
        self._guard(lambda: self._send(self.light))

    def _guard(self, act: Callable[[], None]) -> None:
        """Call `act`; after an error the next call sends everything, and a DeviceError says why."""
        try:
            act()
        except Exception as error:  # luma's and the bus's errors share no base class
            self._sent = None
            self._sent_light = Light.DARK
            cause = device_error("oled", error)
            # if an open bus fails, it is the display that does not answer
            code = "no-answer" if cause.code == "no-bus" else cause.code
            raise DeviceError("oled", code, cause.detail) from error

    def _send(self, light: Light) -> None:
        if light is Light.DARK:
            if self._sent_light is not Light.DARK:
                self._wire.command(DISPLAY_OFF)
                self._sent_light = light
            return
        new = bytes(self._picture)
        if self._turn is not None:
            new = spare_pixels(new, self._turn)
        whole = self._sent is None or self._sent_light is Light.DARK
        if whole:
            # the display may still wait for the arguments of an interrupted command
            self._wire.command(*FLUSH)
            self._wire.command(*_SETUP[self._config.driver], *_UPRIGHT[self._config.rotate])
        level = round(255 * self._levels[light] / 100)  # the settings are in percent
        if whole or level != self._sent_level:
            self._wire.command(CONTRAST, level)
            self._sent_level = level
        # `whole` implies the first condition, which the type checker needs
        if self._sent is None or whole:
            self._send_patch(WHOLE, new)
        elif new != self._sent:
            for patch in find_patches(self._sent, new, windows=self._windows):
                self._send_patch(patch, new)
        if whole:
            self._wire.command(DISPLAY_ON)
            self._refreshed = self._clock()
            self._healthy = self._off_bit()
        self._sent = new
        self._sent_light = light

    def _send_patch(self, patch: Patch, picture: bytes) -> None:
        """Send a rectangle of a picture."""
        first = self._first  # the controller's column behind the leftmost pixel
        page, pages_end, left, right = patch
        starts = range(page * WIDTH, pages_end * WIDTH, WIDTH)
        rows = [picture[start + left : start + right] for start in starts]
        if self._windows:
            columns = (COLUMN_WINDOW, first + left, first + right - 1)
            self._wire.command(*columns, PAGE_WINDOW, page, pages_end - 1)
            self._wire.data(list(b"".join(rows)))
            return
        column = first + left
        for row_page, row in enumerate(rows, page):
            # the column's low and high half are two commands
            self._wire.command(PAGE | row_page, column & 15, 0x10 | column >> 4)
            self._wire.data(list(row))
