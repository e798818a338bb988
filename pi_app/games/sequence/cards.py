"""Cards and teams as people write them."""

from __future__ import annotations

from engines.sequence.board import CORNER, INDEX
from engines.sequence.position import SequencePosition
from pi_app.texts.common import colour_word
from pi_app.texts.language import Texts

SUIT_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
"""In the order in which they are offered: 1 to 4."""
RANKS = {1: "A", 11: "J", 12: "Q", 13: "K"} | {n: str(n) for n in range(2, 11)}
"""What is printed on a card, by the number that is keyed."""


def card_text(code: str) -> str:
    """Return a card with its suit's sign, such as 10♥; a corner is *."""
    return "*" if code == CORNER else code[:-1] + SUIT_SIGNS.get(code[-1:], "?")


def printed_on(position: SequencePosition, square: str) -> str:
    """Return the card printed on a square, with its suit's sign."""
    return card_text(position.codes[INDEX[square]])


def cards_on(position: SequencePosition, squares: tuple[str, ...]) -> str:
    """Return the cards printed on these squares, in their order."""
    return " ".join(printed_on(position, square) for square in squares)


def team_word(tx: Texts, team: str) -> str:
    """Return a team's colour as a sentence begins with it."""
    return colour_word(tx, team).capitalize()
