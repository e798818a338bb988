"""The track of numeri: the values of its fields, its barriers, the fields that end the game."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engines.board import BoardKind, is_list, is_table, words_of_cells
from engines.notation import Fault, number
from engines.numeri.notation import FIRST, LATER, Edition

LARGE = 3
"""The last fields of a track, the large ones: the game ends when they are occupied (printed)."""
FIELD_LIMIT = 999
VALUE_LIMIT = 99_999
BARRIER = "|"
"""The first sign of a word such as `|34`, the barrier for three and for four players."""
PLAYERS = ("2", "3", "4")
"""The numbers of players, as a file names the barriers for them."""


@dataclass(frozen=True, slots=True)
class Track:
    """A printed track: the value of each field, field 1 first; white fields count 0.

    `full` and `large` are sets of fields: bit n is field n. `barriers` are pairs of a number of
    players and the number of fields before the barrier for them, which only the later edition has.
    """

    values: tuple[int, ...]
    full: int
    large: int
    barriers: tuple[tuple[int, int], ...] = ()

    @property
    def is_sample(self) -> bool:
        """Whether the values are a sample instead of the printed ones."""
        return any(self.values == tuple(table[BOARD.key]) for table in BOARD.load_boards().values())

    @property
    def edition(self) -> Edition:
        """The edition that is played on such a track."""
        return LATER if self.barriers else FIRST


def make_track(values: Sequence[int], barriers: Iterable[tuple[int, int]] = ()) -> Track:
    """Return the track with these values, one a field, and these barriers."""
    fields = len(values)
    full = (2 << fields) - 2  # bits 1 to `fields`
    large = full & -(1 << (fields - LARGE + 1))  # of these the highest LARGE
    return Track(tuple(values), full, large, tuple(sorted(barriers)))


class Tracks(BoardKind[Track]):
    """Tracks of LARGE to FIELD_LIMIT fields, each with a value of at most VALUE_LIMIT.

    The later edition has barriers between its fields, and its values may be negative.
    """

    game = "numeri"
    default = "sample-38"
    key = "values"
    least = LARGE
    most = FIELD_LIMIT
    width = 10

    def default_for(self, rules: Mapping[str, str]) -> str:
        return self.default if rules.get("edition", FIRST.name) == FIRST.name else "sample-37"

    def rules_of(self, words: Sequence[str]) -> Mapping[str, str]:
        return {"edition": self.make(words).edition.name}

    def make(self, words: Sequence[str]) -> Track:
        values: list[int] = []
        barriers: list[tuple[str, int]] = []
        least = -VALUE_LIMIT if BARRIER in "".join(words) else 0
        for word in words:
            if word[0] == BARRIER:
                barriers += [(count, len(values)) for count in word[1:] or "?"]
                continue
            value = read_value(word)
            if value is None or value < least:
                n = len(values) + 1
                raise Fault("field-number", self.key, field=n, least=least, most=VALUE_LIMIT)
            values.append(value)
        self._check(len(values), barriers)
        return make_track(values, [(int(count), before) for count, before in barriers])

    def words(self, table: Mapping[str, Any]) -> tuple[str, ...]:
        values, given = table.get(self.key), table.get("barriers", {})
        if not is_list(values):
            raise Fault("no-list", self.key)
        barriers = given if is_table(given) else {"?": 0}
        self._check(len(values), barriers.items())
        words = with_barriers(words_of_cells(values, VALUE_LIMIT, -VALUE_LIMIT), barriers)
        self.make(words)
        return tuple(words)

    def _check(self, fields: int, barriers: Collection[tuple[str, object]]) -> None:
        if not LARGE <= fields <= FIELD_LIMIT:
            raise Fault("how-many-fields", self.key, least=LARGE, most=FIELD_LIMIT, n=fields)
        is_there = (count in PLAYERS and before in range(1, fields) for count, before in barriers)
        if not all(is_there) or len(dict(barriers)) < len(barriers):
            raise Fault("bad-barrier", "barriers", most=fields - 1)

    def to_file(self, words: Sequence[str]) -> list[Any]:
        values = (word for word in words if word[0] != BARRIER)
        return [word if (value := read_value(word)) is None else value for word in values]

    def toml(self, name: str, words: Sequence[str]) -> str:
        barriers = (f"{count} = {before}" for count, before in self.make(words).barriers)
        line = f"barriers = {{{', '.join(barriers)}}}\n"
        return super().toml(name, words) + (line if BARRIER in "".join(words) else "")

    def objection(self, words: Sequence[str], word: str) -> Fault | None:  # noqa: ARG002  # values may repeat
        fault = Fault("no-number", least=-VALUE_LIMIT if "-" in word else 0, most=VALUE_LIMIT)
        return fault if word[0] != BARRIER and read_value(word) is None else None

    def cells(self, words: Sequence[str]) -> tuple[str, ...]:
        """Return the values, each with the barrier behind it: `0|34`."""
        return tuple(" ".join(words).replace(f" {BARRIER}", BARRIER).split())

    def rows(self, words: Sequence[str]) -> tuple[str, ...]:
        """Return the values in tens, each line with the number of its first field."""
        lines = super().rows(words)
        return tuple(f"{index * self.width + 1}: {line}" for index, line in enumerate(lines))


def read_value(word: str) -> int | None:
    """Read a whole number from -VALUE_LIMIT to VALUE_LIMIT; None for anything else."""
    value = number(word.removeprefix("-"), VALUE_LIMIT)
    return -value if value and word.startswith("-") else value if word != "-0" else None


def with_barriers(values: Sequence[str], barriers: Mapping[str, object]) -> list[str]:
    """Return the words of a board: its values, and after each the barriers that stand there."""
    words: list[str] = []
    for field, value in enumerate(values, 1):
        counts = [count for count in PLAYERS if barriers.get(count) == field]
        words += [value, BARRIER + "".join(counts)] if counts else [value]
    return words


BOARD = Tracks()
