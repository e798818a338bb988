"""Lists to choose from: rows with their digits, or tiles with a picture of a board."""

from dataclasses import dataclass
from functools import lru_cache
from math import ceil

import pygame

from hardware.keys import Key
from pi_app.displays.window.board import paint_board
from pi_app.displays.window.ink import fitting_lines, fitting_size, line_step, text_width, write
from pi_app.displays.window.layout import GAP, SMALL, VERDICT, Places, grid
from pi_app.displays.window.shapes import icon, plate
from pi_app.displays.window.theme import RGB, THEMES, Theme
from pi_app.displays.window.touch import Choose, Target
from pi_app.view.frame import Choices, Picture

_ROW = 62
"""The preferred height of an item, in units; TARGET is the least."""

_LARGE = 32
"""The largest size, in units, of the items of a list."""

_WHOLE = 20
"""The least size, in units, of items in whole words; below it the short words are used."""

_SPOKEN = 16
"""The size, in units, of words in two lines, and the least of rows below tiles."""

_LEAST = 14
"""The least size, in units, of an item; where it is too large the words have two lines."""

_NARROW = 130
"""The least width of a column of items, in units: in less there is no room for words."""

_THUMB = 480
"""The size, in pixels, in which a tile's board is drawn before it is scaled down."""


@dataclass(frozen=True, slots=True)
class ListPainter:
    """Paints a list to choose from; a touch on an item chooses it, one on an arrow scrolls."""

    surface: pygame.Surface
    choices: Choices
    layout: Places
    theme: Theme

    def paint(self, box: pygame.Rect) -> list[Target]:
        """Paint the list as tiles, as rows in columns, or as rows that scroll."""
        choices, layout = self.choices, self.layout
        if choices.picture_of is not None:
            pictures = tuple(map(choices.picture_of, choices.items))
            if any(pictures):
                return self._paint_tiles(pictures, box)
        gap, count = layout.gap, len(choices.items)
        most = max(1, (box.height + gap) // (layout.touch + gap))  # rows that fit
        fitting = [n for n in range(1, self._most_columns(box.width) + 1) if n * most >= count]
        if not fitting:
            return self._paint_scrolling(box, most)

        def high(columns: int) -> int:
            rows = max(1, ceil(count / columns))  # no more than needed, so that columns are even
            return min(layout.px(_ROW), (box.height + gap) // rows - gap)

        def size(columns: int, *, whole: bool = False) -> int:  # the size of all items
            width = (box.width + gap) // columns - gap - layout.px(16)
            most = min(layout.px(_LARGE), high(columns) // 2)
            return self._common_size(list(range(count)), width, most, whole=whole)

        # where the letters are largest; of equal ones the fewest
        columns = max(fitting, key=lambda n: (size(n), -n))
        rows, letters = max(1, ceil(count / columns)), size(columns)
        in_whole_words = size(columns, whole=True)
        if in_whole_words >= layout.px(_WHOLE):
            letters = in_whole_words
        letters = max(letters, layout.px(_LEAST))
        table = pygame.Rect(box.left, box.top, box.width, rows * (high(columns) + gap) - gap)
        # Down the first column, then down the next: digits are in the order people count.
        places = grid(table, columns, rows, gap)
        targets = []
        for index in range(count):
            column, row = divmod(index, rows)
            targets.append(self._paint_item(index, places[row * columns + column], letters))
        return targets

    def needs(self, width: int) -> int:
        """Return the least height, in pixels, at which no item has to be scrolled to.

        0 for a long list, which scrolls anyway, and for tiles, which fit any height.
        """
        columns, gap = self._most_columns(width), self.layout.gap
        if columns == 1 or self.choices.picture_of is not None:
            return 0
        rows = ceil(len(self.choices.items) / columns)
        return rows * (self.layout.touch + gap) - gap

    def _most_columns(self, width: int) -> int:
        # a list of more than twelve items is one column, which scrolls
        most = width // self.layout.px(_NARROW) if len(self.choices.items) <= 12 else 1
        return max(1, min(most, 3))

    def _paint_scrolling(self, box: pygame.Rect, rows: int) -> list[Target]:
        """Paint the part of the list around the chosen item, with a scroll bar and arrows."""
        layout, gap, size = self.layout, self.layout.gap, self.layout.touch
        count = len(self.choices.items)
        first = max(0, min(self.choices.selected - rows // 2, count - rows))
        high = rows * (size + gap) - gap
        # at the right the scroll bar, `gap` wide, and the arrows, `size` wide
        table = pygame.Rect(box.left, box.top, box.width - size - 3 * gap, high)
        places = grid(table, 1, rows, gap)
        targets = [self._paint_item(index, place) for index, place in enumerate(places, first)]
        side = pygame.Rect(box.right - size, box.top, size, table.height)
        bar = pygame.Rect(side.left - 2 * gap, side.top, gap, side.height)
        paint_bar(self.surface, bar, first / count, (first + rows) / count, self.theme)
        above, below = first > 0, first + rows < count
        return targets + paint_arrows(
            self.surface, side, layout, self.theme, above=above, below=below
        )

    def _paint_item(self, index: int, box: pygame.Rect, size: int | None = None) -> Target:
        """Paint an item as a row in letters up to `size` pixels; the chosen one is inverted."""
        choices, layout, theme = self.choices, self.layout, self.theme
        chosen = index == choices.selected
        ground, ink = self._colours(chosen=chosen)
        if index in choices.greyed:  # the mark on such an item is paler too
            ground, ink = (theme.faint, theme.button) if chosen else (theme.background, theme.faint)
        self.surface.blit(plate(box.size, layout.px(8), ground), box)
        digit = choices.digit(index)
        words = choices.sentence(index)
        if not words:  # the item is its own number
            words, digit = digit, ""
        left = box.left + layout.px(10)
        if digit:
            middle = (left, box.centery)
            shade = ink if chosen else theme.faint
            write(self.surface, digit, layout.px(SMALL), shade, midleft=middle)
        left += layout.px(_digits_width(digit))
        room = box.right - layout.px(6) - left
        size = size or layout.px(VERDICT)
        if text_width(words, size) > room:  # the short words instead
            words = choices.words(index) or words
        lines: tuple[str, ...] = (words,)
        if text_width(words, layout.px(_LEAST)) > room:  # two lines, if they are whole
            small = (layout.px(_SPOKEN), layout.px(_LEAST))
            size, lines = fitting_lines(words, small, room, box.height)
        top = box.centery - len(lines) * line_step(size) // 2
        for line in lines:
            middle = (left, top + line_step(size) // 2)
            write(self.surface, line, size, ink, room=room, least=layout.px(_LEAST), midleft=middle)
            top += line_step(size)
        return Target(box, Choose(index - choices.selected))

    def _colours(self, *, chosen: bool) -> tuple[RGB, RGB]:
        """Return the ground and the ink of an item."""
        theme = self.theme
        return (theme.text, theme.background) if chosen else (theme.button, theme.text)

    def _common_size(self, items: list[int], width: int, most: int, *, whole: bool = False) -> int:
        """Return the size, up to `most`, at which items (indexes) fit into `width` pixels.

        They are in short words, or in `whole` ones.
        """
        choices, layout = self.choices, self.layout
        sizes = []
        for n in items:
            room = width - layout.px(_digits_width(choices.digit(n)))
            words = choices.sentence(n) if whole else choices.words(n)
            sizes.append(fitting_size(words, most, room, 1))
        return min(sizes, default=most)

    def _paint_tiles(self, pictures: tuple[Picture | None, ...], box: pygame.Rect) -> list[Target]:
        """Paint items with a picture as tiles, others as rows below, in as many columns as fit.

        A first item without a picture, such as "Continue", is the most used one: it gets a row
        above all.
        """
        layout = self.layout
        gap = layout.px(GAP + 2)
        # indexes of the items
        pictured = [n for n, picture in enumerate(pictures) if picture is not None]
        plain = [n for n in range(len(pictures)) if n not in pictured]
        targets = []
        if plain[:1] == [0] and 0 not in self.choices.greyed:
            first = pygame.Rect(box.topleft, (box.width, layout.px(_ROW)))
            size_of_first = self._common_size([0], box.width - layout.px(16), layout.px(_LARGE))
            targets.append(self._paint_item(plain.pop(0), first, size_of_first))
            box = pygame.Rect(
                first.left, first.bottom + gap, box.width, box.bottom - first.bottom - gap
            )

        def size(columns: int) -> int:  # the size of the rows' letters
            width = (box.width + layout.gap) // columns - layout.gap - layout.px(16)
            return self._common_size(plain, width, layout.px(VERDICT))

        most = min(len(plain), box.width // layout.px(_NARROW + 10))
        # the most columns in which words can be read; with none one column
        columns = next((n for n in range(most, 1, -1) if size(n) >= layout.px(_SPOKEN)), 1)
        rows = ceil(len(plain) / columns)
        columns = ceil(len(plain) / max(1, rows))  # without empty columns
        rows_height = rows * (layout.touch + layout.gap) - layout.gap if plain else 0
        above = pygame.Rect(box.left, box.top, box.width, box.height - rows_height)
        if plain:
            above.height -= gap
        boxes = dict(zip(pictured, _tile_boxes(above, len(pictured), gap, layout), strict=True))
        below = pygame.Rect(box.left, box.bottom - rows_height, box.width, rows_height)
        # the last row may have empty places
        boxes |= dict(zip(plain, grid(below, columns, rows, layout.gap), strict=False))
        name_size = self._common_size(
            pictured, min(boxes[n].width for n in pictured) - layout.px(16), layout.px(VERDICT)
        )
        for index, place in sorted(boxes.items()):
            picture = pictures[index]
            if picture is None:
                targets.append(self._paint_item(index, place, size(columns)))
            else:
                targets.append(self._paint_tile(index, picture, place, name_size))
        return targets

    def _paint_tile(self, index: int, picture: Picture, box: pygame.Rect, size: int) -> Target:
        """Paint a board, its name below in letters of `size`; the chosen one is inverted."""
        choices, layout, theme = self.choices, self.layout, self.theme
        chosen = index == choices.selected
        ground, ink = self._colours(chosen=chosen)
        self.surface.blit(plate(box.size, layout.px(10), ground), box)
        pad, name_height = layout.px(8), layout.px(_NAME)
        side = max(
            8, min(box.width - 2 * pad, box.height - name_height - pad)
        )  # of the square board
        board = thumbnail(picture, side, theme.name)
        top = box.top + pad + (box.height - name_height - pad - side) // 2
        self.surface.blit(board, board.get_rect(midtop=(box.centerx, top)))
        digit = choices.digit(index)
        middle = box.bottom - name_height // 2 - layout.px(1)
        if digit:
            shade = ink if chosen else theme.faint
            write(self.surface, digit, layout.px(SMALL), shade, midleft=(box.left + pad, middle))
        room = box.width - 2 * pad - layout.px(_digits_width(digit))
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
    surface: pygame.Surface,
    box: pygame.Rect,
    layout: Places,
    theme: Theme,
    *,
    above: bool,
    below: bool,
) -> list[Target]:
    """Paint an arrow at each end of a strip; one that leads nowhere is pale."""
    size = layout.touch
    # each arrow: icon, key, whether it leads anywhere, top edge
    arrows = [("up", Key.UP, above, box.top), ("down", Key.DOWN, below, box.bottom - size)]
    if box.height < 2 * size + layout.gap:  # room for one arrow: down first, at the end up
        arrows = arrows[1:] if below else arrows[:1]
    targets = []
    for sign, key, leads_on, top in arrows:
        place = pygame.Rect(box.right - size, top, size, size)
        surface.blit(plate(place.size, layout.px(8), theme.button), place)
        image = icon(sign, size // 2, theme.text if leads_on else theme.line)
        surface.blit(image, image.get_rect(center=place.center))
        targets.append(Target(place, key))
    return targets


def _digits_width(digit: str) -> int:
    """Return the width of an item's digits, in units."""
    if len(digit) > 1:
        return 34
    return 20 if digit else 0


def _tile_boxes(area: pygame.Rect, count: int, gap: int, layout: Places) -> list[pygame.Rect]:
    """Return the places of `count` tiles, in the columns that make their boards largest."""
    name_height = layout.px(_NAME)

    def board_side(columns: int) -> float:  # of the largest square in a tile, above its name
        rows = ceil(count / columns)
        high = (area.height + gap) / rows - gap - name_height
        return min((area.width + gap) / columns - gap, high)

    columns = max(range(1, count + 1), key=board_side)
    rows = ceil(count / columns)
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
