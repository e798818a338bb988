"""Paints the players' cards, the last moves, and the large score view."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import pygame

from pi_app.displays.window.ink import fitting_size, stone, text_width, wrap_text, write
from pi_app.displays.window.layout import CARD_GAP, SMALL, Places, grid
from pi_app.displays.window.shapes import icon, plate
from pi_app.displays.window.theme import RGB, Theme, player_paint
from pi_app.view.frame import Frame, Played, Seat, Tone

_LOW = 34
"""Cards lower than this, in pixels, have one line if it is long enough for everybody."""
_LEAST = 11
"""Names are no smaller than this, in pixels; longer ones end with dots."""
_READ_NOTE = 12
"""Notes that would be smaller than this, in pixels, between stone and score go below both."""
_UPPER = 0.32
"""The name's place on a card of two lines, in shares of its height."""
_READ = 0.3
"""In shares of a card's height: names that would be smaller next to their score go above it."""


@dataclass(frozen=True, slots=True)
class _Card:
    """The sizes of everything on a frame's cards: one for all names, one for all scores.

    Sizes are in pixels; `score_room` is the width of the widest score. The note is `beside` the
    name or below it, the score `below` the name if names need the whole width, and the note
    `under` the stone if it would be too small next to it.
    """

    stone: int
    name: int
    score: int
    score_room: int
    beside: bool
    below: bool
    under: bool = False


def paint_players(surface: pygame.Surface, frame: Frame, layout: Places, theme: Theme) -> None:
    """Paint a card for every player, in as many rows as the layout's columns need."""
    rows = ceil(len(frame.extras.seats) / max(1, layout.columns))
    boxes = grid(layout.players, layout.columns, rows, layout.px(CARD_GAP))
    _paint_cards(surface, frame.extras.seats, boxes, theme)


def _paint_cards(
    surface: pygame.Surface, seats: Sequence[Seat], boxes: Sequence[pygame.Rect], theme: Theme
) -> None:
    if not seats:
        return
    # rounding makes some boxes a pixel larger: all cards have the sizes that fit everywhere
    smallest = pygame.Rect(0, 0, min(box.width for box in boxes), min(box.height for box in boxes))
    card = _plan_card(seats, smallest)
    for seat, box in zip(seats, boxes, strict=False):  # the last row may have empty boxes
        _paint_card(surface, seat, box, card, theme)


