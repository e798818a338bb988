"""A board on the OLED, next to the words or alone, its cells as large as they fit."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from math import ceil

from hardware.framebuffer import Framebuffer
from hardware.typefaces import HEADLINE, LABEL, NUMERALS, TEXT, Pages, Typeface
from pi_app.displays.oled.code import SIDE, fits, paint_code
from pi_app.displays.oled.rim import FOOT, TOP
from pi_app.displays.oled.shapes import shape
from pi_app.view.frame import Cell, Frame, Mark, Picture, Token

_WIDTH, _HEIGHT = 128, 64
"""The display's size in pixels."""

_TRACK_CELL = (5, 11)
_WIDE_TRACK_CELL = (12, 11)
"""A field's width and height in pixels: next to the words, and on a track that is alone."""
_CARD = 46
"""The width of an open card next to the words."""

_PATTERNS = {
    "blue": (0b1111, 0b1111, 0b1111, 0b1111),
    "green": (0b1111, 0b1001, 0b1001, 0b1111),
    "red": (0b1001, 0b0110, 0b0110, 0b1001),
}
"""Four by four pixels for a chip, row by row, for cells too small for a shape."""


@dataclass(frozen=True, slots=True)
class BoardView:
    """A board's place on the display."""

    left: int
    bottom: int
    """The last pixel row; below FOOT the board takes room from the soft keys."""
    draw: Callable[[Framebuffer, int], None]
    """Paints the board; takes its left edge."""
    shown: str = ""
    """Text on the board that the words need not repeat."""

    def paint(self, canvas: Framebuffer) -> None:
        """Draw the board from its left edge on."""
        self.draw(canvas, self.left)


def boards(frame: Frame) -> Iterator[BoardView]:
    """Yield all ways to show the frame's board, the best one first."""
    picture, body = frame.board.picture, frame.body
    if frame.alert is not None:
        return
    if fits(frame.board.code):
        draw = partial(paint_code, code=frame.board.code)
        yield BoardView(_WIDTH - SIDE, _HEIGHT - 1, draw)
        return
    if picture is None or not picture.cells:
        return
    said = body.entry or body.choices or body.big or body.lines
    alone = frame.board.close_up and not said
    if picture.kind == "track":
        yield _track_view(picture, alone=alone)
    elif picture.kind == "cards":
        yield from _card_views(picture, alone=alone)
    elif picture.kind == "table":
        yield _table_view(picture)
    else:
        yield from _grid_views(frame, picture, alone=alone)


# --- a grid


def _grid_views(frame: Frame, picture: Picture, *, alone: bool) -> Iterator[BoardView]:
    rows = ceil(len(picture.cells) / picture.columns)
    # the edge of a cell if the board ends above the soft keys, and if it ends at the display's edge
    low, high = (FOOT - TOP - 1) // rows, (_HEIGHT - TOP) // rows
    if alone and _WIDTH // picture.columns >= 16 and low >= 7:  # room for number and shapes
        yield BoardView(0, FOOT - 1, partial(_draw_wide_grid, picture=picture, height=low))
        return
    # cells of six pixels show shapes: only smaller ones need the soft keys' rows
    for size in (low,) if low >= 6 else (high, low):
        if size >= 3:  # otherwise too small for a chip
            draw = partial(_draw_grid, picture=picture, size=size, legend=frame if alone else None)
            yield BoardView(_WIDTH - 1 - size * picture.columns, TOP + size * rows - 1, draw)


def _draw_wide_grid(canvas: Framebuffer, left: int, *, picture: Picture, height: int) -> None:
    """Draw cells over the whole width; secured fields and rows are inverted.

    Each has its number and its owners' shapes.
    """
    width = _WIDTH // picture.columns
    for index, cell in enumerate(picture.cells):
        row, column = divmod(index, picture.columns)
        x, y = left + column * width, TOP + row * height
        on = not cell.marks & {Mark.SECURED, Mark.ROW}
        if not on:
            canvas.tag(x, y, width - 1, height)
        elif cell.marks & {Mark.SELECTED, Mark.LAST}:
            canvas.outline(x - 1, y - 1, width + 1, height + 1)
        canvas.text(x + 1, y + 1, cell.text, LABEL, on=on)
        shape_x = x + width - 1
        for token in reversed(cell.tokens[:2]):  # from the right edge; a third has no room
            shape_x -= 6
            canvas.text(shape_x, y + 1, shape(token.colour), LABEL, on=on)


