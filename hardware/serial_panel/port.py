"""Serial ports that may have a panel, opened so that nothing ever blocks."""

import errno
import os
import select
import termios
import time
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Final

from hardware.config import PanelConfig

DEVICES: Final = Path("/dev")
STABLE_PORT: Final = "/dev/beisitzer-panel"
"""The name that the shipped udev rule gives to a Pico on USB."""

RASPBERRY_PI_VENDOR: Final = 0x2E8A
BAUD: Final = 115_200
_PENDING_BYTES: Final = 4096
"""The most bytes that wait for a panel that does not read."""
_READ_BYTES: Final = 4096
_TICK_NS: Final = 1_000_000_000
"""More than a tick of any file system's clock."""


class PortProblem(StrEnum):
    """Why a port could not be used."""

    ABSENT = "absent"
    BUSY = "busy"
    DENIED = "denied"
    NOT_SERIAL = "not-serial"


_PROBLEMS = {
    **dict.fromkeys((errno.ENOENT, errno.ENXIO, errno.ENODEV, errno.EIO), PortProblem.ABSENT),
    **dict.fromkeys((errno.EACCES, errno.EPERM), PortProblem.DENIED),
    **dict.fromkeys((errno.EAGAIN, errno.EBUSY), PortProblem.BUSY),
}
"""Why a port cannot be opened, by the number of the system's error."""


class PortError(Exception):
    """The port cannot be opened or was lost."""

    def __init__(self, path: str, problem: PortProblem) -> None:
        super().__init__(f"{path}: {problem.value}")
        self.path = path
        self.problem = problem


def candidates(config: PanelConfig) -> list[str]:
    """Return the ports to try, the likeliest first; each device once.

    Only Raspberry Pi's own USB devices are tried by default: a text sent to an unknown modem or
    printer could start it. Any other panel needs its port in the settings.
    """
    if config.port != "auto":
        return [config.port]
    from serial.tools.list_ports import comports

    paths = [STABLE_PORT] if Path(STABLE_PORT).exists() else []
    paths += sorted(port.device for port in comports() if port.vid == RASPBERRY_PI_VENDOR)
    devices: dict[str, str] = {}
    for path in paths:
        # the stable name is a link to one of the others
        devices.setdefault(os.path.realpath(path), path)
    return list(devices.values())


class Lookout:
    """Searches for ports only when devices changed, because listing USB devices is slow."""

    def __init__(
        self,
        find: Callable[[PanelConfig], list[str]] = candidates,
        devices: Path = DEVICES,
        clock_ns: Callable[[], int] = time.time_ns,
    ) -> None:
        self._find = find
        self._devices = devices
        self._clock_ns = clock_ns
        self._cached: tuple[int, list[str]] | None = None
        """The time of the folder at the last search, and the ports found; None: search again."""

    def __call__(self, config: PanelConfig) -> list[str]:
        """Return the ports to try: those of the last search as long as no device came or went.

        A panel that is plugged in gets a file in /dev, which changes the folder's time.
        """
        if config.port != "auto":
            return self._find(config)
        changed = self._devices.stat().st_mtime_ns
        if self._cached is not None:
            searched, ports = self._cached
            if searched == changed:
                return ports
        ports = self._find(config)
        # a second change within one tick of the file system's clock leaves the time as it is
        is_certain = self._clock_ns() - changed > _TICK_NS
        self._cached = (changed, ports) if is_certain else None
        return ports


class Port:
    """An open serial line: `wait` waits, everything else returns at once."""

    def __init__(self, path: str) -> None:
        """Open the port for exclusive use; PortError if that is impossible."""
        import serial

        self.path = path
        self._pending = b""
        try:
            self._serial = serial.Serial(path, BAUD, timeout=0, exclusive=True)
        except (OSError, ValueError, termios.error) as error:
            problem = _PROBLEMS.get(getattr(error, "errno", None) or 0, PortProblem.NOT_SERIAL)
            raise PortError(path, problem) from error

    def close(self) -> None:
        """Release the port."""
        with suppress(OSError, termios.error):  # an unplugged device may refuse even this
            self._serial.close()

    def send(self, data: bytes) -> None:
        """Send as much as the line takes now and store the rest.

        If a panel does not read, old bytes are dropped so that they do not fill the memory. The
        protocol repeats everything important.
        """
        self._pending += data
        if len(self._pending) > _PENDING_BYTES:
            latest = data[-_PENDING_BYTES:]
            self._pending = latest[latest.find(b"@") :]  # no half line, it would be garbled
        if not self._pending:
            return
        try:
            sent = os.write(self._serial.fileno(), self._pending)
        except BlockingIOError:
            return
        except OSError as error:
            raise PortError(self.path, PortProblem.ABSENT) from error
        self._pending = self._pending[sent:]

    def wait(self, waker: int, timeout_s: float) -> bytes:
        """Wait for bytes, for room to send, or for `waker` to be readable; return the bytes."""
        fd = self._serial.fileno()
        writers = [fd] if self._pending else []
        try:
            readable, _, _ = select.select([fd, waker], writers, [], timeout_s)
            if fd not in readable:
                return b""
            data = os.read(fd, _READ_BYTES)
        except BlockingIOError:
            return b""
        # an unplugged port: the system refuses, or its descriptor is closed (ValueError)
        except (OSError, ValueError) as error:
            raise PortError(self.path, PortProblem.ABSENT) from error
        # readable without bytes: the other end is gone
        if not data:
            raise PortError(self.path, PortProblem.ABSENT)
        return data
