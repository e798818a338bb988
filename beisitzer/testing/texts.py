"""Finds the texts that code uses, missing and wrong translations, and texts that do not fit."""

import ast
import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from hardware.type import HEADLINE, LABEL, TEXT
from pi_app.texts.language import SLOTS

TYPEFACES = {"text": TEXT, "headline": HEADLINE, "label": LABEL}
# as Babel wants it: the slot is the first argument ("c": context), then the text, then its plural
KEYWORDS: dict[str, tuple[int | tuple[int, str], ...]] = {
    "tx": ((1, "c"), 2),
    "texts": ((1, "c"), 2),
    "Text": ((1, "c"), 2),
    "many": ((1, "c"), 2, 3),
}

TextKey = tuple[str, str]
"""A slot and the English text."""


class Translation(NamedTuple):
    """A German text: one form, or the singular and the plurals; empty ones are not translated."""

    forms: tuple[str, ...]
    fuzzy: bool


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
    "ends": "corner-10♣",
    "error": "kmsdrm not available",
    "even": "50",
    "field": "36",
    "five": "green corner-10♣",
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
    "own": "Beisitzer-w8m-2",
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
    "score": "666:666:666:666",
    "rank": "queen",
    "reason": "it does not answer",
    "row": "10",
    "seconds": "60",
    "stone": "6",
    "stones": "6,",
    "suit": "diamonds",
    "sum": "76",
    "target": "38",
    "trouble": "libGLESv2.so.2",
    "version": "2.32.10",
    "value": "100",
    "total": "600",
    "unit": "degrees",
    "variable": "BEISITZER_CONFIG",
    "what": "ValueError: invalid",
    "why": "Invalid statement",
    "won": "9999",
    "token": "7H@r4c5=r4c1-r4c5~",
    "when": "2026-09-22 21:30",
    "where": "row 10, place 10",
    "winners": "Maximilian wins!",
    "word": "just5fun",
    "columns": "20",
    "firmware": "1.0",
    "folder": "tictactoe",
    "ms": "1000",
    "rows": "4",
    "session": "0a1b2c3d",
    "wrong": "12",
}
"""The longest value of each fact at a table; a new fact needs a line here."""


def find_texts(roots: Iterable[Path]) -> dict[TextKey, str]:
    """Return the plural of every text, "" if none, by (slot, English text)."""
    texts: dict[TextKey, str] = {}
    for root in roots:
        for _file, _line, message, _comments, context in extract_from_dir(
            str(root), method_map=[("**.py", "python")], keywords=KEYWORDS
        ):
            # a text with a plural comes as a pair
            one, several = message if isinstance(message, tuple) else (message, "")
            texts[context or "", one] = several
    return texts


def read_translations(locales: Iterable[Path]) -> dict[TextKey, Translation]:
    """Return the German translations in these folders; AssertionError for a duplicate."""
    translations: dict[TextKey, Translation] = {}
    for path in (path for root in locales for path in sorted(root.glob("de/LC_MESSAGES/*.po"))):
        with path.open("rb") as file:
            for message in read_po(file):
                if message.id:
                    one = message.id if isinstance(message.id, str) else message.id[0]
                    key = (message.context or "", one)
                    twice = f"{key} is translated twice, again in {path.name}"
                    assert key not in translations, twice
                    text = message.string
                    forms = (text,) if isinstance(text, str) else tuple(text or ())
                    translations[key] = Translation(forms, message.fuzzy)
    return translations


