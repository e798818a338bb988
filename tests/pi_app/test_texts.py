"""Every text exists in both languages and fits the smallest display."""

import string
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

import pi_app
from engines.games import GAMES, SHIPPED, Plugin
from hardware.type import HEADLINE, LABEL, TEXT
from pi_app.texts.catalogues import compile_catalogues
from pi_app.texts.common import colour_letter
from pi_app.texts.language import (
    LANGUAGES,
    LOCALE,
    SLOTS,
    Texts,
    _other_games,
    language_for,
    other_locales,
)
from tests.samples import samples_of

LOCALES = (LOCALE, *other_locales())
ROOTS = (Path(pi_app.__file__).parent, *(folder.parent for folder in other_locales()))
FACES = {"text": TEXT, "headline": HEADLINE, "label": LABEL}
KEYWORDS = {"tx": ((1, "c"), 2), "texts": ((1, "c"), 2), "many": ((1, "c"), 2, 3)}

LONGEST = {
    "address": "0x3D",
    "advice": "Check its wires.",
    "allowed": "a pin, GPIO0 to GPIO27",
    "board": "kosmos-2006",
    "card": "100",
    "cards": "9+10",
    "choices": "oled, window",
    "colour": "yellow",
    "command": "beisitzer history",
    "copies": "4",
    "count": "6",
    "detail": "No such device",
    "details": "SSD1306, I2C 1, 0x3C, 400 kHz",
    "device": "/dev/dri/card0",
    "error": "kmsdrm not available",
    "field": "36",
    "factors": "3, 8",
    "fields": "36",
    "first": "die_buttons.enabled",
    "group": "dialout",
    "high": "86400",
    "key": "keypad.columns",
    "keys": "DIE1 DIE2",
    "last": "power_button.enabled",
    "lead": "2",
    "least": "1",
    "left": "20",
    "level": "nothing",
    "library": "gpiozero",
    "line": "1000",
    "low": "0x08",
    "most": "99999",
    "move": "10+11+12 = 33",
    "n": "12",
    "name": "Maximilian",
    "names": "Maximilian",
    "near": "dim_after_s",
    "option": "--seconds",
    "other": "10×10",
    "packages": "gpiozero luma.oled",
    "pair": "10×10",
    "part": "rotary encoder",
    "path": "/dev/beisitzer-panel",
    "pin": "27",
    "points": "666",
    "reason": "it does not answer",
    "seconds": "60",
    "stone": "6",
    "stones": "6,",
    "sum": "76",
    "target": "38",
    "value": "100",
    "variable": "BEISITZER_CONFIG",
    "what": "ValueError: invalid",
    "why": "Invalid statement",
    "winners": "Maximilian wins!",
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
    assert tx.many("line", "Draw {n} card.", "Draw {n} cards.", 1) == "Ziehe 1 Karte."
    assert tx.many("line", "Draw {n} card.", "Draw {n} cards.", 3) == "Ziehe 3 Karten."


@pytest.mark.parametrize(
    ("setting", "environment", "expected"),
    [
        ("de", "C", "de"),
        ("en", "C", "en"),
        ("auto", "C", "en"),
        ("auto", "fr_FR.UTF-8", "en"),
    ],
)
def test_language_follows_setting_then_locale_then_english(
    setting: str, environment: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", environment)
    assert language_for(setting) == expected


def test_a_german_locale_gives_german(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pi_app.texts.language.locale.setlocale", lambda *_: "de_DE.UTF-8")
    monkeypatch.setattr("pi_app.texts.language.locale.getlocale", lambda *_: ("de_DE", "UTF-8"))
    assert language_for("auto") == "de"


def test_a_game_of_its_own_distribution_brings_its_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "halma_words.py").touch()
    folder = tmp_path / "locale/de/LC_MESSAGES"
    folder.mkdir(parents=True)
    header = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'
    text = 'msgctxt "verdict"\nmsgid "no jump here"\nmsgstr "kein Sprung möglich"\n'
    (folder / "halma.po").write_text(header + text, "utf-8")
    compile_catalogues(tmp_path / "locale")
    halma = Plugin("halma", "halma:GAME", words="halma_words:WORDS")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("pi_app.texts.language.plugins", lambda: {**SHIPPED, "halma": halma})
    _other_games.cache_clear()
    try:
        assert Texts("de")("verdict", "no jump here") == "kein Sprung möglich"
        assert Texts("en")("verdict", "no jump here") == "no jump here"
    finally:
        _other_games.cache_clear()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_colours_share_a_letter(language: str) -> None:
    tx = Texts(language)
    colours = {colour for game in GAMES.values() for colour in game.colours}
    assert len({colour_letter(tx, colour) for colour in colours}) == len(colours)
