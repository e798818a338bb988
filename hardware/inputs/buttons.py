"""Push buttons on gpiozero pins. They only call `put` with a Key."""

from hardware.config import JoystickConfig
from hardware.device import Device, Site
from hardware.inputs.contacts import Contact
from hardware.inputs.lines import Inputs, open_inputs
from hardware.keys import Key
from hardware.presses import Presses


class Buttons(Device):
    """Push buttons that close to ground, a key each."""

    def __init__(self, site: Site, keys: dict[int, Key], quiet_s: float) -> None:
        self._put = site.put
        self._presses = Presses()
        self._contacts = [(Contact(quiet_s), key) for key in keys.values()]
        self._inputs = open_inputs(site.pins(), tuple(keys), site.wake)

    @property
    def stuck(self) -> tuple[Key, ...]:
        """The keys that have been down too long to be held by a finger."""
        return self._presses.stuck

    def sources(self) -> list[Inputs]:
        """Return the inputs that it watches for edges."""
        return [self._inputs]

    def poll(self, now: float) -> bool:
        """Read the inputs once; tell whether to read again soon."""
        # unread edges would wake the thread again and again; the contacts are read below
        self._inputs.edges()
        busy = False
        for closed, (contact, key) in zip(self._inputs.read_closed(), self._contacts, strict=True):
            if contact.feed(now, closed=closed):
                change = self._presses.down if contact.closed else self._presses.up
                for press in change(key, now):
                    self._put(press)
            # a closed contact may become a long press, and a change certain: no edge reports it
            busy = busy or contact.closed or contact.changing
        for press in self._presses.note_held(now):
            self._put(press)
        return busy

    def close(self) -> None:
        """Release the pins."""
        self._inputs.close()


class DieButtons(Buttons):
    """The six buttons with the faces of a die."""

    name = "die_buttons"

    def __init__(self, site: Site) -> None:
        config = site.config.die_buttons
        keys = {pin: Key(f"DIE{face}") for face, pin in enumerate(config.pins, 1)}
        super().__init__(site, keys, config.debounce_ms / 1000)


class Joystick(Buttons):
    """A joystick or five keys, and the keys beside it."""

    name = "joystick"

    def __init__(self, site: Site) -> None:
        config = site.config.joystick
        super().__init__(site, joystick_keys(config), config.debounce_ms / 1000)


def joystick_keys(config: JoystickConfig) -> dict[int, Key]:
    """Return the key of each pin."""
    keys = {
        config.up: Key.STICK_UP,
        config.down: Key.STICK_DOWN,
        config.left: Key.STICK_LEFT,
        config.right: Key.STICK_RIGHT,
        config.push: Key.PUSH,
        config.a: Key.UP,
        config.b: Key.DOWN,
        config.c: Key.BACK,
        config.d: Key.MENU,
    }
    return {pin: key for pin, key in keys.items() if pin != "none"}
