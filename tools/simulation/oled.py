"""A simulated OLED: decodes a controller's bytes into the visible picture."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from hardware.framebuffer import Framebuffer

if TYPE_CHECKING:
    from PIL.Image import Image

_WIDTH, _PAGES = 128, 8
_COMMON = dict.fromkeys((0x81, 0xA8, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB), 1)
_ARGUMENTS = {
    "ssd1306": {
        **_COMMON,
        **dict.fromkeys((0x20, 0x23, 0x8D, 0xD6), 1),
        **dict.fromkeys((0x21, 0x22, 0xA3), 2),
        **dict.fromkeys((0x29, 0x2A), 5),
        **dict.fromkeys((0x26, 0x27), 6),
    },
    "sh1106": {**_COMMON, 0xAD: 1},
}
"""The number of argument bytes of each command byte; 0 if it is not listed."""

_HORIZONTAL, _VERTICAL, _BY_PAGE = 0, 1, 2


class SimulatedOled:
    """A controller with its memory and 128 by 64 pixels of glass mounted the usual way round."""

    def __init__(self, driver: Literal["ssd1306", "sh1106"] = "ssd1306") -> None:
        self.driver = driver
        self._memory_width = 132 if driver == "sh1106" else _WIDTH
        self.glass_left = 2 if driver == "sh1106" else 0
        """The memory's column behind the leftmost pixel, as the module is wired."""
        self.power_cycle()

    def power_cycle(self) -> None:
        """Lose and regain power: display off, settings as after reset, noise in memory."""
        size = self._memory_width * _PAGES
        # any bytes that look like noise and are the same in every test
        self.memory = bytearray(((byte * 73) ^ (byte >> 3)) & 255 for byte in range(size))
        self.on = self.pump = self.inverse = self.all_lit = False
        self.scrolls = self.zooms = False
        self.mirrored = self.flipped = True
        self.contrast = 0x7F
        self.start_line = self.offset = 0
        self._mode = _BY_PAGE
        self._columns = (0, self._memory_width - 1)  # the first and the last that data fills
        self._pages = (0, _PAGES - 1)
        self._page = self._column = 0
        self._pending: list[int] = []  # a command still without all its arguments
        if self.driver == "sh1106":  # its converter is on after reset
            self.pump = True

    # --- bytes from the bus

    def command(self, data: Sequence[int]) -> None:
        """Take command bytes; a command may come in several pieces."""
        for byte in data:
            self._pending.append(byte)
            count = _ARGUMENTS[self.driver].get(self._pending[0], 0)
            if len(self._pending) > count:
                first, *arguments = self._pending
                self._pending = []
                if arguments:
                    self._run_long_command(first, arguments)
                else:
                    self._run_short_command(first)

    def _run_long_command(self, first: int, arguments: list[int]) -> None:
        match first:
            case 0x20:  # how the memory is filled: _HORIZONTAL, _VERTICAL, _BY_PAGE
                self._mode = arguments[0] & 3
            case 0x21:  # the columns of a window
                left, right = (min(x, _WIDTH - 1) for x in arguments)
                self._columns = left, right
                self._column = left
            case 0x22:  # the pages of a window
                top, bottom = (page & 7 for page in arguments)
                self._pages = top, bottom
                self._page = top
            case 0x81:
                self.contrast = arguments[0]
            case 0xD6:
                self.zooms = bool(arguments[0] & 1)
            case 0x8D:  # the SSD1306's charge pump: without it the glass stays dark
                self.pump = bool(arguments[0] & 4)
            case 0xAD:  # the SH1106's converter, for the same
                self.pump = bool(arguments[0] & 1)
            case 0xD3:
                self.offset = arguments[0] & 63

    def _run_short_command(self, byte: int) -> None:
        match byte:
            case _ if byte < 0x20:
                # 0x00 to 0x0F set the low half of the column, 0x10 to 0x1F the high half
                low, high = self._column & 15, self._column & 0xF0
                self._column = high | byte if byte < 0x10 else low | byte - 16 << 4
            case _ if 0x40 <= byte < 0x80:
                self.start_line = byte - 0x40
            case _ if 0xB0 <= byte < 0xB8:
                self._page = byte - 0xB0
            case 0x2E | 0x2F if self.driver == "ssd1306":
                self.scrolls = byte == 0x2F
            case 0xA0 | 0xA1:  # the direction of the columns
                self.mirrored = byte == 0xA0
            case 0xA4 | 0xA5:
                self.all_lit = byte == 0xA5
            case 0xA6 | 0xA7:
                self.inverse = byte == 0xA7
            case 0xAE | 0xAF:
                self.on = byte == 0xAF
            case 0xC0 | 0xC8:  # the direction of the rows
                self.flipped = byte == 0xC0

    def data(self, data: Sequence[int]) -> None:
        """Take picture bytes for the addressed memory."""
        for byte in data:
            if self._column < self._memory_width:
                self.memory[self._page * self._memory_width + self._column] = byte
            self._advance()

    def _advance(self) -> None:
        left, right = self._columns
        top, bottom = self._pages
        if self._mode == _BY_PAGE:
            wraps = self.driver == "ssd1306" and self._column + 1 >= self._memory_width
            self._column = 0 if wraps else self._column + 1
        elif self._mode == _HORIZONTAL:
            if self._column != right:
                self._column += 1
                return
            self._column = left
            self._page = top if self._page == bottom else (self._page + 1) % _PAGES
        else:
            if self._page != bottom:
                self._page += 1
                return
            self._page = top
            self._column = left if self._column == right else self._column + 1

    # --- the visible picture

    def visible_picture(self) -> Framebuffer:
        """Return the picture that is visible."""
        glass = Framebuffer()
        # without the pump the pixels have no voltage
        if not (self.on and self.pump):
            return glass
        for page in range(_PAGES):
            for x in range(_WIDTH):
                source = self.glass_left + (_WIDTH - 1 - x if self.mirrored else x)
                for bit in range(8):
                    if self._lit(source, page * 8 + bit):
                        row = page * 8 + bit
                        glass.pixel(x, 63 - row if self.flipped else row)
        return glass

    def _lit(self, column: int, row: int) -> bool:
        if self.all_lit:
            return True
        if self.scrolls:
            # any shift is enough for a test to notice that scrolling is still on
            column = (column + 37) % self._memory_width
        line = ((row // 2 if self.zooms else row) + self.start_line + self.offset) % 64
        byte = self.memory[line // 8 * self._memory_width + column]
        return bool(byte >> line % 8 & 1) != self.inverse

    def image(self) -> "Image":
        """Return the visible picture as a Pillow image of mode "1"."""
        return self.visible_picture().to_image()
