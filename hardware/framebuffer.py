"""A one-bit picture held as an SSD1306 holds it: pages of column bytes, lowest bit on top."""

import importlib.util
from enum import Enum
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from unicodedata import normalize

if TYPE_CHECKING:
    from PIL.Image import Image

_LOW = "☺☻♥♦♣♠•◘○◙♂♀♪♫☼►◄↕‼¶§▬↨↑↓→←∟↔▲▼"
"""What code page 437 shows for the codes 1 to 31, which Python's codec keeps as controls."""

_ALIKE = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—―−", "-"),
        **dict.fromkeys("„“”", '"'),
        **dict.fromkeys("‚‘’", "'"),
        **dict.fromkeys("♡❤", "♥"),
        **dict.fromkeys("♢◆", "♦"),
        **dict.fromkeys("♤", "♠"),
        **dict.fromkeys("♧", "♣"),
        **dict.fromkeys("\u00a0\u2009\u202f", " "),
        "×": "x",
        "✓": "√",
        "✗": "x",
        "●": "•",
        "▶": "►",
        "◀": "◄",
        "ẞ": "ß",
        "€": "E",
    }
)
"""Characters people write that the font lacks, and the one it has that looks most alike."""

_EXTRA = {"…": bytes((0, 0x40, 0, 0, 0x40, 0, 0, 0x40))}
"""Glyphs the font lacks and nothing in it resembles."""

_INVERTED = bytes(255 - byte for byte in range(256))
_SPREAD = bytes(sum(3 << 2 * bit for bit in range(4) if nibble >> bit & 1) for nibble in range(16))


class Font(Enum):
    """NORMAL: 8x8, every character 8 columns. TINY: 5 rows high, 2 to 6 columns, for labels."""

    NORMAL = "normal"
    TINY = "tiny"


@cache
def _tables() -> tuple[list[list[int]], list[list[int]]]:
    """Return luma.core's CP437 and tiny fonts.

    The file is run by itself: its package would import Pillow and a thread pool, which a
    rig without a picture to save never needs.
    """
    package = importlib.util.find_spec("luma.core")
    if package is None or not package.submodule_search_locations:
        raise ImportError("luma.core is not installed", name="luma.core")
    path = Path(package.submodule_search_locations[0], "legacy", "font.py")
    spec = importlib.util.spec_from_file_location("hardware._luma_font", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"luma.core has no fonts at {path}", name="luma.core")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.CP437_FONT, module.TINY_FONT


def _code(char: str) -> int | None:
    """Return the place of a character in the 8x8 font, None where it has none."""
    if char in _LOW:
        return _LOW.index(char) + 1
    if char == "⌂":
        return 0x7F
    try:
        code = char.encode("cp437")[0]
    except UnicodeEncodeError:
        return None
    return code if code >= 32 and code != 0x7F else None


@lru_cache(maxsize=1024)
def _glyph(char: str) -> bytes:
    """Return a character's 8 column bytes; what the font cannot show becomes `?`."""
    if char in _EXTRA:
        return _EXTRA[char]
    code = _code(char.translate(_ALIKE))
    if code is None:
        code = _code(normalize("NFKD", char)[0])
    return bytes(_tables()[0][ord("?") if code is None else code])


@lru_cache(maxsize=1024)
def _tiny_glyph(char: str) -> bytes:
    """Return a character's columns with one blank column after it."""
    plain = char.translate(_ALIKE)
    if plain == " ":
        return bytes(2)
    if " " < plain <= "~":
        ink = bytes(_tables()[1][ord(plain)]).strip(b"\0")
        return ink + b"\0"
    return _glyph(char).strip(b"\0") + b"\0"


@lru_cache(maxsize=512)
def _strip(string: str) -> bytes:
    return b"".join(map(_glyph, string))


@lru_cache(maxsize=256)
def _double_strip(string: str) -> tuple[bytes, bytes]:
    """Return the upper and the lower page of a text at twice its size."""
    upper, lower = bytearray(), bytearray()
    for byte in _strip(string):
        upper += bytes((_SPREAD[byte & 15],)) * 2
        lower += bytes((_SPREAD[byte >> 4],)) * 2
    return bytes(upper), bytes(lower)


@lru_cache(maxsize=512)
def _columns(string: str, font: Font) -> bytes:
    """Return a text's columns for drawing at any row; tiny text without the last gap."""
    if font is Font.NORMAL:
        return _strip(string)
    return b"".join(map(_tiny_glyph, string))[:-1]


def text_width(string: str, font: Font = Font.NORMAL) -> int:
    """Return how many columns a text takes (single size)."""
    return len(_columns(string, font))


