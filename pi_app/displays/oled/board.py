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


@dataclass(slots=True)
class BoardView:
    """A board's place on the display."""

    left: int
    bottom: int
    """The last pixel row; below FOOT the board takes room from the soft keys."""
    draw: Callable[[Framebuffer, int], None]
    """Paints the board; takes its left edge."""
    shown: str = ""
    """Text on the board that the words need not repeat."""
    drawn: Framebuffer | None = None
    """The painted board; None before the first time."""

    def paint(self, canvas: Framebuffer) -> None:
        """Draw the board from its left edge on."""
        if self.drawn is None:
            self.drawn = Framebuffer()
            self.draw(self.drawn, self.left)
        canvas.lay(self.drawn)


def boards(frame: Frame) -> tuple[BoardView, ...]:
    """Return all ways to show the frame's board, the best one first."""
    if fits(frame.board.code) and frame.alert is None:
        draw = partial(paint_code, code=frame.board.code)
        return (BoardView(_WIDTH - SIDE, _HEIGHT - 1, draw),)
    picture = frame.board.picture
    if picture is None or not picture.cells or frame.alert is not None:
        return ()
    if frame.board.close_up and not (
        frame.body.entry or frame.body.choices or frame.body.big or frame.body.lines
    ):
        return tuple(_views(frame, picture, alone=True))
    for last, views in _LAST:
        if last is picture:
            return views
    views = tuple(_views(frame, picture, alone=False))
    _LAST[:] = [(picture, views)]
    return views


_LAST: list[tuple[Picture, tuple[BoardView, ...]]] = []
"""The last picture with its views: while a move is keyed, all frames share a picture."""


def _views(frame: Frame, picture: Picture, *, alone: bool) -> Iterator[BoardView]:
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
    fields = tuple(bool(cell.name) for cell in picture.cells)
    # the edge of a cell if the board ends above the soft keys, and if it ends at the display's edge
    low, high = (FOOT - TOP - 1) // rows, (_HEIGHT - TOP) // rows
    if alone and _WIDTH // picture.columns >= 16 and low >= 7:  # room for number and shapes
        width = _WIDTH // picture.columns

        def wide(canvas: Framebuffer, left: int) -> None:
            for index, cell in enumerate(picture.cells):
                row, column = divmod(index, picture.columns)
                _draw_wide_cell(canvas, cell, left + column * width, TOP + row * low, width, low)

        yield BoardView(0, FOOT - 1, wide)
        return
    # cells of six pixels show shapes: only smaller ones need the soft keys' rows
    for size in (low,) if low >= 6 else (high, low):
        if size < 3:
            continue  # too small for a chip

        def small(canvas: Framebuffer, left: int, size: int = size) -> None:
            end = _HEIGHT if size * rows > FOOT - TOP else FOOT
            # centred between the rule and the end
            top = TOP + 1 + (end - TOP - 1 - size * rows) // 2
            canvas.blit(0, 0, _dots(picture.columns, size, left, top, fields))
            for index, cell in enumerate(picture.cells):
                if cell.tokens or cell.marks or cell.note:
                    row, column = divmod(index, picture.columns)
                    _draw_small_cell(canvas, cell, left + column * size, top + row * size, size)
            if alone:
                _write_legend(canvas, frame, left - 6)

        yield BoardView(_WIDTH - 1 - size * picture.columns, TOP + size * rows - 1, small)


