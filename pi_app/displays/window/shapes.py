"""Shapes with soft edges: plates, stones, suits and icons, each drawn once and cached."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import pairwise

import pygame

from pi_app.displays.window.theme import CARD_BLACK, CARD_RED, RGB, Shape

FINE = 4
"""Shapes are drawn this many times larger, then made smaller: that softens their edges."""

XY = tuple[float, float]
"""A point, right and down."""


@lru_cache(maxsize=256)
def plate(
    size: tuple[int, int], radius: int, fill: RGB, edge: RGB | None = None, thick: int = 1
) -> pygame.Surface:
    """Return a rectangle with round corners."""
    # softening a large plate would cost more than anybody sees
    fine = 1 if size[0] * size[1] > 60_000 else FINE
    image = pygame.Surface((size[0] * fine, size[1] * fine), pygame.SRCALPHA)
    # what lies outside has the plate's colour, so that its soft edge mixes with nothing else
    image.fill((*(edge or fill), 0))
    pygame.draw.rect(image, fill, image.get_rect(), border_radius=radius * fine)
    if edge is not None:
        pygame.draw.rect(image, edge, image.get_rect(), thick * fine, border_radius=radius * fine)
    return image if fine == 1 else pygame.transform.smoothscale(image, size)


def _polygon_corners(count: int, radius: float, centre: XY, turn: float = -90.0) -> list[XY]:
    """Return the corners of a regular polygon; the first is at `turn` degrees, -90 straight up."""
    angles = [math.radians(turn + 360 * n / count) for n in range(count)]
    return [
        (centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle))
        for angle in angles
    ]


def _star_corners(radius: float, centre: XY, inner: float = 0.62) -> list[XY]:
    """Return five points and the corners between them, those at `inner` of the radius."""
    outer = _polygon_corners(5, radius, centre)
    between = _polygon_corners(5, radius * inner, centre, -54.0)  # half a fifth further
    return [point for pair in zip(outer, between, strict=True) for point in pair]


def _corners(shape: Shape, size: float) -> list[XY] | None:
    """Return the corners of a shape in a square of `size` pixels; None for a circle."""
    middle = size / 2
    match shape:
        case Shape.SQUARE:
            low, high = size * 0.09, size * 0.91  # about as large as the circle
            return [(low, low), (high, low), (high, high), (low, high)]
        case Shape.TRIANGLE:
            return [(middle, 0), (size, size * 0.92), (0, size * 0.92)]
        case Shape.DIAMOND:
            return _polygon_corners(4, middle, (middle, middle))
        case Shape.HEXAGON:
            return _polygon_corners(6, middle, (middle, middle), 0.0)
        case Shape.STAR:
            return _star_corners(middle, (middle, middle * 1.04))  # lower: it has no foot
        case Shape.CROSS:
            a, b = size * 0.28, size * 0.72
            return [
                (a, 0), (b, 0), (b, a), (size, a), (size, b), (b, b),
                (b, size), (a, size), (a, b), (0, b), (0, a), (a, a),
            ]  # fmt: skip
        case _:
            return None


def fill_shape(big: pygame.Surface, shape: Shape, colour: RGB, inset: float) -> None:
    """Fill a shape, `inset` pixels smaller on every side."""
    size = big.get_width() - 2 * inset  # the surface is square
    corners = _corners(shape, size)
    middle = big.get_width() / 2
    if corners is None:
        pygame.draw.circle(big, colour, (middle, middle), size / 2)
    else:
        pygame.draw.polygon(big, colour, [(x + inset, y + inset) for x, y in corners])


@dataclass(frozen=True, slots=True)
class _Pencil:
    """Draws in one colour on a square surface; all lengths are shares of its edge."""

    surface: pygame.Surface
    ink: RGB

    @property
    def edge(self) -> int:
        return self.surface.get_width()

    def polygon(self, *points: XY) -> None:
        scaled = [(self.edge * x, self.edge * y) for x, y in points]
        pygame.draw.polygon(self.surface, self.ink, scaled)

    def circle(self, x: float, y: float, radius: float, width: float = 0) -> None:
        """Draw a disc, or with a `width` a ring."""
        s = self.edge
        pygame.draw.circle(self.surface, self.ink, (s * x, s * y), s * radius, round(s * width))

    def rect(self, box: tuple[float, ...], round_all: float = 0, round_below: float = -1) -> None:
        """Draw a rectangle (left, top, width, height) with the radii of its corners."""
        s = self.edge
        below = round(s * round_below) if round_below >= 0 else -1
        pygame.draw.rect(
            self.surface,
            self.ink,
            [s * length for length in box],
            border_radius=round(s * round_all),
            border_bottom_left_radius=below,
            border_bottom_right_radius=below,
        )

    def stroke(self, points: Sequence[XY], width: float) -> None:
        """Draw a line with round ends and corners."""
        for start, end in pairwise(points):
            length = math.dist(start, end) or 1.0  # of two equal points only the round ends remain
            # half the width, at a right angle to the line
            dx = (end[1] - start[1]) / length * width / 2
            dy = (start[0] - end[0]) / length * width / 2
            there = ((start[0] + dx, start[1] + dy), (end[0] + dx, end[1] + dy))
            back = ((end[0] - dx, end[1] - dy), (start[0] - dx, start[1] - dy))
            self.polygon(*there, *back)
        for x, y in points:
            self.circle(x, y, width / 2)


@lru_cache(maxsize=128)
def suit_image(suit: str, size: int, colour: RGB | None = None) -> pygame.Surface:
    """Return a suit ("S", "H", "D", "C") as a shape, by default in its card's colour."""
    ink = colour or (CARD_RED if suit in "HD" else CARD_BLACK)
    return _draw_softly(_PICTURES[suit], max(4, size), ink)


