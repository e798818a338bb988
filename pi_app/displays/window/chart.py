"""Points over a game in the window: a line for each player, with the shape of its stones."""

import pygame

from pi_app.displays.window.theme import Shape, Theme, player_paint
from pi_app.view.chart import highest, places
from pi_app.view.frame import Curve


def paint_curves(
    surface: pygame.Surface, lines: tuple[Curve, ...], area: pygame.Rect, theme: Theme
) -> None:
    """Paint the curves where otherwise the board is."""
    surface.fill(theme.panel, area)
    inner = area.inflate(-area.width // 8, -area.height // 8)
    most = highest(lines)
    for part in range(5):
        y = inner.top + part * (inner.height - 1) // 4
        pygame.draw.line(surface, theme.background, (inner.left, y), (inner.right, y), 2)
    size = max(4, area.width // 80)
    for curve in lines:
        paint = player_paint(curve.colour)
        dots = places(curve, most, (inner.left, inner.top, inner.width, inner.height))
        if len(dots) > 1:
            pygame.draw.lines(surface, paint.fill, closed=False, points=dots, width=3)
        for dot in (*dots[:: max(1, len(dots) // 10)], dots[-1]):
            _mark(surface, paint.shape, paint.fill, dot, size)


def _mark(
    surface: pygame.Surface,
    shape: Shape,
    colour: tuple[int, int, int],
    at: tuple[int, int],
    size: int,
) -> None:
    """Paint a small mark that tells players apart without their colours."""
    x, y = at
    match shape:
        case Shape.CIRCLE:
            pygame.draw.circle(surface, colour, at, size)
        case Shape.SQUARE:
            pygame.draw.rect(surface, colour, (x - size, y - size, 2 * size, 2 * size))
        case Shape.TRIANGLE:
            pygame.draw.polygon(
                surface, colour, ((x - size, y + size), (x + size, y + size), (x, y - size))
            )
        case Shape.DIAMOND:
            pygame.draw.polygon(
                surface, colour, ((x - size, y), (x, y + size), (x + size, y), (x, y - size))
            )
        case _:
            pygame.draw.circle(surface, colour, at, size, 2)
