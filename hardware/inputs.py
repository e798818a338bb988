"""Keypad, die buttons and encoder on gpiozero pins. They only call `put` with a Key."""

from collections.abc import Callable
from typing import Any

from hardware.config import DieButtonsConfig, EncoderConfig, KeypadConfig
from hardware.keys import Key
from hardware.presses import Contact, Cross, Matrix, Presses, Quadrature

Put = Callable[[Key], None]

_PRINTED = {
    **{str(digit): Key(str(digit)) for digit in range(10)},
    "*": Key.STAR,
    "#": Key.ENTER,
    "A": Key.UP,
    "B": Key.DOWN,
    "C": Key.BACK,
    "D": Key.MENU,
}


def keys_of(config: KeypadConfig) -> dict[Cross, Key]:
    """Return the key at each crossing."""
    return {
        (row, column): _PRINTED[char]
        for row, line in enumerate(config.layout)
        for column, char in enumerate(line)
    }


class Keypad:
    """The 4x4 matrix.

    While nothing is pressed all rows are low and any key pulls its column low, so looking
    costs four reads. In a scan one row at a time is low and the others float: driven high,
    two keys in one column would short their rows.
    """

    def __init__(
        self, factory: Any, config: KeypadConfig, put: Put, wake: Callable[[], None]
    ) -> None:
        from gpiozero import GPIODevice

        self._put = put
        presses = Presses(config.repeat_after_ms / 1000, config.repeat_every_ms / 1000)
        self._matrix = Matrix(keys_of(config), config.debounce_ms / 1000, presses)
        self._devices: list[Any] = []
        self._on_edge = lambda _ticks, _state: wake()  # gpiozero keeps only a weak reference
        try:
            for number in (*config.rows, *config.columns):
                self._devices.append(GPIODevice(number, pin_factory=factory))
            pins = [device.pin for device in self._devices]
            self._rows, self._columns = pins[:4], pins[4:]
            for pin in self._columns:
                pin.input_with_pull("up")
                pin.bounce = None
                pin.edges = "both"
                pin.when_changed = self._on_edge
            self._rest()
        except BaseException:
            self.close()
            raise

    def _rest(self) -> None:
        for pin in self._rows:
            pin.output_with_state(0)

    def _conducting(self) -> set[Cross]:
        if all(pin.state for pin in self._columns):
            return set()
        for pin in self._rows:
            pin.input_with_pull("floating")
        found = set()
        for row, pin in enumerate(self._rows):
            pin.output_with_state(0)
            found |= {(row, at) for at, column in enumerate(self._columns) if not column.state}
            pin.input_with_pull("floating")
        self._rest()
        return found

    def poll(self, now: float) -> bool:
        """Look once; tell whether to look again soon."""
        for key in self._matrix.scan(self._conducting(), now):
            self._put(key)
        return self._matrix.busy

    def close(self) -> None:
        """Let the pins go."""
        for device in reversed(self._devices):
            device.close()


class Buttons:
    """Push buttons that close to ground, a key each."""

    def __init__(
        self,
        factory: Any,
        keys: dict[int, Key],
        quiet_s: float,
        put: Put,
        wake: Callable[[], None],
    ) -> None:
        from gpiozero import GPIODevice

        self._put = put
        self._presses = Presses()
        self._contacts: list[tuple[Any, Contact, Key]] = []
        self._on_edge = lambda _ticks, _state: wake()
        try:
            for number, key in keys.items():
                device = GPIODevice(number, pin_factory=factory)
                self._contacts.append((device, Contact(quiet_s), key))
                device.pin.input_with_pull("up")
                device.pin.bounce = None
                device.pin.edges = "both"
                device.pin.when_changed = self._on_edge
        except BaseException:
            self.close()
            raise

    def poll(self, now: float) -> bool:
        """Look once; tell whether to look again soon."""
        busy = False
        for device, contact, key in self._contacts:
            if contact.feed(now, closed=not device.pin.state):
                change = self._presses.down if contact.closed else self._presses.up
                for heard in change(key, now):
                    self._put(heard)
            busy = busy or contact.closed or contact.settling
        for heard in self._presses.passed(now):
            self._put(heard)
        return busy

    def close(self) -> None:
        """Let the pins go."""
        for device, _, _ in reversed(self._contacts):
            device.close()


def die_buttons(
    factory: Any, config: DieButtonsConfig, put: Put, wake: Callable[[], None]
) -> Buttons:
    """Open the six die buttons."""
    keys = {pin: Key(f"DIE{face}") for face, pin in enumerate(config.pins, 1)}
    return Buttons(factory, keys, config.debounce_ms / 1000, put, wake)


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
