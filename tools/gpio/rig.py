"""The process started by `Machine`: a rig on real lgpio that prints the keys it receives.

Arguments: names of parts leave out all others; `held=N` makes another user hold line N first;
`cwd=FOLDER` starts in a folder; `i2c` uses the machine's own bus for the OLED. It prints `ready
PARTS` (or `ready missing` with what is missing), then `KEY MONOTONIC_TIME` for each key. It reads
`sound NAME`, `light RRGGBB` and `show TEXT`, a line each, and prints `shown TIME` after showing.
"""

import os
import sys
import time
from dataclasses import fields, replace
from typing import Any

from hardware.chip import ChipInputs, chip_path
from hardware.config import Devices, RigConfig
from hardware.framebuffer import Framebuffer
from hardware.keys import Key
from hardware.pins import find_header
from hardware.rig import Rig, RigPorts
from hardware.typefaces import HEADLINE
from tools.simulation import SimulatedI2c, SimulatedOled

PARTS = ("oled", "lamp", "buzzer", "keypad", "die_buttons", "encoder")


def _say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def _hear(key: Key) -> None:
    _say(f"{key.value} {time.monotonic()}")


def picture(text: str) -> Framebuffer:
    """Return the picture that `show TEXT` shows."""
    glass = Framebuffer()
    glass.frame(0, 0, 128, 64)
    glass.text(16, 24, text, HEADLINE)
    return glass


def main(words: list[str]) -> None:
    """Open the rig and serve until standard input ends."""
    devices = Devices(rig=RigConfig(enabled=True, pin_factory="lgpio"))
    parts = [word for word in words if word in PARTS] or PARTS
    changes: dict[str, Any] = {
        part.name: replace(getattr(devices, part.name), enabled=False)
        for part in fields(devices)
        if part.name != "rig" and part.name not in parts
    }
    wishes = dict(word.split("=", 1) for word in words if "=" in word)
    occupied = [
        ChipInputs(chip_path(find_header()), [int(line)]) for line in wishes.get("held", "").split()
    ]
    os.chdir(wishes.get("cwd", "."))
    bus = None if "i2c" in words else SimulatedI2c(SimulatedOled())
    rig = Rig(replace(devices, **changes), _hear, ports=RigPorts(bus=bus))
    rig.start()
    missing = "; ".join(map(str, rig.missing))
    _say(f"ready {f'missing {missing}' if missing else ' '.join(rig.working)}")
    for line in sys.stdin:
        word, _, argument = line.strip().partition(" ")
        if word == "sound":
            rig.sound(argument)  # type: ignore[arg-type]  # a test names one of them
        elif word == "light":
            rig.light(argument)
        elif word == "show":
            rig.tick()
            rig.show(picture(argument))
            _say(f"shown {time.monotonic()}")
    rig.close()
    for lines in occupied:
        lines.close()


if __name__ == "__main__":
    main(sys.argv[1:])
