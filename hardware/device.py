"""One part of the rig, so that the rig can treat all parts alike.

A class defines the part's name, how it is opened, and which topics it follows.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

from hardware.config import Devices
from hardware.keys import Key, Put

Topic = Literal["care", "picture", "colour", "sound"]
"""The topics that a part may follow, with their values: the care for displays, a Framebuffer, a
colour RRGGBB, the name of a sound."""


@dataclass(frozen=True)
class Site:
    """The arguments for opening a part. `pins` returns gpiozero's factory or raises DeviceError."""

    config: Devices
    pins: Callable[[], Any]
    bus: Any
    """A replacement for the system's SMBus or SpiDev, or None."""
    put: Put
    wake: Callable[[], None]
    clock: Callable[[], float]


class Device:
    """A part of the rig. Every method may raise whatever a library raises: the rig copes."""

    name: ClassVar[str]
    """Its table in the settings."""
    follows: ClassVar[tuple[Topic, ...]] = ()
    """The topics of `tell`; a part that is opened gets the latest value of each, except sounds."""

    def __init__(self, site: Site) -> None:
        """Open it with the settings; DeviceError if that is impossible."""

    @classmethod
    def open(cls, site: Site) -> Self:
        """Open it; a class with another constructor overrides this."""
        return cls(site)

    def tell(self, topic: Topic, value: Any) -> None:
        """Take the new value of a topic that it follows."""

    def touch(self) -> None:
        """Note that somebody is there."""

    def tick(self) -> None:
        """Do what is due; called about every second."""

    @property
    def stuck(self) -> tuple[Key, ...]:
        """Its keys that have been down too long to be held by a finger."""
        return ()

    def close(self) -> None:
        """Release pins and bus."""
