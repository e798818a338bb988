"""A QR code on the OLED: lit ground, dark modules, as large as the display is high."""

from functools import lru_cache

from hardware.framebuffer import Framebuffer
from hardware.type import Pages

SIDE = 64
"""The display's height in pixels, and so the code's width with the light rim around it."""


def fits(code: tuple[str, ...]) -> bool:
    """Tell whether a camera could tell the modules apart: each needs two pixels."""
    return bool(code) and SIDE // (len(code) + 2) >= 2


def paint_code(canvas: Framebuffer, left: int, *, code: tuple[str, ...]) -> None:
    """Paint the code from a left edge on, over all rows."""
    canvas.blit(left, 0, _painted(code))


@lru_cache(maxsize=1)
def _painted(code: tuple[str, ...]) -> Pages:
    canvas = Framebuffer(SIDE, SIDE)
    canvas.rect(0, 0, SIDE, SIDE)
    size = SIDE // (len(code) + 2)
    rim = (SIDE - size * len(code)) // 2
    for y, row in enumerate(code):
        for x, module in enumerate(row):
            if module == "#":
                canvas.rect(rim + x * size, rim + y * size, size, size, on=False)
    return canvas.layer()
