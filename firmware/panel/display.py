"""Rows of text as dots for an SSD1306 of 128x64, and the commands that put them there."""

from .font import columns

COLUMNS = 20
ROWS = 4
WIDTH = 128
_CELL = 6
_LEFT = (WIDTH - COLUMNS * _CELL + 1) // 2

# Each nibble with every dot doubled: letters of 7 dots become 14 high, to be read from a distance.
_TALL = b"\x00\x03\x0c\x0f\x30\x33\x3c\x3f\xc0\xc3\xcc\xcf\xf0\xf3\xfc\xff"


def window(row: int) -> bytes:
    """Return the commands that come before the dots of one text row."""
    # 0x21 sets the columns, 0x22 the pages: a text row takes two pages of 8 lines
    return bytes((0x21, 0, WIDTH - 1, 0x22, row * 2, row * 2 + 1))


class TextRows:
    """The rows that the display should show; only changed rows are drawn."""

    def __init__(self) -> None:
        self._shown: list[str | None] = [None] * ROWS
        self._wanted = [""] * ROWS
        self._dots = bytearray(2 * WIDTH)
        # How many dots to the right the text is drawn.
        self.shift = 0

    def set(self, row: int, text: str) -> bool:
        """Show `text` in a row, cut to 20 letters, the rest blank; return whether it is new."""
        before = self._wanted[row]
        self._wanted[row] = text[:COLUMNS]
        return self._wanted[row] != before

    def forget(self) -> None:
        """Mark every row as changed: the display's content is unknown."""
        self._shown = [None] * ROWS

    def find_changed(self) -> int:
        """Return a row that must be drawn, or -1."""
        for row in range(ROWS):
            if self._shown[row] != self._wanted[row]:
                return row
        return -1

    def draw(self, row: int) -> bytearray:
        """Return the dots of a row, two pages of 128 columns; the buffer is reused."""
        dots = self._dots
        for i in range(len(dots)):
            dots[i] = 0
        x = _LEFT + self.shift
        for letter in self._wanted[row]:
            for column in columns(letter):
                # the upper four dots fill the first page, the lower four the second
                dots[x] = _TALL[column & 15]
                dots[WIDTH + x] = _TALL[column >> 4]
                x += 1
            x += _CELL - 5  # a letter has five columns
        self._shown[row] = self._wanted[row]
        return dots
