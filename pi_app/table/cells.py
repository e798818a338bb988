"""The cells of a game's boards as people key and read them; most games' cells are numbers."""

from collections.abc import Mapping
from typing import ClassVar

from pi_app.texts.language import Text, Texts
from pi_app.view.keying import Keying, NumberKeying

LARGEST = 99_999
"""The largest number that can be keyed; the board says which ones it takes."""


def _too_large(tx: Texts, _number: int) -> str:
    return tx("verdict", "numbers from {least} to {most}", least=0, most=LARGEST)


class Cells:
    """Cells that are whole numbers. A game with other cells overrides what differs."""

    blank: Keying = NumberKeying(range(LARGEST + 1), _too_large)
    """A cell of which nothing is keyed."""
    faults: ClassVar[Mapping[str, Text]] = {
        "there-twice": Text("verdict", "there already"),
        "no-number": Text("verdict", "numbers from {least} to {most}"),
    }
    """Why a word cannot be the board's next cell, by the fault's code."""

    def hint(self, tx: Texts) -> str:
        """Say how the cells are keyed."""
        return tx("line", "Row by row, # after each number.")

    def text(self, words: str) -> str:
        """Return words of a board as text for people."""
        return words