class Framebuffer:
    """A picture of `width` by `height` pixels; everything drawn beyond its edges is cut off.

    `data` holds `height / 8` pages of `width` bytes: byte `page * width + x` is the column
    of 8 pixels below row `8 * page`, its lowest bit on top. The height is a multiple of 8.
    """

    __slots__ = ("data", "height", "pages", "width")

    def __init__(self, width: int = 128, height: int = 64) -> None:
        if width <= 0 or height <= 0 or height % 8:
            raise ValueError(f"no picture of {width} by {height} pixels can be held in pages")
        self.width = width
        self.height = height
        self.pages = height // 8
        self.data = bytearray(width * self.pages)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Framebuffer):
            return NotImplemented
        return self.width == other.width and self.data == other.data

    __hash__ = None  # type: ignore[assignment]  # it can be drawn on

    def __bytes__(self) -> bytes:
        return bytes(self.data)

    def copy(self) -> "Framebuffer":
        """Return a picture of its own with the same pixels."""
        twin = Framebuffer(self.width, self.height)
        twin.data[:] = self.data
        return twin

    def clear(self) -> None:
        """Make every pixel dark."""
        self.data[:] = bytes(len(self.data))

    # --- text on pages: the fast way, whole bytes

    def text(
        self,
        x: int,
        page: int,
        string: str,
        *,
        double: bool = False,
        inverse: bool = False,
    ) -> int:
        """Write a text over what is there, its left edge at column `x`; return where it ends.

        Single size takes one page, 8 columns a character; double two pages and 16 columns.
        """
        rows = _double_strip(string) if double else (_strip(string),)
        for at, row in enumerate(rows, page):
            self._put(x, at, row.translate(_INVERTED) if inverse else row)
        return x + len(rows[0])

    def _put(self, x: int, page: int, row: bytes) -> None:
        if not 0 <= page < self.pages:
            return
        left, right = max(x, 0), min(x + len(row), self.width)
        if left < right:
            start = page * self.width
            self.data[start + left : start + right] = row[left - x : right - x]

    # --- pixels anywhere

    def text_at(
        self, x: int, y: int, string: str, *, font: Font = Font.NORMAL, on: bool = True
    ) -> int:
        """Draw a text's pixels lit (or dark) at any row, leaving what is around; return its end.

        The rows are `y` to `y + 7`; tiny digits and capitals have their ink in rows 1 to 5.
        """
        columns = _columns(string, font)
        for at, column in enumerate(columns, x):
            self._column(at, column << y if y >= 0 else column >> -y, on=on)
        return x + len(columns)

    def _column(self, x: int, bits: int, *, on: bool) -> None:
        """Light or darken the pixels of one column; bit n is row n."""
        if not 0 <= x < self.width:
            return
        page = 0
        while bits and page < self.pages:
            at = page * self.width + x
            self.data[at] = self.data[at] | bits & 255 if on else self.data[at] & ~bits & 255
            bits >>= 8
            page += 1

    def pixel(self, x: int, y: int, *, on: bool = True) -> None:
        """Light or darken one pixel."""
        if 0 <= x < self.width and 0 <= y < self.height:
            at = y // 8 * self.width + x
            bit = 1 << y % 8
            self.data[at] = self.data[at] | bit if on else self.data[at] & ~bit

    def get(self, x: int, y: int) -> bool:
        """Tell whether a pixel is lit; IndexError beyond the edges."""
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise IndexError(f"({x}, {y}) is outside {self.width} by {self.height} pixels")
        return bool(self.data[y // 8 * self.width + x] >> y % 8 & 1)

    def _bytes(self, x: int, y: int, width: int, height: int) -> list[tuple[int, int, int]]:
        """Return what a rectangle covers: (first byte, last byte + 1, mask) for each page."""
        left, right = max(x, 0), min(x + width, self.width)
        top, bottom = max(y, 0), min(y + height, self.height)
        if left >= right or top >= bottom:
            return []
        return [
            (
                page * self.width + left,
                page * self.width + right,
                (0xFF << max(top - 8 * page, 0)) & (0xFF >> max(8 * page + 8 - bottom, 0)),
            )
            for page in range(top // 8, (bottom + 7) // 8)
        ]

    def rect(self, x: int, y: int, width: int, height: int, *, on: bool = True) -> None:
        """Fill a rectangle."""
        for start, end, mask in self._bytes(x, y, width, height):
            for at in range(start, end):
                self.data[at] = self.data[at] | mask if on else self.data[at] & ~mask

    def frame(self, x: int, y: int, width: int, height: int, *, on: bool = True) -> None:
        """Draw the outline of a rectangle, one pixel wide."""
        self.hline(x, y, width, on=on)
        self.hline(x, y + height - 1, width, on=on)
        self.vline(x, y, height, on=on)
        self.vline(x + width - 1, y, height, on=on)

    def hline(self, x: int, y: int, width: int, *, on: bool = True) -> None:
        """Draw a line to the right."""
        self.rect(x, y, width, 1, on=on)

    def vline(self, x: int, y: int, height: int, *, on: bool = True) -> None:
        """Draw a line downwards."""
        self.rect(x, y, 1, height, on=on)

    def invert(self, x: int, y: int, width: int, height: int) -> None:
        """Swap lit and dark in a rectangle."""
        for start, end, mask in self._bytes(x, y, width, height):
            for at in range(start, end):
                self.data[at] ^= mask

    def shifted(self, right: int) -> bytes:
        """Return the bytes with every row moved by `right` columns, dark ones moving in."""
        if not right:
            return bytes(self.data)
        gap = bytes(min(abs(right), self.width))
        rows = (self.data[at : at + self.width] for at in range(0, len(self.data), self.width))
        if right > 0:
            return b"".join(gap + row[: self.width - len(gap)] for row in rows)
        return b"".join(row[len(gap) :] + gap for row in rows)

    def to_image(self) -> "Image":
        """Return a Pillow image of mode "1", lit pixels white."""
        return to_image(self.data, self.width)


def to_image(data: bytes | bytearray, width: int) -> "Image":
    """Return pages of column bytes as a Pillow image of mode "1", lit pixels white."""
    from PIL import Image

    height = len(data) // width * 8
    picture = Image.new("1", (width, height))
    for page in range(height // 8):
        columns = bytes(data[page * width : (page + 1) * width])
        sideways = Image.frombytes("1", (8, width), columns, "raw", "1;R")
        picture.paste(sideways.transpose(Image.Transpose.TRANSPOSE), (0, 8 * page))
    return picture
