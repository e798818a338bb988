"""All devices on the header together: opened as far as they are there, retried, closed.

A part that is missing costs one line in the log and nothing else. A part that fails midway
is closed and opened anew after 1, 2, 4 ... 60 seconds.
"""

import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass
from time import monotonic
from typing import Any

from hardware.config import Devices
from hardware.errors import DeviceError, device_error
from hardware.framebuffer import Framebuffer
from hardware.inputs.buttons import die_buttons
from hardware.inputs.encoder import Encoder
from hardware.inputs.keypad import Keypad
from hardware.inputs.poller import Poller
from hardware.keys import Put
from hardware.oled import Care, Oled, open_wire
from hardware.outputs.buzzer import SOUNDS, Buzzer, Sound
from hardware.outputs.lamp import Lamp
from hardware.pins import open_factory, wanted

log = logging.getLogger(__name__)

FIRST_RETRY_S, LAST_RETRY_S = 1.0, 60.0
LASTING = frozenset(
    {"no-gpiozero", "no-luma", "no-lgpio", "no-rpigpio", "no-spidev", "rpigpio-on-pi5"}
)
"""Reasons that waiting does not mend."""


@dataclass
class _Slot:
    """A part's place: its device while it works, else why not and when to try again."""

    name: str
    opens: Callable[[], Any]
    device: Any = None
    error: DeviceError | None = None
    delay_s: float = FIRST_RETRY_S
    retry_at: float = 0.0


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
        self._put = put
        self._care = care or Care()
        self._sounds = sounds
        self._factory = factory
        self._own_factory = factory is None
        self._no_pins: DeviceError | None = None
        """Why there are no pins, so that each part need not find out again."""
        self._bus = bus
        self._clock = clock
        self._poller = Poller(clock, config.keypad.scan_ms / 1000, self._input_failed)
        self._broken: dict[str, Exception] = {}
        self._picture: Framebuffer | None = None
        self._colour = "000000"
        self._slots = {slot.name: slot for slot in self._wanted_slots()}
        for slot in self._slots.values():
            self._open(slot)

    def _wanted_slots(self) -> list[_Slot]:
        """Return the parts that are configured, in the order in which they are opened."""
        config, wake = self._config, self._poller.wake
        kinds: dict[str, Callable[[], Any]] = {
            "oled": self._open_oled,
            "lamp": lambda: Lamp(self._pins(), config.lamp),
            "buzzer": lambda: Buzzer(self._pins(), config.buzzer, wake, self._clock),
            "keypad": lambda: Keypad(self._pins(), config.keypad, self._put, wake),
            "die_buttons": lambda: die_buttons(self._pins(), config.die_buttons, self._put, wake),
            "encoder": lambda: Encoder(self._pins(), config.encoder, self._put, wake),
        }
        return [
            _Slot(name, opens) for name, opens in kinds.items() if getattr(config, name).enabled
        ]

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

    def _open_oled(self) -> Oled:
        config = self._config.oled
        factory = self._pins() if config.bus == "spi" else None
        wire = open_wire(config, bus=self._bus, factory=factory)
        oled = Oled(wire, config, self._care, self._clock)
        try:
            oled.show(self._picture or Framebuffer())
        except DeviceError:
            wire.cleanup()
            raise
        return oled

    # --- opening and retrying

    def _open(self, slot: _Slot) -> None:
        """Open a part; log once when it is missing, once when it is there again."""
        try:
            slot.device = slot.opens()
        except Exception as error:  # noqa: BLE001  # pin libraries raise what they like
            self._missing(slot, device_error(slot.name, error))
            return
        if slot.error is not None:
            log.info("%s: works again", slot.name)
        slot.error = None
        if hasattr(slot.device, "poll"):
            self._poller.add(slot.name, slot.device)

    def _missing(self, slot: _Slot, error: DeviceError) -> None:
        if slot.error is None:
            log.warning("%s", DeviceError(slot.name, error.code, error.detail))
            slot.delay_s = FIRST_RETRY_S
        else:
            slot.delay_s = min(2 * slot.delay_s, LAST_RETRY_S)
        slot.error = DeviceError(slot.name, error.code, error.detail)
        slot.retry_at = self._clock() + slot.delay_s

    def _input_failed(self, name: str, error: Exception) -> None:
        """Take note in the poller's thread; the loop's thread sees to it in `tick`."""
        self._broken[name] = error

    def _drop(self, slot: _Slot, error: Exception) -> None:
        device, slot.device = slot.device, None
        self._poller.remove(slot.name)
        _close(slot.name, device)
        self._missing(slot, device_error(slot.name, error))

    def _use(self, name: str, act: Callable[[Any], None]) -> None:
        """Do something with a part if it works; a failure makes it missing."""
        slot = self._slots.get(name)
        if slot is None or slot.device is None:
            return
        try:
            act(slot.device)
        except Exception as error:  # noqa: BLE001  # pin libraries raise what they like
            self._drop(slot, error)

    @property
    def missing(self) -> tuple[DeviceError, ...]:
        """The parts that are configured and do not work now, with the reasons."""
        return tuple(slot.error for slot in self._slots.values() if slot.error is not None)

    @property
    def working(self) -> tuple[str, ...]:
        """The names of the parts that work now."""
        return tuple(slot.name for slot in self._slots.values() if slot.device is not None)

    # --- what the loop does with it

    def start(self) -> None:
        """Start hearing keys."""
        self._poller.start()

    def poll(self) -> bool:
        """Look at the inputs once, for a rig whose thread is not started."""
        return self._poller.poll()

    def show(self, picture: Framebuffer) -> None:
        """Show a picture on the OLED; a panel that comes back shows the latest one."""
        self._picture = picture.copy()
        self._use("oled", lambda oled: oled.show(picture))

    def touch(self) -> None:
        """Take note of a key: the OLED lights up."""
        self._use("oled", lambda oled: oled.touch())

    def light(self, colour: str) -> None:
        """Let the lamp shine in a colour RRGGBB, 000000 for off."""
        self._colour = colour
        self._use("lamp", lambda lamp: lamp.set(colour))

    def sound(self, sound: Sound) -> None:
        """Let the buzzer sound, unless this kind of sound is muted."""
        if sound in self._sounds:
            self._use("buzzer", lambda buzzer: buzzer.play(sound))

    def set_care(self, care: Care) -> None:
        """Change the OLED's brightness and when it dims, from now on."""
        self._care = care
        self._use("oled", lambda oled: oled.set_care(care))

    def set_sounds(self, sounds: Collection[Sound]) -> None:
        """Choose which sounds may be heard, from now on."""
        self._sounds = sounds

    def tick(self) -> None:
        """Dim and refresh the OLED and retry what is missing; to be called every second or so."""
        while self._broken:
            name, error = self._broken.popitem()
            if self._slots[name].device is not None:
                self._drop(self._slots[name], error)
        self._use("oled", lambda oled: oled.tick())
        now = self._clock()
        self._no_pins = None
        for slot in self._slots.values():
            error_now = slot.error
            if error_now is None or error_now.code in LASTING or now < slot.retry_at:
                continue
            self._open(slot)
            if slot.name == "lamp" and slot.device is not None:
                self.light(self._colour)

    def close(self, *, keep_picture: bool = False) -> None:
        """Close everything, the last opened first; the OLED may keep its picture."""
        self._poller.close()
        for slot in reversed(self._slots.values()):
            device, slot.device = slot.device, None
            if device is not None and not (keep_picture and slot.name == "oled"):
                _close(slot.name, device)
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
    if more.get("factory") is None and not wanted(config.rig):
        return None
    rig = Rig(config, put, **more)
    rig.start()
    return rig
