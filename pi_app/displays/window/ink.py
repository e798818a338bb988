"""Drawing with soft edges: stones, suits, icons, plates and text, each drawn once and kept."""

import math
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise, zip_longest

import pygame

from pi_app.displays.window.theme import CARD_BLACK, CARD_RED, EDGE, RGB, Shape, player_paint

_FINE = 4
"""Shapes are drawn this many times larger, then made smaller: that softens their edges."""

SUITS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}
"""Suits as people write them, and their letters in the game record."""

_SIGNS = {
    **SUITS,
    "→": "right",
    "←": "left",
    "↑": "arrow-up",
    "↓": "arrow-down",
    "▲": "up",
    "▼": "down",
    "✓": "good",
    "√": "good",
    "✗": "bad",
    "★": "star",
}
"""Signs that pygame's font lacks, and the suit or icon that is drawn for each."""

_ALIKE = {0: None, ord("●"): "•", ord("►"): ">", ord("▶"): ">", ord("◄"): "<"}
"""What cannot be written, or looks alike."""

_LONGEST = 600
"""Of longer texts only so many characters are looked at; no sentence of ours comes near."""

XY = tuple[float, float]


_MEASURED = 256
"""The size at which letters are measured: hinting moves none there by as much as is seen."""

_HINTED = 96
"""From this size on letters are drawn as large as they are shown, smaller ones larger first."""


@lru_cache(maxsize=64)
def font(size: int) -> pygame.font.Font:
    """Return pygame's own font at this size in pixels."""
    if not pygame.font.get_init():
        pygame.font.init()
    return pygame.font.Font(pygame.font.get_default_font(), max(6, size))


@lru_cache(maxsize=4096)
def text_width(text: str, size: int) -> int:
    """Return how many pixels `text` takes at this size; drawn signs are as wide as high."""
    return sum(
        round(size * 0.9) if part in _SIGNS else math.ceil(_advance(part) * max(6, size))
        for part in _runs(text)
    )


def _advance(text: str) -> float:
    """Return the width of a text without signs, in sizes of the font."""
    return sum(map(_step, text, text[1:])) + _step(text[-1:])


@lru_cache(maxsize=4096)
def _step(char: str, following: str = "") -> float:
    """Return how far a letter's end lies behind its start, in sizes of the font.

    The face's kerning brings letters together. Where it drives them apart ("az", "zw") it is
    wrong and tears words apart; there the letter's own width counts.
    """
    measure = font(_MEASURED).size
    alone = measure(char)[0]
    kerned = measure(char + following)[0] - measure(following)[0]
    return float(min(alone, kerned)) / _MEASURED


def _lettering(text: str, size: int, colour: RGB) -> pygame.Surface:
    """Return a text without signs, each letter where the face's own widths put it.

    It is `_over` pixels higher above and below than its line. Small letters are drawn larger,
    then made smaller: the font puts them on whole pixels.
    """
    size = max(6, size)
    finer = max(1, min(_FINE, round(_HINTED / size)))
    drawing = font(finer * size)
    wide = max(1, math.ceil(_advance(text) * size))
    high = font(size).get_height() + 2 * _over(size)
    fine = pygame.Surface((wide * finer, high * finer), pygame.SRCALPHA)
    fine.fill((*colour, 0))
    x, base = 0.0, _over(size) * finer + drawing.get_ascent()
    for char, following in zip_longest(text, text[1:], fillvalue=""):
        letter = drawing.render(char, True, colour)  # noqa: FBT003  # pygame wants it so
        # What rises above the font's line, an Ä, has its picture begin higher; there may be no
        # such letter.
        tops = (bounds[3] for bounds in drawing.metrics(char) if bounds)
        rise = max([drawing.get_ascent(), *tops])
        fine.blit(letter, (round(x * finer), base - rise), special_flags=pygame.BLEND_RGBA_MAX)
        x += _step(char, following) * size
    return fine if finer == 1 else pygame.transform.smoothscale(fine, (wide, high))


def _over(size: int) -> int:
    """Return how many pixels letters may reach above and below their line: Ä and g do."""
    return math.ceil(size * 0.15)


def _runs(text: str) -> list[str]:
    """Return the text cut at the signs that pygame's font lacks; they are drawn."""
    runs: list[str] = []
    for char in text.translate(_ALIKE):
        if char in _SIGNS or not runs or runs[-1] in _SIGNS:
            runs.append(char)
        else:
            runs[-1] += char
    return runs


