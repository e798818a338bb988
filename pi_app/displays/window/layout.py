"""Where everything lies in the window, for every size from 800x480 up."""

from dataclasses import dataclass

import pygame

from hardware.keys import Key
from pi_app.view.frame import Frame

SMALLEST = (800, 480)
TARGET = 48
"""Nothing to be touched is narrower or lower, in pixels of the official screen: 9.2 mm."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The window's regions in pixels. `scale` is 1.0 on the smallest screen.

    `board` is empty without a picture; then `body` takes its place. `side` shows who plays and
    the last moves; `keys` the keypad or the soft keys.
    """

    scale: float
    title: pygame.Rect
    toggle: pygame.Rect
    board: pygame.Rect
    body: pygame.Rect
    side: pygame.Rect
    keys: pygame.Rect
    keypad: bool

    def px(self, pixels: float) -> int:
        """Return a length of the smallest screen as it is here."""
        return round(pixels * self.scale)


def wants_digits(frame: Frame) -> bool:
    """Tell whether digits mean something now, so that a keypad helps."""
    if frame.choices is not None or frame.close_up or any(seat.winner for seat in frame.seats):
        return False
    keys = {soft.key for soft in frame.softkeys}
    return frame.entry is not None or frame.picture is not None or Key.ENTER in keys


def lay_out(area: pygame.Rect, frame: Frame, *, keypad: bool) -> Layout:
    """Lay the regions out in `area`; `keypad` says whether the table wants to see one."""
    width, height = area.size
    # Larger screens are looked at from a little nearer, compared with their size.
    scale = max(0.5, min(width / SMALLEST[0], height / SMALLEST[1]))
    scale = scale**0.85 if scale > 1 else scale
    gap = round(8 * scale)
    pictured = frame.picture is not None or bool(frame.curves)
    shown = keypad and wants_digits(frame)
    across = min(height, round(width * 0.6)) if pictured else 0
    board = pygame.Rect(area.left, area.top + (height - across) // 2, across, across)
    panel = pygame.Rect(board.right, area.top, width - across, height)
    head = round(56 * scale)
    toggle = pygame.Rect(panel.right - head - gap // 2, panel.top + gap // 2, head, head)
    title = pygame.Rect(
        panel.left + gap, panel.top + gap // 2, toggle.left - panel.left - gap, head
    )
    column = panel.width if pictured else max(round(300 * scale), round(width * 0.375))
    below = pygame.Rect(0, title.bottom + gap + gap // 4, panel.width - 2 * gap, 0)
    below.left = panel.left + gap
    below.height = panel.bottom - below.top - gap
    low = _keys_height(frame, scale, below.height, shown=shown)
    keys = pygame.Rect(0, 0, column - 2 * gap, low)
    keys.bottomright = (panel.right - gap, panel.bottom - gap)
    if pictured:
        room = keys.top - gap - below.top
        needed = round(_BODY * scale)
        tall = room if room < needed + round(_SIDE * scale) else needed
        body = pygame.Rect(below.left, below.top, below.width, tall)
        side = pygame.Rect(below.left, body.bottom + gap, below.width, max(0, room - tall - gap))
    else:
        body = pygame.Rect(below.left, below.top, keys.left - gap - below.left, below.height)
        side = pygame.Rect(keys.left, below.top, keys.width, max(0, keys.top - gap - below.top))
    return Layout(scale, title, toggle, board, body, side, keys, shown)


_BODY = 206
"""Room for what is keyed and a verdict of three lines, in pixels of the smallest screen."""

_SIDE = 84
"""Below this height it is not worth to show who plays."""


def soft_rows(frame: Frame) -> int:
    """Return how many rows the soft keys take without a keypad; die buttons have their own."""
    return max(1, -(-sum(not soft.key.die for soft in frame.softkeys) // 2))


def _keys_height(frame: Frame, scale: float, room: int, *, shown: bool) -> int:
    """Return how high keypad or soft keys are, in pixels."""
    unit = min(scale, 1.4)
    key, gap = round(TARGET * unit), round(5 * unit)
    rows = 4 if shown else soft_rows(frame)
    if frame.dice:
        rows += 1
    return min(room, rows * key + (rows - 1) * gap)


def grid(area: pygame.Rect, columns: int, rows: int, gap: int) -> list[pygame.Rect]:
    """Return equal rectangles that fill the area, row by row, `gap` pixels apart."""
    boxes = []
    for row in range(rows):
        for column in range(columns):
            left = area.left + column * (area.width + gap) // columns
            right = area.left + (column + 1) * (area.width + gap) // columns - gap
            top = area.top + row * (area.height + gap) // rows
            bottom = area.top + (row + 1) * (area.height + gap) // rows - gap
            boxes.append(pygame.Rect(left, top, right - left, bottom - top))
    return boxes
