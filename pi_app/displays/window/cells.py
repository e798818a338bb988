"""One cell of a board: a field with stones, a playing card with a chip, a space of a track."""

import re

import pygame

from pi_app.displays.window.ink import SUITS, fitting_size, put_text, stone, text_width, write
from pi_app.displays.window.shapes import icon, plate, suit_image
from pi_app.displays.window.theme import (
    CARD,
    CARD_BLACK,
    CARD_GREEN,
    CARD_RED,
    EDGE,
    GLOW,
    MISSED,
    RGB,
    SHADES,
    Theme,
    ink_on,
)
from pi_app.view.frame import Cell, Mark, Token

# rank and suit; B and D are the German jack and queen
_PLAYING_CARD = re.compile(r"(10|[2-9AKQJBD])([SHDC♠♥♦♣])")
CARD_EDGE: RGB = (118, 124, 134)
_FRAMED = (Mark.SELECTED, Mark.LEGAL, Mark.BLOCKED, Mark.ROW, Mark.LAST)
"""The marks that frame a cell, the most important first."""

_GREEN: RGB = (18, 128, 72)
_RED: RGB = (196, 30, 30)
"""Frames of cells that can be chosen, and of blocked ones."""


def playing_card(text: str) -> tuple[str, str] | None:
    """Return rank and suit letter of a card written as "10♥" or "10H", else None."""
    match = _PLAYING_CARD.fullmatch(text)
    return (match[1], SUITS.get(match[2], match[2])) if match else None


def _shade_colour(cell: Cell) -> RGB:
    """Return the colour of a cell's shade, of the nearest one if there is no such shade."""
    return SHADES[max(0, min(cell.shade, len(SHADES) - 1))]


def field_ground(cell: Cell, theme: Theme, *, listed: bool) -> RGB:
    """Return a field's ground.

    A `listed` field, a card in the table of all cards, shows its shade only if it is legal or
    occupied.
    """
    plain = listed and Mark.LEGAL not in cell.marks and not cell.tokens
    return theme.button if plain else _shade_colour(cell)


def table_ground(cell: Cell) -> RGB:
    """Return the background of a table's cell: its shade, or red if it needs work."""
    return MISSED if cell.shade == 1 else _shade_colour(cell)


