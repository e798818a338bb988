"""The table's present view, independent of any display.

A screen makes a Frame, every display paints it; a screen never draws pixels. Texts are already
in the table's language and contain no control characters: those were removed on input
(`pi_app/texts/printable.py`).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum, StrEnum
from typing import Literal

from hardware.keys import Key


class Tone(StrEnum):
    """The meaning of a text: displays choose colour and shape by it, the lamp its colour.

    DOUBT: a move counts, but may be wrong; nobody has to answer.
    """

    PLAIN = "plain"
    GOOD = "good"
    BAD = "bad"
    DOUBT = "doubt"
    WIN = "win"


class Viewers(IntEnum):
    """Who may see a frame.

    TABLE: people at the table, on its own displays. HOUSE: also paired phones. ALL: also every
    browser in the network, such as a television's.
    """

    TABLE = 0
    HOUSE = 1
    ALL = 2


class Signal(StrEnum):
    """Signals for lamp and buzzer: a key, an accepted move, a refused one, a won game.

    AGAIN is an accepted move that gives the same player another turn, ROW one that made a row,
    chain or sequence; TURN follows a move after which another player is to move.
    """

    TICK = "tick"
    OK = "ok"
    BAD = "bad"
    AGAIN = "again"
    ROW = "row"
    TURN = "turn"
    WIN = "win"


class Mark(StrEnum):
    """Highlights of a cell in a picture."""

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
    clockwise to 3) whose owner it faces, or None for the middle of the cell. `letter` names the
    colour of numbered stones on displays without colours.
    """

    colour: str
    text: str
    count: int = 1
    side: int | None = None
    letter: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """One field, square or card. A tap on it sends its `name`; a cell without one is a gap.

    `text` is what is printed on the cell. A terminal shows it beside the stones, an OLED where no
    stone lies; without text a terminal shows `*` there, as for a free corner: a cell with nothing
    printed on it has the text "·". `shade` runs from 0 (white) to 4 (darkest); `large` fields are
    larger on the printed board; `note` is a second small text such as a field's value.
    """

    name: str
    text: str
    shade: int = 0
    tokens: tuple[Token, ...] = ()
    marks: frozenset[Mark] = frozenset()
    note: str = ""
    large: bool = False

    def with_mark(self, mark: Mark, note: str = "") -> "Cell":
        """Return the cell with one more mark, and with this note if it is not empty."""
        marks = self.marks | {mark}
        note = note or self.note
        # not `replace`, which is too slow for many cells at each key
        return Cell(self.name, self.text, self.shade, self.tokens, marks, note, self.large)


