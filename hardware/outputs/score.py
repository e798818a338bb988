"""The score display: four digits and a colon on a TM1637.

Its two wires are not an I2C bus, though they look like one: the chip has no address, takes the
lowest bit first, and answers each byte by pulling the data wire low for one more clock.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any, Final, Self

from hardware.config import Devices, ScoreConfig
from hardware.device import Device, Site, Topic
from hardware.errors import DeviceError

REFRESH_S: Final = 10.0
"""Everything is sent again after this time: the chip cannot report that it lost its power."""

# commands: digits follow; the address of the leftmost; switch on, with the brightness added
_DATA, _FIRST_DIGIT, _SHINE = 0x40, 0xC0, 0x88
_COLON = 0x80  # a bit of the second digit's segments
_SEGMENTS: Final = dict(
    zip("0123456789- ", b"\x3f\x06\x5b\x4f\x66\x6d\x7d\x07\x7f\x6f\x40\x00", strict=True)
)
_NO_SCORE: Final = "----"


def segments(score: str) -> bytes:
    """Return the four digits' segments of a score such as `47`, `29:31` or `2:1/3`.

    Only the first of more than two numbers, or of long ones, is shown; dashes for any other text.
    """
    # two numbers fit on both sides of the colon; what comes after a slash is left out
    two_numbers = re.fullmatch(r"(\d{1,2}):(\d{1,2})(/\d+)?", score, re.ASCII)
    any_numbers = re.fullmatch(r"(\d{1,4})([:/]\d+)*", score, re.ASCII)
    if two_numbers:
        text = two_numbers[1].rjust(2) + two_numbers[2].rjust(2)
    elif any_numbers:
        text = any_numbers[1]  # only the first
    else:
        text = _NO_SCORE if score else ""
    # a short score stands on the right
    digits = bytearray(_SEGMENTS[char] for char in text.rjust(4))
    if two_numbers:
        digits[1] |= _COLON
    return bytes(digits)


class Score(Device):
    """Four digits. Longer scores are shown on other displays."""

    name = "score"
    follows = ("score",)

    @classmethod
    def open(cls, site: Site) -> Self:
        """Open it, dark."""
        return cls(site.pins(), site.config.score, site.clock)

    @classmethod
    def simulate(cls, config: Devices, factory: Any) -> "SimulatedScore":
        """Put a simulated chip on mock pins."""
        return SimulatedScore(config.score, factory)

    def __init__(self, factory: Any, config: ScoreConfig, clock: Callable[[], float]) -> None:
        from gpiozero import GPIODevice

        self._clock_now = clock
        self._sent_at = clock()
        self._level = config.brightness - 1  # the chip counts from 0
        self._score = ""
        self._devices: list[Any] = []
        try:
            for number in (config.clock, config.data):
                self._devices.append(GPIODevice(number, pin_factory=factory))
            self._clock, self._data = (device.pin for device in self._devices)
            self._clock.output_with_state(1)
            self._data.input_with_pull("up")
            self._show()
        except BaseException:
            self._release()
            raise

    def tell(self, _topic: Topic, value: Any) -> None:
        """Show a score."""
        self._score = value
        self._show()

    def tick(self) -> None:
        """Send everything again when it is time."""
        if self._clock_now() - self._sent_at >= REFRESH_S:
            self._show()

    def close(self) -> None:
        """Go dark and release the pins."""
        try:
            self._send(_SHINE & 0xF0)  # without the bit that switches it on
        finally:
            self._release()

    def _release(self) -> None:
        for device in reversed(self._devices):
            device.close()

    def _show(self) -> None:
        self._send(_DATA)
        self._send(_FIRST_DIGIT, *segments(self._score))
        self._send(_SHINE | self._level)
        self._sent_at = self._clock_now()

    def _send(self, *values: int) -> None:
        """Send a command; DeviceError if the chip does not answer a byte of it."""
        # data falls while the clock is high: a command begins
        self._data.output_with_state(0)
        for value in values:
            for bit in range(8):
                self._clock.state = 0
                if value >> bit & 1:
                    self._data.input_with_pull("up")
                else:
                    self._data.output_with_state(0)
                self._clock.state = 1
            # the ninth clock: the wire is the chip's, which answers by pulling it low
            self._clock.state = 0
            self._data.input_with_pull("up")
            self._clock.state = 1
            if self._data.state:
                raise DeviceError("score", "no-answer")
        # data rises while the clock is high: the command ends
        self._clock.state = 0
        self._data.output_with_state(0)
        self._clock.state = 1
        self._data.input_with_pull("up")


class SimulatedScore:
    """A TM1637 on two mock pins: decodes commands into the digits that it would show."""

    def __init__(self, config: ScoreConfig, factory: Any) -> None:
        from gpiozero.pins.mock import MockPWMPin

        chip = self

        class WirePin(MockPWMPin):  # type: ignore[misc]  # gpiozero has no types
            """A wire that reports its edges to the chip, which may pull it low."""

            def _set_function(self, value: str) -> None:
                super()._set_function(value)
                chip.follow()

            def _set_state(self, value: float) -> None:
                super()._set_state(value)
                chip.follow()

            def _get_state(self) -> Any:
                if self._function == "input" and self is chip.data and chip.pulls:
                    return False
                return super()._get_state()

        self.dead = False
        """Whether the chip does not answer."""
        self.pulls = False
        """Whether the chip pulls the data wire low, as its answer to a byte."""
        self.digits = bytearray(4)
        self.level = 0
        self._bits: list[bool] = []
        self._bytes: list[int] = []
        self._before = (True, True)
        """Whether clock and data were high at the last edge."""
        self.clock: Any = None
        self.data: Any = None
        clock = factory.pin(config.clock, pin_class=WirePin)
        self.data = factory.pin(config.data, pin_class=WirePin)
        self.clock = clock  # last: making a pin calls `follow`, which waits for both

    def follow(self) -> None:
        """Handle an edge of one of the wires."""
        if self.clock is None:
            return
        clock_before, data_before = self._before
        clock, data = self._before = (_high(self.clock), _high(self.data))
        if clock_before and clock and data_before != data:
            # data rises or falls while the clock is high: a command ends or begins
            if data:
                self._obey(self._bytes)
            self._bits, self._bytes = [], []
        elif clock and not clock_before:
            self._bits.append(data)
        elif clock_before and not clock:
            # after eight bits answer until the ninth clock is over, then begin a new byte
            self.pulls = len(self._bits) == 8 and not self.dead
            if len(self._bits) == 9:
                self._bytes.append(sum(bit << place for place, bit in enumerate(self._bits[:8])))
                self._bits = []

    def _obey(self, command: Sequence[int]) -> None:
        match command:
            # the two highest bits are the kind of command
            case [first, *digits] if first & 0xC0 == _FIRST_DIGIT:
                for place, value in enumerate(digits, first & 3):
                    self.digits[place % 4] = value
            # bit 3 switches it on, the bits below are the brightness
            case [first] if first & 0xC0 == 0x80:
                self.level = (first & 7) + 1 if first & 8 else 0

    def visible_text(self) -> str:
        """Return the visible characters, a colon included; "" when it is dark."""
        if not self.level:
            return ""
        chars = {value: char for char, value in _SEGMENTS.items()}
        text = [chars[value & ~_COLON] for value in self.digits]
        return "".join(text[:2]) + (":" if self.digits[1] & _COLON else "") + "".join(text[2:])


def _high(pin: Any) -> bool:
    """Tell whether the host lets a wire be high."""
    return pin.function == "input" or bool(pin._state)  # noqa: SLF001  # not what the chip does
