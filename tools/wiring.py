"""Draws the wiring from the settings' default pins, so that the two always agree."""

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hardware.config import I2C_PINS, Devices
from tools.svg import box, circle, document, text, wire

FOLDER = Path(__file__).parents[1]
FIRMWARE_PINS = FOLDER / "firmware/panel/pico.py"

POWER_5V, POWER_3V3, GROUND = "5 V", "3.3 V", "GND"

PI: tuple[int | str, ...] = (
    *(POWER_3V3, POWER_5V, 2, POWER_5V, 3, GROUND, 4, 14, GROUND, 15),
    *(17, 18, 27, GROUND, 22, 23, POWER_3V3, 24, 10, GROUND),
    *(9, 25, 11, 8, GROUND, 7, 0, 1, 5, GROUND),
    *(6, 12, 13, GROUND, 19, 16, 26, 20, GROUND, 21),
)
"""The 40 pins of a Pi's header, from pin 1 on: a BCM number or a supply."""

PICO: tuple[int | str, ...] = (
    *(0, 1, GROUND, 2, 3, 4, 5, GROUND, 6, 7, 8, 9, GROUND, 10, 11, 12, 13, GROUND, 14, 15),
    *(16, 17, GROUND, 18, 19, 20, 21, GROUND, 22, "RUN", 26, 27, GROUND, 28),
    *("ADC_VREF", POWER_3V3, "3V3_EN", GROUND, "VSYS", POWER_5V),
)
"""The 40 pins of a Pico, pins 1 to 20 down the left side, 21 to 40 up the right."""

SUPPLY = {POWER_5V: "#c8372d", POWER_3V3: "#d9822b", GROUND: "#30343b"}
INKS = ("#1f6feb", "#2a8a4a", "#8a3fb0", "#b8860b", "#0e8a94", "#b0306a", "#5a6b1f", "#54606e")

COLOURED = {"red": "#c8372d", "green": "#2a8a4a", "blue": "#1f6feb"}
"""The lamp's wires are drawn in the colour of their light."""


@dataclass(frozen=True, slots=True)
class Leg:
    """One connection of a part: its name, and the BCM number or supply at its other end."""

    name: str
    to: int | str
    resistor: str = ""


@dataclass(frozen=True, slots=True)
class WiredPart:
    """A part of the rig with its connections, in the order of its legs."""

    name: str
    """Its name in file names."""
    title: str
    short: str
    """Its name at the pins of the whole header."""
    legs: tuple[Leg, ...]
    note: str = ""


def parts(devices: Devices) -> tuple[WiredPart, ...]:
    """Return every part on the Pi's header with its pins in these settings."""
    pad, encoder, lamp = devices.keypad, devices.encoder, devices.lamp
    sda, scl = I2C_PINS[devices.oled.port]
    keypad = (
        *(Leg(f"row {row}", pin) for row, pin in zip(pad.layout, pad.rows, strict=True)),
        *(
            Leg("column " + "".join(row[column] for row in pad.layout), pin)
            for column, pin in enumerate(pad.columns)
        ),
    )
    # the word "none" instead of a pin: nothing is connected
    push = () if isinstance(encoder.push, str) else (Leg("SW (push)", encoder.push),)
    return (
        WiredPart(
            "oled",
            "OLED, I2C",
            "OLED",
            (Leg("GND", GROUND), Leg("VCC", POWER_3V3), Leg("SCL", scl), Leg("SDA", sda)),
            "Some modules have VCC first: read what is printed on yours.",
        ),
        WiredPart(
            "keypad",
            "4x4 keypad",
            "keypad",
            keypad,
            "No resistors: the Pi's own pull-ups are used.",
        ),
        WiredPart(
            "die-buttons",
            "Six die buttons",
            "die",
            (
                *(Leg(f"button {n}", pin) for n, pin in enumerate(devices.die_buttons.pins, 1)),
                Leg("other legs", GROUND),
            ),
            "Each button closes its pin to ground.",
        ),
        WiredPart(
            "lamp",
            "RGB lamp, common cathode",
            "lamp",
            (
                Leg("red", lamp.red, "330 Ω"),
                Leg("green", lamp.green, "330 Ω"),
                Leg("blue", lamp.blue, "330 Ω"),
                Leg("common (longest leg)", GROUND),
            ),
            "One resistor for each colour, 220 to 470 Ω.",
        ),
        WiredPart(
            "buzzer",
            "Piezo buzzer, passive",
            "buzzer",
            (Leg("+", devices.buzzer.pin, "100 Ω"), Leg("-", GROUND)),
            "The resistor is advisable. A magnetic buzzer needs a transistor.",
        ),
        WiredPart(
            "encoder",
            "Rotary encoder",
            "encoder",
            (Leg("A (CLK)", encoder.a), Leg("B (DT)", encoder.b), *push, Leg("C, GND", GROUND)),
            "Leave + of a module unconnected, or connect it to 3.3 V, never 5 V.",
        ),
        WiredPart(
            "power-button",
            "Power button",
            "power button",
            (Leg("one leg", devices.power_button.pin), Leg("the other", GROUND)),
            "Works with the kernel's gpio-shutdown overlay.",
        ),
    )


