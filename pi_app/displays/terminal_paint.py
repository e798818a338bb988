"""Painting a Frame as rows of text: how a terminal of any size shows it.

The keys stay on the last row whatever happens above them; what matters less gives way first:
stones left and last moves, then the board, then what has been read already.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from textwrap import wrap

from hardware.keys import Key
from pi_app.displays.oled import SIGNS
from pi_app.displays.terminal_chart import chart_rows
from pi_app.view.frame import Cell, Choices, Frame, Mark, Picture, SoftKey, Token, Tone

Style = Callable[[str, str], str]
"""Dresses a text (the second argument) in a terminal's style of this name (the first)."""

WIDEST = 132
"""Columns that are used at most."""

_LONGEST = 100
"""Columns of a sentence at most: longer lines are hard to read."""

_WORDS = 8
"""Rows between title and board, so that it stays where it is whatever is said above it."""

_CELL = (6, 8)
"""Columns of a cell of a grid: at least, and at most while nobody needs more."""

_BESIDE = 18
"""Columns that the last moves need beside the board; with fewer they go below it."""

KEYBOARD = {
    Key.ENTER: "Enter",
    Key.STAR: "+",
    Key.UP: "↑",
    Key.DOWN: "↓",
    Key.BACK: "Esc",
    Key.MENU: "Tab",
}
"""The keyboard's keys that stand for those of the keypad."""

_COLOURS = {
    "yellow": "black_on_yellow",
    "red": "white_on_red",
    "white": "black_on_white",
    "pink": "black_on_magenta",
    "green": "black_on_green",
    "blue": "white_on_blue",
}
_TONES = {Tone.PLAIN: "bold", Tone.GOOD: "green", Tone.BAD: "bold_red", Tone.WIN: "bold_green"}


def paint(frame: Frame, columns: int, rows: int, style: Style) -> list[str]:
    """Return at most `rows` rows of at most `columns` characters that show this frame."""
    width = max(10, min(columns, WIDEST))
    middle = _Middle(frame, min(width, _LONGEST), style)
    foot = _footer(frame, width, rows, scrolls=False)
    room = max(1, rows - 1 - len(foot))
    board = _board(frame, width, style, room - _WORDS - 2)
    beside = bool(board.rows) and width - board.width - 2 >= _BESIDE
    details = _wrapped(frame.asides(), width - board.width - 2 if beside else width)
    board_room = min(len(board.rows), max(0, room - middle.least - 2))
    high = max(board_room, len(details) if beside and board_room else 0)
    high = min(high, max(0, room - middle.least - 2))
    words = room - (high + 1 if high else 0)
    if high and board_room == len(board.rows):
        words = _words_above(room, len(board.rows), words, middle.least)
    body = middle.paint(words)
    if high:
        body += [""] * (words - len(body))
    high = min(high, room - len(body) - 1) if high else 0
    lines = [style(_COLOURS.get(frame.colour or "", "reverse"), _bar(frame, width)), *body]
    if high:
        lines += [
            "",
            *_joined(board.rows[:board_room], board.width, details if beside else [], high),
        ]
    left = rows - len(foot) - len(lines) - 1
    if details and not (beside and high) and left > 0:
        lines += ["", *details[:left]]
    foot = _footer(frame, width, rows, scrolls=middle.scrolls)
    lines = lines[: rows - len(foot)]
    if len(lines) + len(foot) < rows:
        lines.append("")
    return [*lines, *(style("reverse", row) for row in foot)]


def _words_above(room: int, board: int, most: int, least: int) -> int:
    """Return the rows for words above a whole board: always as many, unless they need more."""
    return min(most, max(min(_WORDS, room - board - 2), least))


def _bar(frame: Frame, width: int) -> str:
    right = "  ".join(dict.fromkeys(filter(None, (frame.corner, frame.score))))
    room = width - len(right) - 2
    return f" {frame.title[:room]}".ljust(width - len(right) - 1) + right + " "


