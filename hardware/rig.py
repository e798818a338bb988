"""All devices on the header together: opens the present ones, retries the others, closes all.

A missing part costs one line in the log and nothing else. Only this module recovers a part that
failed: it closes the part and opens it again after longer and longer pauses; a key press ends the
pause.
"""

import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass, fields
from importlib import import_module
from time import monotonic
from typing import Any

from hardware.chip import chip_path, holders
from hardware.config import Devices, pins_in_use
from hardware.device import Device, Site, Topic
from hardware.errors import Backoff, DeviceError, device_error
from hardware.framebuffer import Framebuffer
from hardware.inputs.poller import Poller
from hardware.keys import Key, Put
from hardware.oled.display import Care
from hardware.outputs.buzzer import SOUNDS, Sound
from hardware.pins import open_factory

log = logging.getLogger(__name__)

PAUSES_S = (0.001, 0.05, 0.1, 0.2, 0.5, 1.0, 1.5)
"""Seconds before the next tries: the first is short, for a single bad byte; the last repeats, so
that a part is back within 2 s."""
LASTING = frozenset(
    {"no-gpiozero", "no-luma", "no-lgpio", "no-rpigpio", "no-spidev", "rpigpio-on-pi5"}
)
"""Reasons that do not go away by waiting."""


def device_kinds(config: Devices) -> list[type[Device]]:
    """Return the classes of the enabled parts, those that follow a topic first."""
    kinds: list[type[Device]] = []
    for part in fields(Devices):
        class_path = getattr(getattr(config, part.name), "device", None)
        if class_path is not None and getattr(config, part.name).enabled:
            module, _, name = class_path.partition(":")
            kinds.append(getattr(import_module(module), name))
    # opened first, so that the display lights up before the keys are ready
    return sorted(kinds, key=lambda kind: not kind.follows)


@dataclass
class _Part:
    """The state of a part: its device while it works, else the error and the next try."""

    kind: type[Device]
    backoff: Backoff
    device: Any = None
    error: DeviceError | None = None

    @property
    def waits(self) -> bool:
        """Whether it is worth trying again."""
        return self.error is not None and self.error.code not in LASTING


@dataclass(frozen=True, slots=True)
class RigPorts:
    """The rig's connections to the machine; tests and simulations pass others.

    `factory` is gpiozero's, None for the one that the settings name, `bus` replaces the system's,
    `clock` counts seconds.
    """

    factory: Any = None
    bus: Any = None
    clock: Callable[[], float] = monotonic