def panel_part(source: str) -> WiredPart:
    """Return the parts on the Pico, with their pins from the firmware's source text."""
    pins = _constants(source)

    def pins_of(name: str) -> Sequence[int]:
        value = pins[name]
        return value if isinstance(value, tuple) else (value,)

    legs = [
        *(Leg(f"keypad row {n}", pin) for n, pin in enumerate(pins_of("ROW_PINS"), 1)),
        *(Leg(f"keypad column {n}", pin) for n, pin in enumerate(pins_of("COLUMN_PINS"), 1)),
        *(Leg(f"die button {n}", pin) for n, pin in enumerate(pins_of("BUTTON_PINS"), 1)),
        *(Leg("OLED SDA", pin) for pin in pins_of("SDA_PIN")),
        *(Leg("OLED SCL", pin) for pin in pins_of("SCL_PIN")),
        *(Leg("buzzer +", pin) for pin in pins_of("BUZZER_PIN")),
        *(Leg("lamps, data by 74AHCT125", pin) for pin in pins_of("LAMP_PIN")),
        Leg("OLED VCC", POWER_3V3),
        Leg("lamps, 5 V (VBUS)", POWER_5V),
        Leg("all grounds", GROUND),
    ]
    return WiredPart("panel", "Serial panel: Raspberry Pi Pico", "", tuple(legs))


def _constants(source: str) -> dict[str, int | tuple[int, ...]]:
    """Return the constants at the top of a module's source text, without running it."""
    numbers: dict[str, int | tuple[int, ...]] = {}
    for line in ast.parse(source).body:
        if isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name):
            try:
                value = ast.literal_eval(line.value)
            except ValueError:  # an expression, which only running it would tell
                continue
            if isinstance(value, (int, tuple)):
                numbers[line.targets[0].id] = value
    return numbers


# --- drawing

_PITCH = 22
"""The distance of two pins."""
_TOP = 64
_LEFT = 150
"""The centre of the top left pin."""


def _place(pins: Sequence[int | str], index: int) -> tuple[int, int]:
    """Return the centre of a pin in the drawing, by the pin's index."""
    if pins is PI:
        row, right = divmod(index, 2)
    else:
        right = index // 20
        # the pins on the right are counted from the bottom
        row = 39 - index if right else index
    return _LEFT + right * _PITCH, _TOP + row * _PITCH


def _name(pins: Sequence[int | str], pin: int | str) -> str:
    return f"{'GPIO' if pins is PI else 'GP'}{pin}" if isinstance(pin, int) else pin


def _header(
    pins: Sequence[int | str],
    inks: dict[int | str, str],
    labels: dict[int | str, str],
    *,
    both_sides: bool = True,
) -> list[str]:
    """Draw the forty pins with their names, the used ones in their wires' colours.

    Without `both_sides` the names on the right are left out, as wires are drawn there.
    """
    drawn = [box(_LEFT - 16, _TOP - 16, _PITCH + 32, 20 * _PITCH + 10, "#e6e9ee", "#8b95a1", 6)]
    for index, pin in enumerate(pins):
        x, y = _place(pins, index)
        left = x == _LEFT
        fill = inks.get(pin) or SUPPLY.get(str(pin)) or "#c9cfd6"
        drawn.append(circle(x, y, 7, fill, "#444b55"))
        number_ink = "#ffffff" if pin in inks or pin in SUPPLY else "#1c222c"
        drawn.append(text(x, y + 3, str(index + 1), 8, number_ink, "middle"))
        if not (left or both_sides):
            continue
        words = labels.get(pin) or _name(pins, pin)
        name_ink = "#1c222c" if pin in inks or pin in labels else "#7a8490"
        if left:
            drawn.append(text(x - 24, y + 4, words, 12, name_ink, "end"))
        else:
            drawn.append(text(x + 24, y + 4, words, 12, name_ink, "start"))
    return drawn


