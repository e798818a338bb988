"""Painting the board: fields in a grid, a winding track, open cards."""

from itertools import takewhile
from math import ceil

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
from pi_app.view.frame import Cell, Picture


def cell_boxes(picture: Picture, area: pygame.Rect) -> list[pygame.Rect]:
    """Return the place of each cell of the picture, in the order of its cells."""
    if not picture.cells:
        return []
    match picture.kind:
        case "track":
            return _track_boxes(picture, area)
        case "cards":
            return _card_boxes(picture, area)
        case _:
            columns = max(1, picture.columns)
            rows = ceil(len(picture.cells) / columns)
            # Where cells are many they touch: a finger needs the room more than the eye.
            gap = 4 if columns <= _FEW else 0
            inner = area.inflate(-2 * gap, -2 * gap) if gap else area
            if picture.kind == "table":
                head = _head_size(area)
                inner = pygame.Rect(
                    area.left + head, area.top + head, area.width - head, area.height - head
                )
            return grid(inner, columns, rows, gap)[: len(picture.cells)]


_FEW = 8
"""A grid of at most this many columns has gaps between its cells."""


def _head_size(area: pygame.Rect) -> int:
    """Return the height and width of the numbers of a table's rows and columns, in pixels."""
    return area.height // 24


def _track_boxes(picture: Picture, area: pygame.Rect) -> list[pygame.Rect]:
    """Wind the track from the top left; large fields at its end take a row of their own."""
    # how many of the last cells are large
    large = sum(1 for _ in takewhile(lambda cell: cell.large, reversed(picture.cells)))
    small = len(picture.cells) - large
    inner = area.inflate(-12, -12)
    # about square; wider where large fields below leave less height
    columns = max(1, round((small or 1) ** 0.5 * (1.18 if large else 1.0)))
    rows = ceil(small / columns)
    lower = 0  # the height of the large fields' row
    if large:
        lower = round(inner.height * 0.27) if small else inner.height
    gap = 6
    upper = pygame.Rect(
        inner.left, inner.top, inner.width, inner.height - lower - (gap if lower else 0)
    )
    boxes = []
    places = grid(upper, columns, rows, gap) if rows else []
    for index in range(small):
        row, column = divmod(index, columns)
        # every other row runs from right to left
        boxes.append(places[row * columns + (columns - 1 - column if row % 2 else column)])
    if large:
        last = grid(
            pygame.Rect(inner.left, inner.bottom - lower, inner.width, lower), large, 1, gap
        )
        from_right = rows % 2 == 1  # where the last row of small fields ended
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
        rows = ceil(listed / columns)
        # the table's rows need no more; the open cards get the rest, but at least 0.22 of all
        row_height = min(inner.height // 8, inner.width // 7) + gap
        high = max(round(inner.height * 0.22), inner.height - rows * row_height - 12)
    top = pygame.Rect(inner.left, inner.top, inner.width, high if lying else 0)
    width = min(round(top.height * 0.78), (top.width - gap * max(0, lying - 1)) // max(1, lying))
    left = top.left + (top.width - lying * width - 2 * gap * max(0, lying - 1)) // 2
    large = [
        pygame.Rect(left + n * (width + 2 * gap), top.top, width, top.height) for n in range(lying)
    ]
    below = top.bottom + (12 if lying else 0)
    table = pygame.Rect(inner.left, below, inner.width, inner.bottom - below)
    small = grid(table, columns, ceil(listed / columns), gap) if listed else []
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
            if len(boxes) > 1:  # joined, so that the eye finds its way
                width = max(6, min(box.width for box in boxes) // 4)
                pygame.draw.lines(surface, theme.line, False, [box.center for box in boxes], width)  # noqa: FBT003  # pygame's way
            for cell, box in pairs:
                paint_space(surface, cell, box)
        case "cards":
            for cell, box in pairs:
                if cell.large:
                    paint_open_card(surface, cell, box)
                    continue
                ground = field_ground(cell, theme, listed=True)
                paint_ground(surface, box, ground, theme.line)
                paint_field(surface, cell, box, ground)
        case _:
            pairs = [(cell, box) for cell, box in pairs if cell.name]
            if picture.kind == "table":
                _paint_table(surface, pairs, picture.columns, area, theme)
            else:
                _paint_grid(surface, pairs, picture, theme)
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
        if ground == MISSED:  # a frame says it without colours
            frame = box.inflate(-6, -6)
            pygame.draw.rect(
                surface, ink_on(ground), frame, max(1, box.width // 30), border_radius=4
            )


def _paint_grid(
    surface: pygame.Surface, pairs: list[tuple[Cell, pygame.Rect]], picture: Picture, theme: Theme
) -> None:
    """Paint the printed lines, the grounds, completed rows over them, then stones and cards."""
    where = {cell.name: box for cell, box in pairs}  # by name
    for line in picture.lines:
        points = [where[name].center for name in line if name in where]
        if len(points) > 1:
            pygame.draw.lines(surface, theme.faint, False, points, 4)  # noqa: FBT003  # pygame's way
    # for each cell: whether it is a playing card or a free corner, and its ground
    grounds = []
    for cell, box in pairs:
        card = not cell.text or playing_card(cell.text) is not None  # without text: a free corner
        ground = CARD if cell.text else SHADES[1]
        if not card:
            ground = field_ground(cell, theme, listed=False)
        grounds.append((card, ground))
        place = box.inflate(-2, -2) if card else box
        paint_ground(surface, place, ground, CARD_EDGE if card else theme.line)
    for stroke in picture.strokes:
        boxes = [where[name] for name in stroke.cells if name in where]
        boxes.sort(key=lambda box: (box.x, box.y))  # the line goes from one end to the other
        if len(boxes) > 1:
            thick = max(5, boxes[0].width // 8)
            start, end = boxes[0].center, boxes[-1].center
            pygame.draw.line(surface, EDGE, start, end, thick + max(3, thick // 3))
            pygame.draw.line(surface, player_paint(stroke.colour).fill, start, end, thick)
    for (cell, box), (card, ground) in zip(pairs, grounds, strict=True):
        if card:
            paint_card(surface, cell, box)
        else:
            paint_field(surface, cell, box, ground)
