"""The board before the people: fields in a grid, a track that winds, cards that lie open."""

import pygame

from pi_app.displays.window.cells import (
    CARD_EDGE,
    field_ground,
    paint_card,
    paint_field,
    paint_ground,
    paint_open_card,
    paint_space,
    playing_card,
    table_ground,
)
from pi_app.displays.window.ink import put_text
from pi_app.displays.window.layout import grid
from pi_app.displays.window.theme import CARD, EDGE, MISSED, SHADES, Theme, ink_on, player_paint
from pi_app.view.frame import Cell, Picture, Stroke


def cell_boxes(picture: Picture, area: pygame.Rect) -> list[pygame.Rect]:
    """Return where each cell of the picture lies, in the order of its cells."""
    if not picture.cells:
        return []
    match picture.kind:
        case "track":
            return _track_boxes(picture, area)
        case "cards":
            return _card_boxes(picture, area)
        case _:
            return _grid_boxes(picture, area)


_FEW = 8
"""Up to so many columns a grid has gaps between its cells."""


def _grid_boxes(picture: Picture, area: pygame.Rect) -> list[pygame.Rect]:
    columns = max(1, picture.columns)
    rows = -(-len(picture.cells) // columns)
    # Where cells are many they touch: a finger needs the room more than the eye.
    gap = 4 if columns <= _FEW else 0
    inner = area.inflate(-2 * gap, -2 * gap) if gap else area
    if picture.kind == "table":
        head = _head_size(area)
        inner = pygame.Rect(
            area.left + head, area.top + head, area.width - head, area.height - head
        )
    return grid(inner, columns, rows, gap)[: len(picture.cells)]


def _head_size(area: pygame.Rect) -> int:
    """Return how high and wide the numbers before a table's rows and above its columns are."""
    return area.height // 24


def _count_large_at_end(cells: tuple[Cell, ...]) -> int:
    """Return how many large cells end a track."""
    count = 0
    while count < len(cells) and cells[-1 - count].large:
        count += 1
    return count


def _track_boxes(picture: Picture, area: pygame.Rect) -> list[pygame.Rect]:
    """Wind the track from the top left; large fields at its end take a row of their own."""
    large = _count_large_at_end(picture.cells)
    small = len(picture.cells) - large
    inner = area.inflate(-12, -12)
    columns = max(1, round((small or 1) ** 0.5 * (1.18 if large else 1.0)))
    rows = -(-small // columns)
    lower = round(inner.height * 0.27) if large and small else inner.height if large else 0
    gap = 6
    upper = pygame.Rect(
        inner.left, inner.top, inner.width, inner.height - lower - (gap if lower else 0)
    )
    boxes = []
    places = grid(upper, columns, rows, gap) if rows else []
    for index in range(small):
        row, column = divmod(index, columns)
        boxes.append(places[row * columns + (columns - 1 - column if row % 2 else column)])
    if large:
        last = grid(
            pygame.Rect(inner.left, inner.bottom - lower, inner.width, lower), large, 1, gap
        )
        from_right = rows % 2 == 1
        boxes += reversed(last) if from_right else last
    return boxes


def _card_boxes(picture: Picture, area: pygame.Rect) -> list[pygame.Rect]:
    """Lay large cells out as cards above, the others as a table below."""
    inner = area.inflate(-16, -16)
    lying = sum(cell.large for cell in picture.cells)
    listed = len(picture.cells) - lying
    columns = max(1, picture.columns)
    gap = 4
    if not listed:
        high = inner.height
    else:
        rows = -(-listed // columns)
        each = min(inner.height // 8, inner.width // 7) + gap
        high = max(round(inner.height * 0.22), inner.height - rows * each - 12)
    top = pygame.Rect(inner.left, inner.top, inner.width, high if lying else 0)
    width = min(round(top.height * 0.78), (top.width - gap * max(0, lying - 1)) // max(1, lying))
    left = top.left + (top.width - lying * width - 2 * gap * max(0, lying - 1)) // 2
    large = [
        pygame.Rect(left + n * (width + 2 * gap), top.top, width, top.height) for n in range(lying)
    ]
    below = top.bottom + (12 if lying else 0)
    table = pygame.Rect(inner.left, below, inner.width, inner.bottom - below)
    small = grid(table, columns, -(-listed // columns), gap) if listed else []
    cards, others = iter(large), iter(small)
    return [next(cards) if cell.large else next(others) for cell in picture.cells]


def paint_board(
    surface: pygame.Surface, picture: Picture, area: pygame.Rect, theme: Theme
) -> list[tuple[pygame.Rect, str]]:
    """Paint the board; return where each cell is and the name that a tap on it asks about."""
    boxes = cell_boxes(picture, area)
    pairs = list(zip(picture.cells, boxes, strict=True))
    match picture.kind:
        case "track":
            _paint_path(surface, boxes, theme)
            for cell, box in pairs:
                paint_space(surface, cell, box)
        case "cards":
            for cell, box in pairs:
                _paint_card_cell(surface, cell, box, theme)
        case _:
            there = [(cell, box) for cell, box in pairs if cell.name]
            if picture.kind == "table":
                _paint_table(surface, there, picture.columns, area, theme)
                return [(box, cell.name) for cell, box in there]
            _paint_lines(surface, picture.lines, there, theme)
            _paint_grid(surface, there, picture.strokes, theme)
    return [(box, cell.name) for cell, box in pairs if cell.name]


def _paint_table(
    surface: pygame.Surface,
    pairs: list[tuple[Cell, pygame.Rect]],
    columns: int,
    area: pygame.Rect,
    theme: Theme,
) -> None:
    """Paint a table, its columns and rows numbered."""
    head = _head_size(area)
    for column, (_, box) in enumerate(pairs[:columns], 1):
        put_text(
            surface, str(column), head * 3 // 4, theme.faint, (box.centerx, box.top - head // 2)
        )
    for row, (_, box) in enumerate(pairs[::columns], 1):
        put_text(surface, str(row), head * 3 // 4, theme.faint, (box.left - head // 2, box.centery))
    for cell, box in pairs:
        ground = table_ground(cell)
        paint_ground(surface, box, ground, theme.line)
        paint_field(surface, cell, box, ground)
        if ground == MISSED:
            frame = box.inflate(-6, -6)
            pygame.draw.rect(
                surface, ink_on(ground), frame, max(1, box.width // 30), border_radius=4
            )


def _paint_card_cell(surface: pygame.Surface, cell: Cell, box: pygame.Rect, theme: Theme) -> None:
    if cell.large:
        paint_open_card(surface, cell, box)
        return
    ground = field_ground(cell, theme, listed=True)
    paint_ground(surface, box, ground, theme.line)
    paint_field(surface, cell, box, ground)


def _paint_lines(
    surface: pygame.Surface,
    lines: tuple[tuple[str, ...], ...],
    pairs: list[tuple[Cell, pygame.Rect]],
    theme: Theme,
) -> None:
    """Draw the lines that are printed on the board, under everything else."""
    where = {cell.name: box.center for cell, box in pairs}
    for line in lines:
        points = [where[name] for name in line if name in where]
        if len(points) > 1:
            pygame.draw.lines(surface, theme.faint, False, points, 4)  # noqa: FBT003  # pygame's way


def _paint_grid(
    surface: pygame.Surface,
    pairs: list[tuple[Cell, pygame.Rect]],
    strokes: tuple[Stroke, ...],
    theme: Theme,
) -> None:
    """Paint the grounds, completed rows over them, then what lies on top of both."""
    grounds = []
    for cell, box in pairs:
        card = not cell.text or playing_card(cell.text) is not None
        free = SHADES[1] if card and not cell.text else CARD
        ground = free if card else field_ground(cell, theme, listed=False)
        grounds.append((card, ground))
        place = box.inflate(-2, -2) if card else box
        paint_ground(surface, place, ground, CARD_EDGE if card else theme.line)
    where = {cell.name: box for cell, box in pairs}
    for stroke in strokes:
        _paint_stroke(surface, stroke, where)
    for (cell, box), (card, ground) in zip(pairs, grounds, strict=True):
        if card:
            paint_card(surface, cell, box)
        else:
            paint_field(surface, cell, box, ground)


def _paint_path(surface: pygame.Surface, boxes: list[pygame.Rect], theme: Theme) -> None:
    """Join each field of a track with the next, so that the eye finds its way."""
    if len(boxes) > 1:
        width = max(6, min(box.width for box in boxes) // 4)
        pygame.draw.lines(surface, theme.line, False, [box.center for box in boxes], width)  # noqa: FBT003  # pygame's way


def _paint_stroke(surface: pygame.Surface, stroke: Stroke, where: dict[str, pygame.Rect]) -> None:
    """Draw a line through a completed row, under its stones."""
    boxes = sorted(
        (where[name] for name in stroke.cells if name in where), key=lambda box: (box.x, box.y)
    )
    if len(boxes) < 2:
        return
    thick = max(5, boxes[0].width // 8)
    start, end = boxes[0].center, boxes[-1].center
    pygame.draw.line(surface, EDGE, start, end, thick + max(3, thick // 3))
    pygame.draw.line(surface, player_paint(stroke.colour).fill, start, end, thick)
