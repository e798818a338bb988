"""The panel's display: an SSD1306 on a bus that may fail.

After a short loss of power a display accepts bytes but stays dark. So its status is read every
second, and everything is sent again every REFRESH_MS. OLEDs burn in: without keys and new text the
display dims, then goes dark, and the picture moves by a dot or two every SHIFT_MS. The display on
a Pi's header is treated in the same way. Times are milliseconds.
"""

from .display import TextRows, window

TYPE_CHECKING = False  # MicroPython has no typing module; a type checker takes this as True
if TYPE_CHECKING:
    from typing import Protocol

    class DisplayBus(Protocol):
        """The methods of `machine.I2C` that are used; OSError if no display answers."""

        def writevto(self, address: int, parts: "tuple[bytes | bytearray, ...]") -> None:
            """Send the parts as one message."""

        def readfrom_into(self, address: int, data: bytearray) -> None:
            """Read as many bytes as `data` has."""


ADDRESS = 0x3C
RETRY_MS = 5000
CHECK_MS = 1000
REFRESH_MS = 45000
DIM_MS = 60000
DARK_MS = 900000
SHIFT_MS = 120000
# Brightness, 0 to 255: in use, and dimmed.
FULL = 204
DIM = 13
# Places of the picture: dots to the right, lines down. Strokes are one dot wide and two lines
# high, so each of their dots is lit half of the time (not in full stops). The picture's last two
# lines are empty.
PLACES = ((0, 0), (1, 2), (0, 2), (1, 0))

# First no-operations: an interrupted command may take them as its arguments. Then: 64 lines,
# no offset, alternating rows, clock, memory shown as stored, no scrolling, fading or zoom, writing
# from page to page, charge pump on, voltages, picture upright.
START = (
    b"\xe3\xe3\xe3\xe3\xe3\xe3\xa8\x3f\xd3\x00\xda\x12\xd5\x80\xa4\xa6\x2e\xa3\x00\x40\x23\x00\xd6\x00"
    b"\x20\x00\x8d\x14\xd9\xf1\xdb\x30\xa1\xc8"
)
ON = b"\xaf"
OFF = b"\xae"
NOTHING = b"\xe3"
_OFF_BIT = 0x40


class PanelOled:
    """An SSD1306 that may be missing, come later or fail; the panel works without it."""

    def __init__(self, bus: "DisplayBus") -> None:
        self._bus = bus
        self._rows = TextRows()
        self._status = bytearray(1)
        # The status's off bit just after switching on; -1 if it could not be read.
        self._healthy = -1
        self._has_news = False
        self._touched_at = 0
        self._shifted_at = 0
        self._place = 0
        self._level = -1
        # Dark: switched off. Starting: set up, and switched on when all rows are drawn.
        self._dark = False
        self._starting = True
        # When to search for the display or check its status; when to send everything again.
        self._check_at = 0
        self._refresh_at = 0
        self.works = self._start(0)

    def text(self, row: int, text: str) -> None:
        """Show a row of text soon."""
        if self._rows.set(row, text):
            self._has_news = True

    def tick(self, now: int, *, touched: bool) -> None:
        """Send what is due, at most one row, which takes about 7 ms; `touched`: a key is down."""
        if touched or self._has_news:
            self._has_news = False
            self._touched_at = now
        if not self.works:
            # quick: without a display the bus fails at once
            if now >= self._check_at:
                self._check_at = now + RETRY_MS
                self.works = self._start(now)
        elif now - self._touched_at >= DARK_MS:
            if not self._dark:
                self._dark = True
                self.works = self._send(0x00, OFF)
        elif self._needs_all(now):
            self.works = self._start(now)
        else:
            self._send_changes(now)

    def _needs_all(self, now: int) -> bool:
        """Tell whether everything must be sent: the picture moves, the display wakes, or is due."""
        if now - self._shifted_at >= SHIFT_MS:
            self._shifted_at = now
            self._place = (self._place + 1) % len(PLACES)
            return True
        if self._dark or now >= self._refresh_at:
            return True
        if self._starting or now < self._check_at:
            return False
        self._check_at = now + CHECK_MS
        if self._healthy < 0:  # without a status: only test that it answers
            self.works = self._send(0x00, NOTHING)
        return self._healthy >= 0 and self._off_bit() != self._healthy

    def _start(self, now: int) -> bool:
        """Set the display up, and let every row be drawn again."""
        right, down = PLACES[self._place]
        self._rows.shift = right
        self._rows.forget()
        self._dark = False
        self._starting = True
        self._level = -1
        self._refresh_at = now + REFRESH_MS
        # the picture moves down when the glass begins with another line of the memory
        return self._send(0x00, START + bytes((0x40 | (64 - down) % 64,)))

    def _send_changes(self, now: int) -> None:
        level = DIM if now - self._touched_at >= DIM_MS else FULL
        row = self._rows.find_changed()
        if level != self._level:
            self._level = level
            self.works = self._send(0x00, bytes((0x81, level)))
        elif row >= 0:
            dots = self._rows.draw(row)
            self.works = self._send(0x00, window(row)) and self._send(0x40, dots)
        elif self._starting:
            self._starting = False
            self.works = self._send(0x00, ON)
            self._healthy = self._off_bit()

    def _off_bit(self) -> int:
        """Return the off bit of the display's status, -1 if it cannot be read."""
        try:
            self._bus.readfrom_into(ADDRESS, self._status)
        except OSError:
            return -1
        return self._status[0] & _OFF_BIT

    def _send(self, kind: int, data: bytes | bytearray) -> bool:
        """Send commands (kind 0x00) or dots (0x40); return whether the display accepted them."""
        try:
            self._bus.writevto(ADDRESS, (bytes((kind,)), data))
        except OSError:
            return False
        return True