def _draw_softly(draw: Callable[[_Pencil], None], size: int, ink: RGB) -> pygame.Surface:
    """Return a picture, `size` pixels square, on a ground that is transparent."""
    big = pygame.Surface((size * FINE, size * FINE), pygame.SRCALPHA)
    big.fill((*ink, 0))  # in the colour with which the soft edge mixes
    draw(_Pencil(big, ink))
    return pygame.transform.smoothscale(big, (size, size))


def _draw_diamond(pen: _Pencil) -> None:
    pen.polygon((0.5, 0.02), (0.86, 0.5), (0.5, 0.98), (0.14, 0.5))


def _draw_heart(pen: _Pencil) -> None:
    for x in (0.28, 0.72):
        pen.circle(x, 0.32, 0.25)
    pen.polygon((0.065, 0.445), (0.935, 0.445), (0.5, 0.97))
    pen.rect((0.28, 0.3, 0.44, 0.2))


def _draw_spade(pen: _Pencil) -> None:
    for x in (0.29, 0.71):
        pen.circle(x, 0.56, 0.23)
    pen.polygon((0.095, 0.45), (0.5, 0.02), (0.905, 0.45))
    pen.rect((0.29, 0.4, 0.42, 0.25))
    pen.polygon(*_STEM)


def _draw_club(pen: _Pencil) -> None:
    for x, y in ((0.5, 0.25), (0.26, 0.57), (0.74, 0.57)):
        pen.circle(x, y, 0.22)
    pen.circle(0.5, 0.48, 0.14)
    pen.polygon(*_STEM)


_STEM = ((0.5, 0.5), (0.7, 0.97), (0.3, 0.97))


def _draw_question_mark(pen: _Pencil) -> None:
    bow = ((0.28, 0.3), (0.34, 0.18), (0.5, 0.12), (0.66, 0.18), (0.72, 0.32), (0.64, 0.45))
    pen.stroke((*bow, (0.52, 0.54), (0.5, 0.66)), 0.13)
    pen.circle(0.5, 0.87, 0.08)


def _draw_cup(pen: _Pencil) -> None:
    for x in (0.24, 0.76):
        pen.circle(x, 0.27, 0.17, 0.07)
    pen.rect((0.25, 0.08, 0.5, 0.5), round_below=0.25)
    pen.rect((0.45, 0.5, 0.1, 0.3))
    pen.rect((0.28, 0.78, 0.44, 0.12), 0.04)


def _draw_keypad(pen: _Pencil) -> None:
    for x in (0.2, 0.5, 0.8):
        for y in (0.14, 0.38, 0.62, 0.86):
            pen.circle(x, y, 0.095)


def _draw_star(pen: _Pencil) -> None:
    pen.polygon(*_star_corners(0.5, (0.5, 0.52), 0.45))


_PICTURES: dict[str, Callable[[_Pencil], None]] = {
    "S": _draw_spade,
    "H": _draw_heart,
    "D": _draw_diamond,
    "C": _draw_club,
    "ask": _draw_question_mark,
    "win": _draw_cup,
    "keys": _draw_keypad,
    "star": _draw_star,
}
_LINE_ICONS: dict[str, tuple[float, tuple[tuple[XY, ...], ...]]] = {
    "good": (0.15, (((0.16, 0.55), (0.4, 0.79), (0.84, 0.22)),)),
    "bad": (0.16, (((0.2, 0.2), (0.8, 0.8)), ((0.8, 0.2), (0.2, 0.8)))),
    "up": (0.14, (((0.2, 0.66), (0.5, 0.34), (0.8, 0.66)),)),
    "down": (0.14, (((0.2, 0.34), (0.5, 0.66), (0.8, 0.34)),)),
    "right": (0.12, (((0.1, 0.5), (0.86, 0.5)), ((0.56, 0.22), (0.88, 0.5), (0.56, 0.78)))),
}
"""Icons made of lines: the width of the lines, then the corners of each line.

Width and corners are in shares of the icon's size.
"""

_TURNED_RIGHT = {"left": 180, "arrow-up": 90, "arrow-down": -90}
"""Icons that are the arrow to the right, turned counterclockwise by this many degrees."""


@lru_cache(maxsize=64)
def icon(name: str, size: int, colour: RGB) -> pygame.Surface:
    """Return an icon of `_PICTURES`, `_LINE_ICONS` or `_TURNED_RIGHT`, `size` pixels square."""
    return _draw_softly(_PICTURES.get(name) or partial(_draw_line_icon, name), size, colour)


def _draw_line_icon(name: str, pen: _Pencil) -> None:
    width, lines = _LINE_ICONS["right" if name in _TURNED_RIGHT else name]
    for line in lines:
        pen.stroke(line, width)
    if name in _TURNED_RIGHT:  # drawn as the arrow to the right above
        arrow = pygame.transform.rotate(pen.surface, _TURNED_RIGHT[name])
        pen.surface.fill((*pen.ink, 0))
        pen.surface.blit(arrow, (0, 0))
