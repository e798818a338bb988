"""Texts in the table's language: gettext catalogues with English sentences as keys.

A game in a distribution of its own has its catalogues in `locale` next to its words, a package that
adds commands in its folder `locale`. Every text has a slot, gettext's message context, that says
where it must fit; SLOTS gives a slot's room on the smallest display.
"""

import gettext
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, NamedTuple

from engines.games import SHIPPED, Parts, entries, plugins
from engines.notation import printable

LOCALE = Path(__file__).parent / "locale"


def _languages() -> tuple[str, ...]:
    """Return English, German, and every other language that has catalogues: docs/words.md."""
    found = {path.parent.name for path in LOCALE.glob("[a-z][a-z]/LC_MESSAGES")}
    return ("en", "de", *sorted(found - {"de"}))


LANGUAGES = _languages()
COMMAND_ENTRIES = "beisitzer.commands"
"""The entry-point group of packages that add commands: `pi_app.commands.cli`."""
_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


@dataclass(frozen=True, slots=True)
class Room:
    """The room for a text on the OLED's 128 by 64 pixels: pixels in a row, rows of `face`.

    `rows` None: the text may scroll.
    """

    pixels: int
    rows: int | None
    face: Literal["text", "headline", "label"] = "text"


SLOTS = {
    "title": Room(110, 1),  # beside the player's shape
    "item": Room(112, 1),  # one line of a list of choices, beside its number
    "soft": Room(32, 1),  # a key's word, beside its sign
    # a player's remaining stones or cards, on displays with room for everybody
    "seat": Room(70, 1),
    "big": Room(128, 1, "headline"),
    "word": Room(60, 1),  # colours, names of things inside other texts
    "verdict": Room(128, 3),
    "letter": Room(5, 1, "label"),  # a colour on the board
    "alert": Room(104, 4),  # beside its icon
    "line": Room(122, None),  # beside the bar that says that there is more
    "speech": Room(2_000, None),  # sentences for the ear
    "page": Room(2_000, None),  # sentences for a browser
    "cli": Room(2_000, None),  # sentences for a terminal or a log
}


class Text(NamedTuple):
    """A text in a table of texts, translated once its facts and the language are known."""

    slot: str
    english: str


class Texts:
    """The texts of one language, one of LANGUAGES."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._catalogue = _load(language)

    def __call__(self, slot: str, message: str, /, **facts: object) -> str:
        """Return the message for this slot with its facts filled in."""
        return _message(self.language, slot, message).format(**facts)

    def say(self, table: Mapping[Any, Text], code: object, /, **facts: object) -> str:
        """Return a table's text for this code with its facts filled in; "" if there is none."""
        text = table.get(code)
        return "" if text is None else self(*text, **facts)

    def each(self, texts: Iterable[Text]) -> tuple[str, ...]:
        """Return texts without facts."""
        return tuple(self(*text) for text in texts)

    def many(self, slot: str, one: str, several: str, n: int, /, **facts: object) -> str:
        """Return the form of the message for the number n, which is also a fact."""
        message = self._catalogue.npgettext(slot, one, several, n)
        if not (message.isascii() and message.isprintable()):  # other games' may contain anything
            message = printable(message)
        return message.format(n=n, **facts)


def language_name(language: str) -> str:
    """Return a language's own name: its translation of "English"."""
    tx = Texts(language)
    return tx("item", "English")


@cache
def _load(language: str) -> gettext.NullTranslations:
    """Return one catalogue for a language: the companion's, then those of other games."""
    if language == "en":
        return gettext.NullTranslations()
    return _load_chain(LOCALE, language, _OtherGames(language))


@lru_cache(maxsize=1024)
def _message(language: str, slot: str, message: str) -> str:
    """Return a message in a language; cached, as there are several catalogues."""
    return printable(_load(language).pgettext(slot, message))


class _OtherGames(gettext.NullTranslations):
    """The texts of games in other distributions, read when needed."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._language = language

    def pgettext(self, context: str, message: str) -> str:
        return _other_games(self._language).pgettext(context, message)

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        return _other_games(self._language).npgettext(context, msgid1, msgid2, n)


@cache
def _other_games(language: str) -> gettext.NullTranslations:
    catalogue = gettext.NullTranslations()
    for folder in other_locales():
        catalogue = _load_chain(folder, language, catalogue)
    return catalogue


def other_locales() -> tuple[Path, ...]:
    """Return the folders `locale` next to the words of games that are not shipped, and of commands.

    A game whose words cannot be imported does not affect the others.
    """
    games = [name for name in Parts("presentation") if name not in SHIPPED]
    classes = [plugins()[name].presentation for name in games]
    # each path is MODULE:CLASS
    files = [import_module(path.partition(":")[0]).__file__ for path in classes]
    words = [Path(file).parent for file in files if file]
    return tuple(folder / "locale" for folder in (*words, *_packages_with_commands()))


def _packages_with_commands() -> Iterator[Path]:
    """Yield the folders of packages that add commands, without importing any."""
    packages = {re.split("[.:]", value)[0] for _, value in entries(sys.path, COMMAND_ENTRIES)}
    for package in sorted(packages):
        spec = find_spec(package)
        yield from map(Path, (spec and spec.submodule_search_locations) or ())


def _load_chain(
    folder: Path, language: str, fallback: gettext.NullTranslations
) -> gettext.NullTranslations:
    """Return the catalogues `folder/LANGUAGE/LC_MESSAGES/*.mo`, with others as their fallback."""
    for path in sorted(folder.glob(f"{language}/LC_MESSAGES/*.mo")):
        with path.open("rb") as file:
            part = gettext.GNUTranslations(file)
        part.add_fallback(fallback)  # the last file is asked first
        fallback = part
    return fallback


def language_for(setting: str, environ: Mapping[str, str] = os.environ) -> str:
    """Return the language for a setting: itself, or for "auto" the system's, else English.

    The system's language is found as gettext does, even if no such locale was generated: the first
    of LANGUAGE, LC_ALL, LC_MESSAGES and LANG that is set, a list of languages, the best first.
    """
    if setting in LANGUAGES:
        return setting
    # such as "de_AT.UTF-8:en": each locale begins with its language
    ours = f"({'|'.join(LANGUAGES)})([_.@].*)?"
    locales = next((environ[name] for name in _VARIABLES if environ.get(name)), "").split(":")
    languages = (name[:2] for name in locales if re.fullmatch(ours, name))
    return next(languages, "en")
