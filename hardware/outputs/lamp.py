"""The RGB lamp."""

import re
from typing import Any

from hardware.config import LampConfig


class Lamp:
    """One RGB lamp with PWM on its three pins."""

    def __init__(self, factory: Any, config: LampConfig) -> None:
        from gpiozero import RGBLED

        self._scale = config.brightness / 100
        self._led = RGBLED(
            config.red,
            config.green,
            config.blue,
            active_high=config.common == "cathode",
            pin_factory=factory,
        )

    def set(self, colour: str) -> None:
        """Light up in a colour written RRGGBB; 000000 is off. ValueError for anything else."""
        if not re.fullmatch(r"[0-9A-Fa-f]{6}", colour):
            raise ValueError(f"{colour!r} is no colour RRGGBB")
        self._led.color = tuple(part / 255 * self._scale for part in bytes.fromhex(colour))

    def close(self) -> None:
        """Go out and let the pins go."""
        self._led.close()
