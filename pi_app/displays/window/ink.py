"""Writing with soft edges: text with signs, and stones with letters, each drawn once."""

import math
from functools import lru_cache
from itertools import zip_longest

import pygame

from engines.notation import composed
from pi_app.displays.window.shapes import FINE, fill_shape, icon, suit_image
from pi_app.displays.window.theme import EDGE, RGB, Shape, player_paint

SUITS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}
"""Suits, and their letters in the game record."""

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
"""Signs that pygame's font lacks, and the suit or icon drawn for each."""

_ALIKE = {0: None, ord("●"): "•", ord("►"): ">", ord("▶"): ">", ord("◄"): "<"}
"""Characters that the font lacks, and their substitutes; NUL, which pygame refuses, is left out."""

_LONGEST = 600
"""Longer texts are cut to this many characters; the program's own are much shorter."""


_MEASURED = 256
"""The size at which letters are measured: there hinting makes no visible difference."""

_HINTED = 96
"""From this size on letters are drawn at their size; smaller ones larger, then scaled down."""


_LARGE = 36
"""Fewer images are cached from this size on: one line may take 0.3 MB."""


@lru_cache(maxsize=64)
def font(size: int) -> pygame.font.Font:
    """Return pygame's own font at this size in pixels."""
    if not pygame.font.get_init():
        pygame.font.init()
    return pygame.font.Font(pygame.font.get_default_font(), max(6, size))


@lru_cache(maxsize=4096)
def text_width(text: str, size: int) -> int:
    """Return how many pixels `text` takes at this size; drawn signs are as wide as high."""
    # 6: smaller sizes are drawn at 6
    return sum(
        round(size * 0.9) if part in _SIGNS else math.ceil(_advance(part) * max(6, size))
        for part in _runs(text)
    )


def _advance(text: str) -> float:
    """Return the width of a text without signs, in sizes of the font."""
    return sum(map(_letter_step, text, text[1:])) + _letter_step(text[-1:])


def _letter_step(char: str, following: str = "") -> float:
    """Return the distance from a letter's start to the next one's, in sizes of the font.

    The font's kerning brings letters together. Where it would move them apart ("az", "zw") it is
    wrong; there the letter's own width counts.
    """
    measure = font(_MEASURED).size  # returns width and height
    alone = measure(char)[0]
    kerned = measure(char + following)[0] - measure(following)[0]
    return float(min(alone, kerned)) / _MEASURED


def _draw_letters(text: str, size: int, colour: RGB) -> pygame.Surface:
    """Return a text without signs, each letter placed by the font's own widths.

    It is `_overhang` pixels higher above and below than its line. Small letters are drawn larger,
    then scaled down, because the font puts letters on whole pixels.
    """
    size = max(6, size)
    finer = max(1, min(FINE, round(_HINTED / size)))
    drawing = font(finer * size)
    wide = max(1, math.ceil(_advance(text) * size))  # an empty text has a picture too
    high = font(size).get_height() + 2 * _overhang(size)
    fine = pygame.Surface((wide * finer, high * finer), pygame.SRCALPHA)
    fine.fill((*colour, 0))  # transparent, but in the colour with which soft edges mix
    x = 0.0
    base = _overhang(size) * finer + drawing.get_ascent()  # the line on which letters stand
    for char, following in zip_longest(text, text[1:], fillvalue=""):
        letter = drawing.render(char, True, colour)  # noqa: FBT003  # pygame wants it so
        # the picture of a letter that rises above the line, such as Ä, begins higher
        tops = (top for _, _, _, top, _ in filter(None, drawing.metrics(char)))
        rise = max([drawing.get_ascent(), *tops])
        # MAX: where two letters overlap, the soft edge of one leaves the other as it is
        fine.blit(letter, (round(x * finer), base - rise), special_flags=pygame.BLEND_RGBA_MAX)
        x += _letter_step(char, following) * size
    return fine if finer == 1 else pygame.transform.smoothscale(fine, (wide, high))


def _overhang(size: int) -> int:
    """Return how many pixels letters such as Ä and g may reach above and below their line."""
    return math.ceil(size * 0.15)


def ink_top(text: str, size: int) -> int:
    """Return how far below its line's top a text's ink begins; less than 0 if Ä rises above it."""
    return text_image(text, size, (0, 0, 0)).get_bounding_rect().top - _overhang(max(6, size))


def _runs(text: str) -> list[str]:
    """Return the text in parts: each sign that pygame's font lacks, and the text between."""
    runs: list[str] = []
    for char in composed(text).translate(_ALIKE):
        if char in _SIGNS or not runs or runs[-1] in _SIGNS:
            runs.append(char)
        else:
            runs[-1] += char
    return runs


def text_image(text: str, size: int, colour: RGB) -> pygame.Surface:
    """Return a text on one line, `_overhang` pixels higher above and below than the line."""
    cached_draw = _large_image if size >= _LARGE else _small_image
    return cached_draw(text, size, colour)


def draw_text(text: str, size: int, colour: RGB) -> pygame.Surface:
    """Draw what `text_image` returns."""
    height = font(size).get_height() + 2 * _overhang(max(6, size))
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
            piece = _draw_letters(part, size, colour)
            image.blit(piece, (x, 0))
            x += piece.get_width()
    return image


_small_image = lru_cache(maxsize=1024)(draw_text)
_large_image = lru_cache(maxsize=128)(draw_text)


