"""What the table should see now, independent of any display.

A screen makes a Frame, every display paints it; a screen never draws pixels. Texts are already
in the table's language, and hold nothing that a display would obey: they were cleaned where they
came in (`pi_app/texts/printable.py`).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from typing import Literal

from hardware.keys import Key


class Tone(StrEnum):
    """How something is meant: displays choose colour and shape, the lamp its colour.

    DOUBT asks something that stays without an answer: it counts, but may be wrong.
    """

    PLAIN = "plain"
    GOOD = "good"
    BAD = "bad"
    DOUBT = "doubt"
    WIN = "win"


class Signal(StrEnum):
    """What lamp and buzzer follow: a key, an accepted move, a refused one, a won game.

    AGAIN is an accepted move after which the same player has another turn, ROW one that made a
    row, chain or sequence; TURN follows a move after which somebody else is to move.
    """

    TICK = "tick"
    OK = "ok"
    BAD = "bad"
    AGAIN = "again"
    ROW = "row"
    TURN = "turn"
    WIN = "win"


class Mark(StrEnum):
    """What is special about a cell of a picture."""

    LEGAL = "legal"
    BLOCKED = "blocked"
    SELECTED = "selected"
    LAST = "last"
    ROW = "row"
    SECURED = "secured"


@dataclass(frozen=True, slots=True)
class Token:
    """Stones or a chip on a cell.

    `text` is the letter or number printed on it, `side` the side of the table (0 bottom, then
    clockwise to 3) whose owner it faces, or None for the middle of the cell. `letter` stands for
    the colour where a number is printed, on displays without colours.
    """

    colour: str
    text: str
    count: int = 1
    side: int | None = None
    letter: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """One field, square or card. `name` is what a tap on it asks about; without one it is a gap.

    `shade` runs from 0 (white) to 4 (darkest); `large` fields are drawn bigger where the
    printed board does so; `note` is a second small text such as a field's value.
    """

    name: str
    text: str
    shade: int = 0
    tokens: tuple[Token, ...] = ()
    marks: frozenset[Mark] = frozenset()
    note: str = ""
    large: bool = False

    def with_mark(self, mark: Mark, note: str = "") -> "Cell":
        """Return the cell with one more mark, and another note if one is given."""
        marks, note = self.marks | {mark}, note or self.note
        return Cell(self.name, self.text, self.shade, self.tokens, marks, note, self.large)


@dataclass(frozen=True, slots=True)
class Stroke:
    """A completed row or sequence: a line in its owner's colour through these cells."""

    colour: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """The board: cells row by row (`grid`), along a track (`track`), or lying cards (`cards`).

    A `table` is a grid that is no board, its rows and columns numbered from 1: its cells' shades
    tell it all, 0 nothing yet, 1 what wants work, 4 much.

    Among `cards`, `large` cells lie open, their `note` is what was announced with them; the
    others are a table of `columns` columns. A cell's `text` such as "10♥" or "10H" is painted
    as a playing card, an empty one as a free corner. `lines` are printed on the board, each from
    cell to cell. A `heat` map has no stones: its shades tell how often each cell was used (0:
    least), and its notes how many times. `turned` is by how many quarter turns
    clockwise a square grid was turned so that it faces who is to move; 0: as the board lies.
    """

    kind: Literal["grid", "track", "cards", "table"]
    columns: int
    cells: tuple[Cell, ...]
    strokes: tuple[Stroke, ...] = ()
    turned: int = 0
    lines: tuple[tuple[str, ...], ...] = ()
    heat: bool = False

    def turn_back(self) -> "Picture":
        """Return the picture turned back to how the board lies on the table."""
        cells = self.cells
        for _ in range(-self.turned % 4):
            cells = tuple(
                cells[row * self.columns + column]
                for column in range(self.columns)
                for row in reversed(range(len(cells) // self.columns))
            )
        return self if cells is self.cells else replace(self, cells=cells, turned=0)

    def with_mark(self, mark: Mark, names: Iterable[str]) -> "Picture":
        """Return the picture with one more mark on the cells of these names."""
        wanted = frozenset(names)
        cells = [cell.with_mark(mark) if cell.name in wanted else cell for cell in self.cells]
        return self.with_cells(cells)

    def with_cells(self, cells: Sequence[Cell]) -> "Picture":
        """Return the picture with these cells in the places of its own."""
        kept = (self.strokes, self.turned, self.lines, self.heat)
        return Picture(self.kind, self.columns, tuple(cells), *kept)


@dataclass(frozen=True, slots=True)
class Curve:
    """One player's points over a game: at the start, and after each move.

    `unit` stands behind the points. `spreads` make a band of the curve: so much more or less it
    may be at each place; () for none. `turns` are the moves that are to be marked on it.
    """

    name: str
    colour: str
    points: tuple[int, ...]
    unit: str = ""
    spreads: tuple[int, ...] = ()
    turns: tuple[int, ...] = ()

    @property
    def end(self) -> str:
        """The points at the end, as they are read."""
        return f"{self.points[-1]}{self.unit}"


@dataclass(frozen=True, slots=True)
class Seat:
    """One player for roomy displays: name, colour, the letter on the stones, the part played.

    `score` is the number that decides the game, to be read from afar; `note` what is left to
    the player, in a few words.
    """

    name: str
    colour: str
    letter: str
    score: str = ""
    note: str = ""
    to_move: bool = False
    winner: bool = False


@dataclass(frozen=True, slots=True)
class Played:
    """A move of the past in words: who played what."""

    name: str
    text: str

    def line(self) -> str:
        """Return the move as one line."""
        return f"{self.name}: {self.text}"


@dataclass(frozen=True, slots=True)
class Entry:
    """What is being keyed, and what the companion thinks of it so far.

    `text` is empty while nothing is keyed yet: a display that is touched shows its keypad all the
    same. `result` is what the keys amount to (the field that is the sum of the cards), to be read
    from afar.
    """

    text: str
    verdict: str = ""
    tone: Tone = Tone.PLAIN
    result: str = ""


@dataclass(frozen=True, slots=True)
class Choices:
    """A list to choose from, with the index of the marked item; digits take one if `numbered`.

    `digits` are what is keyed for each item where that is not its number (an item that is a
    value is taken by that value). `greyed` are the items that cannot be taken now. `picture_of`
    makes the board by which an item may be shown, None for one without. Only a display that
    shows boards asks for it: making one takes a while. `sentences` say items in whole words, ""
    where an item does so itself, for a display with room for them.
    """

    items: tuple[str, ...]
    selected: int = 0
    numbered: bool = True
    picture_of: Callable[[str], Picture | None] | None = None
    digits: tuple[str, ...] = ()
    greyed: frozenset[int] = frozenset()
    sentences: tuple[str, ...] = ()

    def digit(self, index: int) -> str:
        """Return the digits that take an item; nothing where none do."""
        return self.keyed[index]

    def words(self, index: int) -> str:
        """Return an item as it stands behind its digits, which it does not say again."""
        item, digits = self.items[index], self.digit(index)
        first, _, rest = item.partition(" ")
        return rest.lstrip() if self.digits and first == digits else item

    def sentence(self, index: int) -> str:
        """Return an item in whole words, for where there is room."""
        said = self.sentences[index] if index < len(self.sentences) else ""
        return said or self.words(index)

    @property
    def keyed(self) -> tuple[str, ...]:
        """What is to be keyed for each item; nothing where digits take none."""
        if not self.numbered:
            return ("",) * len(self.items)
        return self.digits or row_digits(len(self.items))


@lru_cache(maxsize=64)
def row_digits(count: int) -> tuple[str, ...]:
    """Return what is keyed for the rows of a list: 1 to 9, 0 for the tenth, else two digits."""
    numbers = map(str, range(1, count + 1))
    return (*"1234567890",) if count == 10 else tuple(numbers)


@dataclass(frozen=True, slots=True)
class SoftKey:
    """What a key does on this screen, in a word.

    One that `scrolls` reads the sentences on: a display that shows them all leaves it out. One
    to `spare` is left out where the others need its room. `sign` names the key where that is
    more than what is printed on it.
    """

    key: Key
    label: str
    scrolls: bool = False
    spare: bool = False
    sign: str = ""


class Heed(StrEnum):
    """Who wants to hear a sentence: everybody, whoever was just refused, who cannot look."""

    CALL = "call"
    REFUSAL = "refusal"
    DETAIL = "detail"


@dataclass(frozen=True, slots=True)
class Utterance:
    """One sentence for the ear; it may hold digits and signs."""

    text: str
    heed: Heed = Heed.DETAIL


Speech = Callable[[], tuple[Utterance, ...]]
"""Makes what is to be said of a frame, whole. Called in any thread and once at most: it knows
values only that never change."""


@dataclass(frozen=True, slots=True)
class Alert:
    """Something that must be noticed before anything else."""

    text: str
    tone: Tone = Tone.BAD


@dataclass(frozen=True, slots=True)
class Header:
    """The title's line.

    `colour` is the player colour that lamp and title take; `corner` a short text at the end of
    the line, which gives way to `score`, the points or cards of the table, on a display that
    shows the colour by a shape.
    """

    title: str
    colour: str | None = None
    corner: str = ""
    score: str = ""


@dataclass(frozen=True, slots=True)
class Body:
    """What is said, and what is asked.

    `big` is a short text to be read from afar, meant as `tone` says. `lines` are sentences that a
    display wraps, from the line with index `top` on. The last `counts` of them only say what the
    players' cards do, where a display has room for those.
    """

    big: str = ""
    tone: Tone = Tone.PLAIN
    lines: tuple[str, ...] = ()
    top: int = 0
    entry: Entry | None = None
    choices: Choices | None = None
    counts: int = 0

    def beside_cards(self) -> "Body":
        """Return it as it stands beside the players' cards."""
        return replace(self, lines=self.lines[: -self.counts], counts=0) if self.counts else self


@dataclass(frozen=True, slots=True)
class Board:
    """What is drawn beside the words, or instead of them: a board, a chart, a code.

    `picture` appears only where there is room, unless `close_up` asks small displays to show it
    too. `curves` are a chart in the picture's place; beside lines, small displays show it for
    `close_up` only. `score_history` makes those of the game so far, for a display with room
    beside the board. `code` is a QR code in the picture's place: rows of modules, "#" a dark one.
    """

    picture: Picture | None = None
    close_up: bool = False
    curves: tuple[Curve, ...] = ()
    score_history: Callable[[], tuple[Curve, ...]] | None = None
    code: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Extras:
    """What appears only where there is room: stones left, the last moves, who plays.

    `moves` begin with the newest.
    """

    details: tuple[str, ...] = ()
    moves: tuple[Played, ...] = ()
    seats: tuple[Seat, ...] = ()

    def lines(self) -> tuple[str, ...]:
        """Return details and last moves as lines, for displays of text."""
        return (*self.details, *(move.line() for move in self.moves))


@dataclass(frozen=True, slots=True)
class KeySet:
    """What the keys mean now.

    `dice` are the die buttons that mean something, to be lit. While `typing`, a display with a
    keyboard takes its letters as letters; where the frame is `lettered`, STAR begins to type, and
    goes before each letter.
    """

    soft: tuple[SoftKey, ...] = ()
    dice: tuple[int, ...] = ()
    typing: bool = False
    lettered: bool = False

    def with_keys(self, *keys: SoftKey) -> "KeySet":
        """Return the keys with more soft ones behind those that are there."""
        return replace(self, soft=(*self.soft, *keys))


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of the state of the table for all displays.

    What is `secret` is for whoever stands before the display, and goes to no other. `speech` makes
    the sentences for the ear while there is a voice; a frame without is read out.
    """

    header: Header
    body: Body = Body()
    board: Board = Board()
    extras: Extras = Extras()
    keys: KeySet = KeySet()
    alert: Alert | None = None
    secret: bool = False
    speech: Speech | None = field(default=None, compare=False)


@lru_cache(maxsize=64)
def soft(
    *keys: tuple[Key, str] | SoftKey,
    dice: tuple[int, ...] = (),
    typing: bool = False,
    lettered: bool = False,
) -> KeySet:
    """Return keys with soft ones made of (key, label) pairs.

    The first ones matter most on small displays.
    """
    made = tuple(key if isinstance(key, SoftKey) else SoftKey(*key) for key in keys)
    return KeySet(made, dice, typing, lettered)


def scroll(label: str) -> SoftKey:
    """Return the soft key that reads the sentences on."""
    return SoftKey(Key.DOWN, label, scrolls=True)


def clamp(index: int, items: Sequence[object]) -> int:
    """Return the index moved into the range of `items` (0 for an empty sequence)."""
    return max(0, min(index, len(items) - 1))