class Rig:
    """The devices. Outputs never raise; parts that do not work are in `missing`.

    Only the loop's thread may call its methods; another thread calls `put` with the keys.
    """

    def __init__(
        self,
        config: Devices,
        put: Put,
        *,
        care: Care | None = None,
        sounds: Collection[Sound] = tuple(SOUNDS),
        ports: RigPorts = RigPorts(),  # a frozen value
    ) -> None:
        self._config = config
        self._sounds = sounds
        self._factory = ports.factory
        self._own_factory = ports.factory is None
        self._no_pins: DeviceError | None = None
        """Why there are no pins, so that the library is not tried again for each part."""
        self._poller = Poller(ports.clock, config.keypad.scan_ms / 1000, self._input_failed)
        self._broken: dict[str, Exception] = {}
        """The inputs that failed in the poller's thread and are to be closed by `tick`."""
        self._latest: dict[Topic, Any] = {"care": care or Care(), "picture": Framebuffer()}
        """The latest value of each topic, for parts that are opened later."""
        self._site = Site(config, self._pins, ports.bus, put, self._poller.wake, ports.clock)
        self._parts = {
            kind.name: _Part(kind, Backoff(PAUSES_S, ports.clock)) for kind in device_kinds(config)
        }
        for part in self._parts.values():
            self._open(part)

    def _pins(self) -> Any:
        if self._factory is None:
            if self._no_pins is not None:
                raise self._no_pins
            try:
                self._factory = open_factory(self._config.rig)
            except DeviceError as error:
                self._no_pins = error
                raise
        return self._factory

    # --- opening and retrying

    def _open(self, part: _Part) -> None:
        """Open a part; log once that it is missing, and once that it works again."""
        device: Device | None = None
        try:
            device = part.kind.open(self._site)
            for topic in part.kind.follows:
                if topic in self._latest:
                    device.tell(topic, self._latest[topic])
        except Exception as error:  # noqa: BLE001  # pin libraries raise what they like
            if device is not None:
                _close(part.kind.name, device)
            self._note_missing(part, error)
            return
        part.device = device
        if part.error is not None:
            log.info("%s: works again", part.kind.name)
        part.error = None
        part.backoff.note_success()
        if hasattr(device, "poll"):
            self._poller.add(part.kind.name, device)

    def _note_missing(self, part: _Part, failure: Exception) -> None:
        name = part.kind.name
        cause = device_error(name, failure)
        error = DeviceError(name, cause.code, cause.detail)
        chip = getattr(self._factory, "chip", None)
        if error.code == "pin-in-use" and isinstance(chip, int):  # lgpio's factory names its chip
            pins = [pin for key, pin in pins_in_use(self._config) if key.startswith(f"{name}.")]
            error = error.with_holders(holders(chip_path(chip), pins))
        if part.error is None:
            log.warning("%s", error)
        part.error = error
        part.backoff.note_failure()

    def _input_failed(self, name: str, error: Exception) -> None:
        """Note the failure in the poller's thread; `tick` handles it in the loop's thread."""
        self._broken[name] = error

    def _drop(self, part: _Part, error: Exception) -> None:
        device, part.device = part.device, None
        self._poller.remove(part.kind.name)
        _close(part.kind.name, device)
        self._note_missing(part, error)

    def _use(self, part: _Part, act: Callable[[Device], None]) -> None:
        """Call `act` with a part if it works; close one that fails and open it again soon."""
        if part.device is None:
            return
        try:
            act(part.device)
        except Exception as error:  # noqa: BLE001  # pin libraries raise what they like
            self._drop(part, error)

    def _tell(self, topic: Topic, value: Any) -> None:
        for part in self._parts.values():
            if topic in part.kind.follows:
                self._use(part, lambda device: device.tell(topic, value))

    def _retry(self) -> None:
        self._no_pins = None  # the library may work by now
        for part in self._parts.values():
            if part.waits and part.backoff.due:
                self._open(part)

    @property
    def missing(self) -> tuple[DeviceError, ...]:
        """The errors of the enabled parts that do not work now."""
        return tuple(part.error for part in self._parts.values() if part.error is not None)

    @property
    def working(self) -> tuple[str, ...]:
        """The names of the parts that work now."""
        return tuple(name for name, part in self._parts.items() if part.device is not None)

    @property
    def stuck(self) -> tuple[Key, ...]:
        """The keys that have been down too long to be held by a finger."""
        return tuple(
            key
            for part in self._parts.values()
            if part.device is not None
            for key in part.device.stuck
        )

    # --- calls of the loop

    def start(self) -> None:
        """Start the thread that reads the keys."""
        self._poller.start()

    def poll(self) -> bool:
        """Read the inputs once, for a rig without a running thread."""
        return self._poller.poll()

    def show(self, picture: Framebuffer) -> None:
        """Show a picture on the OLED; one that comes back shows the latest picture."""
        self._publish("picture", picture.copy())

    def light(self, colour: str) -> None:
        """Let the lamp shine in a colour RRGGBB, 000000 for off."""
        self._publish("colour", colour)

    def set_care(self, care: Care) -> None:
        """Change the displays' brightness and when they dim, from now on."""
        self._publish("care", care)

    def _publish(self, topic: Topic, value: Any) -> None:
        self._latest[topic] = value
        self._tell(topic, value)

    def sound(self, sound: Sound) -> None:
        """Sound the buzzer unless this sound is muted."""
        if sound in self._sounds:
            self._tell("sound", sound)

    def set_sounds(self, sounds: Collection[Sound]) -> None:
        """Set the sounds that are not muted, from now on."""
        self._sounds = sounds

    def touch(self) -> None:
        """Note a key press: displays light up, and missing parts are tried now."""
        for part in self._parts.values():
            part.backoff.hurry()
            self._use(part, lambda device: device.touch())
        self._retry()

    def due_s(self) -> float | None:
        """Return the seconds until a missing part is tried again; None if no part is missing."""
        waits = (part.backoff.wait_s for part in self._parts.values() if part.waits)
        return min(waits, default=None)

    def tick(self) -> None:
        """Dim and refresh displays and retry missing parts; called about every second."""
        while self._broken:
            name, error = self._broken.popitem()
            # the loop may have dropped it meanwhile
            if self._parts[name].device is not None:
                self._drop(self._parts[name], error)
        for part in self._parts.values():
            self._use(part, lambda device: device.tick())
        self._retry()

    def close(self, *, keep_picture: bool = False) -> None:
        """Close everything, the last opened first; with `keep_picture` displays stay lit."""
        self._poller.close()
        for part in reversed(self._parts.values()):
            device, part.device = part.device, None
            keeps = keep_picture and "picture" in part.kind.follows
            if device is not None and not keeps:
                _close(part.kind.name, device)
        if self._own_factory and self._factory is not None:
            _close("gpio", self._factory)
            self._factory = None


def _close(name: str, device: Any) -> None:
    """Close a device, which may fail."""
    try:
        device.close()
    except Exception as error:  # noqa: BLE001  # it is being given up anyway
        log.debug("%s: closing failed: %s", name, error)
