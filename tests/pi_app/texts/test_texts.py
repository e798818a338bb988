"""Every text exists in both languages and fits the smallest display."""

import string
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

import pi_app
import tools
from engines.games import GAMES
from hardware.config import Devices
from hardware.type import HEADLINE, LABEL, TEXT
from pi_app.settings.schema import known_keys
from pi_app.texts.common import colour_letter
from pi_app.texts.language import (
    LANGUAGES,
    LOCALE,
    SLOTS,
    Texts,
    language_for,
    other_locales,
)
from tests.pi_app.commands.test_help import EVERY_TEXT
from tests.samples import samples_of

LOCALES = (LOCALE, *other_locales())
ROOTS = (
    Path(pi_app.__file__).parent,
    Path(tools.__file__).parent,
    *(folder.parent for folder in other_locales()),
)
FACES = {"text": TEXT, "headline": HEADLINE, "label": LABEL}
KEYWORDS = {**dict.fromkeys(("tx", "texts", "Text"), ((1, "c"), 2)), "many": ((1, "c"), 2, 3)}

LONGEST = {
    "counts": "2, 3, 4, 6, 8, 9, 10, 12",
    "squares": "r10c10, r10c10",
    "address": "0x3D",
    "advice": "Check its wires.",
    "allowed": "a pin, GPIO0 to GPIO27",
    "better": "10+11+12 = 33",
    "board": "kosmos-2006",
    "call": "beisitzer legal game.txt",
    "card": "100",
    "cards": "9+10",
    "choices": "oled, window",
    "colours": "yellow, white",
    "item": "r10c1-r10c5",
    "items": "12",
    "square": "r10c10",
    "team": "yellow",
    "colour": "yellow",
    "command": "beisitzer history",
    "copies": "4",
    "count": "6",
    "day": "22 Sep 2026",
    "detail": "No such device",
    "details": "SSD1306, I2C 1, 0x3C, 400 kHz",
    "device": "/dev/dri/card0",
    "error": "kmsdrm not available",
    "even": "50",
    "field": "36",
    "factors": "3, 8",
    "fields": "36",
    "first": "die_buttons.enabled",
    "game": "Einmaleins",
    "games": "just4fun, numeri, sequence",
    "group": "dialout",
    "high": "86400",
    "key": "keypad.columns",
    "keys": "DIE1 DIE2",
    "face": "6",
    "holder": "spi0 CS0",
    "share": "100",
    "sign": "A",
    "last": "power_button.enabled",
    "now": "12",
    "number": "6",
    "numbers": "1, 2, 3, 4",
    "who": "Firefox, Android",
    "lead": "2",
    "least": "1",
    "left": "20",
    "level": "everything",
    "levels": "beginner, club or best",
    "library": "gpiozero",
    "line": "1000",
    "low": "0x08",
    "most": "99999",
    "move": "10+11+12 = 33",
    "n": "12",
    "name": "Maximilian-Josef",
    "names": "Maximilian-Josef",
    "near": "dim_after_s",
    "new": "Maximilian-Josef: 10+11+12 = 33",
    "old": "Maximilian-Josef: 10+11+12 = 33",
    "option": "--seconds",
    "other": "10×10",
    "packages": "gpiozero luma.oled",
    "pair": "10×10",
    "part": "rotary encoder",
    "path": "/dev/beisitzer-panel",
    "port": "65535",
    "pin": "27",
    "place": "10",
    "points": "666",
    "rank": "queen",
    "reason": "it does not answer",
    "row": "10",
    "seconds": "60",
    "stone": "6",
    "stones": "6,",
    "suit": "diamonds",
    "sum": "76",
    "target": "38",
    "value": "100",
    "total": "600",
    "unit": "degrees",
    "variable": "BEISITZER_CONFIG",
    "what": "ValueError: invalid",
    "why": "Invalid statement",
    "won": "9999",
    "token": "7H@r4c5=r4c1-r4c5~",
    "where": "row 10, place 10",
    "winners": "Maximilian wins!",
    "word": "just5fun",
    "columns": "20",
    "firmware": "1.0",
    "ms": "1000",
    "rows": "4",
    "session": "0a1b2c3d",
    "wrong": "12",
}
"""The longest value that each fact can have at a table; a new fact needs a line here."""


def used() -> dict[tuple[str, str], str]:
    """Return every text the code asks for: (slot, English) with its plural or ""."""
    found: dict[tuple[str, str], str] = {}
    for root in ROOTS:
        for _, _, message, _, context in extract_from_dir(
            str(root), method_map=[("**.py", "python")], keywords=KEYWORDS
        ):
            one, several = message if isinstance(message, tuple) else (message, "")
            found[context or "", one] = several
    # what a setting means is said where it is defined, below the rooms that know of languages
    found |= {("cli", text): "" for text in EVERY_TEXT}
    parts = [getattr(Devices(), field.name) for field in fields(Devices)]
    found |= {("cli", part.called): "" for part in parts if hasattr(part, "called")}
    meanings = [(says.text, says.unit) for _, says in known_keys().values()]
    found |= {("cli", text): "" for text, _ in meanings}
    found |= {("cli", unit): "" for _, unit in meanings if unit.isalpha() and len(unit) > 2}
    return found


