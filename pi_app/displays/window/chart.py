"""Points over a game in the window: a line for each player, with the shape of its stones."""

import pygame

from pi_app.displays.window.ink import stone, text_width, write
from pi_app.displays.window.theme import Theme, player_paint
from pi_app.view.chart import highest, places
from pi_app.view.frame import Curve

_PARTS = 4


def paint_curves(
    surface: pygame.Surface, lines: tuple[Curve, ...], area: pygame.Rect, theme: Theme
) -> None:
    """Paint the curves with the points at the left edge and the moves below; stones end them."""
    surface.fill(theme.panel, area)
    small = max(12, min(28, area.width // 24))
    most = highest(lines)
    mark = max(12, min(40, area.width // 18))
    pad = small
    inner = pygame.Rect(0, area.top + pad, 0, area.height - 2 * pad - round(small * 1.2))
    inner.left = area.left + pad + text_width(str(most), small) + small // 2
    inner.width = area.right - pad - mark // 2 - inner.left
    for part in range(_PARTS + 1):
        y = inner.bottom - 1 - part * (inner.height - 1) // _PARTS
        pygame.draw.line(surface, theme.line, (inner.left, y), (inner.right, y), 1)
        if most * part % _PARTS == 0 or part == _PARTS:
            value = str(most * part // _PARTS)
            write(surface, value, small, theme.faint, midright=(inner.left - small // 2, y))
    moves = str(max(0, len(lines[0].points) - 1))
    corner = (inner.right, inner.bottom + small // 3)
    write(surface, moves, small, theme.faint, topright=corner)
    for curve in lines:
        paint = player_paint(curve.colour)
        dots = places(curve, most, (inner.left, inner.top, inner.width, inner.height))
        if len(dots) > 1:
            thick = max(2, area.width // 160)
            pygame.draw.lines(surface, paint.fill, closed=False, points=dots, width=thick)
    for curve in lines:
        dots = places(curve, most, (inner.left, inner.top, inner.width, inner.height))
        for dot in (*dots[:: max(1, len(dots) // 8)], dots[-1]):
            image = stone(curve.colour, "", mark if dot == dots[-1] else mark // 2)
            surface.blit(image, image.get_rect(center=dot))
