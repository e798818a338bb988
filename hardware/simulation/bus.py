"""The buses a simulated OLED hangs on, with faults on request."""

import errno
from collections.abc import Callable, Sequence

from hardware.simulation.oled import SimulatedPanel


class _Faults:
    """Counts what goes over a bus, and fails when told to."""

    def __init__(self, panel: SimulatedPanel) -> None:
        self.panel = panel
        self.sent = 0
        """Bytes so far, addresses and control bytes included."""
        self.writes = 0
        self.dead = False
        """Nothing answers while this is set."""
        self._good_writes: int | None = None
        self._bad_writes = 0

    def fail(self, times: int = 1, *, after: int = 0) -> None:
        """Let `times` writes fail once `after` more have gone through."""
        self._good_writes = after
        self._bad_writes = times

    def _pass(self, size: int, take: Callable[[], None]) -> None:
        self.writes += 1
        if self.dead:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        if self._bad_writes and self._good_writes == 0:
            self._bad_writes -= 1
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        if self._good_writes:
            self._good_writes -= 1
        self.sent += size
        take()


class SimulatedI2c(_Faults):
    """The part of an SMBus that luma's `i2c` uses, with one panel at one address."""

    def __init__(self, panel: SimulatedPanel, address: int = 0x3C) -> None:
        super().__init__(panel)
        self.address = address
        self.closed = False

    def write_i2c_block_data(self, address: int, register: int, data: Sequence[int]) -> None:
        """Take a control byte and up to 32 bytes; OSError if nothing is at the address."""
        if address != self.address:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        if len(data) > 32:
            raise OSError(errno.EINVAL, "Invalid argument")
        take = self.panel.data if register == 0x40 else self.panel.command
        self._pass(2 + len(data), lambda: take(data))

    def close(self) -> None:
        """Close the bus."""
        self.closed = True


class SimulatedSpi(_Faults):
    """The part of an SpiDev that luma's `spi` uses; `is_data` reads the data/command pin."""

    def __init__(self, panel: SimulatedPanel, is_data: Callable[[], bool]) -> None:
        super().__init__(panel)
        self._is_data = is_data
        self.opened: tuple[int, int] | None = None
        self.max_speed_hz = 0

    def open(self, port: int, device: int) -> None:
        """Open a bus and chip select."""
        self.opened = (port, device)

    def writebytes(self, data: Sequence[int]) -> None:
        """Take bytes, commands or picture as the pin says."""
        take = self.panel.data if self._is_data() else self.panel.command
        self._pass(len(data), lambda: take(data))

    def close(self) -> None:
        """Close the bus."""
        self.opened = None
