"""The panel's font has every sign that the companion can send."""

import ast
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

import hardware.typefaces as faces
from firmware.panel import font
from pi_app.texts.language import LOCALE, other_locales
from tests.firmware.rig import ROOT

UNKNOWN = font.columns("\N{SNOWMAN}")
ASCII = "".join(map(chr, range(0x20, 0x7F)))
OWN = (ASCII + font._MORE).replace(" ", "").replace("–", "")
"""What looks like no letter of ASCII; a dash of any length looks like a hyphen."""


def _modules() -> Iterator[Path]:
    """Give the modules whose words can come into the panel's rows: not those of other displays."""
    displays = ROOT / "pi_app/displays"
    yield displays / "serial_panel.py"
    for folder in ("engines", "pi_app"):
        for path in (ROOT / folder).rglob("*.py"):
            if not path.is_relative_to(displays):
                yield path


def _constants() -> Iterator[str]:
    """Give the strings of these modules, without those that document them."""
    for path in _modules():
        tree = ast.parse(path.read_text())
        docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and id(node) not in docs:
                yield str(node.value)


def _catalogued() -> Iterator[str]:
    """Give all texts of all catalogues, in both languages."""
    for locale in (LOCALE, *other_locales()):
        for path in locale.rglob("*.po"):
            with path.open("rb") as file:
                for message in read_po(file):
                    for text in (message.id, message.string):
                        yield from (text,) if isinstance(text, str) else text or ()


def _strangers(texts: Iterator[str]) -> str:
    """Return the signs that would be a box; control characters are blanks when they are sent."""
    signs = sorted(set().union(*texts))
    shown = [sign for sign in signs if unicodedata.category(sign) not in ("Cc", "Cf")]
    assert len(shown) > len(ASCII) - 10
    return "".join(sign for sign in shown if font.columns(sign) == UNKNOWN)


def test_every_sign_of_the_catalogues_can_be_shown() -> None:
    assert _strangers(_catalogued()) == ""


def test_every_sign_that_the_program_writes_itself_can_be_shown() -> None:
    assert _strangers(_constants()) == ""


def test_what_the_other_display_takes_for_a_letter_it_has_is_one_here_too() -> None:
    for code, like in faces._ALIKE.items():
        assert font.columns(chr(code)) == font.columns(str(like)) != UNKNOWN


@pytest.mark.parametrize("letter", OWN)
def test_every_letter_has_a_shape_of_its_own(letter: str) -> None:
    assert len(font.columns(letter)) == 5
    assert font.columns(letter) != UNKNOWN
    assert font.columns(letter) not in [font.columns(other) for other in ASCII if other != letter]


def test_cyrillic_and_greek_names_are_shown_in_letters() -> None:
    names = "Щербаков Ёжик Їжак Ђорђе Љиљана Њушка Георгій Γιώργος Ψυχή Ελένη Ξένος Βασίλης"
    assert [letter for letter in names if font.columns(letter) == UNKNOWN] == []


def test_letters_that_are_missing_look_like_their_kin_or_a_box() -> None:
    assert font.columns("ç") == font.columns("c")
    assert font.columns("“") == font.columns('"')
    assert font.columns("\x00") == font.columns("漢") == UNKNOWN


def test_the_arrow_of_a_row_that_goes_on_points_down() -> None:
    rows = [[column >> y & 1 for column in font.columns("▼")] for y in range(7)]
    assert rows[::-1] == [[column >> y & 1 for column in font.columns("▲")] for y in range(7)]
