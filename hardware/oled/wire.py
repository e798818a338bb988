"""The OLED's connection: luma's serial interfaces over a real or a simulated bus."""

from typing import Any, Protocol

from hardware.config import OledConfig
from hardware.errors import device_error

SPI_HZ = 8_000_000
DATA = 0x40
"""The control byte before a picture."""


class Wire(Protocol):
    """The connection to an OLED controller."""

    def command(self, *command: int) -> None:
        """Send up to 32 command bytes."""

    def data(self, data: list[int]) -> None:
        """Send picture bytes."""

    def status(self) -> int | None:
        """Return the controller's status byte, or None if it cannot be read."""

    def cleanup(self) -> None:
        """Release the bus."""


class GpioOverGpiozero:
    """The RPi.GPIO functions that luma's SPI interface calls, on gpiozero pins.

    So its data and reset pins work with lgpio, too.
    """

    LOW = 0
    HIGH = 1
    OUT = 0

    def __init__(self, factory: Any) -> None:
        self._factory = factory
        self._pins: dict[int, Any] = {}

    def setup(self, pin: int, _mode: int) -> None:
        """Make a pin an output."""
        from gpiozero import DigitalOutputDevice

        self._pins[pin] = DigitalOutputDevice(pin, pin_factory=self._factory)

    def output(self, pin: int, level: int) -> None:
        """Set an output."""
        self._pins[pin].value = level

    def cleanup(self, _pins: object = None) -> None:
        """Release the pins; luma does not do that for pins that it was given."""
        for pin in self._pins.values():
            pin.close()
        self._pins.clear()


class SpiWire:
    """luma's SPI interface and its pins."""

    def __init__(self, config: OledConfig, spi: Any, gpio: GpioOverGpiozero) -> None:
        from luma.core.interface.serial import spi as luma_spi

        self._gpio = gpio
        self._spi = luma_spi(
            spi=spi,
            gpio=gpio,
            port=0,
            device=config.spi_device,
            bus_speed_hz=SPI_HZ,
            gpio_DC=config.dc,
            gpio_RST=None if config.reset == "none" else config.reset,
            reset_hold_time=0.001,
            reset_release_time=0.001,
        )

    def command(self, *command: int) -> None:
        """Send command bytes."""
        self._spi.command(*command)

    def data(self, data: list[int]) -> None:
        """Send picture bytes."""
        self._spi.data(data)

    def status(self) -> None:
        """Return None: an SPI display has no line back."""

    def cleanup(self) -> None:
        """Release bus and pins."""
        self._spi.cleanup()
        self._gpio.cleanup()


class I2cWire:
    """luma's I2C interface, with reading, which luma lacks; a picture is one message.

    `bus` replaces the system's bus.
    """

    def __init__(self, config: OledConfig, bus: Any = None) -> None:
        from luma.core.interface.serial import i2c
        from smbus2 import SMBus, i2c_msg

        self._address = config.address
        self._bus = SMBus(config.port) if bus is None else bus
        self._message = i2c_msg.write
        self._i2c = i2c(bus=self._bus, address=config.address)

    def command(self, *command: int) -> None:
        """Send up to 32 command bytes."""
        self._i2c.command(*command)

    def data(self, data: list[int]) -> None:
        """Send picture bytes."""
        self._bus.i2c_rdwr(self._message(self._address, [DATA, *data]))

    def status(self) -> int:
        """Return the controller's status byte; OSError where nothing answers."""
        status: int = self._bus.read_byte(self._address)
        return status

    def cleanup(self) -> None:
        """Release the bus."""
        self._bus.close()


def open_wire(config: OledConfig, *, bus: Any = None, factory: Any = None) -> Wire:
    """Open the OLED's bus; DeviceError if it is missing or not permitted.

    `bus` replaces the system's SMBus or SpiDev; SPI needs gpiozero's pin
    `factory` for its data and reset pins.
    """
    try:
        if config.bus == "spi":
            gpio = GpioOverGpiozero(factory)
            try:
                return SpiWire(config, bus, gpio)
            except BaseException:
                gpio.cleanup()
                raise
        wire: Wire = I2cWire(config, bus)
    except Exception as error:  # luma, smbus2 and gpiozero share no base class
        raise device_error("oled", error) from error
    return wire
