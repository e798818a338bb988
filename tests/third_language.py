"""The pseudo-language as a third one in the tests' own process, and words that it leaves alone."""

import re
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pi_app.texts import language
from tools.pseudo import SOURCES, write

THIRD = "xx"
SHIPPED = language.LANGUAGES
"""English, German, and what somebody translates in this checkout."""


def plain_words(text: str, names: Collection[str]) -> list[str]:
    """Return the words whose vowels have no accents, but for names: nobody has translated them."""
    words = re.findall(r"[^\W\d_]{3,}", text)
    return [word for word in words if re.search("[aeiouy]", word, re.I) and word not in names]


def write_catalogues(locale: Path) -> None:
    """Write the folder with catalogues of a companion that has one language more."""
    locale.mkdir()
    for known in SHIPPED[1:]:
        (locale / known).symlink_to(language.LOCALE / known)
    for source in SOURCES:
        write(source, locale / THIRD / "LC_MESSAGES")


@contextmanager
def spoken(locale: Path) -> Iterator[str]:
    """Let everything that is imported know the language; yield its two letters."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(language, "LOCALE", locale)
        for module in list(sys.modules.values()):
            if vars(module).get("LANGUAGES") == SHIPPED:
                patch.setattr(module, "LANGUAGES", (*SHIPPED, THIRD))
        for kept in (language._load, language._message):
            kept.cache_clear()
        yield THIRD
    for kept in (language._load, language._message):
        kept.cache_clear()
