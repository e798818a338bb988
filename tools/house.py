"""The house in one picture: its rooms, who imports whom, and how a key press travels."""

from tools.svg import box, document, text, wire

_INK = "#5b6b82"
_ROOMS = (
    (20, 200, 300, 150, "#eef7ee", "engines/", ("the rules of each game", "boards/ as data")),
    (540, 200, 300, 150, "#fdf3e7", "hardware/", ("keypad, buttons, OLED,", "lamp, buzzer, panel")),
    (20, 20, 820, 130, "#eef3fb", "pi_app/", ()),
    (540, 390, 300, 70, "#f4effa", "firmware/", ("MicroPython, on the Pico",)),
)
_INSIDE = (
    (40, 62, 170, "screens/, games/", "keys in, frames out"),
    (230, 62, 150, "table, store", "positions, SQLite"),
    (400, 62, 190, "loop", "one thread owns it all"),
    (610, 62, 210, "displays/", "frames to pixels, text"),
)


def house_drawing() -> str:
    """Return the house as SVG."""
    drawn = []
    for x, y, width, height, fill, name, lines in _ROOMS:
        drawn += [box(x, y, width, height, fill, _INK, 10), text(x + 14, y + 26, name, 16)]
        drawn += [
            text(x + 14, y + 54 + 22 * row, line, 13, "#3b4656") for row, line in enumerate(lines)
        ]
    for x, y, width, name, words in _INSIDE:
        drawn += [
            box(x, y, width, 70, "#ffffff", _INK, 6),
            text(x + 10, y + 28, name, 14),
            text(x + 10, y + 52, words, 12, "#3b4656"),
        ]
    drawn += [
        wire("170,150 170,200", _INK),
        text(180, 180, "imports", 12, _INK),
        wire("690,150 690,200", _INK),
        text(700, 180, "imports", 12, _INK),
        text(342, 270, "import nothing of ours", 13, _INK),
        wire("690,350 690,390", "#8a3fb0"),
        text(700, 376, "lines of text over USB", 12, "#8a3fb0"),
    ]
    return document(860, 480, drawn, "The house: pi_app stands on engines and hardware")


_STEPS = (
    ("device", "a callback's thread"),
    ("KeyQueue", "Key or Tap"),
    ("loop", "one thread"),
    ("screen.press", "what does it mean?"),
    ("Position.play", "new position, events"),
    ("store", "committed"),
    ("Frame", "what to see now"),
    ("displays", "paint it"),
)


def key_press_drawing() -> str:
    """Return the way of a key press as SVG."""
    drawn = []
    for at, (name, words) in enumerate(_STEPS):
        column, row = at % 4, at // 4
        x, y = 20 + column * 210, 20 + row * 110
        drawn += [
            box(x, y, 170, 70, "#eef3fb", _INK, 8),
            text(x + 12, y + 28, name, 14),
            text(x + 12, y + 52, words, 12, "#3b4656"),
        ]
        if column < 3:
            drawn.append(wire(f"{x + 170},{y + 35} {x + 208},{y + 35}", _INK))
            drawn.append(wire(f"{x + 198},{y + 28} {x + 208},{y + 35} {x + 198},{y + 42}", _INK))
    drawn.append(wire("735,90 735,110 105,110 105,128", _INK))
    drawn.append(wire("98,118 105,128 112,118", _INK))
    return document(860, 230, drawn, "How a key press travels, from the device to the displays")
