"""Finds number pads and keyboards by the keys that the kernel says they have.

It reads /sys only: no device is opened and no library imported to learn that there is no pad.
"""

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hardware.config import PadsConfig
from hardware.pads.table import CODES

SYS: Final = Path("/sys/class/input")
DEV: Final = Path("/dev/input")

_WORD_BITS = struct.calcsize("l") * 8
"""The kernel writes its sets in words of the program that reads them."""
_DIGITS = (
    {CODES[f"KP{digit}"] for digit in range(10)},
    {CODES[str(digit)] for digit in range(10)},
)
_ENTERS = {CODES["ENTER"], CODES["KPENTER"]}
_LETTERS = {CODES[letter] for letter in "QWERTYUIOPASDFGHJKLZXCVBNM"}
_FIRST_BUTTON = 0x100
"""Numbers from here on are buttons of mice, gamepads and touch screens, or newer keys."""
_CABLE_OR_RADIO = (0x03, 0x05)
"""The bus numbers of USB and Bluetooth."""


@dataclass(frozen=True)
class InputDevice:
    """One of the kernel's input devices: its file, name and port, and the keys it has."""

    path: str
    name: str
    port: str
    """Where it is plugged in, as the kernel calls it; distinguishes two pads of one kind."""
    keys: frozenset[int]
    bus: int = 0
    points: bool = False
    """Whether it moves a pointer."""

    @property
    def is_keyboard(self) -> bool:
        """Whether it has ten digits and an Enter key."""
        return bool(_ENTERS & self.keys) and any(digits <= self.keys for digits in _DIGITS)

    @property
    def is_number_pad(self) -> bool:
        """Whether it is a keyboard without most letters."""
        return self.is_keyboard and len(_LETTERS & self.keys) < len(_LETTERS) // 2

    @property
    def is_beside_a_keyboard(self) -> bool:
        """Whether it may be the second half of a keyboard: keys such as power, sleep, volume."""
        keys = {key for key in self.keys if key < _FIRST_BUTTON}
        return bool(keys) and self.bus in _CABLE_OR_RADIO and not self.points

    def is_called(self, part: str) -> bool:
        """Tell whether this text is part of its name or port."""
        return part.lower() in f"{self.name}\n{self.port}".lower()


def is_taken(device: InputDevice, config: PadsConfig, *, appliance: bool) -> bool:
    """Tell whether the settings give this device to the table; `appliance`: to the service.

    The service takes every keyboard with all its halves: a key of it could switch the machine off.
    On a desktop only number pads and the devices named in the settings are taken.
    """
    if not config.enabled:
        return False
    if config.name != "any":
        return device.is_keyboard and device.is_called(config.name)
    if config.take == "keyboards" or (config.take == "auto" and appliance):
        return device.is_keyboard or device.is_beside_a_keyboard
    return device.is_number_pad


def find(sys: Path = SYS, dev: Path = DEV) -> list[InputDevice]:
    """Return all input devices that have keys."""
    devices: list[InputDevice] = []
    for folder in sorted(sys.glob("event*")):
        about = folder / "device"
        try:
            keys = _members(about / "capabilities" / "key")
            name, port = _text(about / "name"), _text(about / "phys")
            bus = int(_text(about / "id" / "bustype"), 16)
            points = 0 in _members(about / "capabilities" / "rel")  # 0: moves to the side (REL_X)
        except (OSError, ValueError):  # it was pulled out meanwhile
            continue
        if keys:
            path = str(dev / folder.name)
            devices.append(InputDevice(path, name, port, keys, bus, points))
    return devices


def _text(path: Path) -> str:
    return path.read_text("utf-8", "replace").strip()


def _members(path: Path) -> frozenset[int]:
    """Return the members of a set that the kernel writes as words, the highest first."""
    bits = 0
    for word in _text(path).split():
        bits = bits << _WORD_BITS | int(word, 16)
    return frozenset(number for number in range(bits.bit_length()) if bits >> number & 1)
