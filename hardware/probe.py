"""What can be found out about the machine around the devices: data, no sentences."""

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


def i2c_hz(port: int, root: Path = SYS) -> int | None:
    """Return an I2C bus's clock in Hz as the device tree sets it, None if it is not told."""
    path = root / f"class/i2c-adapter/i2c-{port}/of_node/clock-frequency"
    try:
        data = path.read_bytes()
    except OSError:
        return None
    return int.from_bytes(data, "big") if len(data) == 4 else None


def throttling(root: Path = SYS) -> tuple[str, ...] | None:
    """Return what the Pi's firmware complains of, None where there is no such firmware."""
    path = root / "devices/platform/soc/soc:firmware/get_throttled"
    try:
        bits = int(path.read_text("ascii"), 16)
    except (OSError, ValueError):
        return None
    return tuple(code for bit, code in _FLAGS.items() if bits >> bit & 1)


def answering(config: OledConfig, bus: Any = None) -> tuple[int, ...]:
    """Return the addresses at which an OLED answers on this I2C bus."""
    found = []
    for address in USUAL_ADDRESSES:
        try:
            wire = open_wire(replace(config, bus="i2c", address=address), bus=bus)
            try:
                wire.command(NO_OPERATION)
            finally:
                wire.cleanup()
        except Exception:  # noqa: BLE001, S112  # luma and smbus2 raise what they like: no answer
            continue
        found.append(address)
    return tuple(found)
