"""A QR code in the window: black on white in every theme, for every camera."""

import pygame

_RIM = 4
"""Light modules around the code, as its standard requires."""


def paint_code(surface: pygame.Surface, code: tuple[str, ...], area: pygame.Rect) -> None:
    """Paint the code in the middle of an area, each module a whole number of pixels wide."""
    size = max(1, min(area.width, area.height) // (len(code) + 2 * _RIM))
    side = size * (len(code) + 2 * _RIM)
    ground = pygame.Rect(0, 0, side, side)
    ground.center = area.center
    surface.fill("white", ground)
    for y, row in enumerate(code, _RIM):
        for x, module in enumerate(row, _RIM):
            if module == "#":
                box = (ground.left + x * size, ground.top + y * size, size, size)
                surface.fill("black", box)
