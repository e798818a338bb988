"""What the rig's parts are called, why one cannot be used, and what to do about it."""

import sys

from hardware.config import Devices
from hardware.errors import DeviceError
from pi_app.settings.schema import Settings
from pi_app.texts.language import Texts


def part_name(tx: Texts, part: str) -> str:
    """Return what people call a part."""
    return tx("cli", getattr(Devices(), part).called)


def reason(tx: Texts, error: DeviceError) -> str:
    """Say why a part cannot be used."""
    if error.code in LIBRARIES:
        return tx("cli", "{library} is not installed", library=LIBRARIES[error.code])
    match error.code:
        case "rpigpio-on-pi5":
            return tx("cli", "RPi.GPIO does not work on a Pi 5")
        case "no-gpio":
            return tx("cli", "there are no GPIO pins")
        case "no-permission":
            return tx("cli", "you may not use it")
        case "no-bus":
            return tx("cli", "its bus is not enabled")
        case "no-answer":
            return tx("cli", "it does not answer")
        case "pin-in-use" if error.holders:
            pin, holder = min(error.holders.items())
            return tx("cli", "GPIO {pin} is held by {holder}", pin=pin, holder=holder)
        case "pin-in-use":
            return tx("cli", "another program uses its pins")
        case "no-folder":
            return tx("cli", "lgpio finds no folder that it may write to")
        case _:
            return tx("cli", "it failed ({detail})", detail=error.detail)


OUR_NAMES = {"beisitzer", "lg"}
"""What the kernel calls a pin's holder when it is this program: by itself, or through lgpio."""

LIBRARIES = {
    "no-gpiozero": "gpiozero",
    "no-luma": "luma.core",
    "no-lgpio": "lgpio",
    "no-rpigpio": "RPi.GPIO",
    "no-spidev": "spidev",
}


def remedy(tx: Texts, error: DeviceError, settings: Settings, answers: tuple[int, ...] = ()) -> str:
    """Say what to do; `answers` are the I2C addresses at which something does answer."""
    if error.code in LIBRARIES:
        return _install(tx, error.code)
    spi = settings.oled.bus == "spi"
    match error.code:
        case "rpigpio-on-pi5":
            return tx("cli", 'Set rig.pin_factory to "lgpio".')
        case "no-gpio":
            return tx("cli", "Set rig.enabled to false, or run it on a Raspberry Pi.")
        case "no-permission":
            group = "gpio" if error.part != "oled" else "spi" if spi else "i2c"
            return tx("cli", "Do: sudo usermod -aG {group} $USER, and log in anew", group=group)
        case "no-bus" if spi:
            return tx("cli", "Do: sudo raspi-config nonint do_spi 0, and start the Pi anew")
        case "no-bus":
            return tx("cli", "Do: sudo raspi-config nonint do_i2c 0, and start the Pi anew")
        case "no-answer" if error.part == "oled":
            return _no_answer(tx, answers)
        case "pin-in-use":
            return _free(tx, set(error.holders.values()))
        case "no-folder":
            return tx("cli", "Set LG_WD to a folder that it may write to.")
        case _:
            return tx("cli", "Check its wires, or switch it off in the settings.")


def _no_answer(tx: Texts, answers: tuple[int, ...]) -> str:
    if answers:
        address = f"0x{answers[0]:02X}"
        return tx("cli", "Set oled.address to {address}: there it answers.", address=address)
    return tx("cli", "Check its four wires and the address in the settings.")


def _free(tx: Texts, holders: set[str]) -> str:
    """Say how a pin that something holds becomes free."""
    if any("spi" in holder.lower() for holder in holders):
        return tx(
            "cli", "Choose another pin, or do: sudo raspi-config nonint do_spi 1, and restart"
        )
    if holders - OUR_NAMES:
        return tx("cli", "Choose another pin, or end what holds it.")
    return tx("cli", "Do: sudo systemctl stop beisitzer")


_FROM_THE_SYSTEM = {"no-lgpio": "python3-lgpio", "no-spidev": "python3-spidev"}


def _install(tx: Texts, code: str) -> str:
    if code in _FROM_THE_SYSTEM:  # not every machine has a finished wheel of these
        return tx("cli", "Do: sudo apt install {packages}", packages=_FROM_THE_SYSTEM[code])
    packages = "RPi.GPIO" if code == "no-rpigpio" else "gpiozero luma.oled"
    python = sys.executable
    return tx("cli", "Do: {path} -m pip install {packages}", path=python, packages=packages)


def port_trouble(tx: Texts, path: str, problem: str) -> str:
    """Say why the serial panel's port cannot be used, and what to do."""
    match problem:
        case "absent":
            return tx(
                "cli", "MISSING: {path}: there is no such port. Plug the panel in.", path=path
            )
        case "busy":
            return tx(
                "cli",
                "MISSING: {path}: another program uses it. Do: sudo systemctl stop beisitzer",
                path=path,
            )
        case "denied":
            return tx(
                "cli",
                "MISSING: {path}: you may not use it. "
                "Do: sudo usermod -aG dialout $USER, and log in anew",
                path=path,
            )
        case _:
            return tx(
                "cli", "MISSING: {path}: this is no serial port. Correct panel.port.", path=path
            )