def _plan_card(seats: Sequence[Seat], box: pygame.Rect) -> _Card:
    """Return the sizes for cards that are at least as large as `box`.

    Names are next to their score if possible. If the longest one would be too small there, the
    score goes below it, next to the note.
    """
    high = box.height
    pad = _pad(box)
    stone_size = min(round(high * 0.72), box.width // 4)
    room = box.width - stone_size - 3 * pad - 2  # for name, note and score
    scores = [seat.score for seat in seats if seat.score]
    score_size = min(
        (fitting_size(text, round(high * 0.68), round(box.width * 0.3), 12) for text in scores),
        default=0,
    )
    widest = max((text_width(text, score_size) for text in scores), default=0)
    taken = widest + pad if widest else 0  # by the score
    noted = any(seat.note for seat in seats)
    line_size = round(high * 0.5)  # of a name that has the whole height
    note_width = max((text_width(seat.note, round(line_size * 0.8)) for seat in seats), default=0)
    # name and note in one line, `high // 3` apart, if every name keeps its size there
    name_room = room - taken - note_width - high // 3
    if noted and high < _LOW and _names_size(seats, line_size, name_room) == line_size:
        return _Card(stone_size, line_size, score_size, widest, beside=True, below=False)
    # in a row too low for readable notes, their usual size is enough
    least_note = min(_READ_NOTE, _note_size(high))
    if high >= _LOW and any(text_width(seat.note, least_note) > room - taken for seat in seats):
        return _plan_narrow_card(seats, box, score_size)
    wanted = round(high * (0.42 if noted else 0.46))  # a note takes a little of the height
    beside_score = _names_size(seats, wanted, room - taken)
    above_score = _names_size(seats, wanted, room)
    if beside_score >= round(high * _READ) or above_score <= beside_score:
        return _Card(stone_size, beside_score, score_size, widest, beside=False, below=False)
    small_score = min(score_size, round(high * 0.44))  # below the name half the height is left
    widest = max((text_width(text, small_score) for text in scores), default=0)
    return _Card(stone_size, above_score, small_score, widest, beside=False, below=True)


def _plan_narrow_card(seats: Sequence[Seat], box: pygame.Rect, score: int) -> _Card:
    """Return the sizes for cards that are too narrow for a note between stone and score.

    Stone and name share the upper half, note and score the lower one.
    """
    high, pad = box.height, _pad(box)
    stone_size = min(round(high * 0.44), box.width // 4)
    score = min(score, round(high * 0.44))
    widest = max((text_width(seat.score, score) for seat in seats if seat.score), default=0)
    name = _names_size(seats, round(high * 0.42), box.width - stone_size - 3 * pad - 2)
    return _Card(stone_size, name, score, widest, beside=False, below=True, under=True)


def _note_size(high: int) -> int:
    """Return the size of notes below names, on cards `high` pixels high."""
    return max(10, round(high * 0.27))


def _names_size(seats: Sequence[Seat], size: int, room: int) -> int:
    """Return the largest size up to `size` at which every name fits, at least a readable one."""
    least = min(size, _LEAST)
    return min(fitting_size(seat.name, size, max(1, room), least) for seat in seats)


def _pad(box: pygame.Rect) -> int:
    """Return the margin within a card, in pixels."""
    return max(3, box.height // 10)


def _paint_card(
    surface: pygame.Surface, seat: Seat, box: pygame.Rect, card: _Card, theme: Theme
) -> None:
    """Paint stone, name, note and score; the player to move has a raised card, a winner a cup."""
    high, pad, size = box.height, _pad(box), card.stone
    tone = Tone.WIN if seat.winner else Tone.PLAIN
    raised = seat.to_move or seat.winner
    ground = theme.tints[tone] if raised else theme.area
    edge = player_paint(seat.colour).fill if seat.to_move else theme.tones[tone]
    thick = max(2, high // 18) if raised else 1
    radius = max(4, high // 8)
    surface.blit(plate(box.size, radius, ground, edge if raised else theme.line, thick), box)
    image = stone(seat.colour, seat.letter, size)
    middle = box.top + round(high * _UPPER) if card.under else box.centery
    place = image.get_rect(midleft=(box.left + pad, middle))
    surface.blit(image, place)
    if seat.winner:
        paint_cup(surface, place, theme)
    left, right = place.right + pad, box.right - pad - 2
    # below the name, or at the middle, where digits look centred a little lower
    score_y = box.top + round(high * 0.72) if card.below else box.centery + high // 24
    if seat.score:
        ink = theme.tones[Tone.WIN] if seat.winner else theme.text
        write(surface, seat.score, card.score, ink, midright=(right, score_y))
    score_left = right - card.score_room - pad if card.score_room else right
    name_right = right if card.below else score_left
    room = pygame.Rect(left, box.top, name_right - left, high)
    note_left = place.left if card.under else left
    note = pygame.Rect(note_left, box.top, score_left - note_left, high)
    _write_name_and_note(surface, seat, room, note, card, theme)


def paint_cup(surface: pygame.Surface, place: pygame.Rect, theme: Theme) -> None:
    """Paint the winner's cup over the lower corner of their stone."""
    side = round(place.width * 0.6)
    disc = plate((side, side), side // 2, theme.tints[Tone.WIN], theme.tones[Tone.WIN], 1)
    corner = disc.get_rect(center=(place.right - side // 3, place.bottom - side // 3))
    surface.blit(disc, corner)
    cup = icon("win", round(side * 0.7), theme.tones[Tone.WIN])
    surface.blit(cup, cup.get_rect(center=corner.center))


def _write_name_and_note(
    surface: pygame.Surface,
    seat: Seat,
    box: pygame.Rect,
    below: pygame.Rect,
    card: _Card,
    theme: Theme,
) -> None:
    """Write the name into `box`; the note next to it, or small into `below`.

    Both places are as high as the card.
    """
    high, room = box.height, box.width
    # in one line: a low card, or one with nothing below the name
    if card.beside or not (seat.note or card.below):
        written = write(
            surface, seat.name, card.name, theme.text, room=room, midleft=(box.left, box.centery)
        )
        left = written.right + high // 3
        size = round(card.name * 0.8)
        write(surface, seat.note, size, theme.faint, midleft=(left, box.centery))
        return
    write(
        surface, seat.name, card.name, theme.text, room=room,
        midleft=(box.left, box.top + round(high * _UPPER)),
    )  # fmt: skip
    write(
        surface, seat.note, _note_size(high), theme.faint, room=below.width, least=9,
        midleft=(below.left, box.top + round(high * 0.74)),
    )  # fmt: skip


def paint_moves(surface: pygame.Surface, frame: Frame, layout: Places, theme: Theme) -> None:
    """List the last moves, the newest on top, then details such as the draw pile."""
    box = layout.moves
    size = min(layout.px(SMALL), 34)  # on large screens more moves, not larger ones
    step = round(size * 1.34)
    seats = {seat.name: seat for seat in frame.extras.seats}
    top = box.top
    for number, move in enumerate(frame.extras.moves):
        if top + step > box.bottom:
            return
        ink = theme.text if number == 0 else theme.faint
        _write_move(
            surface,
            move,
            seats.get(move.name),
            pygame.Rect(box.left, top, box.width, step),
            size,
            ink,
        )
        top += step
    for line in frame.extras.details:
        if line.partition(":")[0] in seats:
            continue  # "Anna: ..." is on her card already
        least = size * 2 // 3
        small = text_width(line, least) <= box.width
        rows = (line,) if small else wrap_text(line, size, box.width)
        if top + len(rows) * step > box.bottom:
            return
        for row in rows:
            middle = (box.left, top + step // 2)
            write(surface, row, size, theme.faint, room=box.width, least=least, midleft=middle)
            top += step


def _write_move(
    surface: pygame.Surface, move: Played, seat: Seat | None, box: pygame.Rect, size: int, ink: RGB
) -> None:
    """Write a move next to its player's stone."""
    left = box.left
    words = move.line()
    if seat is not None:
        image = stone(seat.colour, seat.letter, size)
        surface.blit(image, image.get_rect(midleft=(left, box.centery)))
        left += size + size // 3
        words = move.text
    room = box.right - left
    write(surface, words, size, ink, room=room, least=size * 2 // 3, midleft=(left, box.centery))
