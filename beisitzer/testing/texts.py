"""Finds the texts that code uses, missing and wrong translations, and texts that do not fit."""

import ast
import string
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from hardware.typefaces import HEADLINE, LABEL, TEXT
from pi_app.texts.language import SLOTS

TYPEFACES = {"text": TEXT, "headline": HEADLINE, "label": LABEL}
# as Babel wants it: the slot is the first argument ("c": context), then the text, then its plural
KEYWORDS: dict[str, tuple[int | tuple[int, str], ...]] = {
    **dict.fromkeys(("tx", "texts", "Text"), ((1, "c"), 2)),
    "many": ((1, "c"), 2, 3),
}

TextKey = tuple[str, str]
"""A slot and the English text."""


class Translation(NamedTuple):
    """A German text: one form, or the singular and the plurals; an empty form is not translated."""

    forms: tuple[str, ...]
    fuzzy: bool


LONGEST = {
    "card": "100",
    "cards": "9+10",
    "colour": "yellow",
    "count": "6",
    "field": "36",
    "fields": "36",
    "item": "r10c1-r10c5",
    "n": "12",
    "name": "Maximilian-Josef",
    "names": "Maximilian-Josef",
    "points": "666",
    "row": "10",
    "square": "r10c10",
    "word": "just5fun",
}
"""The longest value of each fact that games share."""


def fail_for(problems: Iterable[str]) -> None:
    """Fail with these lines alone, if there are any."""
    lines = "\n".join(problems)
    if lines:
        pytest.fail(lines, pytrace=False)


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
            messages = [message for message in read_po(file) if message.id]
        for message in messages:
            one = message.id if isinstance(message.id, str) else message.id[0]
            key = (message.context or "", one)
            assert key not in translations, f"{key} is translated twice, again in {path.name}"
            text = message.string
            forms = (text,) if isinstance(text, str) else tuple(text or ())
            translations[key] = Translation(forms, message.fuzzy)
    return translations


def facts_of(text: str) -> set[str]:
    """Return the names of a text's facts."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def find_faulty(
    used: Mapping[TextKey, str],
    translations: Mapping[TextKey, Translation],
    own: Mapping[TextKey, Translation],
) -> Iterator[str]:
    """Yield texts without a translation, and faulty entries of the game's own catalogue.

    Faulty entries are unused, empty or fuzzy, or have other facts than the English text.
    """
    for slot, text in used.keys() - translations.keys():
        yield f'write into the .po:\nmsgctxt "{slot}"\nmsgid "{text}"\nmsgstr ""\n'
    for (slot, one), (forms, fuzzy) in own.items():
        if (slot, one) not in used:
            yield f"nothing asks for {slot} {one!r} any more"
            continue
        if fuzzy or not all(forms):
            yield f"{slot} {one!r} is fuzzy or has no German text"
        for number, german in enumerate(forms):
            # the first form is the singular, the others are plurals
            english = (used[slot, one] if number else "") or one
            differing = facts_of(german) ^ facts_of(english)
            if len(forms) > 1 and not number:
                differing.discard("n")  # the singular may say "one" in words
            for fact in sorted(differing):
                what = f"{slot}, msgstr[{number}]: {english!r}, {german!r}"
                yield f"{what}: {{{fact}}} must be in both texts or in none"


def find_unfilled(root: Path) -> Iterator[str]:
    """Yield a line for each call that leaves out a fact of its text: it would raise KeyError."""
    for path in sorted(root.rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(call, ast.Call):
                continue
            name = getattr(call.func, "attr", getattr(call.func, "id", ""))
            passed = {keyword.arg for keyword in call.keywords}
            if name not in ("tx", "texts", "many") or None in passed:
                continue  # not a text, or its facts come in a mapping
            counted = {"n"} if name == "many" else set[str]()  # `many` fills it in itself
            # after the slot comes one text, or two for `many`
            for text in call.args[1 : 2 + len(counted)]:
                if isinstance(text, ast.Constant) and isinstance(text.value, str):
                    for fact in sorted(facts_of(text.value) - passed - counted):
                        how = f"needs {{{fact}}}: pass {fact}=... in this call"
                        yield f"{path}:{call.lineno}: {text.value!r} {how}"


def find_misfits(
    used: Mapping[TextKey, str],
    translations: Mapping[TextKey, Translation],
    longest: Mapping[str, str],
) -> Iterator[str]:
    """Yield a line for each text that does not fit its place with the longest facts."""
    longest = {**LONGEST, **longest}
    for (slot, one), several in used.items():
        german = translations.get((slot, one))
        for text in filter(None, (one, several, *(german.forms if german else ()))):
            unknown = sorted(facts_of(text) - longest.keys())
            if slot not in SLOTS:
                yield f"{text!r}: there is no slot {slot!r}, write one of {', '.join(SLOTS)}"
            elif unknown:
                facts = " and ".join(f"{{{fact}}}" for fact in unknown)
                how = f"write it into longest of the samples, as {dict.fromkeys(unknown, '...')}"
                yield f"{slot}: {text!r}: how long {facts} gets is not known: {how}"
            elif not fits_slot(slot, filled := text.format(**longest)):
                yield f"{slot}: {filled!r} does not fit: {SLOTS[slot]}"


def fits_slot(slot: str, filled: str) -> bool:
    """Return whether a text, its facts filled in, has room in its slot on the OLED."""
    room = SLOTS[slot]
    face = TYPEFACES[room.face]
    if any(face.width(word) > room.pixels for word in filled.split()):
        return False
    return room.rows is None or len(face.wrap_text(filled, room.pixels)) <= room.rows
