"""The track of numeri: the values of its fields, and the fields that end the game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engines.board import BoardKind, cells_of_words, is_list, words_of_cells
from engines.notation import Fault, number

LARGE = 3
"""The last fields of a track, the large ones: the game ends when they are occupied (printed)."""
MOST_FIELDS = 999
MOST_VALUE = 99_999


@dataclass(frozen=True, slots=True)
class Track:
    """A printed track: the value of each field, field 1 first; white fields count 0.

    `full` and `large` are sets of fields: bit n is field n.
    """

    values: tuple[int, ...]
    full: int
    large: int

    @property
    def is_sample(self) -> bool:
        """Whether these are the sample's values, which are not the printed ones."""
        return self.values == tuple(BOARD.load_boards()[BOARD.default][BOARD.key])


def make_track(values: Sequence[int]) -> Track:
    """Return the track with these values, one a field."""
    fields = len(values)
    full = (2 << fields) - 2  # bits 1 to `fields`
    large = full & -(1 << (fields - LARGE + 1))  # of these the highest LARGE
    return Track(tuple(values), full, large)


class Tracks(BoardKind[Track]):
    """Tracks of LARGE to MOST_FIELDS fields, each with a value from 0 to MOST_VALUE."""

    game = "numeri"
    default = "sample-38"
    key = "values"
    least = LARGE
    most = MOST_FIELDS
    width = 10

    def make(self, words: Sequence[str]) -> Track:
        self._check_size(len(words))
        for field, word in enumerate(words, 1):
            objection = self.objection((), word)
            if objection:
                raise Fault("field-number", self.key, field=field, least=0, most=MOST_VALUE)
        return make_track([int(word) for word in words])

    def words(self, table: Mapping[str, Any]) -> tuple[str, ...]:
        values = table.get(self.key)
        if not is_list(values):
            raise Fault("no-list", self.key)
        self._check_size(len(values))
        words = words_of_cells(values, MOST_VALUE)
        self.make(words)
        return words

    def _check_size(self, fields: int) -> None:
        if not LARGE <= fields <= MOST_FIELDS:
            raise Fault("how-many-fields", self.key, least=LARGE, most=MOST_FIELDS, n=fields)

    def to_file(self, words: Sequence[str]) -> list[Any]:
        return cells_of_words(words, MOST_VALUE)

    def objection(self, words: Sequence[str], word: str) -> Fault | None:  # noqa: ARG002  # values may repeat
        if number(word, MOST_VALUE) is None:
            return Fault("no-number", least=0, most=MOST_VALUE)
        return None

    def rows(self, words: Sequence[str]) -> tuple[str, ...]:
        """Return the values in tens, each line with the number of its first field."""
        lines = super().rows(words)
        return tuple(f"{index * self.width + 1}: {line}" for index, line in enumerate(lines))


BOARD = Tracks()
