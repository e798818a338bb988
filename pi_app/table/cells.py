"""Keys and texts of the cells of a game's boards; most games' cells are numbers."""

from engines.notation import ImpossibleError
from pi_app.texts.language import Texts


class Cells:
    """Cells that are whole numbers. A game with other cells overrides what differs."""

    star = False
    """Whether STAR is one of a cell's keys."""

    def hint(self, tx: Texts) -> str:
        """Say how the cells are keyed."""
        return tx("line", "Row by row, # after each number.")

    def word(self, keyed: str) -> str:
        """Return the board's word for these keys; "" if they are not complete."""
        return str(int(keyed)) if keyed else ""

    def key_text(self, keyed: str) -> str:
        """Return these keys as they are shown."""
        return keyed

    def text(self, words: str) -> str:
        """Return words of a board as text for people."""
        return words

    def objection(self, tx: Texts, error: ImpossibleError) -> str:
        """Say why this cannot be the board's next cell."""
        if error.code == "there-twice":
            return tx("verdict", "there already")
        least, most = error.facts["least"], error.facts["most"]
        return tx("verdict", "numbers from {least} to {most}", least=least, most=most)
