"""Push buttons on gpiozero pins. They only call `put` with a Key."""

from collections.abc import Callable
from typing import Any

from hardware.config import DieButtonsConfig
from hardware.inputs.contacts import Contact
from hardware.keys import Key, Put
from hardware.presses import Presses


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
        for heard in self._presses.alive(now):
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
