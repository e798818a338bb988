"""The window's letters: evenly spaced, and whole."""

from itertools import groupby

import pygame
import pytest

from pi_app.displays.window.ink import font, text_image, text_width, write

WHITE = (255, 255, 255)
SIZES = (14, 18, 24, 36, 64, 120)


def gaps(text: str, size: int) -> list[int]:
    """Return how many columns of pixels are empty between letters that do not touch."""
    image = text_image(text, size, WHITE)
    ink = image.get_bounding_rect()
    empty = [
        not pygame.mask.from_surface(image.subsurface((x, 0, 1, image.get_height())), 32).count()
        for x in range(ink.left, ink.right)
    ]
    return [len(list(run)) for blank, run in groupby(empty) if blank]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("word", ["dazwischen", "spielt", "zielen", "Namen", "gesetzt"])
def test_no_word_is_torn_apart(word: str, size: int) -> None:
    """Between two letters is at most an eighth of the size, and the half pixel of either edge."""
    assert max(gaps(word, size), default=0) <= size / 8 + 1


@pytest.mark.parametrize("size", SIZES)
def test_a_word_is_no_wider_than_its_letters(size: int) -> None:
    for word in ("dazwischen", "spielt", "Te", "AV"):
        letters = sum(text_width(letter, 1000) for letter in word) / 1000
        assert text_width(word, size) <= letters * size + 1


def test_twice_the_size_is_twice_the_width() -> None:
    text = "Legt für Ben 3, 5 und 12 ab."
    wide = text_width(text, 200)
    for size in SIZES:
        assert text_width(text, size) == pytest.approx(wide * size / 200, abs=1)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("text", ["Ägypten", "gjpqy", "ÄÖÜß"])
def test_no_letter_loses_its_top_or_its_foot(text: str, size: int) -> None:
    surface = pygame.Surface((size * 8, size * 3), pygame.SRCALPHA)
    write(surface, text, size, WHITE, topleft=(0, size))
    shown = surface.get_bounding_rect()
    letters = [bounds for bounds in font(size * 8).metrics(text) if bounds]
    assert len(letters) == len(text)
    whole = max(bounds[3] for bounds in letters) - min(bounds[2] for bounds in letters)
    assert shown.height == pytest.approx(whole / 8, abs=1.5)


def test_a_letter_and_its_mark_are_drawn_as_one_letter() -> None:
    one, two = text_image("Jürgen", 24, WHITE), text_image("Ju\u0308rgen", 24, WHITE)
    assert pygame.image.tobytes(one, "RGBA") == pygame.image.tobytes(two, "RGBA")
