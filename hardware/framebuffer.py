"""A one-bit picture held as an SSD1306 holds it: pages of column bytes, lowest bit on top."""

from functools import lru_cache
from typing import TYPE_CHECKING

from hardware.type import TEXT, Pages, Typeface

if TYPE_CHECKING:
    from PIL.Image import Image


@lru_cache(maxsize=512)
def _block(width: int, height: int, shift: int) -> Pages:
    """Return a filled rectangle, `shift` rows below the top of its first page."""
    if width <= 0 or height <= 0:
        return ()
    column = ((1 << height) - 1) << shift
    pages = (height + shift + 7) // 8
    return tuple(bytes((column >> 8 * page & 255,)) * width for page in range(pages))


@lru_cache(maxsize=128)
def _tag(width: int, height: int, shift: int, *, filled: bool) -> Pages:
    """Return a rectangle without its corners, `shift` rows below the top of its first page."""
    short, whole = (1 << height - 1) - 2, (1 << height) - 1
    inner = whole if filled else 1 | 1 << height - 1
    columns = [column << shift for column in (short, *[inner] * (width - 2), short)]
    pages = (height + shift + 7) // 8
    return tuple(bytes(column >> 8 * page & 255 for column in columns) for page in range(pages))


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

    def layer(self) -> Pages:
        """Return the picture's pages, to be put under or over another's."""
        return tuple(
            bytes(self.data[at : at + self.width]) for at in range(0, len(self.data), self.width)
        )

    def clear(self) -> None:
        """Make every pixel dark."""
        self.data[:] = bytes(len(self.data))

    def text(self, x: int, y: int, string: str, face: Typeface = TEXT, *, on: bool = True) -> int:
        """Light (or darken) a text's pixels, its upper left corner at (x, y); return its end."""
        strip = face.strip(string, y % 8)
        self.blit(x, y // 8, strip, on=on)
        return x + (len(strip[0]) if strip else 0)

    def blit(self, x: int, page: int, rows: Pages, *, on: bool = True) -> None:
        """Light (or darken) pixels given as pages of column bytes, from a page downwards."""
        data, width = self.data, self.width
        for at, row in enumerate(rows, page):
            if not 0 <= at < self.pages:
                continue
            end = x + len(row)
            if x < 0 or end > width:  # the fewest stick out
                left, end = max(x, 0), min(end, width)
                if left >= end:
                    continue
                row = row[left - x : end - x]  # noqa: PLW2901  # what is inside
            else:
                left = x
            ink = int.from_bytes(row, "little")
            if ink:
                place = slice(at * width + left, at * width + end)
                old = int.from_bytes(data[place], "little")
                data[place] = (old | ink if on else old & ~ink).to_bytes(end - left, "little")

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

    def rect(self, x: int, y: int, width: int, height: int, *, on: bool = True) -> None:
        """Fill a rectangle."""
        self.blit(x, y // 8, _block(width, height, y % 8), on=on)

    def dots(self, x: int, y: int, width: int) -> None:
        """Draw every other pixel of a line to the right."""
        self.blit(x, y // 8, (bytes((1 << y % 8, 0)) * (width // 2),))

    def tag(self, x: int, y: int, width: int, height: int, *, on: bool = True) -> None:
        """Fill a rectangle whose corners are rounded."""
        self.blit(x, y // 8, _tag(width, height, y % 8, filled=True), on=on)

    def outline(self, x: int, y: int, width: int, height: int, *, on: bool = True) -> None:
        """Draw the outline of a rectangle whose corners are rounded."""
        self.blit(x, y // 8, _tag(width, height, y % 8, filled=False), on=on)

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
