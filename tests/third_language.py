"""A third language in the tests' own process: the pseudo-language, nothing but catalogues."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pi_app.texts import language
from tools.pseudo import SOURCES, write

THIRD = "xx"
_SHIPPED = language.LANGUAGES
"""English, German, and what somebody translates in this checkout."""
_ALL = (*_SHIPPED, THIRD)


def texts_in(value: object) -> Iterator[str]:
    """Yield every text inside a frame's texts."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from texts_in(list(value.values()))
    elif isinstance(value, list | tuple):
        yield from (text for each in value for text in texts_in(each))


def plain_words(text: str) -> list[str]:
    """Return the words whose vowels have no accents: what nobody has translated, and names."""
    words = re.findall(r"[^\W\d_]{3,}", text)
    return [word for word in words if re.search("[aeiouy]", word, re.IGNORECASE)]


def write_catalogues(locale: Path) -> None:
    """Write the folder with catalogues of a companion that has one language more."""
    locale.mkdir(parents=True)
    for known in _SHIPPED[1:]:
        (locale / known).symlink_to(language.LOCALE / known)
    for source in SOURCES:
        write(source, locale / THIRD / "LC_MESSAGES")


@contextmanager
def spoken(locale: Path) -> Iterator[str]:
    """Let everything that is imported, or will be, know the language; yield its two letters."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(language, "LOCALE", locale)
        language._load.cache_clear()
        language._message.cache_clear()
        _set_languages(_SHIPPED, _ALL)
        try:
            yield THIRD
        finally:
            # also those that were imported meanwhile
            _set_languages(_ALL, _SHIPPED)
            language._load.cache_clear()
            language._message.cache_clear()


def _set_languages(old: tuple[str, ...], new: tuple[str, ...]) -> None:
    for module in list(sys.modules.values()):
        if vars(module).get("LANGUAGES") == old:
            vars(module)["LANGUAGES"] = new