def translated() -> dict[tuple[str, str], Message]:
    found = {}
    for path in (path for root in LOCALES for path in sorted(root.glob("de/LC_MESSAGES/*.po"))):
        with path.open("rb") as file:
            for message in read_po(file):
                if message.id:
                    one = message.id if isinstance(message.id, str) else message.id[0]
                    key = (message.context or "", one)
                    assert key not in found, f"{key} is translated twice, again in {path.name}"
                    found[key] = message
    return found


def forms(message: Message) -> list[str]:
    """Return a text's translation, for a plural each of its forms."""
    text = message.string
    return [text] if isinstance(text, str) else list(text or ())


def test_every_text_of_the_code_has_a_german_one() -> None:
    known = translated()
    missing = [
        f'msgctxt "{slot}"\nmsgid "{text}"\nmsgstr ""\n'
        for slot, text in used()
        if (slot, text) not in known
    ]
    assert not missing, "missing in the catalogues:\n" + "\n".join(missing)


def test_no_german_text_is_left_over_empty_or_fuzzy() -> None:
    asked = used()
    for key, message in translated().items():
        assert key in asked, f"nothing asks for {key} any more"
        strings = forms(message)
        assert all(strings), f"{key} has no German text"
        assert not message.fuzzy, f"{key} is fuzzy"


def _fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_translations_use_the_facts_of_the_original() -> None:
    for (_, one), message in translated().items():
        strings = forms(message)
        for text in strings:
            assert _fields(text) == _fields(one), text


def _all_texts() -> Iterator[tuple[str, str]]:
    known = translated()
    for (slot, one), several in used().items():
        yield slot, one
        if several:
            yield slot, several
        message = known.get((slot, one))
        if message is not None:
            for text in forms(message):
                yield slot, text


def _misfit(slot: str, text: str) -> str | None:
    """Return the filled text if it does not fit its slot."""
    room = SLOTS[slot]
    longest = LONGEST.copy()
    for game in GAMES:
        longest |= samples_of(game).longest
    filled = text.format(**{name: longest[name] for name in _fields(text)})
    face = FACES[room.face]
    too_wide = any(face.width(word) > room.pixels for word in filled.split())
    too_high = room.rows is not None and len(face.wrapped(filled, room.pixels)) > room.rows
    return f"{slot}: {filled!r}" if too_wide or too_high else None


def test_every_text_fits_its_slot_with_the_longest_facts() -> None:
    misfits = [misfit for item in _all_texts() if (misfit := _misfit(*item))]
    assert not misfits, "\n".join(misfits)


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_said_in_the_language_asked_for(language: str) -> None:
    tx = Texts(language)
    expected = {"en": "29 free", "de": "29 frei"}[language]
    assert tx("verdict", "{field} free", field=29) == expected


def test_plural_follows_the_number() -> None:
    tx = Texts("de")
    one, more = "{name} draws {n} card.", "{name} draws {n} cards."
    assert tx.many("line", one, more, 1, name="Anna") == "Anna zieht 1 Karte."
    assert tx.many("line", one, more, 3, name="Anna") == "Anna zieht 3 Karten."


@pytest.mark.parametrize(
    ("setting", "environment", "expected"),
    [
        ("de", {"LC_ALL": "C"}, "de"),
        ("en", {"LANG": "de_DE.UTF-8"}, "en"),
        ("auto", {}, "en"),
        ("auto", {"LANG": "C.UTF-8"}, "en"),
        ("auto", {"LANG": "fr_FR.UTF-8"}, "en"),
        ("auto", {"LANG": "deb_XX"}, "en"),
        ("auto", {"LANG": "de_DE.UTF-8"}, "de"),
        ("auto", {"LANG": "de"}, "de"),
        ("auto", {"LANG": "en_GB.UTF-8", "LC_MESSAGES": "de_AT@euro"}, "de"),
        ("auto", {"LC_MESSAGES": "de_DE", "LC_ALL": "en_US"}, "en"),
        ("auto", {"LC_ALL": "en_US", "LANGUAGE": "fr:de:en"}, "de"),
        ("auto", {"LC_ALL": "", "LANG": "de_CH"}, "de"),
    ],
)
def test_language_follows_setting_then_environment_as_gettext_does_then_english(
    setting: str, environment: dict[str, str], expected: str
) -> None:
    assert language_for(setting, environment) == expected


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_colours_share_a_letter(language: str) -> None:
    tx = Texts(language)
    colours = {colour for game in GAMES.values() for colour in game.colours}
    assert len({colour_letter(tx, colour) for colour in colours}) == len(colours)
