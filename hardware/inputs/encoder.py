"""The rotary encoder on gpiozero pins. It only calls `put` with a Key."""

from collections.abc import Callable
from typing import Any

from hardware.config import EncoderConfig
from hardware.inputs.buttons import Buttons
from hardware.keys import Key, Put

_TURNS = {
    0b0001: -1,
    0b0111: -1,
    0b1110: -1,
    0b1000: -1,
    0b0010: 1,
    0b1011: 1,
    0b1101: 1,
    0b0100: 1,
}
"""Pins A and B before and after an edge; what is missing here skipped an edge or is none."""


class Quadrature:
    """A rotary encoder's two pins: a bounce goes one edge forth and back and cancels out."""

    def __init__(self, steps: int = 4) -> None:
        self._steps = steps
        self._state = 0
        self._edges = 0

    def feed(self, *, a: bool, b: bool) -> int:
        """Take both pins (True: closed); return 1 for a click to the right, -1 to the left."""
        state = a << 1 | b
        self._edges += _TURNS.get(self._state << 2 | state, 0)
        self._state = state
        edges = self._edges
        if self._steps == 4:
            # at rest both contacts are open: more than half of the way counts, so that an
            # edge seen too late does not lose a click
            if state:
                return 0
            self._edges = 0
            return (edges >= 2) - (edges <= -2)
        if abs(edges) < self._steps:
            return 0
        self._edges = 0
        return 1 if edges > 0 else -1


PUSH_QUIET_S = 0.02


class Encoder:
    """The rotary encoder. Turns are followed edge by edge, the push is a button."""

    def __init__(
        self, factory: Any, config: EncoderConfig, put: Put, wake: Callable[[], None]
    ) -> None:
        from gpiozero import GPIODevice

        self._put = put
        self._turned = Quadrature(config.steps)
        self._keys = {1: Key.DOWN, -1: Key.UP}
        if config.reverse:
            self._keys = {1: Key.UP, -1: Key.DOWN}
        self._devices: list[Any] = []
        self._push: Buttons | None = None
        self._on_edge = lambda _ticks, _state: self._look()
        try:
            for number in (config.a, config.b):
                device = GPIODevice(number, pin_factory=factory)
                self._devices.append(device)
                device.pin.input_with_pull("up")
                device.pin.bounce = None
                device.pin.edges = "both"
            self._look()
            for device in self._devices:
                device.pin.when_changed = self._on_edge
            if config.push != "none":
                keys = {config.push: Key.ENTER}
                self._push = Buttons(factory, keys, PUSH_QUIET_S, put, wake)
        except BaseException:
            self.close()
            raise

    def _look(self) -> None:
        a, b = (not device.pin.state for device in self._devices)
        click = self._turned.feed(a=a, b=b)
        if click:
            self._put(self._keys[click])

    def poll(self, now: float) -> bool:
        """Look at the push once; tell whether to look again soon."""
        return self._push.poll(now) if self._push else False

    def close(self) -> None:
        """Let the pins go."""
        if self._push:
            self._push.close()
        for device in reversed(self._devices):
            device.close()