def _draw_grid(
    canvas: Framebuffer, left: int, *, picture: Picture, size: int, legend: Frame | None
) -> None:
    """Draw square cells of this size, beside them the players if there is a `legend`."""
    rows = ceil(len(picture.cells) / picture.columns)
    end = _HEIGHT if size * rows > FOOT - TOP else FOOT
    top = TOP + 1 + (end - TOP - 1 - size * rows) // 2  # centred between the rule and the end
    drawn = []
    for index, cell in enumerate(picture.cells):
        row, column = divmod(index, picture.columns)
        x, y = left + column * size, top + row * size
        if cell.tokens or cell.marks or cell.note:
            drawn.append((cell, x, y))
        elif cell.name:
            canvas.pixel(x + (size - 1) // 2, y + (size - 1) // 2)
    for cell, x, y in drawn:  # over the dots of the empty ones
        _draw_small_cell(canvas, cell, x, y, size)
    if legend is not None:
        _write_legend(canvas, legend, left - 6)


def _write_legend(canvas: Framebuffer, frame: Frame, width: int) -> None:
    """Write each colour's players next to a board that is shown alone."""
    y = TOP + 2
    written: set[str] = set()  # a team's colour has one line
    for seat in frame.extras.seats:
        if seat.colour in written or y + 8 > FOOT:
            continue
        written.add(seat.colour)
        names = " ".join(other.name for other in frame.extras.seats if other.colour == seat.colour)
        _draw_chip(canvas, Token(seat.colour, seat.letter), 1, y + 2)
        canvas.text(9, y, TEXT.cut_text(names, width - 9))
        y += 10


def _draw_small_cell(canvas: Framebuffer, cell: Cell, x: int, y: int, size: int) -> None:
    """Draw a cell's number, if digits choose it, else its chip or a dot, and its marks."""
    if cell.note:
        _draw_number(canvas, cell, x, y, size)
        return
    if Mark.LAST in cell.marks and size >= 6:
        # of this frame only the corners stay visible
        canvas.frame(x - 1, y - 1, size + 2, size + 2)
        canvas.rect(x + 1, y - 1, size - 2, size + 2, on=False)
        canvas.rect(x - 1, y + 1, size + 2, size - 2, on=False)
    ground = bool(cell.marks & {Mark.SECURED, Mark.ROW})  # lit, with the chip dark on it
    if ground and size >= 6:
        canvas.tag(x, y, size, size)
    # small cells have no room for a frame around what was chosen or played last
    elif ground or (cell.marks & {Mark.SELECTED, Mark.LAST} and size < 6):
        canvas.rect(x - 1, y - 1, size + 1, size + 1)
        ground = True
    # on an empty blocked cell a cross follows instead
    if cell.tokens or Mark.BLOCKED not in cell.marks or size < 6:
        _draw_content(canvas, cell, x, y, size, on=not ground)
    if size < 6:
        return
    if cell.marks & {Mark.SELECTED, Mark.BLOCKED}:
        canvas.outline(x - 1, y - 1, size + 2, size + 2)
        if not cell.tokens:
            canvas.text(x + 1, y + 1, "×" if Mark.BLOCKED in cell.marks else "■", LABEL)


def _draw_content(canvas: Framebuffer, cell: Cell, x: int, y: int, size: int, *, on: bool) -> None:
    """Draw the largest stack's chip and a spot for others; a free cell as a dot or cross."""
    if cell.tokens:
        _draw_chip(canvas, max(cell.tokens, key=lambda token: token.count), x, y, size, on=on)
        if len(cell.tokens) > 1:
            canvas.rect(x + size - 2, y + size - 2, 2, 2, on=on)
        return
    x, y = x + (size - 1) // 2, y + (size - 1) // 2  # from here on the cell's centre
    if Mark.LEGAL in cell.marks:
        canvas.rect(x - 1, y, 3, 1, on=on)
        canvas.rect(x, y - 1, 1, 3, on=on)
    else:
        canvas.pixel(x, y, on=on)


def _draw_number(canvas: Framebuffer, cell: Cell, x: int, y: int, size: int) -> None:
    """Write the digit that chooses a cell: inverted if chosen, underlined if occupied."""
    x, y = x + (size - 5) // 2, y + (size - 7) // 2  # from here on the digit's ground, 5 by 7
    chosen = Mark.SELECTED in cell.marks
    canvas.rect(x - 1, y - 1, 7, 9, on=False)  # a dark rim, so that the digit stands out
    canvas.rect(x, y, 5, 7, on=chosen)
    canvas.text(x + 1, y + 1, cell.note[:1], LABEL, on=not chosen)
    if cell.tokens:
        canvas.hline(x, y + 7, 5)


def _draw_chip(
    canvas: Framebuffer, token: Token, x: int, y: int, size: int = 5, *, on: bool = True
) -> None:
    """Draw a chip as its colour's shape, or as a pattern in a small cell."""
    if size >= 6:
        canvas.text(x + (size - 5) // 2, y + (size - 5) // 2, shape(token.colour), LABEL, on=on)
        return
    canvas.blit(x, y // 8, _pattern(token.colour, size - 1, y % 8), on=on)


@lru_cache(maxsize=64)
def _pattern(colour: str, edge: int, shift: int) -> Pages:
    """Return a chip's pattern of `edge` by `edge` pixels, `shift` rows below a page's top."""
    whole = _PATTERNS.get(colour, _PATTERNS["blue"])
    # a smaller pattern leaves out inner rows and columns: the last ones are edges
    rows = (*whole[: edge - 1], whole[3])
    columns = [
        sum(1 << down for down, bits in enumerate(rows) if bits >> right & 1) << shift
        for right in (*range(edge - 1), 3)
    ]
    # shifted, a pattern may reach into the page below
    return tuple(bytes(column >> 8 * page & 255 for column in columns) for page in (0, 1))


# --- a table


_TABLE_CELL = (5, 4)
"""The width and height of a table's cell in pixels, with the gap to the next one."""
_MARKS = (".... .#.. ....", ".... ###. ....", ".... .#.# #.#.", "#### #..# ####", ".#.. ###. .#..")
"""Four by three pixels for each shade, row by row: a dot, `-`, `~`, a frame, `+`.

They resemble the signs of the other displays.
"""


def _table_view(picture: Picture) -> BoardView:
    """Return a table with one sign for each cell, above the soft keys."""
    rows = ceil(len(picture.cells) / picture.columns)
    wide, high = _TABLE_CELL
    top = TOP + 2 + max(0, (FOOT - TOP - 2 - high * rows) // 2)

    draw = partial(_draw_table, picture=picture, top=top)
    return BoardView(_WIDTH - wide * picture.columns, top + high * rows - 2, draw)


def _draw_table(canvas: Framebuffer, left: int, *, picture: Picture, top: int) -> None:
    wide, high = _TABLE_CELL
    for index, cell in enumerate(picture.cells):
        row, column = divmod(index, picture.columns)
        for down, dots in enumerate(_MARKS[cell.shade].split()):
            for right, dot in enumerate(dots):
                if dot == "#":
                    canvas.pixel(left + column * wide + right, top + row * high + down)


# --- a track


def _track_view(picture: Picture, *, alone: bool) -> BoardView:
    columns = picture.columns
    wide, high = _WIDE_TRACK_CELL if alone else _TRACK_CELL
    rows = ceil(len(picture.cells) / columns)
    seen = (FOOT - TOP) // high  # rows that fit
    occupied = (index for index, cell in enumerate(picture.cells) if cell.tokens)
    foremost = max(occupied, default=0)
    # the last row shown is the one after the foremost stone's, where its next move may lead
    first = max(0, min(foremost // columns + 2, rows) - seen)

    def draw(canvas: Framebuffer, left: int) -> None:
        for index, cell in enumerate(picture.cells[first * columns : (first + seen) * columns]):
            row, column = divmod(index, columns)
            x, y = left + column * wide, TOP + 1 + row * high
            if alone or cell.tokens or cell.marks:
                text = cell.text if alone else ""
                if cell.tokens:
                    _draw_stone(canvas, cell.tokens[0], x, y, wide, TEXT if text else LABEL)
                elif text:
                    canvas.text(x + (wide - LABEL.width(text)) // 2, y + 2, text, LABEL)
                if Mark.SELECTED in cell.marks:
                    canvas.outline(x - 1, y - 1, wide + 2, 10 if text else 9)
                elif Mark.LEGAL in cell.marks:
                    canvas.rect(x + 1, y + 7, 3, 2)
                elif cell.marks & {Mark.LAST, Mark.ROW}:
                    canvas.hline(x + 1, y + 8, wide - 2)
            elif cell.note or cell.large:  # a dash for a field with a value, a dot for any other
                canvas.hline(x + 1, y + 3, 3)
            else:
                canvas.pixel(x + 2, y + 3)

    left = (_WIDTH - columns * wide) // 2 if alone else _WIDTH - 1 - columns * wide
    return BoardView(left, FOOT - 1, draw)


def _draw_stone(
    canvas: Framebuffer, stone: Token, x: int, y: int, wide: int, face: Typeface
) -> None:
    """Write a stone's number: yellow inverted, each other colour with a line at its own side."""
    inside, high = wide - 1, face.baseline + 2  # without the gap to the next field
    dark = stone.colour == "yellow"
    # a narrow field (LABEL) is filled over its whole width, so that the digit is inside
    if dark:
        canvas.rect(x, y, inside + (face is LABEL), high)
    elif stone.colour == "red":
        canvas.hline(x, y + high, inside)
    elif stone.colour == "green":
        canvas.vline(x - 1 + (face is LABEL), y, high)
    else:
        canvas.hline(x, y - 1, inside)
    text_x = x + (wide - face.width(stone.text)) // 2
    canvas.text(text_x, y + 1, stone.text, face, on=not dark)


# --- cards


def _card_views(picture: Picture, *, alone: bool) -> Iterator[BoardView]:
    """Yield the open cards: the number, below it the announced one."""
    lying = [cell for cell in picture.cells if cell.large]
    if not lying:
        return  # before the first card is open
    fitting = [cell.text for cell in picture.cells if Mark.LEGAL in cell.marks]
    width = min(60, _WIDTH // len(lying)) if alone else _CARD

    def draw(canvas: Framebuffer, left: int) -> None:
        for index, cell in enumerate(lying):
            x = left + index * width
            high = 27 if fitting and not alone else FOOT - TOP - 2  # 27: two rows fit below
            # alone there may be several cards, with a gap between them
            _draw_card(canvas, cell, x, width - (2 if alone else 0), high)
        if fitting and not alone:
            for row, line in enumerate(LABEL.wrap_text(" ".join(fitting), width)[:2]):
                canvas.text(left, TOP + 30 + 7 * row, line, LABEL)

    # texts that the focus need not repeat: the number, and its task
    shown = " ".join(part for cell in lying for part in (cell.text, cell.note) if part)
    left = _WIDTH - width * len(lying)
    yield BoardView(left // 2 if alone else left, FOOT - 1, draw, shown)


def _draw_card(canvas: Framebuffer, cell: Cell, x: int, width: int, height: int) -> None:
    """Draw a card with its number as large as it fits and its note below."""
    text, note = cell.text, cell.note
    canvas.outline(x, TOP + 1, width, height)  # two outlines: one of two pixels
    canvas.outline(x + 1, TOP + 2, width - 2, height - 2)
    face = next(
        (
            face
            for face in (NUMERALS, HEADLINE)
            # 12 rows for the note, 4 for the outline; 6 columns for outline and margin
            if face.rows + 12 <= height - 4 and face.covers(text) and face.width(text) <= width - 6
        ),
        HEADLINE if height > 24 and HEADLINE.width(text) <= width - 6 else TEXT,
    )
    note_face = TEXT if TEXT.width(note) <= width - 6 else LABEL
    gap = 4 if height > 30 else 2
    total = face.baseline + (gap + note_face.baseline if note else 0)
    y = TOP + 1 + (height - total) // 2
    canvas.text(x + (width - face.width(text)) // 2, y, text, face)
    if note:
        canvas.text(
            x + (width - note_face.width(note)) // 2, y + face.baseline + gap, note, note_face
        )
