"""Printed boards as data: TOML tables, those shipped here and those people write."""

import json
import tomllib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from engines.notation import ImpossibleError, number

QUARTER_TURNS: Mapping[str, int] = {"90": 1, "180": 2, "270": 3}
"""How a board's name says that it lies turned clockwise: `classic/90`."""
_LONGEST_REASON = 160


class BoardError(ValueError):
    """A board with a mistake: `key` names where (empty: the file as a whole), `reason` what.

    `code` and `facts` say it in another language.
    """

    def __init__(self, key: str, reason: str, code: str = "", **facts: object) -> None:
        super().__init__(f"{key}: {reason}" if key else reason)
        self.key = key
        self.reason = reason
        self.code = code
        self.facts = facts


def read_table(text: str) -> Mapping[str, Any]:
    """Read a board file's TOML text; BoardError if it is none or lacks `game` or `name`."""
    try:
        table = tomllib.loads(text)
    except RecursionError:
        raise BoardError("", "not readable as TOML: nested too deep", "too-deep") from None
    except ValueError as error:
        # TOMLDecodeError is one, and so is what Python says of a number of 5,000 digits
        reason = " ".join(str(error).split())[:_LONGEST_REASON]
        raise BoardError("", f"not readable as TOML: {reason}", "no-toml", why=reason) from error
    for key in ("game", "name"):
        value = table.get(key)
        if not isinstance(value, str) or not value:
            raise BoardError(key, "must be a text that is not empty", "no-text")
    return table


@cache
def read_boards(game: str, package: str = "engines") -> Mapping[str, Mapping[str, Any]]:
    """Return the boards that a package brings along for a game: tables by name."""
    found = {}
    folder = Path(str(import_module(package).__file__)).with_name("boards")
    for path in sorted(folder.glob(f"{game}-*.toml")):
        table = read_table(path.read_text("utf-8"))
        found[table["name"]] = table
    return found


B = TypeVar("B")


class BoardKind(ABC, Generic[B]):
    """The boards of one game, B being its own form of one.

    Whoever knows no game reads, writes, turns, keys and tells its boards through this. To all
    of them a board is its words: one a cell, row by row, as `BoardData` has them.
    """

    game: ClassVar[str]
    default: ClassVar[str]
    """The board that is played on where no tag names one."""
    package: ClassVar[str] = "engines"
    """The package whose folder `boards` holds those that come with the game."""
    key: ClassVar[str]
    """What the cells are called in a board's file."""
    least: ClassVar[int]
    most: ClassVar[int]
    """Cells of a board; `least` is `most` where all boards have as many."""
    width: ClassVar[int]
    """Cells in a row, as they are shown."""
    turns: ClassVar[bool] = False
    """Whether a name may say that the board lies turned."""

    @abstractmethod
    def make(self, words: Sequence[str]) -> B:
        """Return the board with these words; BoardError where it has a mistake."""

    @abstractmethod
    def words(self, table: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the words of a file's table; BoardError where it has a mistake."""

    @abstractmethod
    def to_file(self, words: Sequence[str]) -> list[Any]:
        """Return what stands in a file under `key` for these words, right or wrong."""

    @abstractmethod
    def objection(self, words: Sequence[str], word: str) -> ImpossibleError | None:
        """Say why this word cannot be the next after these, or return None."""

    def fixed_word(self, at: int) -> str | None:  # noqa: ARG002  # most games' boards have none
        """Return the word that this cell has on every board, or None."""
        return None

    def data(self, table: Mapping[str, Any]) -> str:
        """Return the text of `BoardData` for a file's table; BoardError as `words`."""
        return " ".join(self.words(table))

    def rotate(self, words: Sequence[str], quarter_turns: int) -> tuple[str, ...]:
        """Return the words of a square board after so many clockwise quarter turns."""
        after = tuple(words)
        for _ in range(quarter_turns % 4):
            rows = [after[at : at + self.width] for at in range(0, len(after), self.width)]
            after = tuple(word for column in zip(*rows, strict=True) for word in column[::-1])
        return after

    def load_boards(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the tables of the boards that come with the game, by name."""
        return read_boards(self.game, self.package)

    def toml(self, name: str, words: Sequence[str]) -> str:
        """Return the text of a board's file; reading it gives the board back."""
        lines = [f"game = {_quoted(self.game)}", f"name = {_quoted(name)}"]
        value = self.to_file(words)
        if value and isinstance(value[0], (str, list)):
            rows = [_quoted(row) if isinstance(row, str) else str(row) for row in value]
            lines += [f"{self.key} = [", *(f"  {row}," for row in rows), "]"]
        else:
            lines.append(f"{self.key} = {value}")
        return "\n".join(lines) + "\n"

    def rows(self, words: Sequence[str]) -> tuple[str, ...]:
        """Return the board in lines to read."""
        starts = range(0, len(words), self.width)
        return tuple(" ".join(words[at : at + self.width]) for at in starts)


def words_of_cells(values: Iterable[object], most: int) -> tuple[str, ...]:
    """Return a file's whole numbers from 0 to `most` as words, anything else as `?`.

    `?` is no word of any board: the refusal can then name its place.
    """
    return tuple(
        str(value) if type(value) is int and 0 <= value <= most else "?" for value in values
    )


def cells_of_words(words: Sequence[str], most: int) -> list[int | str]:
    """Return words as the numbers they are; what is none stays a word."""
    values = [number(word, most) for word in words]
    return [word if value is None else value for word, value in zip(words, values, strict=True)]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
