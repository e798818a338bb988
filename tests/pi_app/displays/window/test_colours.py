"""Colours in the window read well, also for people who do not see all of them."""

from itertools import combinations

import pytest

from engines.games import GAMES
from pi_app.displays.window.ink import stone
from pi_app.displays.window.sidebar import TONE_SIGNS
from pi_app.displays.window.theme import (
    CARD,
    CARD_BLACK,
    CARD_RED,
    PLAYERS,
    RGB,
    SHADES,
    THEMES,
    Shape,
    Theme,
    ink_on,
    player_paint,
)
from pi_app.view.frame import Tone
from tests.pi_app.displays.window.samples import contrast

SEEN = {
    "protan": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deutan": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritan": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
    "all colours": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
}
"""What is seen of linear red, green and blue (Machado, Oliveira and Fernandes 2009, full)."""

READS = 4.5
"""The contrast ratio at which text reads well (WCAG 2, level AA)."""

APART = 3.0
"""The contrast ratio at which two areas are told apart by lightness alone (WCAG 2)."""

STANDS_OUT = 1.25
"""The contrast ratio at which a large area without an edge is seen on its ground."""


def seen(colour: RGB, sight: str) -> RGB:
    """Return how a colour appears to this sight."""
    linear = [
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (part / 255 for part in colour)
    ]
    mixed = [
        sum(weight * part for weight, part in zip(row, linear, strict=True)) for row in SEEN[sight]
    ]
    return (_encoded(mixed[0]), _encoded(mixed[1]), _encoded(mixed[2]))


def _encoded(linear: float) -> int:
    value = min(1.0, max(0.0, linear))
    curved = 12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055
    return round(255 * curved)


def told_apart(one: RGB, other: RGB, sight: str) -> bool:
    """Whether two colours differ by lightness alone."""
    return contrast(seen(one, sight), seen(other, sight)) >= APART


def test_the_simulation_leaves_greys_alone_and_confuses_red_with_green() -> None:
    for sight in SEEN:
        assert max(abs(part - 128) for part in seen((128, 128, 128), sight)) <= 2
    red, green = seen((200, 60, 40), "deutan"), seen((120, 110, 40), "deutan")
    assert max(abs(a - b) for a, b in zip(red, green, strict=True)) < 45


@pytest.mark.parametrize("sight", SEEN)
@pytest.mark.parametrize("game", GAMES)
def test_players_of_a_game_are_told_apart_without_colour(game: str, sight: str) -> None:
    alike = [
        (one, other)
        for one, other in combinations(GAMES[game].colours, 2)
        if not told_apart(player_paint(one).fill, player_paint(other).fill, sight)
        and player_paint(one).shape is player_paint(other).shape
    ]
    assert not alike


def test_every_player_colour_of_every_game_has_a_shape_of_its_own() -> None:
    colours = {colour for game in GAMES.values() for colour in game.colours}
    assert colours <= set(PLAYERS)
    shapes = [paint.shape for paint in PLAYERS.values()]
    assert len(set(shapes)) == len(shapes)
    assert Shape.CROSS not in shapes


@pytest.mark.parametrize(("one", "other"), list(combinations(PLAYERS, 2)))
def test_the_shapes_of_two_players_differ_by_a_tenth_of_their_area(one: str, other: str) -> None:
    size = 40
    masks = []
    for colour in (one, other):
        image = stone(colour, "", size)
        masks.append([image.get_at((x, y))[3] > 128 for x in range(size) for y in range(size)])
    different = sum(a != b for a, b in zip(*masks, strict=True))
    assert different >= 0.1 * max(sum(mask) for mask in masks)


@pytest.mark.parametrize("sight", SEEN)
def test_letters_on_stones_numbers_on_fields_and_cards_read_well(sight: str) -> None:
    pairs = [(paint.ink, paint.fill) for paint in PLAYERS.values()]
    pairs += [(ink_on(shade), shade) for shade in SHADES]
    pairs += [(CARD_RED, CARD), (CARD_BLACK, CARD)]
    weak = [pair for pair in pairs if contrast(seen(pair[0], sight), seen(pair[1], sight)) < READS]
    assert not weak


@pytest.mark.parametrize("sight", SEEN)
@pytest.mark.parametrize("name", THEMES)
def test_every_text_of_a_theme_reads_well(name: str, sight: str) -> None:
    theme = THEMES[name]
    grounds = (theme.background, theme.area, theme.button)
    pairs = [(ink, ground) for ink in (theme.text, theme.faint) for ground in grounds]
    pairs += [(theme.tones[tone], theme.tints[tone]) for tone in Tone]
    pairs += [(theme.text, theme.pressed), (theme.background, theme.text)]
    weak = [pair for pair in pairs if contrast(seen(pair[0], sight), seen(pair[1], sight)) < READS]
    assert not weak


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_rows_and_buttons_stand_out_from_the_ground(theme: Theme) -> None:
    assert contrast(theme.button, theme.background) >= STANDS_OUT


def test_a_verdict_says_its_tone_with_a_sign_of_its_own() -> None:
    signs = [TONE_SIGNS.get(tone, "") for tone in Tone]
    assert len(set(signs)) == len(Tone)