def _footer(frame: Frame, width: int, rows: int, *, scrolls: bool) -> list[str]:
    """Name each key as the keyboard and as the keypad call it, with what it does now."""
    items = [_key_words(key) for key in frame.softkeys if scrolls or not key.scrolls]
    items += ["[A-Z]"] if frame.typing else []
    if frame.choices is not None and not {Key.UP, Key.DOWN} & {key.key for key in frame.softkeys}:
        items.append("[↑↓ AB]")
    lines = [""]
    for item in items:
        if lines[-1] and len(lines[-1]) + 3 + len(item) > width:
            lines.append("")
        lines[-1] += f"   {item}" if lines[-1] else item
    return [line[:width].ljust(width) for line in lines[: max(1, rows // 4)]]


def _key_words(key: SoftKey) -> str:
    sign = SIGNS.get(key.key, key.key.value)
    typed = KEYBOARD.get(key.key)
    return f"[{typed} {sign}] {key.label}" if typed else f"[{sign}] {key.label}"


def _wrapped(lines: tuple[str, ...], width: int) -> list[str]:
    return [row for line in lines for row in wrap(line, max(1, width)) or [""]]


def _joined(board: list[str], width: int, details: list[str], high: int) -> list[str]:
    """Return rows of the board with those of the details beside them."""
    rows = []
    for at in range(high):
        row = board[at] if at < len(board) else " " * width
        rows.append(f"{row}  {details[at]}" if at < len(details) else row)
    return rows


class _Middle:
    """Alert, big words, what is keyed, sentences and list, between title and board."""

    def __init__(self, frame: Frame, width: int, style: Style) -> None:
        self.frame = frame
        self.width = width
        self.style = style
        self.scrolls = False
        """Whether there are more sentences than fit."""
        self.fixed = self._fixed()
        self.sentences = _wrapped(frame.lines, width - 2)
        self.items = _items(frame.choices) if frame.choices is not None else []

    @property
    def least(self) -> int:
        """The rows that must be seen even if the board gives way."""
        return 1 + len(self.fixed) + min(4, len(self.sentences)) + min(4, len(self.items))

    def paint(self, room: int) -> list[str]:
        """Return at most `room` rows, the first one empty."""
        lines = ["", *self.fixed]
        left = max(1, room - len(lines))
        listed = min(len(self.items), max(left - len(self.sentences), min(4, left)))
        lines += self._scrolled(max(0, left - listed))
        return (lines + self._listed(listed))[: max(1, room)]

    def _fixed(self) -> list[str]:
        frame, style = self.frame, self.style
        lines: list[str] = []
        if frame.alert is not None:
            tone = _TONES[frame.alert.tone]
            lines += [style(tone, row) for row in wrap(f"!! {frame.alert.text}", self.width)]
            lines.append("")
        if frame.big:
            lines += [style("bold", frame.big[: self.width]), ""]
        if frame.entry is not None:
            entry = frame.entry
            tone = _TONES[entry.tone]
            if len(entry.text) + len(entry.verdict) + 5 <= self.width:
                verdict = f"   {style(tone, entry.verdict)}" if entry.verdict else ""
                lines += [f"> {style('bold', entry.text)}{verdict}", ""]
            else:
                lines.append(f"> {style('bold', entry.text[-self.width + 2 :])}")
                lines += [*(style(tone, row) for row in wrap(entry.verdict, self.width)), ""]
        return lines

    def _scrolled(self, room: int) -> list[str]:
        """Return the sentences from the one to be read on; an arrow says where more follows."""
        rows = self.sentences
        if len(rows) <= room:
            return rows
        self.scrolls = True
        first = len(_wrapped(self.frame.lines[: self.frame.top], self.width - 2))
        first = max(0, min(first, len(rows) - room))
        shown = [row.ljust(self.width - 2) for row in rows[first : first + room]]
        if shown and first + room < len(rows):
            shown[-1] = shown[-1] + " ▼"
        if shown and first:
            shown[0] = shown[0][: self.width - 2] + " ▲"
        return shown

    def _listed(self, room: int) -> list[str]:
        """Return the part of the list around the chosen item, marked by a sign and a ground."""
        choices = self.frame.choices
        if choices is None or not room:
            return []
        count = len(self.items)
        first = max(0, min(choices.selected - room // 2, count - room))
        rows = []
        for index in range(first, first + room):
            chosen = index == choices.selected
            more = (index == first and first) or (index == first + room - 1 and index < count - 1)
            text = f"{'>' if chosen else ' '} {self.items[index]} "[: self.width - 2]
            arrow = ("▲" if index == first and first else "▼") if more else ""
            grey = self.style("dim", text) if index in choices.greyed else text
            rows.append((self.style("reverse", text) if chosen else grey) + arrow)
        return rows


def _items(choices: Choices) -> list[str]:
    """Return the items, those with a number that a digit chooses."""
    wide = max(map(len, choices.keyed), default=0)
    words = map(choices.words, range(len(choices.items)))
    rows = zip(choices.keyed, words, strict=True)
    return [f"{digits:>{wide}} {item}" if wide else item for digits, item in rows]


# --- the board


@dataclass(frozen=True, slots=True)
class _Board:
    rows: list[str]
    width: int


def _board(frame: Frame, width: int, style: Style, room: int) -> _Board:
    """Return the board in rows, as wide as its widest one; none without a picture.

    With twice as much room as it needs its rows stand apart.
    """
    picture = frame.picture
    if picture is None or not picture.cells:
        return _chart(frame, width, room)
    letters = {seat.colour: seat.letter for seat in frame.seats}
    lying = [cell for cell in picture.cells if picture.kind == "cards" and cell.large]
    table = [cell for cell in picture.cells if cell not in lying]
    wide = _cell_width(picture, table, letters, width)
    columns = _columns(picture, wide, width)
    columns_seen = max(1, min(columns, width // wide))
    across = columns_seen * wide
    rows = [
        style("bold", text) + " " * (across - len(text))
        for text in (f"[ {cell_text(cell, letters).strip()} ]" for cell in lying)
    ]
    rows += [" " * across] if lying else []
    for at in range(0, len(table), columns):
        cells = table[at : at + columns][:columns_seen]
        row = "".join(_cell(picture, cell, letters, wide, style) for cell in cells)
        rows.append(row + " " * (across - wide * len(cells)))
    beside = not frame.asides() or width - across - 2 >= _BESIDE
    if picture.kind == "grid" and beside and 2 * len(rows) - 1 <= room:
        rows = [part for row in rows for part in (row, " " * across)][:-1]
    return _Board(rows, across)


def _chart(frame: Frame, width: int, room: int) -> _Board:
    """Return the points over a game in a board's place; nothing without them."""
    rows = chart_rows(frame.curves, width, room + _WORDS) if frame.curves else []
    wide = max(map(len, rows), default=0)
    return _Board([row.ljust(wide) for row in rows], wide)


def _cell_width(picture: Picture, table: list[Cell], letters: dict[str, str], width: int) -> int:
    """Return the columns of a cell: the same whatever lies on it, as long as that is possible."""
    need = max(1, *(len(cell_text(cell, letters, bare=picture.kind == "grid")) for cell in table))
    if picture.kind == "grid":
        least, most = _CELL
        beside = (width - 2 - _BESIDE) // picture.columns
        return max(need if need > least else 2, min(most, beside)) if beside >= least else need + 1
    text = max(len(cell.text) for cell in table)
    note = max(len(cell.note) for cell in table)
    stone = 3 if picture.kind == "track" else 0
    return max(need, max(2, text) + stone + (note + 3 if note else 0)) + 1


def _columns(picture: Picture, wide: int, width: int) -> int:
    """Return the cells of a row: a track or a table of cards may break elsewhere, a grid not."""
    if picture.kind == "grid":
        return picture.columns
    return max(1, min(picture.columns, width // wide))


def cell_text(cell: Cell, letters: dict[str, str] | None = None, *, bare: bool = False) -> str:
    """Return a cell's text, its stones with whose they are, and its note, `bare` or in brackets."""
    if not cell.name:
        return ""
    text = f"{cell.text or '*':>2} {''.join(_stones(cell, letters))}"
    return text + _note(cell, text, bare=bare)


def _note(cell: Cell, before: str, *, bare: bool) -> str:
    if not cell.note:
        return ""
    return " " * before[-1].isdigit() + cell.note if bare else f" ({cell.note})"


def _stones(cell: Cell, letters: dict[str, str] | None) -> list[str]:
    """Name each owner by letter, with the number on the stone or how many there are."""
    stones = [_stone(token, letters or {}) for token in cell.tokens]
    return [*stones, "!"] if Mark.SECURED in cell.marks else stones


def _stone(token: Token, letters: dict[str, str]) -> str:
    numbered = token.text.isdigit()
    colour = letters.get(token.colour, token.colour[:1].upper()) if numbered else ""
    return f"{colour}{token.text}{token.count if token.count > 1 else ''}"


def _cell(picture: Picture, cell: Cell, letters: dict[str, str], wide: int, style: Style) -> str:
    if not cell.name:
        return " " * wide
    bare = picture.kind == "grid"
    text = cell_text(cell, letters, bare=bare)
    rest = " " * (wide - len(text))
    if Mark.BLOCKED in cell.marks:
        return style("white_on_red", text) + rest
    if Mark.SELECTED in cell.marks:
        return style("reverse", text) + rest
    dressed = _dressed(cell, letters, style, bare=bare)
    if Mark.ROW in cell.marks:
        return style("bold", dressed) + rest
    if cell.marks & {Mark.LEGAL, Mark.LAST}:
        return style("underline", text) + rest if not cell.tokens else dressed + rest
    return dressed + rest


def _dressed(cell: Cell, letters: dict[str, str], style: Style, *, bare: bool) -> str:
    """Return a cell's text with its stones in their colours."""
    stones = "".join(
        style(_COLOURS.get(token.colour, "bold"), stone)
        for token, stone in zip(
            cell.tokens, _stones(cell, letters)[: len(cell.tokens)], strict=True
        )
    )
    secured = "!" if Mark.SECURED in cell.marks else ""
    note = _note(cell, cell_text(replace(cell, note="")), bare=bare)
    return f"{cell.text or '*':>2} {stones}{secured}{note}"