def part_drawing(part: WiredPart) -> str:
    """Draw one part next to the Pi's header, with a wire for each of its legs."""
    inks: dict[int | str, str] = {}
    for leg in part.legs:
        own = SUPPLY.get(str(leg.to)) or COLOURED.get(leg.name)
        inks[leg.to] = own or INKS[len(inks) % len(INKS)]
    drawn = [text(20, 28, part.title, 18)]
    outline, *pins = _header(PI, inks, {}, both_sides=False)
    drawn.append(outline)
    board_x, top, step = 440, _TOP + 40, 36
    high = step * len(part.legs) + 16
    drawn.append(box(board_x, top - 26, 250, high, "#eef3fb", "#5b6b82", 8))
    taken: set[int] = set()  # indexes of pins that have a wire
    for row, leg in enumerate(part.legs):
        y = top + row * step
        index = _nearest(leg.to, y, taken)
        taken.add(index)
        x, pin_y = _place(PI, index)
        lane_x = 210 + row * 18  # each wire goes down in a lane of its own
        # a wire from the left column leaves the header between two pins of the right one
        between = 0 if x > _LEFT else _PITCH // 2
        bend = f"{x + between},{pin_y + between}"
        drawn.append(
            wire(
                f"{x},{pin_y} {bend} {lane_x},{pin_y + between} {lane_x},{y} {board_x},{y}",
                inks[leg.to],
            )
        )
        if leg.resistor:
            drawn.append(box(board_x - 64, y - 8, 50, 16, "#fff8e6", "#8a6d1f", 3))
            drawn.append(text(board_x - 39, y + 4, leg.resistor, 10, "#5a4610", "middle"))
        drawn.append(circle(board_x, y, 5, inks[leg.to], "#444b55"))
        pin = _name(PI, leg.to)
        drawn.append(text(board_x + 14, y + 4, leg.name, 13))
        drawn.append(text(board_x + 240, y + 4, f"{pin} · pin {index + 1}", 11, "#54606e", "end"))
    drawn += pins  # over the wires
    drawn.append(text(board_x, top + high, part.note, 11, "#54606e"))
    return document(840, _TOP + 20 * _PITCH + 20, drawn, f"Wiring: {part.title}")


def _nearest(pin: int | str, y: int, taken: set[int]) -> int:
    """Return the index of the free pin with this name that is nearest to a height."""
    return min(
        (index for index, name in enumerate(PI) if name == pin and index not in taken),
        key=lambda index: (abs(_place(PI, index)[1] - y), index),
    )


def whole_drawing(title: str, pins: Sequence[int | str], all_parts: Iterable[WiredPart]) -> str:
    """Draw a header with the parts connected to it, named at their pins."""
    inks: dict[int | str, str] = {}
    labels: dict[int | str, str] = {}
    # more inks than parts, so that none is without
    for ink, part in zip(INKS * 3, all_parts, strict=False):
        for leg in part.legs:
            if isinstance(leg.to, int):
                inks[leg.to] = ink
                labels[leg.to] = f"{part.short} {leg.name} · {_name(pins, leg.to)}".strip()
    drawn = [
        text(20, 28, title, 18),
        # to the right: the names on the left need room
        '<g transform="translate(110 0)">',
        *_header(pins, inks, labels),
        "</g>",
    ]
    return document(580, _TOP + 20 * _PITCH + 20, drawn, title)


def drawings() -> dict[str, str]:
    """Return every wiring drawing by its file name."""
    devices = Devices()
    files = {f"wiring-{part.name}.svg": part_drawing(part) for part in parts(devices)}
    rig = [part for part in parts(devices) if getattr(devices, part.name.replace("-", "_")).enabled]
    files["wiring.svg"] = whole_drawing("The 40-pin header of the reference rig", PI, rig)
    panel = panel_part(FIRMWARE_PINS.read_text("utf-8"))
    files["wiring-panel.svg"] = whole_drawing(
        "The Pico of the serial panel (USB at the top)", PICO, [panel]
    )
    return files
