"""The places of a game's table, and the cells of its boards, as people key and read them."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from engines.game import AnyPosition
from engines.notation import Fault
from hardware.keys import Key
from pi_app.texts.language import Text, Texts
from pi_app.view.keying import Keying, NumberKeying

P = TypeVar("P", bound=AnyPosition)

LARGEST = 99_999
"""The largest number that can be keyed; boards may allow less."""


@dataclass(frozen=True, slots=True)
class Part:
    """One number of a slot, such as the stones of one player on a field."""

    label: str
    """The name beside the number, such as a player's name."""
    value: int
    """The number that the game has there now."""
    most: int
    """The largest number that can be entered; the smallest is 0."""
    words: tuple[str, ...] = ()
    """A word for each number from 0 on, if they are not counts (nobody, blue, green)."""

    def text(self, value: int) -> str:
        """Return the text for a value of this part."""
        return self.words[value] if self.words else str(value)


@dataclass(frozen=True, slots=True)
class Slot:
    """One place that the board check asks for: a field, a hand, a square."""

    label: str
    """The place's name; if it is a number, STAR and its digits go to this slot."""
    parts: tuple[Part, ...]
    cell: str = ""
    """The name of its cell in the picture, if it differs from the place's."""

    @property
    def cell_name(self) -> str:
        """The name of its cell in the picture; a place outside the board has no such cell."""
        return self.cell or self.label


class Slots(ABC, Generic[P]):
    """The places of a game's table: for a check, a first position and a score. Stateless."""

    stones_sign = "x"
    """The sign between field and stones in the tag `Position`: `23x3`."""
    stones_examples = ("23:3 7:1", "7:2")
    """Stones of two players as the command line takes them, for example sentences."""

    @abstractmethod
    def slots(self, tx: Texts, position: P) -> tuple[Slot, ...]:
        """Return all places of the table in the order in which people check them."""

    @abstractmethod
    def placement(self, position: P, values: Sequence[tuple[int, ...]]) -> str:
        """Return the text of the tag `Position`; `values` has the parts' numbers of each slot."""

    def derive_counts(
        self, position: P, values: Sequence[tuple[int, ...]]
    ) -> Mapping[tuple[int, int], int]:
        """Return numbers derived from the others, by the indices of slot and part.

        `position` is the one before the check: it tells which stones had left the game.
        """
        return {}

    def objection(self, position: P, values: Sequence[tuple[int, ...]]) -> Fault | None:
        """Return the contradiction in these values; None without one."""
        return None


def numbers_to(most: int, least: int = 0) -> NumberKeying:
    """Return a number that is keyed, from `least` to `most`."""
    return NumberKeying(
        range(least, most + 1),
        lambda tx, _: tx("verdict", "numbers from {least} to {most}", least=least, most=most),
    )


class Cells:
    """Cells that are whole numbers. A game with other cells overrides what differs."""

    blank: Keying = numbers_to(LARGEST)
    """A cell before any key."""
    faults: ClassVar[Mapping[str, Text]] = {
        "there-twice": Text("verdict", "there already"),
        "no-number": Text("verdict", "numbers from {least} to {most}"),
    }
    """Why a word cannot be the board's next cell, by the fault's code."""

    def under(self, rules: Mapping[str, str]) -> "Cells":  # for games with editions
        """Return the cells of the boards for these rules."""
        return self

    def hint(self, tx: Texts) -> str:
        """Say how the cells are keyed."""
        return tx("line", "Row by row, # after each number.")

    def questions(self, tx: Texts) -> tuple[str, ...]:
        """Return the questions after the last cell; each answer is a number of cells."""
        return ()

    def with_answers(self, words: Sequence[str], answers: Sequence[int]) -> Sequence[str]:
        """Return the cells with the answers to the questions, as the words of a board."""
        return words

    def signs(self, tx: Texts) -> tuple[tuple[Key, str], ...]:  # overridden by games with such keys
        """Return keys other than digits that cells have, each with its word."""
        return ()

    def text(self, words: str) -> str:
        """Return words of a board as text for people."""
        return words