@lru_cache(maxsize=16)
def _dots(columns: int, size: int, left: int, top: int, fields: tuple[bool, ...]) -> Pages:
    """Return an empty board, each cell a dot; `fields` says which cells exist."""
    canvas = Framebuffer(_WIDTH, _HEIGHT)
    for index, exists in enumerate(fields):
        if exists:
            row, column = divmod(index, columns)
            canvas.pixel(left + column * size + (size - 1) // 2, top + row * size + (size - 1) // 2)
    return canvas.layer()


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


def _draw_wide_cell(
    canvas: Framebuffer, cell: Cell, x: int, y: int, width: int, height: int
) -> None:
    """Write a cell's number and its owners' shapes; secured fields and rows are inverted."""
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


def _draw_small_cell(canvas: Framebuffer, cell: Cell, x: int, y: int, size: int) -> None:
    """Draw a cell's number, if digits choose it, else its chip or a dot, and its marks."""
    if cell.note:
        _draw_number(canvas, cell, x, y, size)
        return
    canvas.pixel(x + (size - 1) // 2, y + (size - 1) // 2, on=False)  # the empty board's dot
    if Mark.LAST in cell.marks and size >= 6:
        # of this frame only the corners stay
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

    def draw(canvas: Framebuffer, left: int) -> None:
        for index, cell in enumerate(picture.cells):
            row, column = divmod(index, picture.columns)
            for down, dots in enumerate(_MARKS[cell.shade].split()):
                for right, dot in enumerate(dots):
                    if dot == "#":
                        canvas.pixel(left + column * wide + right, top + row * high + down)

    return BoardView(_WIDTH - wide * picture.columns, top + high * rows - 2, draw)


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
        shown = picture.cells[first * columns : (first + seen) * columns]
        if not alone:
            values = tuple(bool(cell.note or cell.large) for cell in shown)
            canvas.blit(0, 0, _free_track(values, columns, left))
        for index, cell in enumerate(shown):
            if alone or cell.tokens or cell.marks:
                row, column = divmod(index, columns)
                x, y = left + column * wide, TOP + 1 + row * high
                if not alone:  # its dot gives way
                    canvas.rect(x + 1, y + 3, 3, 1, on=False)
                text = cell.text if alone else ""
                # the margin above a field may lie in the page before
                strip = _track_strip(cell.tokens[:1], text, cell.marks, wide, (y - 1) % 8)
                canvas.blit(x - 1, (y - 1) // 8, strip)

    left = (_WIDTH - columns * wide) // 2 if alone else _WIDTH - 1 - columns * wide
    return BoardView(left, FOOT - 1, draw)


@lru_cache(maxsize=16)
def _free_track(values: tuple[bool, ...], columns: int, left: int) -> Pages:
    """Return an empty track: a dash for a field with a value, a dot for any other."""
    canvas = Framebuffer(_WIDTH, _HEIGHT)
    wide, high = _TRACK_CELL
    for index, value in enumerate(values):
        row, column = divmod(index, columns)
        x, y = left + column * wide, TOP + 1 + row * high
        canvas.hline(x + 1 if value else x + 2, y + 3, 3 if value else 1)
    return canvas.layer()


@lru_cache(maxsize=256)
def _track_strip(
    tokens: tuple[Token, ...], text: str, marks: frozenset[Mark], wide: int, shift: int
) -> Pages:
    """Return a field with a margin of one pixel; `text` is the field's number, if any."""
    # three pages: the field, its margin and the shift within the first page
    canvas = Framebuffer(wide + 2, 24)
    x, y = 1, shift + 1
    if tokens:
        _draw_stone(canvas, tokens[0], x, y, wide, TEXT if text else LABEL)
    elif text:
        canvas.text(x + (wide - LABEL.width(text)) // 2, y + 2, text, LABEL)
    if Mark.SELECTED in marks:
        canvas.outline(x - 1, y - 1, wide + 2, 10 if text else 9)
    elif Mark.LEGAL in marks:
        canvas.rect(x + 1, y + 7, 3, 2)
    elif marks & {Mark.LAST, Mark.ROW}:
        canvas.hline(x + 1, y + 8, wide - 2)
    return canvas.layer()


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
            card = _open_card(cell.text, cell.note, width - (2 if alone else 0), high)
            canvas.blit(x, 0, card)
        if fitting and not alone:
            for row, line in enumerate(LABEL.wrap_text(" ".join(fitting), width)[:2]):
                canvas.text(left, TOP + 30 + 7 * row, line, LABEL)

    # as the focus would say it: the number, and the task said for it
    shown = " ".join(part for cell in lying for part in (cell.text, cell.note) if part)
    left = _WIDTH - width * len(lying)
    yield BoardView(left // 2 if alone else left, FOOT - 1, draw, shown)


@lru_cache(maxsize=64)
def _open_card(text: str, note: str, width: int, height: int) -> Pages:
    """Return a card with its number as large as it fits and its note below."""
    canvas = Framebuffer(width, _HEIGHT)
    canvas.outline(0, TOP + 1, width, height)  # two outlines: one of two pixels
    canvas.outline(1, TOP + 2, width - 2, height - 2)
    face = next(
        (
            face
            for face in (NUMERALS, HEADLINE)
            # 12 rows for the note, 4 for the outline; 6 columns for outline and margin
            if face.rows + 12 <= height - 4 and face.covers(text) and face.width(text) <= width - 6
        ),
        HEADLINE if height > 24 and HEADLINE.width(text) <= width - 6 else TEXT,
    )
    words = TEXT if TEXT.width(note) <= width - 6 else LABEL
    gap = 4 if height > 30 else 2
    total = face.baseline + (gap + words.baseline if note else 0)
    y = TOP + 1 + (height - total) // 2
    canvas.text((width - face.width(text)) // 2, y, text, face)
    if note:
        canvas.text((width - words.width(note)) // 2, y + face.baseline + gap, note, words)
    return canvas.layer()
