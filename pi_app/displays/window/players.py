"""Who plays with score and hand, the last moves, and both in large when nobody keys."""

import pygame

from pi_app.displays.window.ink import icon, plate, stone, text_width, write
from pi_app.displays.window.layout import CARD_GAP, SMALL, Places, grid
from pi_app.displays.window.theme import RGB, Theme, player_paint
from pi_app.view.frame import Frame, Played, Seat, Tone

_LOW = 34
"""Cards lower than this, in pixels, have one line where it is long enough."""


def paint_players(surface: pygame.Surface, frame: Frame, at: Places, theme: Theme) -> None:
    """Paint a card for every player; nobody is ever left out."""
    rows = -(-len(frame.seats) // max(1, at.columns))
    boxes = grid(at.players, at.columns, rows, at.px(CARD_GAP))
    for seat, box in zip(frame.seats, boxes, strict=False):
        _card(surface, seat, box, theme)


def _card(surface: pygame.Surface, seat: Seat, box: pygame.Rect, theme: Theme) -> None:
    """Paint stone, name, what is left and the score; a frame says who is to move, a cup who won."""
    high = box.height
    _card_ground(surface, seat, box, theme)
    pad = max(3, high // 10)
    size = min(round(high * 0.72), box.width // 4)
    image = stone(seat.colour, seat.letter, size)
    surface.blit(image, image.get_rect(midleft=(box.left + pad, box.centery)))
    left, right = box.left + pad + size + pad, box.right - pad - 2
    if seat.winner:
        _cup(surface, image.get_rect(midleft=(box.left + pad, box.centery)), theme)
    if seat.score:
        ink = theme.tones[Tone.WIN] if seat.winner else theme.text
        written = write(
            surface, seat.score, round(high * 0.68), ink, room=round(box.width * 0.3), least=12,
            midright=(right, box.centery + high // 24),
        )  # fmt: skip
        right = written.left - pad
    _name_and_note(surface, seat, pygame.Rect(left, box.top, right - left, high), theme)


def _cup(surface: pygame.Surface, box: pygame.Rect, theme: Theme) -> None:
    """Lay a cup over the lower corner of the winner's stone."""
    size = round(box.width * 0.6)
    disc = plate((size, size), size // 2, theme.tints[Tone.WIN], theme.tones[Tone.WIN], 1)
    place = disc.get_rect(center=(box.right - size // 3, box.bottom - size // 3))
    surface.blit(disc, place)
    cup = icon("win", round(size * 0.7), theme.tones[Tone.WIN])
    surface.blit(cup, cup.get_rect(center=place.center))


def _card_ground(surface: pygame.Surface, seat: Seat, box: pygame.Rect, theme: Theme) -> None:
    """Paint the card's plate: raised for who is to move and for who has won."""
    tone = Tone.WIN if seat.winner else Tone.PLAIN
    raised = seat.to_move or seat.winner
    ground = theme.tints[tone] if raised else theme.panel
    edge = player_paint(seat.colour).fill if seat.to_move else theme.tones[tone]
    radius = max(4, box.height // 8)
    thick = max(2, box.height // 18) if raised else 1
    surface.blit(plate(box.size, radius, ground, edge if raised else theme.line, thick), box)


def _name_and_note(surface: pygame.Surface, seat: Seat, box: pygame.Rect, theme: Theme) -> None:
    """Write the name, below it in small what is left to the player."""
    high, room = box.height, box.width
    least = max(10, min(14, high // 3))
    line = round(high * 0.5)
    beside = text_width(seat.name, line) + high // 3 + text_width(seat.note, round(line * 0.8))
    if not seat.note or (high < _LOW and beside <= room):
        name = line if seat.note else round(high * 0.46)
        written = write(
            surface, seat.name, name, theme.text, room=room, least=least,
            midleft=(box.left, box.centery),
        )  # fmt: skip
        left = written.right + high // 3
        write(surface, seat.note, round(line * 0.8), theme.faint, midleft=(left, box.centery))
        return
    write(
        surface, seat.name, round(high * 0.42), theme.text, room=room, least=least,
        midleft=(box.left, box.top + round(high * 0.32)),
    )  # fmt: skip
    write(
        surface, seat.note, max(10, round(high * 0.27)), theme.faint, room=room, least=9,
        midleft=(box.left, box.top + round(high * 0.74)),
    )  # fmt: skip


def paint_moves(surface: pygame.Surface, frame: Frame, at: Places, theme: Theme) -> None:
    """List the last moves, the newest on top, then the draw pile and the like."""
    box = at.moves
    size = min(at.px(SMALL), 34)
    step = round(size * 1.34)
    seats = {seat.name: seat for seat in frame.seats}
    top = box.top
    for number, move in enumerate(frame.moves):
        if top + step > box.bottom:
            return
        ink = theme.text if number == 0 else theme.faint
        _move(
            surface,
            move,
            seats.get(move.name),
            pygame.Rect(box.left, top, box.width, step),
            size,
            ink,
        )
        top += step
    for line in frame.details:
        if line.partition(":")[0] in seats:
            continue  # their cards say it already
        if top + step > box.bottom:
            return
        middle = (box.left, top + step // 2)
        write(surface, line, size, theme.faint, room=box.width, least=size * 2 // 3, midleft=middle)
        top += step


def _move(
    surface: pygame.Surface, move: Played, seat: Seat | None, box: pygame.Rect, size: int, ink: RGB
) -> None:
    """Write a move beside its player's stone."""
    left = box.left
    words = move.line()
    if seat is not None:
        image = stone(seat.colour, seat.letter, size)
        surface.blit(image, image.get_rect(midleft=(left, box.centery)))
        left += size + size // 3
        words = move.text
    room = box.right - left
    write(surface, words, size, ink, room=room, least=size * 2 // 3, midleft=(left, box.centery))


def paint_score_view(surface: pygame.Surface, frame: Frame, theme: Theme) -> None:
    """Fill the surface with whose turn it is, the score and the last move, for two metres."""
    area = surface.get_rect()
    surface.fill(theme.background)
    unit = min(area.width / 1600, area.height / 900)
    edge = round(48 * unit)
    inner = area.inflate(-2 * edge, -2 * edge)
    head = pygame.Rect(inner.left, inner.top, inner.width, round(inner.height * 0.22))
    foot = pygame.Rect(inner.left, 0, inner.width, round(inner.height * 0.12))
    foot.bottom = inner.bottom
    _whose_turn(surface, frame, head, theme)
    count = len(frame.seats)
    columns = _score_columns(count, upright=area.height > area.width)
    middle = pygame.Rect(
        inner.left, head.bottom + edge // 2, inner.width, foot.top - head.bottom - edge
    )
    rows = -(-count // columns)
    middle.height = min(middle.height, rows * round(330 * unit))
    middle.centery = (head.bottom + foot.top) // 2
    for seat, box in zip(frame.seats, grid(middle, columns, rows, edge // 2), strict=False):
        _card(surface, seat, box, theme)
    if frame.moves:
        seats = {seat.name: seat for seat in frame.seats}
        move = frame.moves[0]
        _move(surface, move, seats.get(move.name), foot, round(foot.height * 0.62), theme.faint)


def _score_columns(count: int, *, upright: bool) -> int:
    """Return in how many columns the cards lie where they fill the screen."""
    if upright:
        return 1 if count <= 6 else 2
    return 1 if count <= 1 else 2 if count <= 6 else 3


def _whose_turn(surface: pygame.Surface, frame: Frame, box: pygame.Rect, theme: Theme) -> None:
    """Write who is to move, or who has won, as large as it fits, over a bar of their colour."""
    size = round(box.height * 0.78)
    letters = {seat.colour: seat.letter for seat in frame.seats}
    left = box.left
    if frame.colour in letters:
        image = stone(frame.colour or "", letters[frame.colour], size)
        surface.blit(image, image.get_rect(midleft=(left, box.centery)))
        left += size + size // 4
        bar = pygame.Rect(box.left, box.bottom - max(4, size // 16), box.width, max(4, size // 16))
        surface.fill(player_paint(frame.colour).fill, bar)
    text = frame.big or frame.title if any(seat.winner for seat in frame.seats) else frame.title
    write(
        surface, text, round(box.height * 0.66), theme.text,
        room=box.right - left, least=24, midleft=(left, box.centery),
    )  # fmt: skip
