"""The 4x4 matrix keypad on gpiozero pins. It only calls `put` with a Key."""

from collections.abc import Callable
from typing import Any

from hardware.config import KeypadConfig
from hardware.inputs.contacts import Cross, Matrix
from hardware.keys import Key, Put
from hardware.presses import Presses, Times

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
        times = Times(
            repeat_after_s=config.repeat_after_ms / 1000,
            repeat_every_s=config.repeat_every_ms / 1000,
        )
        self._matrix = Matrix(keys_of(config), config.debounce_ms / 1000, Presses(times))
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
