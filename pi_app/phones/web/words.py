"""The texts of pages: their scripts use English keys and get the texts of one language."""

import re
from functools import cache
from pathlib import Path

from pi_app.phones.web.files import PAGES
from pi_app.texts.common import colour_word
from pi_app.texts.language import Texts

_COLOURS = ("yellow", "red", "white", "pink", "green", "blue")
_ASKED = re.compile(r'\bt\("([^"]+)"')
_FACT = re.compile(r"\{(\w+)\}")


@cache
def asked_texts(folder: Path = PAGES) -> frozenset[str]:
    """Return the English texts that the scripts in a folder ask for."""
    scripts = (path.read_text("utf-8") for path in folder.glob("*.js"))
    return frozenset(text for script in scripts for text in _ASKED.findall(script))


def words(tx: Texts, folder: Path = PAGES) -> dict[str, str]:
    """Return the language and a folder's texts by the English ones; the pages fill in the facts."""
    return {
        "language": tx.language,
        **{text: blank(tx, text) for text in asked_texts(folder)},
        **{f"colour-{colour}": colour_word(tx, colour) for colour in _COLOURS},
    }


def blank(tx: Texts, english: str) -> str:
    """Return a text with the names of its facts in braces."""
    return tx("page", english, **{fact: f"{{{fact}}}" for fact in _FACT.findall(english)})
