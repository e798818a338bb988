"""Texts in the table's language: gettext catalogues, English sentences as their keys.

Every text has a slot, gettext's message context, that says where it must fit; SLOTS gives the
room a slot has on the smallest display.
"""

import gettext
import locale
from dataclasses import dataclass
from functools import cache
from importlib import resources

LANGUAGES = ("en", "de")


@dataclass(frozen=True, slots=True)
class Slot:
    """The room for a text on the 16x8 characters of the OLED; None where it may scroll."""

    columns: int
    rows: int | None


SLOTS = {
    "title": Slot(16, 1),
    "item": Slot(14, 1),  # one line of a list of choices
    "soft": Slot(6, 1),  # a key's word
    "big": Slot(8, 1),
    "word": Slot(10, 1),  # colours, names of things inside other texts
    "verdict": Slot(16, 3),
    "letter": Slot(1, 1),  # a colour on the board
    "alert": Slot(14, 5),
    "line": Slot(16, None),
    "cli": Slot(400, None),  # sentences for a terminal or a log
}


class Texts:
    """The texts of one language. `language` is "de" or "en"."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._catalogue = _load(language)

    def __call__(self, slot: str, message: str, /, **facts: object) -> str:
        """Return the message for this slot with its facts filled in."""
        return self._catalogue.pgettext(slot, message).format(**facts)

    def many(self, slot: str, one: str, several: str, n: int, /, **facts: object) -> str:
        """Return the form of the message that fits the number n, which is also a fact."""
        return self._catalogue.npgettext(slot, one, several, n).format(n=n, **facts)


@cache
def _load(language: str) -> gettext.NullTranslations:
    """Return the catalogues of a language, one file a game and one for the rest, as one."""
    catalogue = gettext.NullTranslations()
    if language == "en":
        return catalogue
    folder = resources.files("pi_app.texts").joinpath("locale", language, "LC_MESSAGES")
    for path in sorted(folder.iterdir(), key=str):
        if path.name.endswith(".mo"):
            with path.open("rb") as file:
                part = gettext.GNUTranslations(file)
            part.add_fallback(catalogue)
            catalogue = part
    return catalogue


def language_for(setting: str) -> str:
    """Return the language for a setting: "de" or "en" itself, "auto" by locale, else English."""
    if setting in LANGUAGES:
        return setting
    try:
        locale.setlocale(locale.LC_MESSAGES, "")
        name = locale.getlocale(locale.LC_MESSAGES)[0] or ""
    except (locale.Error, ValueError):
        name = ""
    return name[:2] if name[:2] in LANGUAGES else "en"
