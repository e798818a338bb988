"""The one-bit picture: text, shapes, clipping, and its image."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.framebuffer import Framebuffer
from hardware.typefaces import HEADLINE, LABEL, NUMERALS, TEXT, Typeface


def picture(fb: Framebuffer, x: int, y: int, width: int, height: int) -> list[str]:
    return [
        "".join("#" if fb.get(at, row) else "." for at in range(x, x + width))
        for row in range(y, y + height)
    ]


def lit(fb: Framebuffer) -> set[tuple[int, int]]:
    return {(x, y) for x, y in product(range(fb.width), range(fb.height)) if fb.get(x, y)}


def test_a_text_lights_its_pixels_and_keeps_what_is_around() -> None:
    fb = Framebuffer(16, 24)
    fb.pixel(0, 0)
    fb.pixel(15, 23)
    assert fb.text(3, 5, "A") == 7
    assert picture(fb, 3, 5, 4, 8) == [
        ".##.",
        "#..#",
        "#..#",
        "####",
        "#..#",
        "#..#",
        "#..#",
        "....",
    ]
    assert fb.get(0, 0)
    assert fb.get(15, 23)
    fb.text(3, 5, "A", on=False)
    assert lit(fb) == {(0, 0), (15, 23)}


@pytest.mark.parametrize("face", [TEXT, HEADLINE, NUMERALS, LABEL], ids=lambda face: face.name)
@given(st.text(max_size=20), st.integers(-300, 300), st.integers(-80, 80), st.booleans())
def test_any_text_anywhere_keeps_the_size(
    face: Typeface, string: str, x: int, y: int, on: bool
) -> None:
    fb = Framebuffer()
    assert fb.text(x, y, string, face, on=on) == x + face.width(string)
    assert len(fb.data) == 1024


@pytest.mark.parametrize("y", range(-7, 9))
def test_text_has_the_same_pixels_at_every_row(y: int) -> None:
    here, there = Framebuffer(32, 32), Framebuffer(32, 32)
    here.text(2, 8, "5ü♠", HEADLINE)
    there.text(2, 8 + y, "5ü♠", HEADLINE)
    assert lit(there) == {(x, row + y) for x, row in lit(here) if 0 <= row + y < 32}


def test_text_is_cut_off_at_both_edges() -> None:
    whole, cut = Framebuffer(), Framebuffer(16, 8)
    whole.text(0, 0, "ABCDEF")
    cut.text(-5, 0, "ABCDEF")
    assert bytes(cut) == bytes(whole)[5:21]


@given(st.integers(-10, 40), st.integers(-10, 40), st.integers(0, 30), st.integers(0, 30))
def test_a_rectangle_lights_exactly_its_pixels(x: int, y: int, width: int, height: int) -> None:
    fb = Framebuffer(32, 32)
    fb.rect(x, y, width, height)
    inside = set(product(range(x, x + width), range(y, y + height)))
    assert lit(fb) == inside & set(product(range(32), range(32)))
    fb.rect(0, 0, 32, 32)
    fb.rect(x, y, width, height, on=False)
    assert lit(fb) == set(product(range(32), range(32))) - inside


def test_the_image_has_the_same_pixels() -> None:
    fb = Framebuffer(24, 16)
    fb.text(1, 0, "K♦")
    fb.text(2, 9, "3X", LABEL)
    image = fb.to_image()
    assert image.mode == "1"
    assert image.size == (24, 16)
    assert {at for at in product(range(24), range(16)) if image.getpixel(at)} == lit(fb)


def test_a_copy_is_equal_and_independent() -> None:
    fb = Framebuffer()
    fb.text(0, 24, "Rot")
    twin = fb.copy()
    assert twin == fb
    twin.pixel(0, 0)
    assert twin != fb


def test_data_is_the_whole_picture_or_refused() -> None:
    fb = Framebuffer(8, 16)
    fb.data = bytes(range(16))
    assert bytes(fb) == fb.data == bytes(range(16))
    there = {(x % 8, x // 8 * 8 + row) for x in range(16) for row in range(8) if x >> row & 1}
    assert lit(fb) == there
    with pytest.raises(ValueError, match="16 bytes"):
        fb.data = bytes(15)


@pytest.mark.parametrize("size", [(0, 8), (8, 0), (8, 12), (-8, 8)])
def test_a_size_that_has_no_pages_is_refused(size: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="no picture"):
        Framebuffer(*size)
