"""The one-bit picture: text, shapes, clipping, and its image."""

import subprocess
import sys
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.framebuffer import Font, Framebuffer, text_width


def picture(fb: Framebuffer, x: int, y: int, width: int, height: int) -> list[str]:
    return [
        "".join("#" if fb.get(at, row) else "." for at in range(x, x + width))
        for row in range(y, y + height)
    ]


def lit(fb: Framebuffer) -> set[tuple[int, int]]:
    return {(x, y) for x, y in product(range(fb.width), range(fb.height)) if fb.get(x, y)}


SPADE = [
    "...#....",
    "...#....",
    "..###...",
    ".#####..",
    "#######.",
    ".#####..",
    "..###...",
    ".#####..",
]


def test_text_has_the_shape_of_the_font() -> None:
    fb = Framebuffer()
    assert fb.text(0, 0, "A") == 8
    assert picture(fb, 0, 0, 8, 8) == [
        "..##....",
        ".####...",
        "##..##..",
        "##..##..",
        "######..",
        "##..##..",
        "##..##..",
        "........",
    ]


def test_double_text_is_each_pixel_four_times() -> None:
    single, double = Framebuffer(), Framebuffer()
    single.text(8, 0, "5ü♠")
    assert double.text(16, 0, "5ü♠", double=True) == 64
    assert lit(double) == {
        (2 * x + dx, 2 * y + dy) for x, y in lit(single) for dx in (0, 1) for dy in (0, 1)
    }


def test_inverse_swaps_the_whole_cell() -> None:
    plain, inverse = Framebuffer(8, 8), Framebuffer(8, 8)
    plain.text(0, 0, "g")
    inverse.text(0, 0, "g", inverse=True)
    assert bytes(byte ^ 255 for byte in plain.data) == bytes(inverse)


@pytest.mark.parametrize("char", "äöüÄÖÜß♥♦♣♠→←↑↓▲▼►◄•…–„“’×✓½²é")
def test_characters_of_the_screens_are_not_question_marks(char: str) -> None:
    shown, question = Framebuffer(8, 8), Framebuffer(8, 8)
    shown.text(0, 0, char)
    question.text(0, 0, "?")
    assert any(shown.data)
    assert shown != question


@pytest.mark.parametrize(("char", "like"), [("Š", "S"), ("ł", "?"), ("漢", "?"), ("\0", "?")])
def test_a_character_the_font_lacks_becomes_its_letter_or_a_question_mark(
    char: str, like: str
) -> None:
    one, other = Framebuffer(8, 8), Framebuffer(8, 8)
    one.text(0, 0, char)
    other.text(0, 0, like)
    assert one == other


@given(st.text(max_size=20), st.integers(-300, 300), st.integers(-3, 10), st.booleans())
def test_any_text_anywhere_keeps_the_size(string: str, x: int, page: int, double: bool) -> None:
    fb = Framebuffer()
    fb.text(x, page, string, double=double)
    fb.text_at(x, page * 5, string, font=Font.TINY)
    fb.text_at(x, page * 5, string, on=False)
    assert len(fb.data) == 1024


def test_text_is_cut_off_at_both_edges() -> None:
    whole, cut = Framebuffer(), Framebuffer(16, 8)
    whole.text(0, 0, "ABCD")
    cut.text(-5, 0, "ABCD")
    assert bytes(cut) == bytes(whole)[5:21]


@given(st.integers(-10, 40), st.integers(-10, 40), st.integers(0, 30), st.integers(0, 30))
def test_a_rectangle_lights_exactly_its_pixels(x: int, y: int, width: int, height: int) -> None:
    fb = Framebuffer(32, 32)
    fb.rect(x, y, width, height)
    inside = set(product(range(x, x + width), range(y, y + height)))
    assert lit(fb) == inside & set(product(range(32), range(32)))
    fb.invert(0, 0, 32, 32)
    assert lit(fb) == set(product(range(32), range(32))) - inside
    fb.rect(0, 0, 32, 32)
    fb.rect(x, y, width, height, on=False)
    assert lit(fb) == set(product(range(32), range(32))) - inside


def test_a_frame_is_hollow() -> None:
    fb = Framebuffer(8, 8)
    fb.frame(1, 2, 5, 4)
    assert picture(fb, 0, 1, 7, 6) == [
        ".......",
        ".#####.",
        ".#...#.",
        ".#...#.",
        ".#####.",
        ".......",
    ]


def test_text_at_any_row_keeps_its_surroundings() -> None:
    fb = Framebuffer(16, 24)
    fb.pixel(0, 0)
    fb.pixel(15, 23)
    fb.text_at(3, 5, "♠")
    assert picture(fb, 3, 5, 8, 8) == SPADE
    assert fb.get(0, 0)
    assert fb.get(15, 23)
    fb.text_at(3, 5, "♠", on=False)
    assert lit(fb) == {(0, 0), (15, 23)}


def test_tiny_digits_are_three_by_five() -> None:
    fb = Framebuffer()
    assert fb.text_at(0, 0, "17", font=Font.TINY) == text_width("17", Font.TINY)
    assert {y for _, y in lit(fb)} == {1, 2, 3, 4, 5}
    assert text_width("88", Font.TINY) == 7
    assert text_width("", Font.TINY) == 0


def test_the_image_has_the_same_pixels() -> None:
    fb = Framebuffer(24, 16)
    fb.text(1, 0, "K♦")
    fb.text_at(2, 9, "x3", font=Font.TINY)
    image = fb.to_image()
    assert image.mode == "1"
    assert image.size == (24, 16)
    assert {at for at in product(range(24), range(16)) if image.getpixel(at)} == lit(fb)


def test_a_copy_is_equal_and_independent() -> None:
    fb = Framebuffer()
    fb.text(0, 3, "Rot")
    twin = fb.copy()
    assert twin == fb
    twin.pixel(0, 0)
    assert twin != fb
    fb.clear()
    assert not any(fb.data)


@pytest.mark.parametrize("right", [-200, -1, 0, 1, 2, 200])
def test_shifted_moves_every_row(right: int) -> None:
    fb = Framebuffer()
    fb.text(0, 0, "ABCDEFGHIJKLMNOP")
    fb.text(0, 7, "abcdefghijklmnop")
    moved = Framebuffer()
    moved.data[:] = fb.shifted(right)
    assert lit(moved) == {(x + right, y) for x, y in lit(fb) if 0 <= x + right < 128}


@pytest.mark.parametrize("size", [(0, 8), (8, 0), (8, 12), (-8, 8)])
def test_a_size_that_has_no_pages_is_refused(size: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="no picture"):
        Framebuffer(*size)


def test_writing_text_does_not_import_pillow() -> None:
    code = (
        "import sys; from hardware.framebuffer import Framebuffer; Framebuffer().text(0, 0, 'A');"
        "sys.exit('PIL' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
