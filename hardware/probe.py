"""Examines the machine around the devices; returns data, not sentences."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from hardware.config import OledConfig
from hardware.oled import open_wire

SYS = Path("/sys")
USUAL_ADDRESSES = (0x3C, 0x3D)
"""The two addresses that these panels can be set to."""

NO_OPERATION = 0xE3

_FLAGS = {
    0: "under-voltage-now",
    1: "capped-now",
    2: "throttled-now",
    3: "hot-now",
    16: "under-voltage-since-start",
    17: "capped-since-start",
    18: "throttled-since-start",
    19: "hot-since-start",
}
"""The firmware's warnings by the bit that reports them."""


def i2c_hz(port: int, root: Path = SYS) -> int | None:
    """Return an I2C bus's clock in Hz from the device tree, or None."""
    path = root / f"class/i2c-adapter/i2c-{port}/of_node/clock-frequency"
    try:
        data = path.read_bytes()
    except OSError:
        return None
    # a device tree holds numbers as four bytes
    return int.from_bytes(data, "big") if len(data) == 4 else None


def throttling(root: Path = SYS) -> tuple[str, ...] | None:
    """Return the Pi firmware's warnings as codes; None on machines without this firmware.

    Under-voltage is also read from the kernel (hwmon `rpi_volt`): every Pi has that, even a Pi 5,
    where the firmware's file is elsewhere or missing.
    """
    bits = _first_number(root.glob("devices/platform/soc*/*firmware/get_throttled"), 16)
    alarm = _first_number(_voltage_alarms(root), 10)
    if bits is None and alarm is None:
        return None
    bits = (bits or 0) | (1 if alarm else 0)  # bit 0: under-voltage now
    return tuple(code for bit, code in _FLAGS.items() if bits >> bit & 1)


def temperature_c(root: Path = SYS) -> float | None:
    """Return how hot the processor is; None if the machine does not tell."""
    for zone in sorted(root.glob("class/thermal/thermal_zone*")):
        try:
            kind = (zone / "type").read_text("ascii").strip()
        except (OSError, ValueError):
            continue
        number = _first_number((zone / "temp",), 10)
        # the Pi's name for it, and that of PCs
        if kind in ("cpu-thermal", "x86_pkg_temp") and number is not None:
            return number / 1000
    return None


def _voltage_alarms(root: Path) -> Iterator[Path]:
    # the number of the right folder differs from start to start
    for folder in sorted(root.glob("class/hwmon/hwmon*")):
        try:
            is_voltage = (folder / "name").read_text("ascii").strip() == "rpi_volt"
        except (OSError, ValueError):
            continue
        if is_voltage:
            yield folder / "in0_lcrit_alarm"


def _first_number(paths: Iterable[Path], base: int) -> int | None:
    """Return the number in the first file that contains one."""
    for path in paths:
        try:
            return int(path.read_text("ascii"), base)
        except (OSError, ValueError):
            continue
    return None


def find_addresses(config: OledConfig, bus: Any = None) -> tuple[int, ...]:
    """Return the addresses at which an OLED answers on this I2C bus."""
    addresses = []
    for address in USUAL_ADDRESSES:
        try:
            wire = open_wire(replace(config, bus="i2c", address=address), bus=bus)
            try:
                wire.command(NO_OPERATION)
            finally:
                wire.cleanup()
        except Exception:  # noqa: BLE001, S112  # luma and smbus2 raise what they like: no answer
            continue
        addresses.append(address)
    return tuple(addresses)
