"""A QR code on the OLED: dark modules on lit ground, as high as the display."""

from hardware.framebuffer import Framebuffer

SIDE = 64
"""The display's height in pixels: the code's width with its lit rim."""


def fits(code: tuple[str, ...]) -> bool:
    """Tell whether a camera can read the code: each module needs two pixels."""
    return bool(code) and SIDE // (len(code) + 2) >= 2


def paint_code(canvas: Framebuffer, left: int, *, code: tuple[str, ...]) -> None:
    """Paint the code with this left edge, over all rows."""
    canvas.rect(left, 0, SIDE, SIDE)
    size = SIDE // (len(code) + 2)  # two modules of rim
    rim = (SIDE - size * len(code)) // 2
    for y, row in enumerate(code):
        for x, module in enumerate(row):
            if module == "#":
                canvas.rect(left + rim + x * size, rim + y * size, size, size, on=False)
