"""gpiozero's pin factories, and whether this machine is a Pi at all."""

import os
import shutil
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from hardware.chip import chip_label
from hardware.config import RigConfig
from hardware.errors import DeviceError, device_error

MODEL = Path("/proc/device-tree/model")

HEADER_LABELS = ("pinctrl-rp1", "pinctrl-bcm2")
"""How the labels of a header's GPIO chip begin, the Pi 5's first: a Pi 5 has both."""


def pi_model(path: Path = MODEL) -> str | None:
    """Return the kernel's name of this Pi, such as "Raspberry Pi Zero 2 W Rev 1.0", or None."""
    try:
        model = path.read_bytes().rstrip(b"\0").decode("utf-8", "replace")
    except OSError:
        return None
    return model if model.startswith("Raspberry Pi") else None


def is_wanted(config: RigConfig, model: Path = MODEL) -> bool:
    """Tell whether this machine shall use devices on the GPIO header."""
    if config.enabled == "auto":
        return config.pin_factory == "mock" or pi_model(model) is not None
    return config.enabled


def open_factory(config: RigConfig) -> Any:
    """Open a pin library; DeviceError with the reason of the first one if none can be opened."""
    first: DeviceError | None = None
    names = ("lgpio", "rpigpio") if config.pin_factory == "auto" else (config.pin_factory,)
    for name in names:
        try:
            return _make_factory(name)
        except Exception as error:  # noqa: BLE001  # the libraries raise what they like
            first = first or _factory_error(name, error)
    raise first or DeviceError("gpio", "failed")


def find_header() -> int:
    """Return the number of the chip with the header's pins, which differs from kernel to kernel.

    DeviceError, with the chips that were found, if none has them; OSError if one cannot be read.
    """
    failure: OSError | None = None
    labels: dict[int, str] = {}
    for path in Path("/dev").glob("gpiochip*"):
        try:
            labels[int(path.name.removeprefix("gpiochip"))] = chip_label(path)
        except OSError as error:
            failure = error
    for header in HEADER_LABELS:
        if numbers := [number for number, label in labels.items() if label.startswith(header)]:
            return min(numbers)
    if failure is not None:
        raise failure
    found = ", ".join(f"gpiochip{number} {label}" for number, label in sorted(labels.items()))
    raise DeviceError("gpio", "no-header" if labels else "no-gpio", found)


def _make_factory(name: str) -> Any:
    if name == "mock":
        from gpiozero.pins.mock import MockFactory, MockPWMPin

        return MockFactory(pin_class=MockPWMPin)
    if name == "rpigpio":
        from gpiozero.pins.rpigpio import RPiGPIOFactory

        with suppress(DeviceError, OSError):  # the module may be rpi-lgpio, which reads this
            os.environ.setdefault("RPI_LGPIO_CHIP", str(find_header()))
        return RPiGPIOFactory()
    _import_lgpio()
    from gpiozero.pins.lgpio import LGPIOFactory

    return LGPIOFactory(chip=find_header())


def _import_lgpio() -> None:
    """Import lgpio with a folder of its own for the pipe that it makes and opens at once.

    In the current folder, which a service may not write to, it would fail as if a bus were
    missing. With LG_WD set it changes to that folder and stays there, so we change back.
    """
    if "lgpio" in sys.modules:
        return
    current_folder, setting = Path.cwd(), os.environ.get("LG_WD")
    try:
        folder = tempfile.mkdtemp(prefix="beisitzer-")
    except OSError as error:
        raise DeviceError("gpio", "no-folder", str(error)) from error
    os.environ["LG_WD"] = folder
    try:
        import lgpio  # noqa: F401  # from here on its pipe is open
    finally:
        os.chdir(current_folder)
        shutil.rmtree(folder, ignore_errors=True)
        del os.environ["LG_WD"]
        if setting is not None:
            os.environ["LG_WD"] = setting


def _factory_error(name: str, error: Exception) -> DeviceError:
    failure = device_error("gpio", error)
    # "failed" is no reason: then the text may have one
    if failure.code != "failed":
        return failure
    # words of gpiozero's and lgpio's messages
    text = str(error).lower()
    if name == "rpigpio" and ("peripheral base" in text or "Pi 5" in (pi_model() or "")):
        return DeviceError("gpio", "rpigpio-on-pi5", str(error))
    if "permission" in text:
        return DeviceError("gpio", "no-permission", str(error))
    if "can not open gpiochip" in text or "revision" in text or "not open" in text:
        return DeviceError("gpio", "no-gpio", str(error))
    return failure