def facts_of(text: str) -> set[str]:
    """Return the names of a text's facts."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def find_untranslated(
    used: Iterable[TextKey], translations: Mapping[TextKey, Translation]
) -> list[str]:
    """Return the entries that the catalogue lacks."""
    return [
        f'msgctxt "{slot}"\nmsgid "{text}"\nmsgstr ""\n'
        for slot, text in used
        if (slot, text) not in translations
    ]


def find_unsound(
    translations: Mapping[TextKey, Translation], used: Mapping[TextKey, str]
) -> list[str]:
    """Return a line for each translation that is unused, empty, fuzzy, or has other facts."""
    faults: list[str] = []
    for key, (forms, fuzzy) in translations.items():
        if key not in used:
            faults.append(f"nothing asks for {key} any more")
        elif not all(forms):
            faults.append(f"{key} has no German text")
        elif fuzzy:
            faults.append(f"{key} is fuzzy")
        else:
            faults += _differing_facts(key, used[key], forms)
    return faults


def _differing_facts(key: TextKey, several: str, forms: Sequence[str]) -> Iterator[str]:
    """Yield a line for each form whose facts are not the English ones: which form, which fact."""
    slot, one = key
    for number, german in enumerate(forms):
        # the first form is the singular, the others are plurals
        english = several if number and several else one
        form = f"msgstr[{number}]" if several else "msgstr"
        differing = facts_of(german) ^ facts_of(english)
        if several and not number:
            differing.discard("n")  # the form for one may say it in words
        for fact in sorted(differing):
            has, lacks = (
                ("German", "English") if fact in facts_of(german) else ("English", "German")
            )
            yield (
                f"{slot}: {{{fact}}} is in the {has} text but not in the {lacks} one, {form}: "
                + (f"{english!r}, {german!r}")
            )


def find_unfilled(roots: Iterable[Path]) -> list[str]:
    """Return a line for each call that leaves out a fact of its text: it would raise KeyError."""
    return [
        f"{path}:{call.lineno}: {text!r} needs {{{fact}}}: pass {fact}=... in this call"
        for root in roots
        for path in sorted(root.rglob("*.py"))
        for call in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(call, ast.Call)
        for text, fact in _unfilled(call)
    ]


def _unfilled(call: ast.Call) -> Iterator[tuple[str, str]]:
    """Yield the texts of a call of `tx` or `tx.many` with the facts that it does not pass."""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    passed = {keyword.arg for keyword in call.keywords}
    if name not in ("tx", "texts", "many") or None in passed:
        return  # not a text, or its facts come in a mapping
    counted = {"n"} if name == "many" else set[str]()  # `many` fills it in itself
    # after the slot comes one text, for `many` two
    for text in call.args[1 : 2 + len(counted)]:
        if isinstance(text, ast.Constant) and isinstance(text.value, str):
            for fact in sorted(facts_of(text.value) - passed - counted):
                yield text.value, fact


def fail_for(problems: Iterable[str]) -> None:
    """Fail with these lines alone, if there are any."""
    lines = "\n".join(problems)
    if lines:
        pytest.fail(lines, pytrace=False)


def find_misfits(
    used: Mapping[TextKey, str],
    translations: Mapping[TextKey, Translation],
    longest: Mapping[str, str],
) -> list[str]:
    """Return a line for each text that does not fit its place with the longest facts."""
    lines: list[str] = []
    for (slot, one), several in used.items():
        german = translations.get((slot, one))
        texts = [one, several, *(german.forms if german is not None else ())]
        misfits = (_misfit(slot, text, {**LONGEST, **longest}) for text in texts if text)
        lines += [misfit for misfit in misfits if misfit]
    return lines


def _misfit(slot: str, text: str, longest: Mapping[str, str]) -> str | None:
    """Return why a text does not fit its slot, or None."""
    if slot not in SLOTS:
        return f"{text!r}: there is no slot {slot!r}, write one of {', '.join(SLOTS)}"
    unknown = sorted(facts_of(text) - longest.keys())
    if unknown:
        facts = " and ".join(f"{{{fact}}}" for fact in unknown)
        how = f"Samples(..., longest={{{', '.join(f'{fact!r}: ...' for fact in unknown)}}})"
        return (
            f"{slot}: {text!r}: how long {facts} gets is not known: write it into samples.py, {how}"
        )
    filled = text.format(**{name: longest[name] for name in facts_of(text)})
    if fits_slot(slot, filled):
        return None
    room = SLOTS[slot]
    return f"{slot}: {filled!r} does not fit: {room.pixels} pixels, {room.rows or 'any'} rows"


def fits_slot(slot: str, filled: str) -> bool:
    """Return whether a text, its facts filled in, has room in its slot on the OLED."""
    room = SLOTS[slot]
    face = TYPEFACES[room.face]
    if any(face.width(word) > room.pixels for word in filled.split()):
        return False
    return room.rows is None or len(face.wrap_text(filled, room.pixels)) <= room.rows
