"""All devices on the header together: opened as far as they are there, retried, closed.

A part that is missing costs one line in the log and nothing else. This is the one place where a
part that failed is brought back: what failed is tried again at once, then the part is closed and
opened anew after longer and longer pauses, and a key ends the pause.
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
from hardware.pins import is_wanted, open_factory

log = logging.getLogger(__name__)

PAUSES_S = (0.05, 0.1, 0.2, 0.5, 1.0, 1.5)
"""Before each further try; the last one from then on, so that a part is back within 2 s."""
LASTING = frozenset(
    {"no-gpiozero", "no-luma", "no-lgpio", "no-rpigpio", "no-spidev", "rpigpio-on-pi5"}
)
"""Reasons that waiting does not mend."""


def device_kinds(config: Devices) -> list[type[Device]]:
    """Return the kinds of the parts that are switched on: what follows something first."""
    kinds: list[type[Device]] = []
    for part in fields(Devices):
        where = getattr(getattr(config, part.name), "device", None)
        if where is not None and getattr(config, part.name).enabled:
            module, _, name = where.partition(":")
            kinds.append(getattr(import_module(module), name))
    return sorted(kinds, key=lambda kind: not kind.follows)


@dataclass
class _Slot:
    """A part's place: its device while it works, else why not and when to try again."""

    kind: type[Device]
    backoff: Backoff
    device: Any = None
    error: DeviceError | None = None

    @property
    def waits(self) -> bool:
        """Whether it is worth trying again."""
        return self.error is not None and self.error.code not in LASTING


