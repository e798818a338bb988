"""RPi.GPIO after its documentation, with contacts that can be closed; not the library itself.

As on kernels from 6.6 on, where its edge detection fails, every call of it is refused.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import pytest

REVISION = 0xA22082  # a Pi 3


class Pwm:
    """What `GPIO.PWM(channel, hz)` returns."""

    def __init__(self, board: "Board", channel: int, hz: float) -> None:
        if board.functions.get(channel) != board.OUT:
            raise RuntimeError("You must setup() the GPIO channel as an output first")
        if channel in board.pwm:
            raise RuntimeError("A PWM object already exists for this GPIO channel")
        self._board, self._channel = board, channel
        self.duty: float | None = None
        self.ChangeFrequency(hz)
        board.pwm[channel] = self

    def start(self, duty: float) -> None:
        self.ChangeDutyCycle(duty)

    def ChangeDutyCycle(self, duty: float) -> None:  # noqa: N802  # the library's name
        if not 0 <= duty <= 100:
            raise ValueError("dutycycle must have a value from 0.0 to 100.0")
        self.duty = duty

    def ChangeFrequency(self, hz: float) -> None:  # noqa: N802  # the library's name
        if hz <= 0:
            raise ValueError("frequency must be greater than 0.0")
        self.hz = hz

    def stop(self) -> None:
        self._board.pwm.pop(self._channel, None)


class Board(ModuleType):
    """The module `RPi.GPIO`; `wires` are closed contacts, between two pins or to ground (-1)."""

    BCM, BOARD = 11, 10
    OUT, IN, SERIAL, SPI, I2C, HARD_PWM, UNKNOWN = 0, 1, 40, 41, 42, 43, -1
    PUD_OFF, PUD_DOWN, PUD_UP = 20, 21, 22
    RISING, FALLING, BOTH = 31, 32, 33
    LOW, HIGH = 0, 1

    def __init__(self) -> None:
        super().__init__("RPi.GPIO")
        self.mode: int | None = None
        self.functions: dict[int, int] = {}
        self.pulls: dict[int, int] = {}
        self.levels: dict[int, int] = {}
        self.pwm: dict[int, Pwm] = {}
        self.wires: set[tuple[int, int]] = set()

    def setmode(self, mode: int) -> None:
        self.mode = mode

    def setwarnings(self, wanted: bool) -> None:
        assert wanted in (True, False)

    def setup(self, channel: int, direction: int, pud: int = PUD_OFF, initial: int = -1) -> None:
        if self.mode is None:
            raise RuntimeError("Please set pin numbering mode using GPIO.setmode")
        if direction == self.OUT and pud != self.PUD_OFF:
            raise ValueError("pull_up_down parameter is not valid for outputs")
        self.functions[channel] = direction
        self.pulls[channel] = pud
        if initial != -1:
            self.levels[channel] = int(bool(initial))

    def gpio_function(self, channel: int) -> int:
        return self.functions.get(channel, self.IN)

    def output(self, channel: int, level: int) -> None:
        if self.functions.get(channel) != self.OUT:
            raise RuntimeError("The GPIO channel has not been set up as an OUTPUT")
        self.levels[channel] = int(bool(level))

    def input(self, channel: int) -> int:
        if channel not in self.functions:
            raise RuntimeError("You must setup() the GPIO channel first")
        if self.functions[channel] == self.OUT:
            return self.levels.get(channel, 0)
        for one, other in self.wires:
            far = other if one == channel else one if other == channel else None
            if far == -1:
                return 0
            if far is not None and self.functions.get(far) == self.OUT:
                return self.levels.get(far, 0)
        return int(self.pulls[channel] == self.PUD_UP)

    def PWM(self, channel: int, hz: float) -> Pwm:  # noqa: N802  # the library's name
        return Pwm(self, channel, hz)

    def add_event_detect(self, *_: Any, **__: Any) -> None:
        raise RuntimeError("Failed to add edge detection")

    def remove_event_detect(self, channel: int) -> None:
        """Do nothing, as the library does where nothing was added."""

    def cleanup(self, channel: int | None = None) -> None:
        for each in list(self.functions) if channel is None else [channel]:
            self.functions.pop(each, None)
            self.pwm.pop(each, None)


@contextmanager
def installed() -> Iterator[Board]:
    """Let `import RPi.GPIO` find a board, and gpiozero a Pi."""
    board = Board()
    package = ModuleType("RPi")
    package.GPIO = board  # type: ignore[attr-defined]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "RPi", package)
        patch.setitem(sys.modules, "RPi.GPIO", board)
        patch.delitem(sys.modules, "gpiozero.pins.rpigpio", raising=False)
        patch.setattr("gpiozero.pins.local.get_pi_revision", lambda: REVISION)
        yield board
        sys.modules.pop("gpiozero.pins.rpigpio", None)
