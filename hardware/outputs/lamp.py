"""The RGB lamp."""

import re
from typing import Any

from hardware.device import Device, Site, Topic

PWM_HZ = 100


class Lamp(Device):
    """One RGB lamp, with PWM on the pins that are dimmed."""

    name = "lamp"
    follows = ("colour",)

    def tell(self, _topic: Topic, value: Any) -> None:
        """Shine in a colour."""
        self.set(value)

    def __init__(self, site: Site) -> None:
        """Open it, dark."""
        from gpiozero import PWMOutputDevice

        config, factory = site.config.lamp, site.pins()
        self._scale = config.brightness / 100
        self._parts: list[Any] = []
        try:
            for pin in (config.red, config.green, config.blue):
                part = PWMOutputDevice(
                    pin, active_high=config.common == "cathode", pin_factory=factory
                )
                self._parts.append(part)
                _shine(part, 0)
        except BaseException:
            self.close()
            raise

    def set(self, colour: str) -> None:
        """Light up in a colour written RRGGBB; 000000 is off. ValueError for anything else."""
        if not re.fullmatch(r"[0-9A-Fa-f]{6}", colour):
            raise ValueError(f"{colour!r} is no colour RRGGBB")
        for part, level in zip(self._parts, bytes.fromhex(colour), strict=True):
            _shine(part, level / 255 * self._scale)

    def close(self) -> None:
        """Go out and release the pins."""
        for part in reversed(self._parts):
            part.close()


def _shine(part: Any, level: float) -> None:
    """Light one part; only a dimmed one needs PWM, which wakes the machine 200 times a second."""
    part.frequency = PWM_HZ if 0 < level < 1 else None
    part.value = level
