"""What one part of the rig is, so that the rig can treat all of them alike.

A class says what the part is called, how it is opened, what it follows, how it is brought back
after a fault of its bus, and what stands in for it where there is none.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

from hardware.config import Devices
from hardware.keys import Key, Put

Topic = Literal["care", "picture", "colour", "score", "sound"]
"""What a part may follow: the care for displays, the picture as a Framebuffer, a colour RRGGBB,
the score as a text of digits and a colon, the name of a sound."""


@dataclass(frozen=True)
class Site:
    """What a part is opened on. `pins` gives gpiozero's factory or raises DeviceError."""

    config: Devices
    pins: Callable[[], Any]
    bus: Any
    """An SMBus or SpiDev look-alike in place of the system's, or None."""
    put: Put
    wake: Callable[[], None]
    clock: Callable[[], float]


class Device:
    """A part of the rig. Every method may raise whatever a library raises: the rig copes."""

    name: ClassVar[str]
    """Its table in the settings."""
    follows: ClassVar[tuple[Topic, ...]] = ()
    """What it is told; of all but sounds it is told the latest when it is opened."""

    @classmethod
    def open(cls, site: Site) -> Self:
        """Open it as the settings say; DeviceError with a code when it cannot be."""
        raise NotImplementedError

    @classmethod
    def simulate(cls, _config: Devices, _factory: Any) -> object | None:
        """Put what stands in for it on mock pins, before it is opened; None: the pins will do."""
        return None

    def tell(self, topic: Topic, what: Any) -> None:
        """Take what it follows."""

    def touch(self) -> None:
        """Take note that somebody is there."""

    def tick(self) -> None:
        """Do what is due now and then; called every second or so."""

    def restore(self) -> None:
        """Count nothing as sent any more, after a fault: what follows is tried once more."""

    @property
    def stuck(self) -> tuple[Key, ...]:
        """Its keys that are down for so long that no finger can be on them."""
        return ()

    def close(self) -> None:
        """Let go of pins and bus."""
