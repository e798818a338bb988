"""Printed boards as data: TOML tables, shipped here or written by people."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, ClassVar, Generic, TypeGuard, TypeVar

from engines.notation import Fault, composed, number

QUARTER_TURNS: Mapping[str, int] = {"90": 1, "180": 2, "270": 3}
"""Clockwise quarter turns by the ending of a board's name: `classic/90`."""
_LONGEST_REASON = 160
"""Characters of Python's own message about a file: it may quote a key of any length."""


DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Steps in row and column of a grid of squares: across, down and both slanting ways."""


def read_table(text: str) -> Mapping[str, Any]:
    """Read a board file; Fault if it is not TOML or lacks `game` or `name`."""
    # imported here, so that importing the rules stays fast
    import tomllib

    try:
        table = tomllib.loads(composed(text))
    except RecursionError:
        raise Fault("too-deep") from None
    except ValueError as error:
        # TOMLDecodeError, or Python's error for a number of 5,000 digits, in one line or several
        why = " ".join(str(error).split())[:_LONGEST_REASON]
        raise Fault("no-toml", why=why) from error
    for key in ("game", "name"):
        value = table.get(key)
        if not isinstance(value, str) or not value:
            raise Fault("no-text", key)
    return table


@cache
def read_boards(game: str, package: str = "engines") -> Mapping[str, Mapping[str, Any]]:
    """Read the boards that a package ships for a game: tables by name."""
    from pathlib import Path

    tables: dict[str, Mapping[str, Any]] = {}
    # `boards` is a folder of the package, beside its __init__.py
    folder = Path(str(import_module(package).__file__)).with_name("boards")
    for path in sorted(folder.glob(f"{game}-*.toml")):
        table = read_table(path.read_text("utf-8"))
        tables[table["name"]] = table
    return tables


def is_list(value: object) -> TypeGuard[list[object]]:
    """Whether a value of a board file is a list; its items may be anything."""
    return isinstance(value, list)


def is_table(value: object) -> TypeGuard[dict[str, object]]:
    """Whether a value of a board file is a table; TOML's keys are texts, its values anything."""
    return isinstance(value, dict)


B = TypeVar("B")


class BoardKind(ABC, Generic[B]):
    """The boards of one game; B is the game's own type of board.

    Code that knows no game reads, writes and turns boards through this class. To that code a
    board is a sequence of words, one a cell, row by row, as in `BoardData`.
    """

    game: ClassVar[str]
    default: ClassVar[str]
    """The board that is used if no tag names one."""
    package: ClassVar[str] = "engines"
    """The package with the folder `boards` of shipped boards."""
    key: ClassVar[str]
    """The key of the cells in a board's file."""
    least: ClassVar[int]
    """Fewest cells of a board."""
    most: ClassVar[int]
    """Most cells of a board."""
    width: ClassVar[int]
    """Cells in a row on the display."""
    turns: ClassVar[bool] = False
    """Whether a board's name may end in a turn, such as `/90`."""

    @abstractmethod
    def make(self, words: Sequence[str]) -> B:
        """Return the board with these words; Fault if it has a mistake."""

    @abstractmethod
    def words(self, table: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the words of a file's table; Fault if it has a mistake."""

    @abstractmethod
    def to_file(self, words: Sequence[str]) -> list[Any]:
        """Return the value of `key` in a file for these words, valid or not."""

    @abstractmethod
    def objection(self, words: Sequence[str], word: str) -> Fault | None:
        """Return why this word cannot follow these, or None."""

    def default_for(self, rules: Mapping[str, str]) -> str:  # noqa: ARG002  # most have one
        """Return the board that is used with these house rules if no tag names one."""
        return self.default

    def rules_of(self, words: Sequence[str]) -> Mapping[str, str]:  # noqa: ARG002  # most need none
        """Return the house rules that this board requires."""
        return {}

    def cells(self, words: Sequence[str]) -> Sequence[str]:
        """Return a board as people read it, one word per cell."""
        return words

    def fixed_word(self, cell: int) -> str | None:  # noqa: ARG002  # most games' boards have none
        """Return the word that the cell with this index has on every board, or None."""
        return None

    def data(self, table: Mapping[str, Any]) -> str:
        """Return the text of `BoardData` for a file's table; Fault as `words`."""
        return " ".join(self.words(table))

    def rotate(self, words: Sequence[str], quarter_turns: int) -> tuple[str, ...]:
        """Return the words of a square board after a number of clockwise quarter turns."""
        turned = tuple(words)
        for _ in range(quarter_turns % 4):
            rows = [
                turned[start : start + self.width] for start in range(0, len(turned), self.width)
            ]
            # a column read upwards becomes a row
            turned = tuple(word for column in zip(*rows, strict=True) for word in column[::-1])
        return turned

    def load_boards(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the tables of the shipped boards, by name."""
        return read_boards(self.game, self.package)

    def toml(self, name: str, words: Sequence[str]) -> str:
        """Return the text of a board's file, which reads back as the same board."""
        lines = [f"game = {_quoted(self.game)}", f"name = {_quoted(name)}"]
        value = self.to_file(words)
        if value and isinstance(value[0], (str, list)):
            # one line for each row; Python prints a list of numbers and words as TOML writes it
            rows = [_quoted(row) if isinstance(row, str) else str(row) for row in value]
            lines += [f"{self.key} = [", *(f"  {row}," for row in rows), "]"]
        else:
            lines.append(f"{self.key} = {value}")
        return "\n".join(lines) + "\n"

    def rows(self, words: Sequence[str]) -> tuple[str, ...]:
        """Return the board as lines of text for people."""
        cells = self.cells(words)
        starts = range(0, len(cells), self.width)
        return tuple(" ".join(cells[start : start + self.width]) for start in starts)


def words_of_cells(values: Iterable[object], most: int, least: int = 0) -> tuple[str, ...]:
    """Return a file's whole numbers from `least` to `most` as words, anything else as `?`.

    No board has the word `?`, so the error can name its place.
    """
    # not isinstance: True is an int too
    return tuple(
        str(value) if type(value) is int and least <= value <= most else "?" for value in values
    )


def cells_of_words(words: Sequence[str], most: int) -> list[int | str]:
    """Return words as numbers; a word that is not a number stays a word."""
    values = [number(word, most) for word in words]
    return [word if value is None else value for word, value in zip(words, values, strict=True)]


def _quoted(text: str) -> str:
    """Return a text as a TOML string, which is written like one of JSON."""
    import json

    return json.dumps(text, ensure_ascii=False)
