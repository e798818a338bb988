"""How the cells of a game's boards are keyed and read; most games' boards are numbers."""

from engines.notation import ImpossibleError
from pi_app.texts.language import Texts


class Cells:
    """Cells that are whole numbers. A game with others overrides what differs."""

    star = False
    """Whether STAR belongs to a cell's keys."""

    def hint(self, tx: Texts) -> str:
        """Say how the cells are keyed."""
        return tx("line", "Row by row, # after each number.")

    def word(self, keyed: str) -> str:
        """Return the board's word for these keys, "" while they are none yet."""
        return str(int(keyed)) if keyed else ""

    def key_text(self, keyed: str) -> str:
        """Return these keys as they are shown."""
        return keyed

    def text(self, words: str) -> str:
        """Return words of a board as people read them."""
        return words

    def objection(self, tx: Texts, error: ImpossibleError) -> str:
        """Say why the board's next cell cannot be this one."""
        if error.code == "there-twice":
            return tx("verdict", "there already")
        least, most = error.facts["least"], error.facts["most"]
        return tx("verdict", "numbers from {least} to {most}", least=least, most=most)
