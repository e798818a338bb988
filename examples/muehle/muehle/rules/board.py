"""The board of Nine Men's Morris: its points, and the lines of three on it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

COLUMNS = "abcdefg"
SIDE = len(COLUMNS)
MILL = 3
"""Stones in a line that make a mill."""
MOST_STONES = 12


@dataclass(frozen=True, slots=True)
class Grid:
    """The points row by row from the top left, the lines of three, and who is next to whom.

    `stones` is how many each player has. Points are named as on a chess board, "a1" lower left.
    """

    name: str
    stones: int
    mills: tuple[tuple[str, ...], ...]
    points: tuple[str, ...]
    next_to: Mapping[str, frozenset[str]] = field(compare=False, repr=False)
    mills_at: Mapping[str, tuple[tuple[str, ...], ...]] = field(compare=False, repr=False)

    @property
    def words(self) -> str:
        """This board as the text of a `BoardData` tag."""
        return " ".join([str(self.stones), *("-".join(mill) for mill in self.mills)])


def reading_order(point: str) -> tuple[int, str]:
    """Return what sorts points row by row from the top left."""
    return -int(point[1]), point[0]


@lru_cache(maxsize=16)
def grid_of(name: str, stones: int, mills: tuple[tuple[str, ...], ...]) -> Grid:
    """Return the board with these lines; two points next to each other on one are neighbours."""
    points = tuple(sorted({point for mill in mills for point in mill}, key=reading_order))
    next_to: dict[str, set[str]] = {point: set() for point in points}
    for mill in mills:
        for one, other in zip(mill, mill[1:], strict=False):
            next_to[one].add(other)
            next_to[other].add(one)
    return Grid(
        name,
        stones,
        mills,
        points,
        {point: frozenset(others) for point, others in next_to.items()},
        {point: tuple(mill for mill in mills if point in mill) for point in points},
    )


def is_point(word: str) -> bool:
    """Whether a word names a point of the seven by seven that boards are drawn on."""
    return len(word) == 2 and word[0] in COLUMNS and word[1] in "1234567"


def read_mill(word: str) -> tuple[str, ...]:
    """Read a line such as "a1-a4-a7"; ValueError where it is none."""
    mill = tuple(word.split("-"))
    if len(mill) != MILL or len(set(mill)) != MILL or not all(map(is_point, mill)):
        raise ValueError(f"{word[:20]!r} is no line of three such as a1-a4-a7")
    return mill


def make_grid(name: str, stones: int, lines: Iterable[str]) -> Grid:
    """Return a board; ValueError with one sentence where it cannot be played on."""
    if not MILL <= stones <= MOST_STONES:
        raise ValueError(f"each player has {MILL} to {MOST_STONES} stones")
    mills = tuple(read_mill(line) for line in lines)
    if len(set(map(frozenset, mills))) != len(mills):
        raise ValueError("a line of three is there twice")
    grid = grid_of(name, stones, mills)
    if len(grid.points) <= 2 * stones - MILL:
        raise ValueError(f"{len(grid.points)} points are too few for {stones} stones each")
    return grid
