"""A simulated rig: gpiozero's mock pins and a simulated OLED.

The same drivers run on it as on a Pi. Its methods press keys and read lamp, buzzer and OLED.
"""

from collections.abc import Callable
from time import monotonic
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.config import Devices
from hardware.framebuffer import Framebuffer
from hardware.inputs.buttons import joystick_keys
from hardware.inputs.contacts import Cross
from hardware.inputs.keypad import keys_of
from hardware.keys import Key
from hardware.rig import RigPorts
from tools.simulation import SimulatedI2c, SimulatedOled, SimulatedSpi


class ColumnPin(MockPWMPin):  # type: ignore[misc]  # gpiozero has no types
    """A keypad's column: low while closed keys, maybe several, connect it to a low row."""

    conducts: Callable[[], bool] | None = None

    def _get_state(self) -> Any:
        if self.conducts is not None and self._function == "input":
            return not self.conducts()
        return super()._get_state()


class SimulatedKeypad:
    """The crossings of a keypad, with ghosts: current flows through every closed key."""

    def __init__(self, factory: Any, config: Devices) -> None:
        self._rows = [factory.pin(number) for number in config.keypad.rows]
        self._columns = []
        self.closed: set[Cross] = set()
        for column, number in enumerate(config.keypad.columns):
            pin = factory.pin(number, pin_class=ColumnPin)
            # as a default, because a closure would see the last column of the loop
            pin.conducts = lambda column=column: self._reaches_low_row(column)
            self._columns.append(pin)

    def _reaches_low_row(self, column: int) -> bool:
        """Tell whether closed keys connect a column, perhaps indirectly, to a low row."""
        rows: set[int] = set()
        columns = {column}
        # follow the keys from columns to rows and back until nothing new is reached
        size = 0
        while size != len(rows) + len(columns):
            size = len(rows) + len(columns)
            rows |= {row for row, crossed in self.closed if crossed in columns}
            columns |= {crossed for row, crossed in self.closed if row in rows}
        return any(
            self._rows[row].function == "output" and not self._rows[row].state for row in rows
        )

    def press(self, cross: Cross) -> None:
        """Close a crossing, which causes an edge."""
        self.closed.add(cross)
        self._edge(cross[1])

    def release(self, cross: Cross) -> None:
        """Open a crossing."""
        self.closed.discard(cross)
        self._edge(cross[1])

    def _edge(self, column: int) -> None:
        pin = self._columns[column]
        if pin.when_changed is not None:
            pin._call_when_changed()  # noqa: SLF001  # what MockPin.drive_low does


class SimulatedRig:
    """Pins, keypad, buttons, encoder and OLED to open a Rig on: `ports`."""

    def __init__(self, config: Devices) -> None:
        self.config = config
        self.factory = MockFactory(pin_class=MockPWMPin)
        self.keypad = SimulatedKeypad(self.factory, config) if config.keypad.enabled else None
        self.oled = SimulatedOled(config.oled.driver)
        dc = config.oled.dc
        self.bus: SimulatedI2c | SimulatedSpi = (
            SimulatedI2c(self.oled, config.oled.address)
            if config.oled.bus == "i2c"
            else SimulatedSpi(self.oled, lambda: bool(self.factory.pin(dc).state))
        )
        self._crosses = {key: cross for cross, key in keys_of(config.keypad).items()}
        self._pins = {Key(f"DIE{face}"): pin for face, pin in enumerate(config.die_buttons.pins, 1)}
        if config.encoder.enabled and config.encoder.push != "none":
            self._pins[Key.PUSH] = config.encoder.push
        if config.joystick.enabled:
            self._pins |= {key: pin for pin, key in joystick_keys(config.joystick).items()}

    def ports(self, clock: Callable[[], float] = monotonic) -> RigPorts:
        """Return the ports for a `Rig` on it."""
        return RigPorts(self.factory, self.bus, clock)

    def down(self, key: Key) -> None:
        """Press a key of the keypad, or else the button for it."""
        if key in self._pins:
            self.factory.pin(self._pins[key]).drive_low()
        elif self.keypad is not None:
            self.keypad.press(self._crosses[key])

    def up(self, key: Key) -> None:
        """Release the key."""
        if key in self._pins:
            self.factory.pin(self._pins[key]).drive_high()
        elif self.keypad is not None:
            self.keypad.release(self._crosses[key])

    def glass(self) -> Framebuffer:
        """Return the picture as seen with the OLED mounted as in the settings."""
        seen = self.oled.visible_picture()
        if self.config.oled.rotate == 0:
            return seen
        turned = Framebuffer()
        # turned by 180 degrees: the bytes backwards, and the bits of each
        turned.data = bytes(int(f"{byte:08b}"[::-1], 2) for byte in reversed(seen.data))
        return turned

    def turn(self, clicks: int) -> None:
        """Turn the encoder, to the right for a positive number."""
        a = self.factory.pin(self.config.encoder.a)
        b = self.factory.pin(self.config.encoder.b)
        # the pin that closes first tells the direction
        first, second = (a, b) if clicks > 0 else (b, a)
        for _ in range(abs(clicks)):
            first.drive_low()
            second.drive_low()
            first.drive_high()
            second.drive_high()

    def colour(self) -> str:
        """Return the lamp's colour as RRGGBB, brightness included."""
        config = self.config.lamp
        levels = [
            float(self.factory.pin(pin).state) for pin in (config.red, config.green, config.blue)
        ]
        if config.common == "anode":
            levels = [1 - level for level in levels]
        return "".join(f"{round(255 * level):02X}" for level in levels)

    def tone(self) -> float | None:
        """Return the frequency the buzzer sounds with now in Hz, None in silence."""
        pin = self.factory.pin(self.config.buzzer.pin)
        return float(pin.frequency) if pin.state and pin.frequency else None
