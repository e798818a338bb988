"""Colours and shapes of the window. Plain data: nothing here needs pygame."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from pi_app.view.frame import Tone

RGB = tuple[int, int, int]


class Shape(StrEnum):
    """The outline of a player colour's stones, so that colour is never the only sign."""

    CIRCLE = "circle"
    SQUARE = "square"
    TRIANGLE = "triangle"
    DIAMOND = "diamond"
    HEXAGON = "hexagon"
    STAR = "star"
    CROSS = "cross"


@dataclass(frozen=True, slots=True)
class Paint:
    """The look of one player's stones: filling, colour of the letter, outline."""

    fill: RGB
    ink: RGB
    shape: Shape


_BLACK: RGB = (22, 26, 32)
_WHITE: RGB = (255, 255, 255)

PLAYERS: Mapping[str, Paint] = {
    "yellow": Paint((247, 201, 55), _BLACK, Shape.CIRCLE),
    "red": Paint((194, 39, 45), _WHITE, Shape.SQUARE),
    "white": Paint((248, 247, 242), _BLACK, Shape.TRIANGLE),
    "pink": Paint((244, 158, 199), _BLACK, Shape.DIAMOND),
    "green": Paint((33, 122, 72), _WHITE, Shape.HEXAGON),
    "blue": Paint((45, 92, 190), _WHITE, Shape.STAR),
}
STRANGER = Paint((150, 156, 166), _BLACK, Shape.CROSS)
"""For a colour that no built-in game has."""


def player_paint(colour: str | None) -> Paint:
    """Return the look of stones of this colour."""
    return PLAYERS.get(colour or "", STRANGER)


SHADES: tuple[RGB, ...] = (
    (244, 241, 232),
    (205, 228, 244),
    (146, 193, 229),
    (79, 138, 196),
    (35, 83, 140),
)
"""A field's shade, from 0 (white) to 4 (darkest): the printed blues, in both themes."""

EDGE: RGB = (22, 26, 32)
"""Outline of stones, cards and marks on the board."""

CARD: RGB = (252, 251, 247)
CARD_RED: RGB = (178, 24, 36)
CARD_BLACK: RGB = (24, 28, 36)
CARD_GREEN: RGB = (18, 112, 52)
"""The corners of a square number's card in Einmaleins."""
MISSED: RGB = (170, 32, 40)
"""Cells of a table that need work; unlike all other shades, also in grey."""
GLOW: RGB = (255, 176, 0)
"""Winning rows, the last move."""


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours around the board.

    `area` is the ground of charts and entries, `faint` the colour of less important text, `line`
    that of edges, `pressed` the ground of a pressed button.
    """

    name: str
    background: RGB
    area: RGB
    text: RGB
    faint: RGB
    line: RGB
    button: RGB
    pressed: RGB
    tones: Mapping[Tone, RGB]
    """A verdict's text colour by its tone; an icon says the same."""

    tints: Mapping[Tone, RGB]
    """A verdict's background by its tone."""


DARK = Theme(
    name="dark",
    background=(17, 21, 28),
    area=(26, 32, 42),
    text=(240, 243, 247),
    faint=(160, 172, 188),
    line=(52, 62, 77),
    button=(44, 54, 69),
    pressed=(74, 92, 118),
    tones={
        Tone.PLAIN: (190, 210, 236),
        Tone.GOOD: (122, 220, 160),
        Tone.BAD: (255, 160, 144),
        Tone.DOUBT: (255, 200, 120),
        Tone.WIN: (255, 214, 102),
    },
    tints={
        Tone.PLAIN: (34, 44, 58),
        Tone.GOOD: (22, 58, 44),
        Tone.BAD: (76, 28, 28),
        Tone.DOUBT: (72, 50, 20),
        Tone.WIN: (70, 54, 16),
    },
)

LIGHT = Theme(
    name="light",
    background=(222, 217, 206),
    area=(252, 250, 246),
    text=(28, 34, 44),
    faint=(84, 94, 108),
    line=(188, 181, 167),
    button=(254, 253, 250),
    pressed=(206, 214, 226),
    tones={
        Tone.PLAIN: (40, 70, 112),
        Tone.GOOD: (16, 92, 54),
        Tone.BAD: (150, 24, 24),
        Tone.DOUBT: (128, 62, 0),
        Tone.WIN: (112, 70, 0),
    },
    tints={
        Tone.PLAIN: (226, 233, 243),
        Tone.GOOD: (216, 238, 224),
        Tone.BAD: (250, 222, 218),
        Tone.DOUBT: (252, 232, 208),
        Tone.WIN: (252, 236, 196),
    },
)

THEMES: Mapping[str, Theme] = {"dark": DARK, "light": LIGHT}

DAY = range(7, 20)
"""The hours in which the theme "day" is light."""


def theme_at(name: str, hour: int) -> Theme:
    """Return the theme for a setting ("dark", "light", "day") at an hour of the day."""
    if name == "day":
        return LIGHT if hour in DAY else DARK
    return THEMES[name]


def lightness(colour: RGB) -> float:
    """Return the relative luminance of an sRGB colour, 0 (black) to 1 (white)."""
    linear = [  # the formula and its numbers are those of WCAG 2
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (part / 255 for part in colour)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def ink_on(ground: RGB) -> RGB:
    """Return black or white, whichever reads better on this ground."""
    # at this lightness both have the same contrast by WCAG 2
    return _BLACK if lightness(ground) >= 0.2 else _WHITE
