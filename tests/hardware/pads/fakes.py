"""A pad that is not there: events by script, read as python-evdev reads them."""

import errno
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from hardware.pads import InputDevice
from hardware.pads.reader import EV_KEY, EV_MSC, EV_SYN, MSC_SCAN, SYN_DROPPED, SYN_REPORT
from hardware.pads.table import CODES

PAD_KEYS = frozenset(
    code for name, code in CODES.items() if name.startswith("KP") or name == "NUMLOCK"
)
KEYBOARD_KEYS = frozenset(CODES.values())


@dataclass(frozen=True)
class FakeEvent:
    """An event of the kernel."""

    type: int
    code: int
    value: int
    at: float = 0.0

    def timestamp(self) -> float:
        return self.at


def change(name: str, value: int, at: float, report: int = 0) -> list[FakeEvent]:
    """Return the events of a key that goes down (1), up (0) or is repeated (2)."""
    code = CODES[name]
    return [
        FakeEvent(EV_MSC, MSC_SCAN, 0x70000 + code, at),
        FakeEvent(EV_KEY, code, value, at),
        FakeEvent(EV_SYN, SYN_REPORT, report, at),
    ]


def tap(name: str, at: float = 0.0, hold_s: float = 0.06) -> list[FakeEvent]:
    """Return the events of a key that is pressed and released."""
    return change(name, 1, at) + change(name, 0, at + hold_s)


def dropped(at: float = 0.0) -> list[FakeEvent]:
    """Return what the kernel says after it dropped events."""
    return [FakeEvent(EV_SYN, SYN_DROPPED, 0, at), FakeEvent(EV_SYN, SYN_REPORT, 0, at)]


def pad(path: str = "/dev/input/event3", name: str = "Numpad", port: str = "usb-1") -> InputDevice:
    return InputDevice(path, name, port, PAD_KEYS, 0x03)


def keyboard() -> InputDevice:
    return InputDevice("/dev/input/event4", "Big Keyboard", "usb-2/input0", KEYBOARD_KEYS, 0x03)


class FakeSource:
    """An open device: `say` adds events, `unplug` takes it away."""

    def __init__(self) -> None:
        self.fd, self._bell = os.pipe2(os.O_NONBLOCK)
        self.events: list[FakeEvent] = []
        self.down: list[int] = []
        self.grabbed = self.gone = self.closed = self.busy = False

    def say(self, *events: FakeEvent) -> None:
        self.events += events
        os.write(self._bell, b"!")

    def unplug(self) -> None:
        self.gone = True
        os.write(self._bell, b"!")

    def read(self) -> Sequence[FakeEvent]:
        if self.gone:
            raise OSError(errno.ENODEV, "No such device")
        with suppress(BlockingIOError):
            os.read(self.fd, 4096)
        if not self.events:
            raise BlockingIOError
        events, self.events = self.events, []
        return events

    def active_keys(self) -> Sequence[int]:
        return self.down

    def grab(self) -> None:
        if self.busy:
            raise OSError(errno.EBUSY, "Device or resource busy")
        self.grabbed = True

    def close(self) -> None:
        if not self.closed:
            os.close(self.fd)
            os.close(self._bell)
        self.closed = True
