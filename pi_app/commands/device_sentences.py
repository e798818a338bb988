"""Sentences that say why a part of the rig does not work, and what to do."""

import sys

from hardware.errors import DeviceError
from pi_app.settings.schema import Settings
from pi_app.texts.language import Text, Texts
from pi_app.texts.libraries import system_library


def reason(tx: Texts, error: DeviceError) -> str:
    """Say why a part cannot be used."""
    if error.code in LIBRARIES:
        return tx("cli", "{library} is not installed", library=LIBRARIES[error.code])
    if error.code == "pin-in-use" and error.holders:
        pin, holder = min(error.holders.items())  # one is enough: the lowest pin
        return tx("cli", "GPIO {pin} is held by {holder}", pin=pin, holder=holder)
    words = tx.say(_REASONS, error.code, detail=error.detail[:120])
    return words or tx("cli", "it failed ({detail})", detail=error.detail)


_REASONS = {
    "rpigpio-on-pi5": Text("cli", "RPi.GPIO does not work on a Pi 5"),
    "no-gpio": Text("cli", "there are no GPIO pins"),
    "no-header": Text("cli", "no chip has the header's pins, only {detail}"),
    "no-permission": Text("cli", "you may not use it"),
    "no-bus": Text("cli", "its bus is not enabled"),
    "no-answer": Text("cli", "it does not answer"),
    "pin-in-use": Text("cli", "another program uses its pins"),
    "no-folder": Text("cli", "lgpio finds no folder that it may write to"),
    "broken-library": Text("cli", "a library does not load ({detail})"),
}

OUR_NAMES = {"beisitzer", "lg"}
"""The kernel's names for this program as the holder of a pin: its own, or that of lgpio."""

LIBRARIES = {
    "no-gpiozero": "gpiozero",
    "no-luma": "luma.core",
    "no-lgpio": "lgpio",
    "no-rpigpio": "RPi.GPIO",
    "no-spidev": "spidev",
    "no-evdev": "python-evdev",
}
"""The library that is missing, by the code of the `DeviceError`."""


def remedy(tx: Texts, error: DeviceError, settings: Settings, answers: tuple[int, ...] = ()) -> str:
    """Say what to do; `answers` are the I2C addresses at which a device answers."""
    if error.code == "no-lgpio":
        return tx(
            "cli",
            "Do: sudo apt install python3-lgpio. Only Raspberry Pi OS has this package; on plain"
            " Debian the serial panel, pads and a screen can be used.",
        )
    needed = system_library(error.detail) if error.code == "broken-library" else None
    # pip might have to compile some
    if package := needed[1] if needed else _FROM_THE_SYSTEM.get(error.code):
        return tx("cli", "Do: sudo apt install {packages}", packages=package)
    if error.code in LIBRARIES:
        packages = "RPi.GPIO" if error.code == "no-rpigpio" else "gpiozero luma.oled"
        python = sys.executable
        return tx("cli", "Do: {path} -m pip install {packages}", path=python, packages=packages)
    match error.code:
        case "no-permission":
            group = {"oled": settings.oled.bus, "pads": "input"}.get(error.part, "gpio")
            return tx("cli", "Do: sudo usermod -aG {group} $USER, and log in again", group=group)
        case "no-bus":
            return tx.say(_BUSES, settings.oled.bus)
        case "no-answer" if error.part == "oled" and answers:
            address = f"0x{answers[0]:02X}"
            return tx("cli", "Set oled.address to {address}: there it answers.", address=address)
        case "no-answer" if error.part == "oled":
            return tx("cli", "Check its four wires and the address in the settings.")
        case "pin-in-use":
            return _free_pin_words(tx, set(error.holders.values()))
    unknown = tx("cli", "Check its wires, or switch it off in the settings.")
    return tx.say(_REMEDIES, error.code) or unknown


_REMEDIES = {
    "rpigpio-on-pi5": Text("cli", 'Set rig.pin_factory to "lgpio".'),
    **dict.fromkeys(
        ("no-gpio", "no-header"),
        Text("cli", "Set rig.enabled to false, or run it on a Raspberry Pi."),
    ),
    "no-folder": Text("cli", "Set LG_WD to a folder that it may write to."),
    "broken-library": Text("cli", "Install it again."),
}
_BUSES = {
    "spi": Text("cli", "Do: sudo raspi-config nonint do_spi 0, and restart the Pi"),
    "i2c": Text("cli", "Do: sudo raspi-config nonint do_i2c 0, and restart the Pi"),
}


def _free_pin_words(tx: Texts, holders: set[str]) -> str:
    """Say how to free a pin that another program holds."""
    if any("spi" in holder.lower() for holder in holders):
        return tx(
            "cli", "Choose another pin, or do: sudo raspi-config nonint do_spi 1, and restart"
        )
    if holders - OUR_NAMES:
        return tx("cli", "Choose another pin, or end what holds it.")
    return tx("cli", "Do: sudo systemctl stop beisitzer")


_FROM_THE_SYSTEM = {
    "no-spidev": "python3-spidev",
    "no-evdev": "python3-evdev",
}
"""The Debian package of a missing library, by the code of the `DeviceError`."""


_PORT_TROUBLES = {
    "absent": Text("cli", "there is no such port. Plug the panel in."),
    "busy": Text("cli", "another program uses it. Do: sudo systemctl stop beisitzer"),
    "denied": Text("cli", "you may not use it. Do: sudo usermod -aG dialout $USER, log in again"),
    "not-serial": Text("cli", "this is no serial port. Correct panel.port."),
}


def port_trouble(tx: Texts, problem: str) -> str:
    """Say why the serial panel's port cannot be used, and what to do."""
    return tx.say(_PORT_TROUBLES, problem)
