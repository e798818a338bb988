"""Simulated buses, with faults on request, at any byte."""

import errno
from collections.abc import Callable, Sequence
from typing import Any

from tools.simulation.oled import SimulatedOled


class _Faults:
    """Counts the bytes on a bus, and fails on request."""

    def __init__(self, oled: SimulatedOled) -> None:
        self.oled = oled
        self.sent = 0
        """The number of bytes, addresses and control bytes included."""
        self.writes = 0
        self.dead = False
        """Whether nothing answers."""
        self._good_bytes: int | None = None
        """How many bytes arrive before a write is interrupted; None: all of them."""
        self.broken = False
        """Whether a write was interrupted."""

    def fail_at_byte(self, after: int) -> None:
        """Interrupt one write after `after` more bytes, addresses included."""
        self._good_bytes = after

    def _transfer(
        self, head: int, data: Sequence[int], take: Callable[[Sequence[int]], None]
    ) -> None:
        """Send `head` bytes of address and control, then pass `data` to `take`."""
        self.writes += 1
        if self.dead:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        size = head + len(data)
        if self._good_bytes is not None and self._good_bytes < size:
            arrived, self._good_bytes = self._good_bytes, None
            self.sent += arrived
            self.broken = True
            take(data[: max(0, arrived - head)])
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        if self._good_bytes is not None:
            self._good_bytes -= size
        self.sent += size
        take(data)


class SimulatedI2c(_Faults):
    """The part of an SMBus that the OLED uses, with one OLED at one address."""

    def __init__(self, oled: SimulatedOled, address: int = 0x3C) -> None:
        super().__init__(oled)
        self.address = address
        self.closed = False

    def write_i2c_block_data(self, address: int, register: int, data: Sequence[int]) -> None:
        """Receive a control byte and up to 32 bytes; OSError if no device has the address."""
        if len(data) > 32:
            raise OSError(errno.EINVAL, "Invalid argument")
        self._write(address, register, data)

    def i2c_rdwr(self, *messages: Any) -> None:
        """Receive whole messages: a control byte and any number of bytes each."""
        for message in messages:
            # smbus2 yields a message's bytes as numbers or as single bytes
            control, *data = (item if isinstance(item, int) else item[0] for item in message)
            self._write(message.addr, control, data)

    def _write(self, address: int, control: int, data: Sequence[int]) -> None:
        if address != self.address:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        # two bytes of head: the address and the control byte; 0x40 announces a picture
        self._transfer(2, data, self.oled.data if control == 0x40 else self.oled.command)

    def read_byte(self, address: int) -> int:
        """Return the controller's status: bit 6 says that the display is off."""
        if self.dead or address != self.address:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        self.sent += 2  # the address and the status
        return 0x03 if self.oled.on else 0x43

    def close(self) -> None:
        """Close the bus."""
        self.closed = True


class SimulatedSpi(_Faults):
    """The part of SpiDev that luma's `spi` uses; `is_data` reads the data/command pin."""

    def __init__(self, oled: SimulatedOled, is_data: Callable[[], bool]) -> None:
        super().__init__(oled)
        self._is_data = is_data
        self.opened: tuple[int, int] | None = None
        self.max_speed_hz = 0

    def open(self, port: int, device: int) -> None:
        """Open a bus and chip select."""
        self.opened = (port, device)

    def writebytes(self, data: Sequence[int]) -> None:
        """Take bytes, commands or picture as the pin says."""
        self._transfer(0, data, self.oled.data if self._is_data() else self.oled.command)

    def close(self) -> None:
        """Close the bus."""
        self.opened = None