@dataclass(frozen=True, slots=True)
class Stroke:
    """A completed row or sequence: a line in its owner's colour through these cells."""

    colour: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """The board: cells row by row (`grid`), along a track (`track`), or cards (`cards`).

    A `table` is a grid that is no board, its rows and columns numbered from 1. Its cells' shades
    are 0 for nothing yet, 1 for needing work, up to 4 for much.

    Among `cards`, `large` cells are open cards, their `note` the announced number; the others are
    a table of `columns` columns. A cell with a `text` such as "10♥" or "10H" is painted as a
    playing card, a cell without text as a free corner. `lines` are printed on the board; each
    connects the cells that it names. `turned` counts the quarter turns
    clockwise by which a square grid faces the player to move; 0: as it is on the table.
    """

    kind: Literal["grid", "track", "cards", "table"]
    columns: int
    cells: tuple[Cell, ...]
    strokes: tuple[Stroke, ...] = ()
    turned: int = 0
    lines: tuple[tuple[str, ...], ...] = ()

    def turn_back(self) -> "Picture":
        """Return the picture turned back to the board's orientation on the table."""
        cells = self.cells
        # the quarter turns that complete a full circle; each new row is a column read upwards
        for _ in range(-self.turned % 4):
            cells = tuple(
                cells[row * self.columns + column]
                for column in range(self.columns)
                for row in reversed(range(len(cells) // self.columns))
            )
        if cells is self.cells:
            return self  # an unturned board keeps its identity, by which displays cache it
        return replace(self, cells=cells, turned=0)

    def with_mark(self, mark: Mark, names: Iterable[str]) -> "Picture":
        """Return the picture with one more mark on the cells with these names."""
        chosen = frozenset(names)
        cells = [cell.with_mark(mark) if cell.name in chosen else cell for cell in self.cells]
        return self.with_cells(cells)

    def with_cells(self, cells: Sequence[Cell]) -> "Picture":
        """Return the picture with other cells."""
        # not `replace`, which is too slow for each key
        rest = (self.strokes, self.turned, self.lines)
        return Picture(self.kind, self.columns, tuple(cells), *rest)


@dataclass(frozen=True, slots=True)
class Curve:
    """One player's points over a game: at the start, and after each move.

    `unit` is printed after the points. `spreads` make a band around the curve: how far each point
    may be off in both directions; () for no band. `turns` are the moves to mark.
    """

    name: str
    colour: str
    points: tuple[int, ...]
    unit: str = ""
    spreads: tuple[int, ...] = ()
    turns: tuple[int, ...] = ()

    @property
    def end(self) -> str:
        """The final points with their unit."""
        return f"{self.points[-1]}{self.unit}"


@dataclass(frozen=True, slots=True)
class Seat:
    """One player, for displays with room: name, colour, the letter on the stones.

    `score` is the number that decides the game, large; `note` says in a few words what the player
    has left.
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
    """A played move in words: the player's name, and what was played."""

    name: str
    text: str

    def line(self) -> str:
        """Return the move as one line."""
        return f"{self.name}: {self.text}"


HIDDEN = "*"
"""Shown for a letter of a password."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The keyed text, and the verdict on it so far.

    `text` is empty while nothing is keyed; a touch display shows its keypad even then. `result` is
    the keys' outcome (the field that is the sum of the cards), shown large. The voice says `aloud`
    instead of a text that nobody may overhear.
    """

    text: str
    verdict: str = ""
    tone: Tone = Tone.PLAIN
    result: str = ""
    aloud: str = ""


@dataclass(frozen=True, slots=True)
class Choices:
    """A list with the index of its marked item; digits choose an item if it is `numbered`.

    `digits` are the digits of each item if they are not its number (a value is chosen by itself).
    `greyed` are the items that cannot be chosen now. `picture_of` makes the board of an item, None
    if it has none; only displays that show boards call it, because that takes a while. `sentences`
    are the items in whole words, for displays with room; "" if the item itself is enough. `undoing`
    are the items that take something back; a double touch must not choose them.
    """

    items: tuple[str, ...]
    selected: int = 0
    numbered: bool = True
    picture_of: Callable[[str], Picture | None] | None = None
    digits: tuple[str, ...] = ()
    greyed: frozenset[int] = frozenset()
    sentences: tuple[str, ...] = ()
    undoing: frozenset[int] = frozenset()

    def digit(self, index: int) -> str:
        """Return the digits that choose an item, "" if none do."""
        return self.keyed[index]

    def words(self, index: int) -> str:
        """Return an item without the digits that are shown before it."""
        item, digits = self.items[index], self.digit(index)
        # "4 players" is chosen by 4: next to this digit only "players" is left
        first, _, rest = item.partition(" ")
        return rest.lstrip() if self.digits and first == digits else item

    def sentence(self, index: int) -> str:
        """Return an item in whole words, for displays with room."""
        sentence = self.sentences[index] if index < len(self.sentences) else ""
        return sentence or self.words(index)

    @property
    def keyed(self) -> tuple[str, ...]:
        """The digits of each item, "" if digits choose none."""
        if not self.numbered:
            return ("",) * len(self.items)
        return self.digits or row_digits(len(self.items))


def row_digits(count: int) -> tuple[str, ...]:
    """Return the digits of a list's rows: from 1 on; 0 for the tenth of exactly ten rows."""
    if count == 10:  # so that one digit is enough for each row
        return tuple("1234567890")
    return tuple(str(number) for number in range(1, count + 1))


@dataclass(frozen=True, slots=True)
class SoftKey:
    """A key's action on this screen, in a word.

    One that `scrolls` shows more sentences: a display that shows all leaves it out. A `spare` one
    is left out if the others need its room. `sign` names the key if the printed sign is not enough.
    """

    key: Key
    label: str
    scrolls: bool = False
    spare: bool = False
    sign: str = ""

    @property
    def name(self) -> str:
        """The key's name on displays: its own sign, or the printed one."""
        return self.sign or self.key.sign


class Heed(StrEnum):
    """Who needs to hear a sentence.

    CALL is for everybody, REFUSAL for the player whose move was refused, DETAIL for people who do
    not look at the display.
    """

    CALL = "call"
    REFUSAL = "refusal"
    DETAIL = "detail"


@dataclass(frozen=True, slots=True)
class Utterance:
    """One sentence for the ear; it may hold digits and signs."""

    text: str
    heed: Heed = Heed.DETAIL


Speech = Callable[[], tuple[Utterance, ...]]
"""Makes all sentences for the ear of a frame.

It is called at most once, in any thread, so it uses only values that never change.
"""


@dataclass(frozen=True, slots=True)
class Alert:
    """A text that people must notice before anything else."""

    text: str
    tone: Tone = Tone.BAD


@dataclass(frozen=True, slots=True)
class Header:
    """The title's line.

    `colour` is the player colour of lamp and title; `corner` a short text at the end of the line.
    The OLED, which shows the colour by a shape, replaces the corner by `score`: all players' points
    or cards.
    """

    title: str
    colour: str | None = None
    corner: str = ""
    score: str = ""


@dataclass(frozen=True, slots=True)
class Body:
    """The words: `big` is a short large text with its `tone`, `lines` are sentences.

    A display wraps them and shows them from the line with index `top` on. The last `counts` lines
    repeat what the players' cards say, on displays with room for those.
    """

    big: str = ""
    tone: Tone = Tone.PLAIN
    lines: tuple[str, ...] = ()
    top: int = 0
    entry: Entry | None = None
    choices: Choices | None = None
    counts: int = 0

    def without_counts(self) -> "Body":
        """Return the body without the lines that the players' cards repeat."""
        return replace(self, lines=self.lines[: -self.counts], counts=0) if self.counts else self


@dataclass(frozen=True, slots=True)
class Board:
    """The drawing next to the words, or instead of them: a board, a chart, a code.

    `picture` appears only if there is room, unless `close_up` asks small displays to show it too.
    `curves` are a chart instead of the picture; if there are lines, small displays show it for
    `close_up` only. `score_history` makes the curves of the game so far, for displays with room for
    a board and a chart. `code` is a QR code instead of the picture: rows of modules, "#" is dark.
    """

    picture: Picture | None = None
    close_up: bool = False
    curves: tuple[Curve, ...] = ()
    score_history: Callable[[], tuple[Curve, ...]] | None = None
    code: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Extras:
    """Parts shown only if there is room: stones left, last moves (newest first), players."""

    details: tuple[str, ...] = ()
    moves: tuple[Played, ...] = ()
    seats: tuple[Seat, ...] = ()

    def lines(self) -> tuple[str, ...]:
        """Return details and last moves as lines, for displays of text."""
        return (*self.details, *(move.line() for move in self.moves))


STAR_SIGN = "★"
"""The star of a die; on the keypad `*` is another key."""


@dataclass(frozen=True, slots=True)
class KeySet:
    """The meaning of the keys now.

    `dice` are the die buttons that do something now; they are lit. `star` is the one with a star
    instead of its number, 0 if there is none. While `typing`, a display with a keyboard accepts
    letters. If `lettered`, STAR starts typing, and is sent before each letter. Where typing is
    `exact`, every character counts as it is typed, as in a password.
    """

    soft: tuple[SoftKey, ...] = ()
    dice: tuple[int, ...] = ()
    star: int = 0
    typing: bool = False
    lettered: bool = False
    exact: bool = False

    def with_keys(self, *keys: SoftKey) -> "KeySet":
        """Return the keys with more soft keys after the present ones."""
        return replace(self, soft=(*self.soft, *keys))


@dataclass(frozen=True, slots=True)
class Frame:
    """The table's state for all displays.

    It is secret unless `viewers` says otherwise; for a screen `pi_app.screens.secret` sets it.
    `speech` makes the sentences for the voice; without it the texts are read out.
    """

    header: Header
    body: Body = Body()
    board: Board = Board()
    extras: Extras = Extras()
    keys: KeySet = KeySet()
    alert: Alert | None = None
    viewers: Viewers = Viewers.TABLE
    speech: Speech | None = field(default=None, compare=False)

    @property
    def secret(self) -> bool:
        """Whether it is for the table's own displays only."""
        return self.viewers is Viewers.TABLE


def soft(
    *keys: tuple[Key, str] | SoftKey,
    dice: tuple[int, ...] = (),
    star: int = 0,
    typing: bool = False,
    lettered: bool = False,
) -> KeySet:
    """Return the keys of these (key, label) pairs, the most important first."""
    soft_keys = tuple(key if isinstance(key, SoftKey) else SoftKey(*key) for key in keys)
    return KeySet(soft_keys, dice, star, typing, lettered)


def scroll(label: str) -> SoftKey:
    """Return the soft key that shows more sentences."""
    return SoftKey(Key.DOWN, label, scrolls=True)


def clamp(index: int, items: Sequence[object]) -> int:
    """Return the index moved into the range of `items` (0 for an empty sequence)."""
    return max(0, min(index, len(items) - 1))
