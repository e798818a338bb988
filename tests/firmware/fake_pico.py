"""Runs `main.py` under MicroPython with a Pico's modules and its clock made up: one key.

The key `5` is pressed once; what the board does is told on standard error. The words on the command
line: `prompt` holds BACK and MENU from the start, `held` the `5`; with `dead` no display answers,
with `late` one does after two seconds; `long` lasts 24 s.
"""

import sys

PRESSED = {(3, 7)} if "prompt" not in sys.argv else {(4, 9), (5, 9)}
STEPS = 6000 if "long" in sys.argv else 1800 if "late" in sys.argv else 220
LATE_MS = 2000


def tell(text: str) -> None:
    """Write a line on standard error."""
    sys.stderr.write(text + "\n")


class Clock:
    """A clock that only sleeping moves."""

    us = 0

    @staticmethod
    def now() -> int:
        """Give the milliseconds since the start."""
        return Clock.us // 1000

    @staticmethod
    def sleep_us(length: int) -> None:
        """Let so many microseconds pass."""
        Clock.us += length

    @staticmethod
    def sleep_ms(length: int) -> None:
        """Let so many milliseconds pass."""
        Clock.us += 1000 * length


class Collector:
    """Counts how often the program asks for garbage to be collected."""

    count = 0

    @staticmethod
    def collect() -> None:
        """Count."""
        Collector.count += 1


def held() -> bool:
    """Whether fingers are on the keys now."""
    start = 0 if "held" in sys.argv else 50
    return "prompt" in sys.argv or start <= WDT.steps < 100


class Pin:
    """A pin: columns are pulled low by a pressed key whose row is driven low."""

    IN = 0
    OUT = 1
    PULL_UP = 2
    low: set = set()  # type: ignore[type-arg]

    def __init__(self, number: int, mode: int = 0, pull: int = 0) -> None:
        self.number = number

    def init(self, mode: int, value: int = 1) -> None:
        """Drive the pin low, or let go of it."""
        Pin.low.discard(self.number)
        if mode == Pin.OUT and not value:
            Pin.low.add(self.number)

    def value(self) -> int:
        """Read the pin."""
        return 0 if held() and any((row, self.number) in PRESSED for row in Pin.low) else 1


class WDT:
    """A watchdog that ends the run."""

    steps = 0

    def __init__(self, timeout: int) -> None:
        tell(f"watchdog {timeout}")

    def feed(self) -> None:
        """Count a step."""
        WDT.steps += 1
        if WDT.steps == STEPS:
            tell(f"collected {Collector.count} in {Clock.now()}")
            sys.exit(0)


class PWM:
    """A buzzer."""

    def __init__(self, pin: Pin) -> None:
        self.pin = pin

    def freq(self, pitch: int) -> None:
        """Tell the pitch."""
        tell(f"pitch {pitch}")

    def duty_u16(self, duty: int) -> None:
        """Tell whether it sounds."""
        tell(f"duty {duty}")


class I2C:
    """A bus with a display, or nothing."""

    def __init__(self, number: int, sda: Pin, scl: Pin, freq: int) -> None:
        pass

    def writevto(self, address: int, parts: tuple) -> None:  # type: ignore[type-arg]
        """Tell what goes to the display."""
        if "dead" in sys.argv or ("late" in sys.argv and Clock.now() < LATE_MS):
            raise OSError(5)
        kind, data = parts
        tell(f"oled {address:02x} {kind[0]:02x} {len(data)} {sum([bool(b) for b in data])}")

    def readfrom_into(self, address: int, data: bytearray) -> None:
        """Give the display's status: it is on."""
        data[0] = 0x03


class NeoPixel:
    """Six lamps."""

    def __init__(self, pin: Pin, count: int) -> None:
        self.colours = [(0, 0, 0)] * count

    def fill(self, colour: tuple) -> None:  # type: ignore[type-arg]
        """Colour all."""
        self.colours = [colour] * len(self.colours)

    def __setitem__(self, index: int, colour: tuple) -> None:  # type: ignore[type-arg]
        self.colours[index] = colour

    def write(self) -> None:
        """Tell the colours."""
        tell(f"lamps {self.colours}")


class Module:
    """A made-up module."""


machine = Module()
for kind in (Pin, WDT, PWM, I2C):
    setattr(machine, kind.__name__, kind)
neopixel = Module()
neopixel.NeoPixel = NeoPixel  # type: ignore[attr-defined]
micropython = Module()
micropython.kbd_intr = lambda code: tell(  # type: ignore[attr-defined]
    f"interrupt {code}, modules of ours: {sum([name.startswith('panel') for name in sys.modules])}"
)
time = Module()
time.ticks_ms = Clock.now  # type: ignore[attr-defined]
time.ticks_diff = lambda now, before: now - before  # type: ignore[attr-defined]
time.sleep_ms = Clock.sleep_ms  # type: ignore[attr-defined]
time.sleep_us = Clock.sleep_us  # type: ignore[attr-defined]
sys.modules["gc"] = Collector  # type: ignore[assignment]
sys.modules["machine"] = machine  # type: ignore[assignment]
sys.modules["micropython"] = micropython  # type: ignore[assignment]
sys.modules["neopixel"] = neopixel  # type: ignore[assignment]
sys.modules["time"] = time  # type: ignore[assignment]

if __name__ == "__main__":
    __import__("main")
    tell("prompt")
