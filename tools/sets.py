"""Draws the four ready sets at the top of the building page: what lies on the table."""

from collections.abc import Iterator

from tools.svg import box, circle, document, text

_WIDTH, _HIGH = 360, 180
_DARK, _EDGE, _BOARD, _PALE, _LIT = "#1c222c", "#5b6b82", "#2e7d4f", "#eef3fb", "#9fd7ff"


def _pi(x: int, y: int) -> Iterator[str]:
    """Draw a Raspberry Pi with its header."""
    yield box(x, y, 110, 70, _BOARD, _EDGE, 6)
    yield box(x + 8, y + 6, 84, 10, _DARK, radius=2)
    yield text(x + 55, y + 48, "Raspberry Pi", 11, "#ffffff", "middle")


def _phone() -> Iterator[str]:
    """Draw a Pi, and a phone with the display above the keys."""
    yield from _pi(30, 60)
    yield box(210, 15, 84, 150, _DARK, _EDGE, 10)
    yield box(217, 27, 70, 56, _LIT)
    for key in range(12):  # three columns
        yield box(219 + key % 3 * 24, 90 + key // 3 * 16, 18, 12, _PALE, radius=3)


def _pad() -> Iterator[str]:
    """Draw a television on its foot, and a number pad with its upper keys."""
    yield box(20, 15, 200, 116, _DARK, _EDGE, 6)
    yield box(27, 22, 186, 102, _LIT)
    yield text(120, 80, "29", 34, _DARK, "middle")
    yield box(95, 131, 50, 12, _EDGE)
    yield box(250, 30, 88, 124, _PALE, _EDGE, 8)
    for key, sign in enumerate("/*-789456123"):  # three columns
        x, y = 258 + key % 3 * 26, 38 + key // 3 * 28
        yield box(x, y, 20, 22, "#ffffff", _EDGE, 3)
        yield text(x + 10, y + 16, sign, 12, _DARK, "middle")


def _board() -> Iterator[str]:
    """Draw a board: display in the middle, joystick on the left, three keys on the right."""
    yield box(60, 35, 240, 110, "#24405f", _EDGE, 8)
    yield box(120, 52, 120, 64, "#000000", _EDGE)
    yield text(180, 92, "5+11 ✓", 20, _LIT, "middle")
    yield circle(90, 84, 16, _DARK, _EDGE)
    yield circle(90, 84, 6, _PALE)
    for y in (52, 80, 108):
        yield box(258, y, 22, 16, _PALE, _EDGE, 3)


def _rig() -> Iterator[str]:
    """Draw Pi, display and keypad, and below them the die buttons, the lamp and the encoder."""
    yield from _pi(20, 20)
    yield box(160, 20, 90, 50, "#000000", _EDGE, 4)
    yield text(205, 51, "5+11", 18, _LIT, "middle")
    for key in range(16):  # four columns
        yield box(268 + key % 4 * 20, 20 + key // 4 * 20, 16, 16, _PALE, _EDGE, 2)
    for button in range(6):
        yield circle(40 + button * 34, 135, 13, "#ffffff", _EDGE)
        yield text(40 + button * 34, 140, str(button + 1), 13, _DARK, "middle")
    yield circle(280, 135, 10, "#d94f4f", _EDGE)
    yield circle(320, 135, 14, _DARK, _EDGE)


SETS = {
    "phone": ("A Raspberry Pi and a phone", _phone),
    "pad": ("A television and a number pad", _pad),
    "board": ("A board with display, joystick and keys", _board),
    "rig": ("A Raspberry Pi with display, keypad, die buttons, lamp and encoder", _rig),
}


def set_drawings() -> dict[str, str]:
    """Return the drawing of each set by its file name."""
    return {
        f"set-{name}.svg": document(_WIDTH, _HIGH, draw(), title)
        for name, (title, draw) in SETS.items()
    }
