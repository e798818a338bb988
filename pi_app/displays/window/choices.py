"""Lists to choose from: rows with their digits, or tiles with a picture of a board."""

from functools import lru_cache

import pygame

from hardware.keys import Key
from pi_app.displays.window.board import paint_board
from pi_app.displays.window.ink import fitting_size, text_width, write
from pi_app.displays.window.layout import GAP, SMALL, VERDICT, Places, grid
from pi_app.displays.window.shapes import icon, plate
from pi_app.displays.window.theme import THEMES, Theme
from pi_app.displays.window.touch import Choose, Target
from pi_app.view.frame import Choices, Picture

_ROW = 62
"""How high an item wants to be, in units; TARGET is the least."""

_SPOKEN = 16
"""The least size, in units, of an item in whole words; below it the short words are used."""

_NARROW = 130
"""Below this width in units an item has no room for its words."""

_THUMB = 480
"""The size, in pixels, in which a tile's board is drawn before it is scaled down."""


def paint_choices(
    surface: pygame.Surface, choices: Choices, box: pygame.Rect, at: Places, theme: Theme
) -> list[Target]:
    """Paint the list; a touch on an item chooses it, an arrow scrolls."""
    if choices.picture_of is not None:
        pictures = tuple(map(choices.picture_of, choices.items))
        if any(pictures):
            return _paint_tiles(surface, choices, pictures, box, at, theme)
    gap, least = at.gap, at.touch
    count = len(choices.items)
    rows = max(1, (box.height + gap) // (least + gap))
    most = max(1, box.width // at.px(_NARROW)) if count <= 12 else 1
    columns = max(1, min(-(-count // rows), most, 3))
    if columns * rows < count:
        return _paint_scrolling_list(surface, choices, box, rows, at, theme)
    rows = max(1, -(-count // columns))
    high = min(at.px(_ROW), (box.height + gap) // rows - gap)
    table = pygame.Rect(box.left, box.top, box.width, rows * (high + gap) - gap)
    # Down the first column, then down the next: digits stand in the order people count.
    places = grid(table, columns, rows, gap)
    boxes = [places[index % rows * columns + index // rows] for index in range(count)]
    for index, place in enumerate(boxes):
        _paint_item(surface, choices, index, place, at, theme)
    return [Target(b, Choose(n - choices.selected)) for n, b in enumerate(boxes)]


def _paint_scrolling_list(
    surface: pygame.Surface, choices: Choices, box: pygame.Rect, rows: int, at: Places, theme: Theme
) -> list[Target]:
    """Paint the part of the list around the chosen item, with a scroll bar and arrows."""
    gap, size = at.gap, at.touch
    count = len(choices.items)
    first = max(0, min(choices.selected - rows // 2, count - rows))
    table = pygame.Rect(box.left, box.top, box.width - size - 3 * gap, rows * (size + gap) - gap)
    targets = []
    for index, place in enumerate(grid(table, 1, rows, gap), first):
        _paint_item(surface, choices, index, place, at, theme)
        targets.append(Target(place, Choose(index - choices.selected)))
    side = pygame.Rect(box.right - size, box.top, size, table.height)
    bar = pygame.Rect(side.left - 2 * gap, side.top, gap, side.height)
    paint_bar(surface, bar, first / count, (first + rows) / count, theme)
    return targets + paint_arrows(
        surface, side, at, theme, above=first > 0, below=first + rows < count
    )


def paint_bar(
    surface: pygame.Surface, box: pygame.Rect, start: float, end: float, theme: Theme
) -> None:
    """Paint a scroll bar; `start` and `end` are the shares of the whole that are shown."""
    surface.blit(plate(box.size, box.width // 2, theme.button), box)
    high = max(box.width * 2, round(box.height * (end - start)))
    part = pygame.Rect(box.left, box.top + round(box.height * start), box.width, high)
    part.clamp_ip(box)
    surface.blit(plate(part.size, box.width // 2, theme.faint), part)


def paint_arrows(
    surface: pygame.Surface, box: pygame.Rect, at: Places, theme: Theme, *, above: bool, below: bool
) -> list[Target]:
    """Paint an arrow at each end of a strip; one that leads nowhere is pale."""
    size = at.touch
    arrows = [("up", Key.UP, above, box.top), ("down", Key.DOWN, below, box.bottom - size)]
    if box.height < 2 * size + at.gap:
        arrows = arrows[1:] if below else arrows[:1]
    targets = []
    for sign, key, there, top in arrows:
        place = pygame.Rect(box.right - size, top, size, size)
        surface.blit(plate(place.size, at.px(8), theme.button), place)
        image = icon(sign, size // 2, theme.text if there else theme.line)
        surface.blit(image, image.get_rect(center=place.center))
        targets.append(Target(place, key))
    return targets


def _paint_item(
    surface: pygame.Surface,
    choices: Choices,
    index: int,
    box: pygame.Rect,
    at: Places,
    theme: Theme,
    size: int | None = None,
) -> None:
    """Paint one item as a row, in letters of `size` pixels at most; the chosen one is inverted."""
    chosen = index == choices.selected
    ground = theme.text if chosen else theme.button
    ink = theme.background if chosen else theme.text
    if index in choices.greyed:
        ground, ink = (theme.faint, theme.button) if chosen else (theme.background, theme.faint)
    surface.blit(plate(box.size, at.px(8), ground), box)
    left = box.left + at.px(10)
    digit = choices.digit(index)
    words = choices.sentence(index)
    if not words:
        # It is its own number: that is what is to be read.
        words, digit = digit, ""
    if digit:
        write(
            surface, digit, at.px(SMALL), ink if chosen else theme.faint,
            midleft=(left, box.centery),
        )  # fmt: skip
    left += at.px(_digits_width(digit))
    room = box.right - at.px(6) - left
    if text_width(words, at.px(_SPOKEN)) > room:
        words = choices.words(index) or words
    write(
        surface, words, size or at.px(VERDICT), ink,
        room=room, least=at.px(14), midleft=(left, box.centery),
    )  # fmt: skip


def _digits_width(digit: str) -> int:
    """Return the width of an item's digits, in units."""
    return 34 if len(digit) > 1 else 20 if digit else 0


def _common_size(choices: Choices, items: list[int], width: int, at: Places) -> int:
    """Return the size at which the words of all these items fit into `width` pixels."""
    return min(
        (
            fitting_size(
                choices.words(n), at.px(VERDICT), width - at.px(_digits_width(choices.digit(n))), 1
            )
            for n in items
        ),
        default=at.px(VERDICT),
    )


def _paint_tiles(
    surface: pygame.Surface,
    choices: Choices,
    pictures: tuple[Picture | None, ...],
    box: pygame.Rect,
    at: Places,
    theme: Theme,
) -> list[Target]:
    """Paint items with a picture as tiles, the others as rows below, in as many columns as fit."""
    gap = at.px(GAP + 2)
    pictured = [n for n, picture in enumerate(pictures) if picture is not None]
    plain = [n for n in range(len(choices.items)) if n not in pictured]

    def size(columns: int) -> int:
        width = (box.width + at.gap) // columns - at.gap - at.px(16)
        return _common_size(choices, plain, width, at)

    most = min(len(plain), box.width // at.px(_NARROW + 10))
    columns = next((n for n in range(most, 1, -1) if size(n) >= at.px(_SPOKEN)), 1)
    rows = -(-len(plain) // columns)
    columns = -(-len(plain) // max(1, rows))
    low = rows * (at.touch + at.gap) - at.gap if plain else 0
    above = pygame.Rect(box.left, box.top, box.width, box.height - low - (gap if low else 0))
    boxes = dict(zip(pictured, _tile_boxes(above, len(pictured), gap, at), strict=True))
    below = pygame.Rect(box.left, box.bottom - low, box.width, low)
    boxes |= dict(zip(plain, grid(below, columns, rows, at.gap), strict=False))
    name = _common_size(choices, pictured, min(boxes[n].width for n in pictured) - at.px(16), at)
    for index, place in boxes.items():
        picture = pictures[index]
        if picture is None:
            _paint_item(surface, choices, index, place, at, theme, size(columns))
        else:
            _paint_tile(surface, choices, index, picture, place, at, theme, name)
    return [Target(place, Choose(n - choices.selected)) for n, place in sorted(boxes.items())]


def _tile_boxes(area: pygame.Rect, count: int, gap: int, at: Places) -> list[pygame.Rect]:
    """Return the places of `count` tiles, in the columns that make their boards largest."""
    name = at.px(_NAME)

    def board(columns: int) -> float:
        rows = -(-count // columns)
        return min((area.width + gap) / columns - gap, (area.height + gap) / rows - gap - name)

    columns = max(range(1, count + 1), key=board)
    rows = -(-count // columns)
    high = min(area.height, rows * (round(board(columns)) + name + gap) - gap)
    middle = pygame.Rect(area.left, area.top + (area.height - high) // 2, area.width, high)
    return grid(middle, columns, rows, gap)[:count]


_NAME = 44
"""Room for a tile's name, in units."""


def _paint_tile(
    surface: pygame.Surface,
    choices: Choices,
    index: int,
    picture: Picture,
    box: pygame.Rect,
    at: Places,
    theme: Theme,
    size: int,
) -> None:
    """Paint a board, its name below in letters of `size`; the chosen one is inverted."""
    chosen = index == choices.selected
    ground = theme.text if chosen else theme.button
    ink = theme.background if chosen else theme.text
    surface.blit(plate(box.size, at.px(10), ground), box)
    pad, name = at.px(8), at.px(_NAME)
    side = max(8, min(box.width - 2 * pad, box.height - name - pad))
    board = thumbnail(picture, side, theme.name)
    top = box.top + pad + (box.height - name - pad - side) // 2
    surface.blit(board, board.get_rect(midtop=(box.centerx, top)))
    digit = choices.digit(index)
    middle = box.bottom - name // 2 - at.px(1)
    if digit:
        write(
            surface, digit, at.px(SMALL), ink if chosen else theme.faint,
            midleft=(box.left + pad, middle),
        )  # fmt: skip
    room = box.width - 2 * pad - at.px(_digits_width(digit))
    write(
        surface, choices.words(index), size, ink,
        room=room, center=(box.right - pad - room // 2, middle),
    )  # fmt: skip


@lru_cache(maxsize=32)
def thumbnail(picture: Picture, side: int, theme: str) -> pygame.Surface:
    """Return a board as a small square picture: drawn large, then scaled down."""
    large = pygame.Surface((max(_THUMB, side), max(_THUMB, side)))
    large.fill(THEMES[theme].area)
    paint_board(large, picture, large.get_rect(), THEMES[theme])
    return pygame.transform.smoothscale(large, (side, side))