@lru_cache(maxsize=1024)
def text_image(text: str, size: int, colour: RGB) -> pygame.Surface:
    """Return a text on one line, `_over` pixels higher above and below than the line is.

    Suits keep its colour unless it is a card's.
    """
    height = font(size).get_height() + 2 * _over(max(6, size))
    image = pygame.Surface((max(1, text_width(text, size)), height), pygame.SRCALPHA)
    x = 0
    for part in _runs(text):
        if part in SUITS:
            piece = suit_image(SUITS[part], round(size * 0.86), colour)
            image.blit(piece, (x, (height - piece.get_height()) // 2))
            x += round(size * 0.9)
        elif part in _SIGNS:
            piece = icon(_SIGNS[part], round(size * 0.8), colour)
            image.blit(piece, (x, (height - piece.get_height()) // 2))
            x += round(size * 0.9)
        else:
            piece = _lettering(part, size, colour)
            image.blit(piece, (x, 0))
            x += piece.get_width()
    return image


@lru_cache(maxsize=512)
def wrapped(text: str, size: int, width: int) -> tuple[str, ...]:
    """Return the text in lines of at most `width` pixels; words that are longer are cut."""
    lines = [""]
    for word in text[:_LONGEST].split():
        longer = f"{lines[-1]} {word}".strip()
        if text_width(longer, size) <= width:
            lines[-1] = longer
            continue
        if lines[-1]:
            lines.append("")
        while len(word) > 1 and text_width(word, size) > width:
            cut = _room(word, size, width)
            lines[-1] = word[:cut]
            lines.append("")
            word = word[cut:]  # noqa: PLW2901  # what is left of it
        lines[-1] = word
    return tuple(lines)


def _room(text: str, size: int, width: int) -> int:
    """Return how many of the characters fit into the width, at least one."""
    low, high = 1, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if text_width(text[:middle], size) <= width:
            low = middle
        else:
            high = middle - 1
    return low


def fitting(text: str, size: int, width: int, least: int) -> int:
    """Return the largest size up to `size` at which the text is at most `width` wide."""
    taken = text_width(text[:_LONGEST], size)
    if taken > width:
        size = max(least, size * width // taken)
    # A width is whole pixels, rounded up.
    while size > least and text_width(text[:_LONGEST], size) > width:
        size -= 1
    return max(least, size)


def shortened(text: str, size: int, width: int) -> str:
    """Return the text, cut with dots at its end where it is wider than `width`."""
    text = text[:_LONGEST]
    if text_width(text, size) <= width:
        return text
    return text[: _room(text, size, max(1, width - text_width("…", size)))] + "…"


def write(
    surface: pygame.Surface,
    text: str,
    size: int,
    colour: RGB,
    *,
    room: int | None = None,
    least: int | None = None,
    **anchor: tuple[int, int],
) -> pygame.Rect:
    """Write a text on one line at an anchor (`midleft=`, ...); return where it lies.

    Where `room` pixels are too few it becomes smaller, down to `least`, then loses its end to
    an ellipsis. All text of the window is written here.
    """
    if room is not None:
        if least is not None:
            size = fitting(text, size, room, least)
        text = shortened(text, size, room)
    image = text_image(text, size, colour)
    box = pygame.Rect(0, 0, image.get_width(), font(size).get_height())
    for side, point in anchor.items():
        setattr(box, side, point)
    if text:
        _lay(surface, image, image.get_rect(center=box.center), text, colour)
    return box


def _lay(
    surface: pygame.Surface,
    image: pygame.Surface,
    box: pygame.Rect,
    text: str,  # noqa: ARG001  # what is written is told to those who look on
    colour: RGB,  # noqa: ARG001
) -> None:
    """Lay a text's picture where it belongs."""
    surface.blit(image, box)


def put_text(
    surface: pygame.Surface, text: str, size: int, colour: RGB, centre: tuple[int, int]
) -> None:
    """Write a text around a point; its capitals are centred, not its line."""
    write(surface, text, size, colour, center=(centre[0], centre[1] + round(size * 0.04)))


def fitting_lines(
    text: str, sizes: tuple[int, ...], width: int, height: int
) -> tuple[int, tuple[str, ...]]:
    """Return the largest of the sizes at which the wrapped text fits, and its lines.

    Where none is small enough, the last line ends with an ellipsis.
    """
    for size in sizes:
        lines = wrapped(text, size, width)
        if len(lines) * line_step(size) <= height:
            return size, lines
    most = max(1, height // line_step(size))
    cut = shortened(f"{lines[most - 1]} {''.join(lines[most:])}", size, width)
    return size, (*lines[: most - 1], cut)


def line_step(size: int) -> int:
    """Return how far lines of this size stand apart, in pixels."""
    return round(size * 1.2)


def _soft(size: tuple[int, int], draw: Callable[[pygame.Surface], None]) -> pygame.Surface:
    """Return what `draw` paints on a surface several times as large, made smaller."""
    big = pygame.Surface((size[0] * _FINE, size[1] * _FINE), pygame.SRCALPHA)
    draw(big)
    return pygame.transform.smoothscale(big, size)


@lru_cache(maxsize=256)
def plate(
    size: tuple[int, int], radius: int, fill: RGB, edge: RGB | None = None, thick: int = 1
) -> pygame.Surface:
    """Return a rectangle with round corners."""
    if size[0] * size[1] > 60_000:
        return _coarse_plate(size, radius, fill, edge, thick)
    box = pygame.Rect(0, 0, size[0] * _FINE, size[1] * _FINE)

    def draw(big: pygame.Surface) -> None:
        # What lies outside has the plate's colour, so that its soft edge mixes with nothing else.
        big.fill((*(edge or fill), 0))
        pygame.draw.rect(big, fill, box, border_radius=radius * _FINE)
        if edge is not None:
            pygame.draw.rect(big, edge, box, thick * _FINE, border_radius=radius * _FINE)

    return _soft(size, draw)


def _coarse_plate(
    size: tuple[int, int], radius: int, fill: RGB, edge: RGB | None, thick: int
) -> pygame.Surface:
    """Return a large plate at once: softening it would cost more than anybody sees."""
    image = pygame.Surface(size, pygame.SRCALPHA)
    pygame.draw.rect(image, fill, image.get_rect(), border_radius=radius)
    if edge is not None:
        pygame.draw.rect(image, edge, image.get_rect(), thick, border_radius=radius)
    return image


def _polygon(count: int, radius: float, centre: XY, turn: float = -90.0) -> list[XY]:
    angles = [math.radians(turn + 360 * n / count) for n in range(count)]
    return [
        (centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle))
        for angle in angles
    ]


def _star(radius: float, centre: XY, inner: float = 0.62) -> list[XY]:
    outer = _polygon(5, radius, centre)
    between = _polygon(5, radius * inner, centre, -54.0)
    return [point for pair in zip(outer, between, strict=True) for point in pair]


def _outline(shape: Shape, size: float) -> list[XY] | None:
    """Return the corners of a shape in a square of `size` pixels; None for a circle."""
    middle = size / 2
    match shape:
        case Shape.SQUARE:
            low, high = size * 0.09, size * 0.91
            return [(low, low), (high, low), (high, high), (low, high)]
        case Shape.TRIANGLE:
            return [(middle, 0), (size, size * 0.92), (0, size * 0.92)]
        case Shape.DIAMOND:
            return _polygon(4, middle, (middle, middle))
        case Shape.HEXAGON:
            return _polygon(6, middle, (middle, middle), 0.0)
        case Shape.STAR:
            return _star(middle, (middle, middle * 1.04))
        case Shape.CROSS:
            a, b = size * 0.28, size * 0.72
            return [
                (a, 0), (b, 0), (b, a), (size, a), (size, b), (b, b),
                (b, size), (a, size), (a, b), (0, b), (0, a), (a, a),
            ]  # fmt: skip
        case _:
            return None


def _fill_shape(big: pygame.Surface, shape: Shape, colour: RGB, inset: float) -> None:
    """Fill a shape, `inset` pixels smaller on every side."""
    size = big.get_width() - 2 * inset
    corners = _outline(shape, size)
    middle = big.get_width() / 2
    if corners is None:
        pygame.draw.circle(big, colour, (middle, middle), size / 2)
    else:
        pygame.draw.polygon(big, colour, [(x + inset, y + inset) for x, y in corners])


@lru_cache(maxsize=512)
def stone(colour: str, text: str, size: int) -> pygame.Surface:
    """Return a player's stone: shape, colour and letter, `size` pixels square."""
    paint = player_paint(colour)

    def draw(big: pygame.Surface) -> None:
        big.fill((*EDGE, 0))
        _fill_shape(big, paint.shape, EDGE, 0)
        edge = max(1.0, size * 0.055) * _FINE
        _fill_shape(big, paint.shape, paint.fill, edge * _NARROW.get(paint.shape, 1.0))

    image = _soft((size, size), draw)
    low = {Shape.TRIANGLE: 0.62, Shape.STAR: 0.53}.get(paint.shape, 0.5)
    room = {Shape.TRIANGLE: 0.44, Shape.STAR: 0.5, Shape.DIAMOND: 0.54}.get(paint.shape, 0.6)
    letter = max(6, round(size * room / max(1, len(text)) ** 0.45))
    put_text(image, text, letter, paint.ink, (size // 2, round(size * low)))
    return image


_NARROW = {Shape.TRIANGLE: 1.5, Shape.DIAMOND: 1.3, Shape.STAR: 1.35}
"""Pointed shapes need a wider inset for an outline as thick as that of others."""


@lru_cache(maxsize=128)
def suit_image(suit: str, size: int, colour: RGB | None = None) -> pygame.Surface:
    """Return a suit ("S", "H", "D", "C") as a shape, in its card's colour unless one is given."""
    ink = colour or (CARD_RED if suit in "HD" else CARD_BLACK)

    def draw(big: pygame.Surface) -> None:
        big.fill((*ink, 0))
        _SUIT_SHAPES[suit](big, ink, big.get_width())

    return _soft((max(4, size), max(4, size)), draw)


def _diamond(big: pygame.Surface, ink: RGB, s: float) -> None:
    pygame.draw.polygon(
        big,
        ink,
        [(s * 0.5, s * 0.02), (s * 0.86, s * 0.5), (s * 0.5, s * 0.98), (s * 0.14, s * 0.5)],
    )


def _heart(big: pygame.Surface, ink: RGB, s: float) -> None:
    for x in (0.28, 0.72):
        pygame.draw.circle(big, ink, (s * x, s * 0.32), s * 0.25)
    pygame.draw.polygon(
        big, ink, [(s * 0.065, s * 0.445), (s * 0.935, s * 0.445), (s * 0.5, s * 0.97)]
    )
    pygame.draw.rect(big, ink, (s * 0.28, s * 0.3, s * 0.44, s * 0.2))


def _spade(big: pygame.Surface, ink: RGB, s: float) -> None:
    for x in (0.29, 0.71):
        pygame.draw.circle(big, ink, (s * x, s * 0.56), s * 0.23)
    pygame.draw.polygon(
        big, ink, [(s * 0.095, s * 0.45), (s * 0.5, s * 0.02), (s * 0.905, s * 0.45)]
    )
    pygame.draw.rect(big, ink, (s * 0.29, s * 0.4, s * 0.42, s * 0.25))
    _stem(big, ink, s)


def _club(big: pygame.Surface, ink: RGB, s: float) -> None:
    for x, y in ((0.5, 0.25), (0.26, 0.57), (0.74, 0.57)):
        pygame.draw.circle(big, ink, (s * x, s * y), s * 0.22)
    pygame.draw.circle(big, ink, (s * 0.5, s * 0.48), s * 0.14)
    _stem(big, ink, s)


def _stem(big: pygame.Surface, ink: RGB, s: float) -> None:
    pygame.draw.polygon(big, ink, [(s * 0.5, s * 0.5), (s * 0.7, s * 0.97), (s * 0.3, s * 0.97)])


_SUIT_SHAPES: dict[str, Callable[[pygame.Surface, RGB, float], None]] = {
    "S": _spade,
    "H": _heart,
    "D": _diamond,
    "C": _club,
}


@lru_cache(maxsize=64)
def icon(name: str, size: int, colour: RGB) -> pygame.Surface:
    """Return a sign: "good" a tick, "bad" a cross, "ask" a question mark, "win" a cup, or others.

    `_ICONS` names them all.
    """

    def draw(big: pygame.Surface) -> None:
        big.fill((*colour, 0))
        _ICONS[name](big, colour, big.get_width())

    return _soft((size, size), draw)


def _stroke(big: pygame.Surface, ink: RGB, points: list[XY], width: float) -> None:
    """Draw a line with round ends and corners."""
    for start, end in pairwise(points):
        length = math.dist(start, end) or 1.0
        dx = (end[1] - start[1]) / length * width / 2
        dy = (start[0] - end[0]) / length * width / 2
        pygame.draw.polygon(
            big,
            ink,
            [
                (start[0] + dx, start[1] + dy),
                (end[0] + dx, end[1] + dy),
                (end[0] - dx, end[1] - dy),
                (start[0] - dx, start[1] - dy),
            ],
        )
    for point in points:
        pygame.draw.circle(big, ink, point, width / 2)


def _tick(big: pygame.Surface, ink: RGB, s: float) -> None:
    _stroke(big, ink, [(s * 0.16, s * 0.55), (s * 0.4, s * 0.79), (s * 0.84, s * 0.22)], s * 0.15)


def _no(big: pygame.Surface, ink: RGB, s: float) -> None:
    _stroke(big, ink, [(s * 0.2, s * 0.2), (s * 0.8, s * 0.8)], s * 0.16)
    _stroke(big, ink, [(s * 0.8, s * 0.2), (s * 0.2, s * 0.8)], s * 0.16)


def _ask(big: pygame.Surface, ink: RGB, s: float) -> None:
    bow = [(0.28, 0.3), (0.34, 0.18), (0.5, 0.12), (0.66, 0.18), (0.72, 0.32), (0.64, 0.45)]
    stem = [*bow, (0.52, 0.54), (0.5, 0.66)]
    _stroke(big, ink, [(s * x, s * y) for x, y in stem], s * 0.13)
    pygame.draw.circle(big, ink, (s * 0.5, s * 0.87), s * 0.08)


def _cup(big: pygame.Surface, ink: RGB, s: float) -> None:
    for x in (0.24, 0.76):
        pygame.draw.circle(big, ink, (s * x, s * 0.27), s * 0.17, round(s * 0.07))
    pygame.draw.rect(
        big,
        ink,
        (s * 0.25, s * 0.08, s * 0.5, s * 0.5),
        border_bottom_left_radius=round(s * 0.25),
        border_bottom_right_radius=round(s * 0.25),
    )
    pygame.draw.rect(big, ink, (s * 0.45, s * 0.5, s * 0.1, s * 0.3))
    pygame.draw.rect(
        big, ink, (s * 0.28, s * 0.78, s * 0.44, s * 0.12), border_radius=round(s * 0.04)
    )


def _up(big: pygame.Surface, ink: RGB, s: float) -> None:
    _stroke(big, ink, [(s * 0.2, s * 0.66), (s * 0.5, s * 0.34), (s * 0.8, s * 0.66)], s * 0.14)


def _down(big: pygame.Surface, ink: RGB, s: float) -> None:
    _stroke(big, ink, [(s * 0.2, s * 0.34), (s * 0.5, s * 0.66), (s * 0.8, s * 0.34)], s * 0.14)


def _right(big: pygame.Surface, ink: RGB, s: float) -> None:
    _stroke(big, ink, [(s * 0.1, s * 0.5), (s * 0.86, s * 0.5)], s * 0.12)
    _stroke(big, ink, [(s * 0.56, s * 0.22), (s * 0.88, s * 0.5), (s * 0.56, s * 0.78)], s * 0.12)


def _turned(angle: int) -> Callable[[pygame.Surface, RGB, float], None]:
    """Return the arrow to the right turned counterclockwise, in degrees."""

    def draw(big: pygame.Surface, ink: RGB, s: float) -> None:
        arrow = pygame.Surface(big.get_size(), pygame.SRCALPHA)
        arrow.fill((*ink, 0))
        _right(arrow, ink, s)
        big.blit(pygame.transform.rotate(arrow, angle), (0, 0))

    return draw


def _keys(big: pygame.Surface, ink: RGB, s: float) -> None:
    for x in (0.2, 0.5, 0.8):
        for y in (0.14, 0.38, 0.62, 0.86):
            pygame.draw.circle(big, ink, (s * x, s * y), s * 0.095)


def _star_icon(big: pygame.Surface, ink: RGB, s: float) -> None:
    pygame.draw.polygon(big, ink, _star(s * 0.5, (s * 0.5, s * 0.52), 0.45))


_ICONS: dict[str, Callable[[pygame.Surface, RGB, float], None]] = {
    "good": _tick,
    "bad": _no,
    "ask": _ask,
    "win": _cup,
    "up": _up,
    "down": _down,
    "keys": _keys,
    "star": _star_icon,
    "right": _right,
    "left": _turned(180),
    "arrow-up": _turned(90),
    "arrow-down": _turned(-90),
}