class Rig:
    """The devices. Outputs never raise; what does not work is in `missing`.

    All methods are for one thread, the loop's; keys come from another through `put`.
    """

    def __init__(
        self,
        config: Devices,
        put: Put,
        *,
        care: Care | None = None,
        sounds: Collection[Sound] = tuple(SOUNDS),
        factory: Any = None,
        bus: Any = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._config = config
        self._sounds = sounds
        self._factory = factory
        self._own_factory = factory is None
        self._no_pins: DeviceError | None = None
        """Why there are no pins, so that each part need not find out again."""
        self._clock = clock
        self._poller = Poller(clock, config.keypad.scan_ms / 1000, self._input_failed)
        self._broken: dict[str, Exception] = {}
        self._latest: dict[Topic, Any] = {"care": care or Care(), "picture": Framebuffer()}
        """What a part that is opened has to know."""
        self._site = Site(config, self._pins, bus, put, self._poller.wake, clock)
        self._slots = {
            kind.name: _Slot(kind, Backoff(PAUSES_S, clock)) for kind in device_kinds(config)
        }
        for slot in self._slots.values():
            self._open(slot)

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

    def _open(self, slot: _Slot) -> None:
        """Open a part; log once when it is missing, once when it is there again."""
        device: Device | None = None
        try:
            device = slot.kind.open(self._site)
            for topic in slot.kind.follows:
                if topic in self._latest:
                    device.tell(topic, self._latest[topic])
        except Exception as error:  # noqa: BLE001  # pin libraries raise what they like
            if device is not None:
                _close(slot.kind.name, device)
            self._note_missing(slot, error)
            return
        slot.device = device
        if slot.error is not None:
            log.info("%s: works again", slot.kind.name)
        slot.error = None
        slot.backoff.note_success()
        if hasattr(device, "poll"):
            self._poller.add(slot.kind.name, device)

    def _note_missing(self, slot: _Slot, failure: Exception) -> None:
        name = slot.kind.name
        found = device_error(name, failure)
        error = DeviceError(name, found.code, found.detail)
        if error.code == "pin-in-use":
            error = error.with_holders(self._holders(name))
        if slot.error is None:
            log.warning("%s", error)
        slot.error = error
        slot.backoff.note_failure()

    def _holders(self, name: str) -> dict[int, str]:
        """Return what holds a part's pins by the kernel's word, where lgpio names its chip."""
        chip = getattr(self._factory, "chip", None)
        if not isinstance(chip, int):
            return {}
        pins = [pin for key, pin in pins_in_use(self._config) if key.startswith(f"{name}.")]
        return holders(chip_path(chip), pins)

    def _input_failed(self, name: str, error: Exception) -> None:
        """Take note in the poller's thread; the loop's thread sees to it in `tick`."""
        self._broken[name] = error

    def _drop(self, slot: _Slot, error: Exception) -> None:
        device, slot.device = slot.device, None
        self._poller.remove(slot.kind.name)
        _close(slot.kind.name, device)
        self._note_missing(slot, error)

    def _use(self, slot: _Slot, act: Callable[[Device], None]) -> None:
        """Do something with a part if it works; what fails is tried again once, at once."""
        if slot.device is None:
            return
        try:
            act(slot.device)
        except Exception:  # noqa: BLE001  # pin libraries raise what they like
            try:
                slot.device.restore()
                act(slot.device)
            except Exception as error:  # noqa: BLE001  # the same
                self._drop(slot, error)

    def _tell(self, topic: Topic, what: Any) -> None:
        for slot in self._slots.values():
            if topic in slot.kind.follows:
                self._use(slot, lambda device: device.tell(topic, what))

    def _retry(self) -> None:
        self._no_pins = None
        for slot in self._slots.values():
            if slot.waits and slot.backoff.due:
                self._open(slot)

    @property
    def missing(self) -> tuple[DeviceError, ...]:
        """The parts that are configured and do not work now, with the reasons."""
        return tuple(slot.error for slot in self._slots.values() if slot.error is not None)

    @property
    def working(self) -> tuple[str, ...]:
        """The names of the parts that work now."""
        return tuple(name for name, slot in self._slots.items() if slot.device is not None)

    @property
    def stuck(self) -> tuple[Key, ...]:
        """The keys that are down for so long that no finger can be on them."""
        return tuple(
            key
            for slot in self._slots.values()
            if slot.device is not None
            for key in slot.device.stuck
        )

    # --- what the loop does with it

    def start(self) -> None:
        """Start hearing keys."""
        self._poller.start()

    def poll(self) -> bool:
        """Look at the inputs once, for a rig whose thread is not started."""
        return self._poller.poll()

    def show(self, picture: Framebuffer) -> None:
        """Show a picture on the OLED; a panel that comes back shows the latest one."""
        self._follow("picture", picture.copy())

    def light(self, colour: str) -> None:
        """Let the lamp shine in a colour RRGGBB, 000000 for off."""
        self._follow("colour", colour)

    def score(self, score: str) -> None:
        """Show the score, digits and a colon, on what has room for no more; empty for none."""
        if score != self._latest.get("score", ""):
            self._follow("score", score)

    def set_care(self, care: Care) -> None:
        """Change the displays' brightness and when they dim, from now on."""
        self._follow("care", care)

    def _follow(self, topic: Topic, what: Any) -> None:
        self._latest[topic] = what
        self._tell(topic, what)

    def sound(self, sound: Sound) -> None:
        """Let the buzzer sound, unless this kind of sound is muted."""
        if sound in self._sounds:
            self._tell("sound", sound)

    def set_sounds(self, sounds: Collection[Sound]) -> None:
        """Choose which sounds may be heard, from now on."""
        self._sounds = sounds

    def touch(self) -> None:
        """Take note of a key: displays light up, and what is missing is tried now."""
        for slot in self._slots.values():
            slot.backoff.hurry()
            self._use(slot, lambda device: device.touch())
        self._retry()

    def due_s(self) -> float | None:
        """Seconds until a part that is missing is tried again; None: none is missing."""
        waits = (slot.backoff.wait_s for slot in self._slots.values() if slot.waits)
        return min(waits, default=None)

    def tick(self) -> None:
        """Dim and refresh displays and retry what is missing; called every second or so."""
        while self._broken:
            name, error = self._broken.popitem()
            if self._slots[name].device is not None:
                self._drop(self._slots[name], error)
        for slot in self._slots.values():
            self._use(slot, lambda device: device.tick())
        self._retry()

    def close(self, *, keep_picture: bool = False) -> None:
        """Close everything, the last opened first; displays may keep what they show."""
        self._poller.close()
        for slot in reversed(self._slots.values()):
            device, slot.device = slot.device, None
            keeps = keep_picture and "picture" in slot.kind.follows
            if device is not None and not keeps:
                _close(slot.kind.name, device)
        if self._own_factory and self._factory is not None:
            _close("gpio", self._factory)
            self._factory = None


def _close(name: str, device: Any) -> None:
    """Close a device that may be beyond it."""
    try:
        device.close()
    except Exception as error:  # noqa: BLE001  # it is being given up anyway
        log.debug("%s: closing failed: %s", name, error)


def open_rig(config: Devices, put: Put, **more: Any) -> Rig | None:
    """Open what is there and start hearing keys; None where no rig is wanted.

    Takes what Rig takes; a `factory` handed in is a wish for a rig by itself.
    """
    if more.get("factory") is None and not is_wanted(config.rig):
        return None
    rig = Rig(config, put, **more)
    rig.start()
    return rig
