"""Points over a game in the window: a line for each player, with the player's stones."""

import pygame

from pi_app.displays.window.ink import stone, text_width, write
from pi_app.displays.window.theme import Theme, player_paint
from pi_app.view.chart import Box, dots_of, edges, highest, ticks, turning_points
from pi_app.view.frame import Curve

_VEIL = 56
"""A band's opacity, of 255."""


def paint_curves(
    surface: pygame.Surface, lines: tuple[Curve, ...], area: pygame.Rect, theme: Theme
) -> None:
    """Paint the curves, the points at the left, the moves below; each curve ends with a stone."""
    surface.fill(theme.area, area)
    small = max(12, min(28, area.width // 24))
    most = highest(lines)
    mark = max(12, min(40, area.width // 18))
    pad = small  # the margin on all sides
    inner = pygame.Rect(0, area.top + pad, 0, area.height - 2 * pad - round(small * 1.2))
    inner.left = area.left + pad + text_width(str(most), small) + small // 2
    inner.width = area.right - pad - mark // 2 - inner.left
    for value in ticks(most, max(1, min(5, inner.height // (2 * small)))):
        y = inner.bottom - 1 - value * (inner.height - 1) // most
        pygame.draw.line(surface, theme.line, (inner.left, y), (inner.right, y), 1)
        write(surface, str(value), small, theme.faint, midright=(inner.left - small // 2, y))
    moves = max(1, len(lines[0].points) - 1)
    for move in ticks(moves, max(1, min(10, inner.width // (3 * small)))):
        x = inner.left + move * (inner.width - 1) // moves
        corner = (x, inner.bottom + small // 3)
        write(surface, str(move), small, theme.faint, midtop=corner)
    box = (inner.left, inner.top, inner.width, inner.height)
    _paint_bands(surface, lines, most, box)
    for curve in lines:
        paint = player_paint(curve.colour)
        dots = dots_of(curve, most, box)
        if len(dots) > 1:
            thick = max(2, area.width // 160)
            pygame.draw.lines(surface, paint.fill, closed=False, points=dots, width=thick)
    for curve in lines:
        dots = dots_of(curve, most, box)
        # about eight small stones on the way, a large one at the end
        for dot in (*dots[:: max(1, len(dots) // 8)], dots[-1]):
            image = stone(curve.colour, "", mark if dot == dots[-1] else mark // 2)
            surface.blit(image, image.get_rect(center=dot))
    for curve in lines:
        for dot in turning_points(curve, most, box):
            pygame.draw.circle(surface, theme.text, dot, round(mark * 0.45), max(2, mark // 12))


def _paint_bands(surface: pygame.Surface, lines: tuple[Curve, ...], most: int, box: Box) -> None:
    """Paint each band translucent in its player's colour."""
    for curve in lines:
        upper, lower = edges(curve, most, box)
        if len(upper) > 1:
            veil = pygame.Surface(surface.get_size(), pygame.SRCALPHA)
            fill = player_paint(curve.colour).fill
            pygame.draw.polygon(veil, (*fill[:3], _VEIL), (*upper, *lower[::-1]))
            surface.blit(veil, (0, 0))
