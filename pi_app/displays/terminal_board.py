"""The board as rows of text: cells with their stones, as wide as the terminal allows."""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

from pi_app.displays.terminal_chart import chart_rows, code_rows
from pi_app.view.frame import Cell, Frame, Mark, Picture

Style = Callable[[str, str], str]
"""Returns a text (second argument) in the terminal's style of this name (first)."""

WORDS = 8
"""Rows between title and board: the board stays in place whatever the words above it are."""

_CELL = (6, 8)
"""Columns of a grid's cell: at least, and at most unless a text needs more."""

BESIDE = 18
"""Columns that the last moves need next to the board; with fewer they go below it."""

COLOURS = {
    "yellow": "black_on_yellow",
    "red": "white_on_red",
    "white": "black_on_white",
    "pink": "black_on_magenta",
    "green": "black_on_green",
    "blue": "white_on_blue",
}


@dataclass(frozen=True, slots=True)
class BoardRows:
    """A board as rows of text, each `width` columns wide; no rows without a picture."""

    rows: list[str]
    width: int


def board_rows(frame: Frame, width: int, style: Style, room: int, chart: int = WORDS) -> BoardRows:
    """Return the board in rows as it lies on the table, or a chart of at most `chart` rows.

    If there is `room` for twice as many rows, empty rows separate the board's.
    """
    if frame.board.code:
        drawn = code_rows(frame.board.code)
        return BoardRows([style("black_on_bright_white", row) for row in drawn], len(drawn[0]))
    picture = frame.board.picture
    if picture is None or not picture.cells:
        rows = chart_rows(frame.board.curves, width, chart) if frame.board.curves else []
        wide = max(map(len, rows), default=0)
        return BoardRows([row.ljust(wide) for row in rows], wide)
    picture = picture.turn_back()
    if picture.kind == "table":
        return table_rows(picture, width)
    # the open cards of a table come first, each in a row of its own
    lying = [cell for cell in picture.cells if picture.kind == "cards" and cell.large]
    table = [cell for cell in picture.cells if cell not in lying]
    wide = _cell_width(picture, table, width)
    columns = picture.columns
    if picture.kind != "grid":  # a track or a table of cards may break elsewhere
        columns = max(1, min(columns, width // wide))
    columns_seen = max(1, min(columns, width // wide))  # a grid that is too wide is cut
    across = columns_seen * wide
    rows = [
        style("bold", text) + " " * (across - len(text))
        for text in (f"[ {cell_text(cell).strip()} ]" for cell in lying)
    ]
    rows += [" " * across] if lying else []
    for start in range(0, len(table), columns):
        cells = table[start : start + columns][:columns_seen]
        row = "".join(_style_cell(picture, cell, wide, style) for cell in cells)
        rows.append(row + " " * (across - wide * len(cells)))
    # rows set apart would push the last moves, if they are below, off the display
    beside = not frame.extras.lines() or width - across - 2 >= BESIDE
    if picture.kind == "grid" and beside and 2 * len(rows) - 1 <= room:
        rows = [part for row in rows for part in (row, " " * across)][:-1]  # none after the last
    return BoardRows(rows, across)


def table_rows(picture: Picture, width: int) -> BoardRows:
    """Return a table of aligned numbers with their signs.

    Its columns and rows are numbered if there is room.
    """
    cells = picture.cells
    numbers = [cell.text.rstrip("+~-") for cell in cells]
    number_width = max(map(len, numbers))
    # columns for the signs after a number
    behind = max(len(cell.text) - len(number) for cell, number in zip(cells, numbers, strict=True))
    count = ceil(len(cells) / picture.columns)
    before = len(str(count)) + 1  # columns for the rows' numbers and a line after them
    if before + (number_width + behind) * picture.columns > width:
        before = 0  # no room: no numbers
    wide = max(number_width + behind, min(_CELL[0], (width - before) // picture.columns))
    texts = [
        f"{number:>{wide - behind}}{cell.text[len(number) :]:{behind}}"
        for cell, number in zip(cells, numbers, strict=True)
    ]
    starts = range(0, len(texts), picture.columns)
    rows = ["".join(texts[start : start + picture.columns]) for start in starts]
    across = wide * picture.columns
    if not before:
        return BoardRows(rows, across)
    heads = "".join(
        f"{column:>{wide - behind}}{'':{behind}}" for column in range(1, picture.columns + 1)
    )
    numbered = [f"{row:>{before - 1}}|{text}" for row, text in enumerate(rows, 1)]
    return BoardRows([f"{'':{before}}{heads}", *numbered], before + across)


def _cell_width(picture: Picture, table: list[Cell], width: int) -> int:
    """Return a cell's columns: if possible the same whatever is on it."""
    need = max(1, *(len(cell_text(cell, bare=picture.kind == "grid")) for cell in table))
    if picture.kind == "grid":
        tight = max(1, *(len(cell_text(cell, bare=True, tight=True)) for cell in table))
        least, most = _CELL
        beside = (width - 2 - BESIDE) // picture.columns
        # usual cells share the free width; long texts are never cut, nor joined to the next
        if beside >= least and tight < min(most, beside):
            return min(most, beside)
        return (need if (need + 1) * picture.columns <= width else tight) + 1
    # room for a stone and a note in every cell, so that nothing moves when one is placed
    text = max(len(cell.text) for cell in table)
    note = max(len(cell.note) for cell in table)
    stone = 3 if picture.kind == "track" else 0
    return max(need, max(2, text) + stone + (note + 3 if note else 0)) + 1


def cell_text(cell: Cell, *, bare: bool = False, tight: bool = False) -> str:
    """Return the cell's text, stones and note, in a `tight` place without a needless space.

    The note is in parentheses unless `bare`; secured stones are in square brackets: [G2].
    """
    if not cell.name:
        return ""
    return _put_together(cell, "".join(_stones(cell)), bare=bare, tight=tight)


def _put_together(cell: Cell, stones: str, *, bare: bool, tight: bool) -> str:
    """Return a cell's text, its stones as they are written, and its note."""
    label = f"{cell.text or '*':>2}"
    # a letter after a number would read as one word
    is_apart = not label[-1].isdigit() or Mark.SECURED in cell.marks
    space = "" if tight and stones and is_apart else " "
    before = f"{label}{space}{_fence(cell, ''.join(_stones(cell)))}"
    return f"{label}{space}{_fence(cell, stones)}{_note(cell, before, bare=bare)}"


def _note(cell: Cell, before: str, *, bare: bool) -> str:
    """Return a cell's note to write after the text `before`, in parentheses unless `bare`."""
    if not cell.note:
        return ""
    if not bare:
        return f" ({cell.note})"
    apart = " " if before[-1].isdigit() else ""  # otherwise two numbers would read as one
    return apart + cell.note


def _stones(cell: Cell) -> list[str]:
    """Return each owner's letter, with the stone's number or how many stones there are."""
    return [
        f"{token.letter}{token.text}{token.count if token.count > 1 else ''}"
        for token in cell.tokens
    ]


def _fence(cell: Cell, stones: str) -> str:
    """Put secured stones in square brackets."""
    return f"[{stones}]" if Mark.SECURED in cell.marks else stones


def _style_cell(picture: Picture, cell: Cell, wide: int, style: Style) -> str:
    if not cell.name:
        return " " * wide
    bare = picture.kind == "grid"
    tight = len(cell_text(cell, bare=bare)) >= wide
    text = cell_text(cell, bare=bare, tight=tight)
    rest = " " * (wide - len(text))
    if Mark.BLOCKED in cell.marks:
        return style("white_on_red", text) + rest
    if Mark.SELECTED in cell.marks:
        return style("reverse", text) + rest
    stones = "".join(
        style(COLOURS.get(token.colour, "bold"), stone)
        for token, stone in zip(cell.tokens, _stones(cell), strict=True)
    )
    dressed = _put_together(cell, stones, bare=bare, tight=tight)
    if Mark.ROW in cell.marks:
        return style("bold", dressed) + rest
    if cell.marks & {Mark.LEGAL, Mark.LAST} and not cell.tokens:
        return style("underline", text) + rest  # stones' colours would end an underline
    return dressed + rest
