"""A board on the OLED: as many pixels a cell as there is room for."""

from hardware.framebuffer import Font, Framebuffer, text_width
from pi_app.view.frame import Cell, Mark, Picture, Token

_TOP = 8
_WIDE = 16
"""From this many pixels on a cell shows its text and its owner's letter."""

_PATTERNS = {
    "blue": (0b111, 0b111, 0b111),
    "green": (0b111, 0b101, 0b111),
    "red": (0b101, 0b010, 0b101),
}
"""Three by three pixels for a chip, row by row, where a letter does not fit."""


_TRACK_CELL = 12
_TRACK_ROWS = 4
"""A track shows so many of its rows of cells, so that the keys stay in sight."""


def _cell_size(picture: Picture, *, alone: bool) -> tuple[int, int]:
    """Return a cell's width and height in pixels, its right and lower gap included."""
    rows = -(-len(picture.cells) // picture.columns)
    height = 48 // rows if rows <= 8 else 56 // rows
    return (128 // picture.columns if alone else height), height


def board_width(picture: Picture, *, alone: bool) -> int:
    """Return how many pixels from the right edge the board takes."""
    if picture.kind != "grid":
        return 128
    return _cell_size(picture, alone=alone)[0] * picture.columns


def leaves_footer(picture: Picture) -> bool:
    """Tell whether the board ends above the last row of text."""
    return picture.kind != "grid"


def paint_board(canvas: Framebuffer, picture: Picture, left: int, *, alone: bool) -> None:
    """Paint the picture's cells below the title, its left edge at pixel `left`."""
    if picture.kind == "track":
        _paint_track(canvas, picture)
        return
    if picture.kind == "cards":
        _paint_open_cards(canvas, picture)
        return
    width, height = _cell_size(picture, alone=alone)
    for index, cell in enumerate(picture.cells):
        row, column = divmod(index, picture.columns)
        x, y = left + column * width, _TOP + row * height
        if width >= _WIDE:
            _wide_cell(canvas, cell, x, y, width, height)
        else:
            _small_cell(canvas, cell, x, y, min(width, height))


def _wide_cell(canvas: Framebuffer, cell: Cell, x: int, y: int, width: int, height: int) -> None:
    """Write number and a letter for each owner of stones; secured fields are inverted."""
    end = canvas.text_at(x + 1, y + 1, cell.text, font=Font.TINY)
    letters = "".join(token.text for token in cell.tokens)
    canvas.text_at(
        max(end + 1, x + width - 2 - text_width(letters, Font.TINY)),
        y + 1,
        letters,
        font=Font.TINY,
    )
    if cell.marks & {Mark.SECURED, Mark.ROW}:
        canvas.invert(x, y, width - 1, height - 1)


def _small_cell(canvas: Framebuffer, cell: Cell, x: int, y: int, size: int) -> None:
    """Draw the number to choose a cell by, a cross where one may play, its chip, or a dot."""
    if cell.note:
        chosen = Mark.SELECTED in cell.marks
        if chosen:
            canvas.rect(x - 1, y - 1, size + 2, size + 2)
        canvas.text_at(x + 1, y - 1, cell.note[:1], font=Font.TINY, on=not chosen)
        return
    if Mark.LEGAL in cell.marks:
        canvas.hline(x + 1, y + 2, 3)
        canvas.vline(x + 2, y + 1, 3)
    elif cell.tokens:
        _small_chip(canvas, cell.tokens[0], x, y)
    else:
        canvas.pixel(x + size // 2, y + size // 2)
    if cell.marks & {Mark.SECURED, Mark.ROW, Mark.SELECTED}:
        canvas.invert(x, y, size, size)


def _small_chip(canvas: Framebuffer, token: Token, x: int, y: int) -> None:
    """Draw a chip as its colour's pattern, or its letter where the colour has none."""
    pattern = _PATTERNS.get(token.colour)
    if pattern is None:
        canvas.text_at(x + 1, y, token.text, font=Font.TINY)
        return
    for down, bits in enumerate(pattern):
        for right in range(3):
            if bits >> (2 - right) & 1:
                canvas.pixel(x + 1 + right, y + 1 + down)


def _paint_track(canvas: Framebuffer, picture: Picture) -> None:
    """Paint the track's rows of cells up to one beyond the foremost stone."""
    columns = picture.columns
    rows = -(-len(picture.cells) // columns)
    foremost = max((at for at, cell in enumerate(picture.cells) if cell.tokens), default=0)
    first = max(0, min(foremost // columns + 2, rows) - _TRACK_ROWS)
    left = (128 - columns * _TRACK_CELL) // 2
    shown = picture.cells[first * columns : (first + _TRACK_ROWS) * columns]
    for index, cell in enumerate(shown):
        row, column = divmod(index, columns)
        _track_cell(canvas, cell, left + column * _TRACK_CELL, _TOP + row * _TRACK_CELL)


def _track_cell(canvas: Framebuffer, cell: Cell, x: int, y: int) -> None:
    """Write a free field's number small, a stone's large; its colour is a shape around it."""
    size = _TRACK_CELL - 1
    if not cell.tokens:
        width = text_width(cell.text, Font.TINY)
        canvas.text_at(x + (size - width) // 2, y + 2, cell.text, font=Font.TINY)
        if cell.large:
            canvas.hline(x, y, size)
            canvas.hline(x, y + size - 1, size)
        return
    stone = cell.tokens[0]
    canvas.text_at(x + 2, y + 2, stone.text)
    match stone.colour:
        case "yellow":
            canvas.frame(x, y, size, size)
        case "red":
            canvas.invert(x, y, size, size)
        case "green":
            canvas.hline(x, y + size - 1, size)


def _paint_open_cards(canvas: Framebuffer, picture: Picture) -> None:
    """Paint the cards that lie open, side by side: the number, below it what was announced."""
    cards = [cell for cell in picture.cells if cell.large]
    width = 128 // max(1, len(cards))
    for index, cell in enumerate(cards):
        x = index * width
        canvas.frame(x + 1, 9, width - 2, 46)
        _centred(canvas, cell.text, x, 2, width)
        _centred(canvas, cell.note, x, 4, width)


def _centred(canvas: Framebuffer, text: str, x: int, row: int, width: int) -> None:
    """Write a text in the middle of a card, at double size where that fits."""
    double = len(text) * 16 <= width - 4
    room = len(text) * (16 if double else 8)
    canvas.text(x + (width - room) // 2, row, text, double=double)