@lru_cache(maxsize=512)
def wrap_text(text: str, size: int, width: int) -> tuple[str, ...]:
    """Return the text in lines of at most `width` pixels; longer words are cut."""
    lines = [""]
    for word in text[:_LONGEST].split():
        longer = f"{lines[-1]} {word}".strip()
        if text_width(longer, size) <= width:
            lines[-1] = longer
            continue
        if lines[-1]:  # the word begins a line of its own
            lines.append("")
        while len(word) > 1 and text_width(word, size) > width:
            cut = _fitting_count(word, size, width)
            lines[-1] = word[:cut]
            lines.append("")
            word = word[cut:]  # noqa: PLW2901  # what is left of it
        lines[-1] = word
    return tuple(lines)


def _fitting_count(text: str, size: int, width: int) -> int:
    """Return how many characters fit into the width, at least 1, found by bisection."""
    low, high = 1, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if text_width(text[:middle], size) <= width:
            low = middle
        else:
            high = middle - 1
    return low


def fitting_size(text: str, size: int, width: int, least: int) -> int:
    """Return the largest size up to `size` at which the text is at most `width` wide."""
    taken = text_width(text[:_LONGEST], size)
    if taken > width:  # near the answer at once, instead of step by step
        size = max(least, size * width // taken)
    # widths are rounded up to whole pixels
    while size > least and text_width(text[:_LONGEST], size) > width:
        size -= 1
    return max(least, size)


def shorten(text: str, size: int, width: int) -> str:
    """Return the text; if it is wider than `width`, cut and with dots at its end."""
    text = text[:_LONGEST]
    if text_width(text, size) <= width:
        return text
    room = max(1, width - text_width("…", size))
    return text[: _fitting_count(text, size, room)] + "…"


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
    """Write a text on one line at an anchor (`midleft=`, ...); return its place.

    If it is wider than `room` pixels it gets smaller, down to the size `least`, then an ellipsis
    replaces its end. All text of the window is written here.
    """
    if room is not None:
        if least is not None:
            size = fitting_size(text, size, room, least)
        text = shorten(text, size, room)
    image = text_image(text, size, colour)
    # the place is that of the line; the picture is a little higher
    box = pygame.Rect(0, 0, image.get_width(), font(size).get_height())
    for side, point in anchor.items():
        setattr(box, side, point)
    if text:
        _blit_text(surface, image, image.get_rect(center=box.center), text, colour)
    return box


def _blit_text(
    surface: pygame.Surface,
    image: pygame.Surface,
    box: pygame.Rect,
    text: str,  # noqa: ARG001  # tests replace this function to read all texts
    colour: RGB,  # noqa: ARG001
) -> None:
    """Copy a text's picture to its place."""
    surface.blit(image, box)


def put_text(
    surface: pygame.Surface, text: str, size: int, colour: RGB, centre: tuple[int, int]
) -> None:
    """Write a text, centred by its capitals instead of the line with descenders."""
    write(surface, text, size, colour, center=(centre[0], centre[1] + round(size * 0.04)))


def fitting_lines(
    text: str, sizes: tuple[int, ...], width: int, height: int
) -> tuple[int, tuple[str, ...]]:
    """Return the largest of the sizes at which the wrapped text fits, and its lines.

    If it fits at none, the last line ends with an ellipsis.
    """
    for size in sizes:
        lines = wrap_text(text, size, width)
        if len(lines) * line_step(size) <= height:
            return size, lines
    # `size` and `lines` are those of the smallest size now
    most = max(1, height // line_step(size))
    # the last line with what follows is too wide, so that it gets its ellipsis
    cut = shorten(f"{lines[most - 1]} {''.join(lines[most:])}", size, width)
    return size, (*lines[: most - 1], cut)


def line_step(size: int) -> int:
    """Return the distance of lines of this size, in pixels."""
    return round(size * 1.2)


@lru_cache(maxsize=512)
def stone(colour: str, text: str, size: int) -> pygame.Surface:
    """Return a player's stone: shape, colour and letter, `size` pixels square."""
    paint = player_paint(colour)

    big = pygame.Surface((size * FINE, size * FINE), pygame.SRCALPHA)
    big.fill((*EDGE, 0))  # transparent, but in the colour with which the soft edge mixes
    fill_shape(big, paint.shape, EDGE, 0)
    edge = max(1.0, size * 0.055) * FINE
    fill_shape(big, paint.shape, paint.fill, edge * _NARROW.get(paint.shape, 1.0))
    image = pygame.transform.smoothscale(big, (size, size))
    # in shares of the size: a pointed shape is widest below its middle and has less room
    low = {Shape.TRIANGLE: 0.62, Shape.STAR: 0.53}.get(paint.shape, 0.5)
    room = {Shape.TRIANGLE: 0.44, Shape.STAR: 0.5, Shape.DIAMOND: 0.54}.get(paint.shape, 0.6)
    # 0.45: two characters are drawn at three quarters of the size of one
    letter = max(6, round(size * room / max(1, len(text)) ** 0.45))
    put_text(image, text, letter, paint.ink, (size // 2, round(size * low)))
    return image


_NARROW = {Shape.TRIANGLE: 1.5, Shape.DIAMOND: 1.3, Shape.STAR: 1.35}
"""Pointed shapes need a wider inset for an outline as thick as that of others."""
