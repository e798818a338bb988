"""The texts of an evening's pages, in the language of the browser."""

from pathlib import Path

from engines.games import GAMES
from pi_app.past.games import game_words
from pi_app.phones.web.words import words as page_words
from pi_app.texts.language import Texts

PAGES = Path(__file__).parent / "pages"


def words(tx: Texts) -> dict[str, str]:
    """Return the pages' texts by the English ones, and the names of the games."""
    return page_words(tx, PAGES) | {f"game-{game}": game_words(tx, game) for game in GAMES}
