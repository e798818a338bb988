"""The texts of an evening's pages, in the language of the browser: the scripts ask in English."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from engines.games import GAMES
from pi_app.past.games import game_words
from pi_app.texts.language import Text, Texts

PAGES = Path(__file__).parent / "pages"
PAGE_NAMES = {
    "page-hall": Text("page", "Hall"),
    "page-where": Text("page", "My seat"),
    "page-lists": Text("page", "Lists"),
    "page-organiser": Text("page", "Organiser"),
}
"""Names of pages, for the scripts that are shared with the phones."""
_ASKED = re.compile(r'\bt\("([^"]+)"')
_FACT = re.compile(r"\{(\w+)\}")


@cache
def asked_texts() -> frozenset[str]:
    """Return the English texts that the scripts of the pages ask for."""
    scripts = (path.read_text("utf-8") for path in PAGES.glob("*.js"))
    return frozenset(text for script in scripts for text in _ASKED.findall(script))


def words(tx: Texts) -> dict[str, str]:
    """Return the language and the pages' texts by the English ones; they fill in the facts."""
    return {
        "language": tx.language,
        **{text: blank(tx, text) for text in asked_texts()},
        **{name: tx(*text) for name, text in PAGE_NAMES.items()},
        **{f"game-{game}": game_words(tx, game) for game in GAMES},
    }


def blank(tx: Texts, english: str) -> str:
    """Return a text with the names of its facts in braces."""
    return tx("page", english, **{fact: f"{{{fact}}}" for fact in _FACT.findall(english)})
