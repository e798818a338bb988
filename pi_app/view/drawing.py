"""A drawing of simple shapes and words: as SVG, or as a picture (Pillow, imported lazily)."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from hardware.framebuffer import Framebuffer
from hardware.typefaces import HEADLINE, TEXT

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFont import FreeTypeFont

Anchor = Literal["start", "middle", "end"]
_MIDDLE = {"start": "lm", "middle": "mm", "end": "rm"}
"""Pillow's names for our anchors: left, middle or right, at half the line's height."""
_HEADLINE = 15
"""Without a font, letters of this size or more use the OLED's larger typeface."""


@dataclass(frozen=True, slots=True)
class Plate:
    """A filled rectangle with round corners; colours as "#rrggbb"."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    stroke: str = ""
    radius: float = 0


@dataclass(frozen=True, slots=True)
class Line:
    """Straight lines from point to point."""

    points: tuple[tuple[float, float], ...]
    stroke: str
    width: float = 2


@dataclass(frozen=True, slots=True)
class Area:
    """A filled surface with straight edges; `opacity` runs from 0 to 1."""

    points: tuple[tuple[float, float], ...]
    fill: str
    opacity: float = 1


@dataclass(frozen=True, slots=True)
class Ring:
    """A circle around a point, filled, or with a stroke `width` pixels wide."""

    x: float
    y: float
    radius: float
    fill: str = ""
    stroke: str = ""
    width: float = 3


@dataclass(frozen=True, slots=True)
class Words:
    """One line of text; y is its middle."""

    x: float
    y: float
    size: float
    text: str
    fill: str
    anchor: Anchor = "middle"


Piece = Plate | Line | Area | Ring | Words


@dataclass(slots=True)
class Drawing:
    """Shapes on white, the lowest first; lengths are in pixels."""

    width: int
    height: int
    parts: list[Piece] = field(default_factory=list)

    def as_svg(self) -> str:
        """Return it as an SVG document."""
        size = f'width="{self.width}" height="{self.height}"'
        return "\n".join(
            (
                f'<svg xmlns="http://www.w3.org/2000/svg" {size} '
                f'viewBox="0 0 {self.width} {self.height}" font-family="sans-serif">',
                f'<rect {size} fill="#ffffff"/>',
                *map(_svg_element, self.parts),
                "</svg>\n",
            )
        )

    def as_image(self) -> Image:
        """Return it as a picture."""
        from PIL import Image, ImageDraw

        image = Image.new("RGB", (self.width, self.height), "white")
        pen = ImageDraw.Draw(image, "RGBA")  # this mode blends a colour that has an alpha
        for part in self.parts:
            match part:
                case Plate():
                    box = (part.x, part.y, part.x + part.width, part.y + part.height)
                    pen.rounded_rectangle(box, part.radius, part.fill, part.stroke or None)
                case Line():
                    joint = "curve"  # round corners
                    pen.line(part.points, part.stroke, round(part.width), joint)
                case Area():
                    alpha = f"{round(part.opacity * 255):02x}"  # two hexadecimal digits
                    pen.polygon(part.points, f"{part.fill}{alpha}")
                case Ring(x=x, y=y, radius=r):
                    box = (x - r, y - r, x + r, y + r)
                    pen.ellipse(box, part.fill or None, part.stroke or None, round(part.width))
                case Words():
                    write(image, part)
        return image

    def save(self, path: Path) -> None:
        """Write an SVG, or else a PNG, depending on the name's ending; OSError if that fails."""
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix.lower() == ".svg":
            path.write_text(self.as_svg(), "utf-8")
        else:
            self.as_image().save(path, format="PNG")


def _svg_element(part: Piece) -> str:
    match part:
        case Plate():
            stroke = f' stroke="{part.stroke}"' if part.stroke else ""
            return (
                f'<rect x="{part.x:.1f}" y="{part.y:.1f}" width="{part.width:.1f}" '
                f'height="{part.height:.1f}" rx="{part.radius:.1f}" fill="{part.fill}"{stroke}/>'
            )
        case Line():
            return (
                f'<polyline points="{_svg_points(part.points)}" fill="none" stroke="{part.stroke}" '
                f'stroke-width="{part.width}"/>'
            )
        case Area():
            return (
                f'<polygon points="{_svg_points(part.points)}" fill="{part.fill}" '
                f'fill-opacity="{part.opacity}"/>'
            )
        case Ring():
            stroke = f' stroke="{part.stroke}" stroke-width="{part.width}"' if part.stroke else ""
            return (
                f'<circle cx="{part.x:.1f}" cy="{part.y:.1f}" r="{part.radius:.1f}" '
                f'fill="{part.fill or "none"}"{stroke}/>'
            )
        case Words():
            from html import escape  # a start does not need it

            # dy: a baseline so far below y puts the letters' middle at y
            return (
                f'<text x="{part.x:.1f}" y="{part.y:.1f}" font-size="{part.size:.1f}" '
                f'text-anchor="{part.anchor}" dy=".35em" fill="{part.fill}">'
                f"{escape(part.text, quote=False)}</text>"
            )


def _svg_points(points: tuple[tuple[float, float], ...]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


@lru_cache(maxsize=32)
def letters(size: float) -> FreeTypeFont | None:
    """Return a font of this size in pixels: DejaVu Sans, else the window's.

    None if neither is installed. Pillow's own has no umlauts.
    """
    from PIL import ImageFont

    fonts = ["DejaVuSans.ttf"]
    pygame = find_spec("pygame")  # only its folder is needed: pygame itself is not imported
    if pygame is not None and pygame.origin:
        fonts.append(str(Path(pygame.origin).with_name("freesansbold.ttf")))
    for font in fonts:
        with suppress(OSError):
            return ImageFont.truetype(font, round(size))
    return None


def words_width(text: str, size: float) -> float:
    """Return the width of a text written by `write`, in pixels."""
    face = letters(size)
    return _oled_mask(text, size).width if face is None else face.getlength(text)


def write(image: Image, words: Words) -> None:
    """Write a line of text on a picture."""
    from PIL import ImageDraw

    face = letters(words.size)
    if face is not None:
        pen = ImageDraw.Draw(image)
        pen.text((words.x, words.y), words.text, words.fill, face, _MIDDLE[words.anchor])
        return
    mask = _oled_mask(words.text, words.size)
    # how far the text begins to the left of its anchor
    before = {"start": 0.0, "middle": mask.width / 2, "end": mask.width}[words.anchor]
    # the letters' middle is above the mask's: its lower rows are for descenders
    image.paste(words.fill, (round(words.x - before), round(words.y - mask.height * 0.4)), mask)


def _oled_mask(text: str, size: float) -> Image:
    """Return a text in the OLED's typeface, enlarged by a whole number to about `size`."""
    face = HEADLINE if size >= _HEADLINE else TEXT
    canvas = Framebuffer(max(1, face.width(text)), 16)  # 16 rows: whole pages, high enough for both
    canvas.text(0, 0, text, face)
    factor = max(1, int(size // _HEADLINE))
    return canvas.to_image().resize((canvas.width * factor, canvas.height * factor))
