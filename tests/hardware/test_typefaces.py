"""The faces: drawn in text files, every glyph whole, on its baseline, and none missing."""

from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.typefaces import HEADLINE, LABEL, NUMERALS, TEXT, FaceError, Typeface

TYPEFACES = (TEXT, HEADLINE, NUMERALS, LABEL)
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyzÄÖÜäöüß"
DIGITS = "0123456789"
MARKS = ".,:;!?-–+=/()[]*#'\"„“…%&×÷"
SUITS, DICE, SHAPES = "♠♥♦♣", "⚀⚁⚂⚃⚄⚅", "●▣△◈⬡★✚"
ARROWS, SIGNS = "←→↑↓▲▼►◄", "✓✗⚠🔒👑🕒"
COVERED = {
    "text": LETTERS + DIGITS + MARKS + SUITS + DICE + SHAPES + ARROWS + SIGNS,
    "headline": LETTERS + DIGITS + MARKS + SUITS + DICE + SHAPES + ARROWS + SIGNS,
    "numerals": DIGITS + "AJQKBD" + SUITS + DICE + "→✓✗+-×*=:,.!?/",
    "label": DIGITS + LETTERS[:26] + "ÄÖÜ" + SUITS + SHAPES + "×*+-!?.",
}


@pytest.mark.parametrize("face", TYPEFACES, ids=lambda face: face.name)
def test_every_glyph_is_whole(face: Typeface) -> None:
    for char in face.characters:
        rows = face.picture(char)
        assert 1 <= len(rows[0]) <= 24, char
        assert any("#" in row for row in rows), f"{char} is empty"


@pytest.mark.parametrize("face", TYPEFACES, ids=lambda face: face.name)
def test_a_face_covers_what_the_screens_write(face: Typeface) -> None:
    assert [char for char in COVERED[face.name] if not face.covers(char)] == []


@pytest.mark.parametrize("face", TYPEFACES, ids=lambda face: face.name)
def test_suits_shapes_and_dice_are_told_apart(face: Typeface) -> None:
    for group in (SUITS, SHAPES, DICE, DIGITS):
        drawn = [tuple(face.picture(char)) for char in group if face.covers(char)]
        assert len(set(drawn)) == len(drawn), group


SMALL = "àâæçèéêëîïôœùûüÿ áíñóú ãõ ìò åøö ąćęłńóśźż čěňřšůýž ćđ őű ăîșț āēģīķļņū ąėįšų ı ġ ĉĝĵŝŭ ðþ"
"""Small letters of French, Spanish, Portuguese, Italian, the Nordic languages, Polish, Czech,
Croatian, Hungarian, Romanian, Latvian, Lithuanian, Turkish, Maltese, Esperanto and Icelandic."""
CAPITALS = "ÀÉÊÎÔŒÆÑÕÅØÖĄĆĘŁŃŚŹŻČĚŇŘŠŮÝŽĐŐŰĂȘȚĀĒĢĪĶĻŅŪİÐÞ"


def letter_of(char: str) -> str:
    return normalize("NFD", char)[0]


@pytest.mark.parametrize("face", [TEXT, HEADLINE], ids=lambda face: face.name)
def test_small_letters_of_european_languages_have_their_accents(face: Typeface) -> None:
    accented = [char for char in SMALL.replace(" ", "") if letter_of(char) != char]
    plain = [char for char in accented if face.picture(char) == face.picture(letter_of(char))]
    assert plain == ["ģ"], "only its accent has no room"


def test_every_letter_of_european_languages_is_seen_at_least_without_its_accent() -> None:
    assert [char for char in SMALL + CAPITALS if not TEXT.covers(char)] == []


ALPHABETS = {
    "Russian": "абвгдежзийклмнопрстуфхцчшщъыьэюяё",
    "Ukrainian": "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",
    "Serbian": "абвгдђежзијклљмнњопрстћуфхцчџш",
    "Greek": "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώ",
}


@pytest.mark.parametrize("face", [TEXT, HEADLINE], ids=lambda face: face.name)
@pytest.mark.parametrize("alphabet", ALPHABETS)
def test_cyrillic_and_greek_names_are_drawn_in_letters_that_differ(
    face: Typeface, alphabet: str
) -> None:
    small = ALPHABETS[alphabet]
    accented = "ЁЇΆΈΉΊΌΎΏ"  # capitals have no room for them
    capitals = sorted(set(small.upper()) - set(accented))
    for letters in (small, capitals):
        drawn = {tuple(face.picture(letter)): letter for letter in letters}
        assert len(drawn) == len(letters), sorted(set(letters) - set(drawn.values()))
    assert face.covers(small + small.upper())


def test_a_letter_without_a_glyph_falls_back_alone() -> None:
    assert TEXT.strip("Яḅ漢", 0) == TEXT.strip("Яb?", 0)
    assert LABEL.strip("Anna", 0) == LABEL.strip("ANNA", 0)


@pytest.mark.parametrize(("char", "like"), [("Š", "S"), ("—", "–"), ("漢", "?"), ("\0", "?")])
def test_a_character_the_face_lacks_becomes_its_letter_or_a_question_mark(
    char: str, like: str
) -> None:
    assert TEXT.strip(char, 0) == TEXT.strip(like, 0)


@given(st.text(max_size=60), st.integers(8, 200))
def test_wrapped_lines_fit_and_lose_nothing(text: str, width: int) -> None:
    lines = TEXT.wrap_text(text, width)
    assert all(TEXT.width(line) <= width or len(line) == 1 for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


@given(st.text(max_size=60), st.integers(8, 200))
def test_a_cut_text_fits_and_says_so(text: str, width: int) -> None:
    cut = TEXT.cut_text(text, width)
    assert TEXT.width(cut) <= width
    assert cut == text or cut.endswith("…")


HEAD = "rows 2\nbaseline 2\ngap 1\nspace 2\n"


@pytest.mark.parametrize(
    "glyph", ["= a\n#\n", "= a\n#\n##\n", "= a\n#\n?\n"], ids=["short", "ragged", "odd"]
)
def test_a_badly_drawn_glyph_is_named(glyph: str) -> None:
    with pytest.raises(FaceError, match="face own: a"):
        Typeface("own", f"{HEAD}\n{glyph}").picture("a")


def test_a_face_without_a_baseline_is_refused() -> None:
    with pytest.raises(FaceError, match="baseline"):
        Typeface("own", "rows 2\ngap 1\nspace 2\n\n= a\n#\n#\n")


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("24 = 4×6 fits by 6", 79, ("24 = 4×6 fits", "by 6")),
        ("Anna draws 3 cards.", 74, ("Anna draws", "3 cards.")),
        ("one two", 20, ("one", "two")),  # the line before would be left with nothing
        ("two three", 200, ("two three",)),
    ],
)
def test_no_word_is_left_alone_where_the_line_before_can_spare_one(
    text: str, width: int, lines: tuple[str, ...]
) -> None:
    assert TEXT.wrap_text(text, width) == lines
