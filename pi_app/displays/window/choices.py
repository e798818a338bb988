"""Lists to choose from: rows with their digits, or tiles with a picture of a board."""

from dataclasses import dataclass
from functools import lru_cache

import pygame

from hardware.keys import Key
from pi_app.displays.window.board import paint_board
from pi_app.displays.window.ink import fitting_size, text_width, write
from pi_app.displays.window.layout import GAP, SMALL, VERDICT, Places, grid
from pi_app.displays.window.shapes import icon, plate
from pi_app.displays.window.theme import RGB, THEMES, Theme
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


@dataclass(frozen=True, slots=True)
class ListPainter:
    """Paints a list to choose from; a touch on an item chooses it, an arrow scrolls."""

    surface: pygame.Surface
    choices: Choices
    at: Places
    theme: Theme

    def paint(self, box: pygame.Rect) -> list[Target]:
        """Paint the list as tiles, as rows in columns, or as rows that scroll."""
        choices, at = self.choices, self.at
        if choices.picture_of is not None:
            pictures = tuple(map(choices.picture_of, choices.items))
            if any(pictures):
                return self._paint_tiles(pictures, box)
        gap, least = at.gap, at.touch
        count = len(choices.items)
        rows = max(1, (box.height + gap) // (least + gap))
        # a list of more than twelve items is one column, which scrolls
        most = max(1, box.width // at.px(_NARROW)) if count <= 12 else 1
        columns = max(1, min(-(-count // rows), most, 3))
        if columns * rows < count:
            return self._paint_scrolling(box, rows)
        rows = max(1, -(-count // columns))  # no more than needed, so that columns are even
        high = min(at.px(_ROW), (box.height + gap) // rows - gap)
        table = pygame.Rect(box.left, box.top, box.width, rows * (high + gap) - gap)
        # Down the first column, then down the next: digits are in the order people count.
        places = grid(table, columns, rows, gap)
        return [
            self._paint_item(index, places[index % rows * columns + index // rows])
            for index in range(count)
        ]

    def _paint_scrolling(self, box: pygame.Rect, rows: int) -> list[Target]:
        """Paint the part of the list around the chosen item, with a scroll bar and arrows."""
        at, gap, size = self.at, self.at.gap, self.at.touch
        count = len(self.choices.items)
        first = max(0, min(self.choices.selected - rows // 2, count - rows))
        high = rows * (size + gap) - gap
        table = pygame.Rect(box.left, box.top, box.width - size - 3 * gap, high)
        places = grid(table, 1, rows, gap)
        targets = [self._paint_item(index, place) for index, place in enumerate(places, first)]
        side = pygame.Rect(box.right - size, box.top, size, table.height)
        bar = pygame.Rect(side.left - 2 * gap, side.top, gap, side.height)
        paint_bar(self.surface, bar, first / count, (first + rows) / count, self.theme)
        above, below = first > 0, first + rows < count
        return targets + paint_arrows(self.surface, side, at, self.theme, above=above, below=below)

    def _paint_item(self, index: int, box: pygame.Rect, size: int | None = None) -> Target:
        """Paint an item as a row in letters up to `size` pixels; the chosen one is inverted."""
        choices, at, theme = self.choices, self.at, self.theme
        chosen = index == choices.selected
        ground, ink = self._colours(chosen=chosen)
        if index in choices.greyed:  # the mark on such an item is paler too
            ground, ink = (theme.faint, theme.button) if chosen else (theme.background, theme.faint)
        self.surface.blit(plate(box.size, at.px(8), ground), box)
        digit = choices.digit(index)
        words = choices.sentence(index)
        if not words:  # the item is its own number
            words, digit = digit, ""
        left = box.left + at.px(10)
        if digit:
            middle = (left, box.centery)
            shade = ink if chosen else theme.faint
            write(self.surface, digit, at.px(SMALL), shade, midleft=middle)
        left += at.px(_digits_width(digit))
        room = box.right - at.px(6) - left
        if text_width(words, at.px(_SPOKEN)) > room:
            words = choices.words(index) or words
        write(
            self.surface, words, size or at.px(VERDICT), ink,
            room=room, least=at.px(14), midleft=(left, box.centery),
        )  # fmt: skip
        return Target(box, Choose(index - choices.selected))

    def _colours(self, *, chosen: bool) -> tuple[RGB, RGB]:
        """Return the ground and the ink of an item."""
        theme = self.theme
        return (theme.text, theme.background) if chosen else (theme.button, theme.text)

    def _common_size(self, items: list[int], width: int) -> int:
        """Return the size at which the words of all these items fit into `width` pixels."""
        choices, at = self.choices, self.at
        sizes = []
        for n in items:
            room = width - at.px(_digits_width(choices.digit(n)))
            sizes.append(fitting_size(choices.words(n), at.px(VERDICT), room, 1))
        return min(sizes, default=at.px(VERDICT))

    def _paint_tiles(self, pictures: tuple[Picture | None, ...], box: pygame.Rect) -> list[Target]:
        """Paint items with a picture as tiles, others as rows below, in as many columns as fit."""
        at = self.at
        gap = at.px(GAP + 2)
        pictured = [n for n, picture in enumerate(pictures) if picture is not None]
        plain = [n for n in range(len(pictures)) if n not in pictured]

        def size(columns: int) -> int:
            width = (box.width + at.gap) // columns - at.gap - at.px(16)
            return self._common_size(plain, width)

        most = min(len(plain), box.width // at.px(_NARROW + 10))
        columns = next((n for n in range(most, 1, -1) if size(n) >= at.px(_SPOKEN)), 1)
        rows = -(-len(plain) // columns)
        columns = -(-len(plain) // max(1, rows))  # without empty columns
        low = rows * (at.touch + at.gap) - at.gap if plain else 0
        above = pygame.Rect(box.left, box.top, box.width, box.height - low - (gap if low else 0))
        boxes = dict(zip(pictured, _tile_boxes(above, len(pictured), gap, at), strict=True))
        below = pygame.Rect(box.left, box.bottom - low, box.width, low)
        # the last row may have empty places
        boxes |= dict(zip(plain, grid(below, columns, rows, at.gap), strict=False))
        name_size = self._common_size(pictured, min(boxes[n].width for n in pictured) - at.px(16))
        targets = []
        for index, place in sorted(boxes.items()):
            picture = pictures[index]
            if picture is None:
                targets.append(self._paint_item(index, place, size(columns)))
            else:
                targets.append(self._paint_tile(index, picture, place, name_size))
        return targets

    def _paint_tile(self, index: int, picture: Picture, box: pygame.Rect, size: int) -> Target:
        """Paint a board, its name below in letters of `size`; the chosen one is inverted."""
        choices, at, theme = self.choices, self.at, self.theme
        chosen = index == choices.selected
        ground, ink = self._colours(chosen=chosen)
        self.surface.blit(plate(box.size, at.px(10), ground), box)
        pad, name_height = at.px(8), at.px(_NAME)
        side = max(8, min(box.width - 2 * pad, box.height - name_height - pad))
        board = thumbnail(picture, side, theme.name)
        top = box.top + pad + (box.height - name_height - pad - side) // 2
        self.surface.blit(board, board.get_rect(midtop=(box.centerx, top)))
        digit = choices.digit(index)
        middle = box.bottom - name_height // 2 - at.px(1)
        if digit:
            shade = ink if chosen else theme.faint
            write(self.surface, digit, at.px(SMALL), shade, midleft=(box.left + pad, middle))
        room = box.width - 2 * pad - at.px(_digits_width(digit))
        centre = (box.right - pad - room // 2, middle)
        write(self.surface, choices.words(index), size, ink, room=room, center=centre)
        return Target(box, Choose(index - choices.selected))


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
    if box.height < 2 * size + at.gap:  # room for one arrow: down first, at the end up
        arrows = arrows[1:] if below else arrows[:1]
    targets = []
    for sign, key, there, top in arrows:
        place = pygame.Rect(box.right - size, top, size, size)
        surface.blit(plate(place.size, at.px(8), theme.button), place)
        image = icon(sign, size // 2, theme.text if there else theme.line)
        surface.blit(image, image.get_rect(center=place.center))
        targets.append(Target(place, key))
    return targets


def _digits_width(digit: str) -> int:
    """Return the width of an item's digits, in units."""
    return 34 if len(digit) > 1 else 20 if digit else 0


def _tile_boxes(area: pygame.Rect, count: int, gap: int, at: Places) -> list[pygame.Rect]:
    """Return the places of `count` tiles, in the columns that make their boards largest."""
    name_height = at.px(_NAME)

    def board_side(columns: int) -> float:
        rows = -(-count // columns)
        high = (area.height + gap) / rows - gap - name_height
        return min((area.width + gap) / columns - gap, high)

    columns = max(range(1, count + 1), key=board_side)
    rows = -(-count // columns)
    high = min(area.height, rows * (round(board_side(columns)) + name_height + gap) - gap)
    middle = pygame.Rect(area.left, area.top + (area.height - high) // 2, area.width, high)
    return grid(middle, columns, rows, gap)[:count]


_NAME = 44
"""Room for a tile's name, in units."""


@lru_cache(maxsize=32)
def thumbnail(picture: Picture, side: int, theme: str) -> pygame.Surface:
    """Return a board as a small square picture: drawn large, then scaled down."""
    large = pygame.Surface((max(_THUMB, side), max(_THUMB, side)))
    large.fill(THEMES[theme].area)
    paint_board(large, picture, large.get_rect(), THEMES[theme])
    return pygame.transform.smoothscale(large, (side, side))