def paint_ground(surface: pygame.Surface, box: pygame.Rect, ground: RGB, edge: RGB) -> None:
    """Paint an empty cell."""
    surface.blit(plate(box.size, max(3, box.width // 10), ground, edge), box)


def paint_field(surface: pygame.Surface, cell: Cell, box: pygame.Rect, ground: RGB) -> None:
    """Paint a field's number, and its stones on the side that faces their owner."""
    ink = ink_on(ground)
    middle = [token for token in cell.tokens if token.side is None]
    sides = [token for token in cell.tokens if token.side is not None]
    size = box.height
    if middle:  # the number gives way to the corner
        _paint_number(surface, cell, ink, size // 5, (box.left + size // 7, box.top + size // 7))
        _paint_stack(surface, middle, box, ink)
    else:
        share = 0.27 if sides else 0.42  # between stones the number is smaller
        _paint_number(surface, cell, ink, round(size * share), box.center, box.width - 8)
    for token in sides:
        _paint_side_stone(surface, token, box, ink)
    if cell.note and not cell.tokens:
        put_text(surface, cell.note, max(11, size // 6), ink, (box.centerx, box.bottom - size // 7))
    _paint_marks(surface, cell, box)


def _paint_number(
    surface: pygame.Surface,
    cell: Cell,
    ink: RGB,
    size: int,
    centre: tuple[int, int],
    width: int = 1000,
) -> None:
    """Write a cell's text around a point, smaller if it is wider than `width`."""
    put_text(surface, cell.text, fitting_size(cell.text, max(11, size), width, 8), ink, centre)


def _paint_stack(surface: pygame.Surface, tokens: list[Token], box: pygame.Rect, ink: RGB) -> None:
    """Paint stones in the middle of a field; a secured stack is one large stone."""
    size = round(box.height * (0.6 if len(tokens) == 1 else 0.42))
    for index, token in enumerate(tokens):
        # side by side around the middle, a little below it: the number is above
        x = box.centerx + round((index - (len(tokens) - 1) / 2) * size * 0.95)
        y = box.centery + round(box.height * 0.06)
        _paint_pile(surface, token, size, (x, y))
        if token.count > 1:
            place = (box.right - box.height // 5, box.bottom - box.height // 6)
            _paint_count(surface, token.count, ink, box.height // 5, place)


def _paint_pile(surface: pygame.Surface, token: Token, size: int, centre: tuple[int, int]) -> None:
    """Paint up to three stones on top of each other."""
    lift = max(2, size // 12)
    for layer in range(min(token.count, 3) - 1, -1, -1):  # 0 is the top, painted last
        image = stone(token.colour, token.text if layer == 0 else "", size)
        surface.blit(image, image.get_rect(center=(centre[0], centre[1] + layer * lift)))


def _paint_count(
    surface: pygame.Surface, count: int, ink: RGB, size: int, centre: tuple[int, int]
) -> None:
    put_text(surface, f"×{count}", max(11, size), ink, centre)


_SIDES = {0: (0, 1), 1: (-1, 0), 2: (0, -1), 3: (1, 0)}
"""Where the sides of the table lie, right and down: 0 below, then clockwise."""


def _paint_side_stone(surface: pygame.Surface, token: Token, box: pygame.Rect, ink: RGB) -> None:
    """Paint one player's stones at the edge that faces that player, with their number.

    The number follows clockwise, like the sails of a windmill, so that four players never collide.
    """
    right, down = _SIDES[(token.side or 0) % 4]  # from the middle towards the player
    size = round(box.height * 0.34)
    reach = (box.height - size) // 2 - max(2, box.height // 32)
    x, y = box.centerx + right * reach, box.centery + down * reach
    if token.count > 1:
        # along the edge the stones move one way, their number a little the other way
        along = (-down, right)
        shift = round(size * 0.66)
        number_size = max(11, round(box.height * 0.18))
        back = round(size * 0.22)
        _paint_count(
            surface, token.count, ink, number_size, (x - along[0] * back, y - along[1] * back)
        )
        x, y = x + along[0] * shift, y + along[1] * shift
    _paint_pile(surface, token, size, (x, y))


def _paint_marks(
    surface: pygame.Surface,
    cell: Cell,
    box: pygame.Rect,
    unsigned: frozenset[Mark] = frozenset(),
    number: str = "",
) -> None:
    """Frame a cell by its most important mark, with a sign unless that is `unsigned`.

    A cell that can be chosen shows its number as the sign.
    """
    mark = next((mark for mark in _FRAMED if mark in cell.marks), None)
    radius = max(3, box.width // 10)
    thick = max(3, box.width // 20)
    if Mark.SECURED in cell.marks and mark is None:  # a thin line, which any frame would cover
        inner = box.inflate(-4, -4)
        pygame.draw.rect(
            surface, ink_on(_shade_colour(cell)), inner, max(2, thick // 2), border_radius=radius
        )
    if mark is None:
        return
    colour = {Mark.LEGAL: _GREEN, Mark.BLOCKED: _RED}.get(mark, GLOW)
    # a dark edge around the frame, so that it stands out on every ground
    pygame.draw.rect(surface, EDGE, box.inflate(2, 2), thick + 2, border_radius=radius)
    pygame.draw.rect(surface, colour, box, thick, border_radius=radius)
    sign = {Mark.LEGAL: "good", Mark.BLOCKED: "bad", Mark.ROW: "star"}.get(mark)
    if number:
        _paint_badge(surface, "", number, colour, box)
    # otherwise it hides the cell
    elif sign is not None and mark not in unsigned and box.width >= 40:
        _paint_badge(surface, sign, "", colour, box)


def _paint_badge(
    surface: pygame.Surface, sign: str, number: str, colour: RGB, box: pygame.Rect
) -> None:
    """Paint a small round sign, or the number to choose by, into the upper right corner."""
    size = max(14, round(box.width * (0.46 if number else 0.25)))  # a number must be read
    centre = (box.right - size * 9 // 16, box.top + size * 9 // 16)
    disc = plate((size, size), size // 2, colour, EDGE)
    surface.blit(disc, disc.get_rect(center=centre))
    if number:
        put_text(surface, number, round(size * 0.78), ink_on(colour), centre)
        return
    image = icon(sign, size * 2 // 3, ink_on(colour))
    surface.blit(image, image.get_rect(center=centre))


def paint_card(surface: pygame.Surface, cell: Cell, box: pygame.Rect) -> None:
    """Paint a playing card or a free corner, and the chip on it."""
    card = playing_card(cell.text)
    if card is None:
        image = icon("star", round(box.width * 0.6), SHADES[4])
        surface.blit(image, image.get_rect(center=box.center))
    else:
        # large rank at the top left and suit at the bottom right; next to a chip both are small
        rank, suit = card
        ink = CARD_RED if suit in "HD" else CARD_BLACK
        size = round(box.width * (0.3 if cell.tokens else 0.42))
        sign = suit_image(suit, round(box.width * (0.26 if cell.tokens else 0.38)))
        edge = max(1, box.width // 12)
        written = write(surface, rank, size, ink, topleft=(box.left + edge, box.top + 1))
        if cell.tokens:
            surface.blit(sign, (written.right + 1, box.top + 3))
        else:
            surface.blit(sign, sign.get_rect(bottomright=(box.right - edge, box.bottom - edge)))
    for token in cell.tokens:  # the chip
        size = round(box.width * 0.62)
        image = stone(token.colour, token.text, size)
        surface.blit(image, image.get_rect(bottomright=(box.right - 3, box.bottom - 3)))
    # The line through a completed row says so already; a sign would hide the card.
    _paint_marks(surface, cell, box.inflate(-2, -2), frozenset({Mark.ROW}), cell.note)


def paint_space(surface: pygame.Surface, cell: Cell, box: pygame.Rect) -> None:
    """Paint a space of a track: its number small, its value large, the stone upon it."""
    ground = _shade_colour(cell)
    ink = ink_on(ground)
    surface.blit(plate(box.size, max(4, box.width // 7), ground, EDGE), box)
    high = min(box.width, box.height)
    small = max(11, round(high * 0.2))
    corner = (box.left + high // 10, box.top + high // 14)
    write(surface, cell.text, small, ink, topleft=corner)
    if cell.tokens:
        size = round(high * 0.66)
        for index, token in enumerate(cell.tokens):
            x = box.centerx + round((index - (len(cell.tokens) - 1) / 2) * size * 0.6)
            image = stone(token.colour, token.text, size)
            surface.blit(image, image.get_rect(center=(x, box.centery + high // 12)))
        if cell.note:
            # beside the stone the value is small, in the other corner
            corner = (box.right - high // 10, box.top + high // 14)
            write(surface, cell.note, small, ink, topright=corner)
    elif cell.note:
        size = fitting_size(cell.note, round(high * 0.42), box.width - 8, 10)
        put_text(surface, cell.note, size, ink, (box.centerx, box.centery + high // 10))
    _paint_marks(surface, cell, box)


def paint_open_card(surface: pygame.Surface, cell: Cell, box: pygame.Rect) -> None:
    """Paint a large open card: its number, and the announced number below."""
    surface.blit(plate(box.size, max(6, box.width // 12), CARD, EDGE, 2), box)
    high = box.height
    size = fitting_size(cell.text, round(high * 0.42), box.width - 16, 16)
    put_text(surface, cell.text, size, CARD_BLACK, (box.centerx, box.top + round(high * 0.4)))
    small = max(12, round(high * 0.11))
    if (
        text_width(cell.text, small) < box.width // 2
    ):  # a short number also in the corner, as printed
        place = (box.left + small // 2, box.top + small // 3)
        colour = CARD_GREEN if cell.shade else CARD_RED  # green: a square number
        write(surface, cell.text, small, colour, topleft=place)
    if cell.note:
        strip = pygame.Rect(
            box.left + 4, box.bottom - round(high * 0.3), box.width - 8, round(high * 0.3) - 4
        )
        surface.blit(plate(strip.size, 6, SHADES[1]), strip)
        note = fitting_size(cell.note, round(high * 0.2), strip.width - 8, 12)
        put_text(surface, cell.note, note, CARD_BLACK, strip.center)
    _paint_marks(surface, cell, box)
