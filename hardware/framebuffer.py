"""A one-bit picture held as an SSD1306 holds it: pages of column bytes, lowest bit on top."""

from functools import lru_cache
from typing import TYPE_CHECKING

from hardware.typefaces import TEXT, Pages, Typeface

if TYPE_CHECKING:
    from PIL.Image import Image


@lru_cache(maxsize=512)
def _ink(rows: Pages, width: int) -> int:
    """Return pages of column bytes as the pixels at the upper left of a picture of this width."""
    # padded to the full width, so that each page begins below the one before
    return int.from_bytes(b"".join(row.ljust(width, b"\0") for row in rows), "little")


@lru_cache(maxsize=512)
def _block(width: int, height: int, shift: int) -> Pages:
    """Return a filled rectangle, `shift` rows below the top of its first page."""
    if width <= 0 or height <= 0:
        return ()
    # a number with row n as bit n
    column = ((1 << height) - 1) << shift
    pages = (height + shift + 7) // 8
    return tuple(bytes((column >> 8 * page & 255,)) * width for page in range(pages))


@lru_cache(maxsize=128)
def _tag(width: int, height: int, shift: int, *, filled: bool) -> Pages:
    """Return a rectangle without its corners, `shift` rows below the top of its first page."""
    # a column is a number with row n as bit n: the outer columns lack their first and last row
    short, whole = (1 << height - 1) - 2, (1 << height) - 1
    first_and_last = 1 | 1 << height - 1
    inner = whole if filled else first_and_last
    columns = [column << shift for column in (short, *[inner] * (width - 2), short)]
    pages = (height + shift + 7) // 8
    return tuple(bytes(column >> 8 * page & 255 for column in columns) for page in range(pages))


class Framebuffer:
    """A picture of `width` by `height` pixels; everything drawn beyond its edges is cut off.

    `data` holds `height / 8` pages of `width` bytes: byte `page * width + x` is the column
    of 8 pixels below row `8 * page`, its lowest bit on top. The height is a multiple of 8.
    `bits` is the same as a number, the first byte lowest: a text is put on it in one step.
    """

    __slots__ = ("bits", "height", "pages", "width")

    def __init__(self, width: int = 128, height: int = 64) -> None:
        if width <= 0 or height <= 0 or height % 8:
            raise ValueError(f"no picture of {width} by {height} pixels can be held in pages")
        self.width = width
        self.height = height
        self.pages = height // 8
        self.bits = 0

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Framebuffer):
            return NotImplemented
        return (self.width, self.height, self.bits) == (other.width, other.height, other.bits)

    __hash__ = None  # type: ignore[assignment]  # it is mutable

    def __bytes__(self) -> bytes:
        return self.bits.to_bytes(self.width * self.pages, "little")

    @property
    def data(self) -> bytes:
        """The pages of column bytes; ValueError for any other number of bytes."""
        return bytes(self)

    @data.setter
    def data(self, data: bytes) -> None:
        if len(data) != self.width * self.pages:
            raise ValueError(f"{self.width * self.pages} bytes are wanted, not {len(data)}")
        self.bits = int.from_bytes(data, "little")

    def copy(self) -> "Framebuffer":
        """Return a new picture with the same pixels."""
        twin = Framebuffer(self.width, self.height)
        twin.bits = self.bits
        return twin

    def text(self, x: int, y: int, string: str, face: Typeface = TEXT, *, on: bool = True) -> int:
        """Light (or darken) a text's pixels, its upper left corner at (x, y); return its end."""
        strip = face.strip(string, y % 8)
        self.blit(x, y // 8, strip, on=on)
        return x + (len(strip[0]) if strip else 0)

    def blit(self, x: int, page: int, rows: Pages, *, on: bool = True) -> None:
        """Light (or darken) the pixels that are set in pages of column bytes; leave the others.

        The upper left corner is at column `x` of the page `page`.
        """
        width = len(rows[0]) if rows else 0
        # cut off what lies beyond the edges: in the number it would appear elsewhere
        if x < 0 or page < 0 or x + width > self.width or page + len(rows) > self.pages:
            inside = slice(max(-x, 0), max(self.width - x, 0))
            rows = tuple(row[inside] for row in rows[max(-page, 0) : max(self.pages - page, 0)])
            x, page = max(x, 0), max(page, 0)
        ink = _ink(rows, self.width) << 8 * (page * self.width + x)
        self.bits = self.bits | ink if on else self.bits & ~ink

    def pixel(self, x: int, y: int, *, on: bool = True) -> None:
        """Light or darken one pixel."""
        if 0 <= x < self.width and 0 <= y < self.height:
            ink = 1 << 8 * (y // 8 * self.width + x) + y % 8
            self.bits = self.bits | ink if on else self.bits & ~ink

    def get(self, x: int, y: int) -> bool:
        """Tell whether a pixel is lit; IndexError beyond the edges."""
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise IndexError(f"({x}, {y}) is outside {self.width} by {self.height} pixels")
        return bool(self.bits >> 8 * (y // 8 * self.width + x) + y % 8 & 1)

    def rect(self, x: int, y: int, width: int, height: int, *, on: bool = True) -> None:
        """Fill a rectangle."""
        self.blit(x, y // 8, _block(width, height, y % 8), on=on)

    def dots(self, x: int, y: int, width: int) -> None:
        """Draw every other pixel of a line to the right."""
        self.blit(x, y // 8, (bytes((1 << y % 8, 0)) * (width // 2),))

    def tag(self, x: int, y: int, width: int, height: int) -> None:
        """Fill a rectangle with rounded corners."""
        self.blit(x, y // 8, _tag(width, height, y % 8, filled=True))

    def outline(self, x: int, y: int, width: int, height: int) -> None:
        """Draw the outline of a rectangle with rounded corners."""
        self.blit(x, y // 8, _tag(width, height, y % 8, filled=False))

    def frame(self, x: int, y: int, width: int, height: int) -> None:
        """Draw the outline of a rectangle, one pixel wide."""
        self.hline(x, y, width)
        self.hline(x, y + height - 1, width)
        self.vline(x, y, height)
        self.vline(x + width - 1, y, height)

    def hline(self, x: int, y: int, width: int) -> None:
        """Draw a line to the right."""
        self.rect(x, y, width, 1)

    def vline(self, x: int, y: int, height: int) -> None:
        """Draw a line downwards."""
        self.rect(x, y, 1, height)

    def to_image(self) -> "Image":
        """Return a Pillow image of mode "1", lit pixels white."""
        return to_image(bytes(self), self.width)


def to_image(data: bytes, width: int) -> "Image":
    """Return pages of column bytes as a Pillow image of mode "1", lit pixels white."""
    from PIL import Image

    height = len(data) // width * 8
    picture = Image.new("1", (width, height))
    for page in range(height // 8):
        columns = data[page * width : (page + 1) * width]
        # Pillow packs 8 pixels side by side in a byte (R: the lowest bit first), here they are one
        # below the other
        sideways = Image.frombytes("1", (8, width), columns, "raw", "1;R")
        picture.paste(sideways.transpose(Image.Transpose.TRANSPOSE), (0, 8 * page))
    return picture
