"""The rotary encoder on gpiozero pins. It only calls `put` with a Key."""

from hardware.device import Device, Site
from hardware.inputs.buttons import Buttons
from hardware.inputs.lines import Inputs, open_inputs
from hardware.keys import TIMES, Key

_TURNS = {
    **dict.fromkeys((0b0001, 0b0111, 0b1110, 0b1000), -1),
    **dict.fromkeys((0b0010, 0b1011, 0b1101, 0b0100), 1),
}
"""The direction by four bits: A and B before the edge, then after it; 0 for all others."""


class Quadrature:
    """Counts the edges of an encoder's two pins; a bounce goes forth and back and cancels out."""

    def __init__(self, steps: int = 4) -> None:
        self._steps = steps
        self._state = 0
        """A and B as two bits, as in `_TURNS`."""
        self._edges = 0
        """The edges since the last click: positive to the right."""

    def feed(self, *, a: bool, b: bool) -> int:
        """Take both pins (True: closed); return 1 for a click to the right, -1 to the left."""
        state = a << 1 | b
        self._edges += _TURNS.get(self._state << 2 | state, 0)
        self._state = state
        edges = self._edges
        needed = self._steps
        if self._steps == 4:
            # the encoder rests where both contacts are open (state 0), and a click ends there;
            # two of its four edges are enough, so that one read too late does not lose it
            if state:
                return 0
            self._edges = 0
            needed = 2
        if abs(edges) < needed:
            return 0
        self._edges = 0
        return 1 if edges > 0 else -1


class Encoder(Device):
    """The turns of the rotary encoder, and its push, which is a button.

    It uses the states that come with the edges: on a busy machine pins that are read afterwards
    have already changed, which loses every third click.
    """

    name = "encoder"

    def __init__(self, site: Site) -> None:
        config = site.config.encoder
        alone = not site.config.keypad.enabled  # then it sends the keys of a dial
        self._put = site.put
        self._turned = Quadrature(config.steps)
        left, right = (Key.TURN_LEFT, Key.TURN_RIGHT) if alone else (Key.UP, Key.DOWN)
        self._keys = {1: left, -1: right} if config.reverse else {1: right, -1: left}
        self._inputs = open_inputs(site.pins(), (config.a, config.b), site.wake)
        self._push: Buttons | None = None
        try:
            # one feed without an edge tells the counter where the encoder stands; `_closed` has
            # the last states of A and B
            self._closed = self._inputs.read_closed()
            self._turn()
            if config.push != "none":
                keys = {config.push: Key.PUSH if alone else Key.ENTER}
                self._push = Buttons(site, keys, TIMES.debounce_s)
        except BaseException:
            self.close()
            raise

    @property
    def stuck(self) -> tuple[Key, ...]:
        """The keys that have been down too long to be held by a finger."""
        return self._push.stuck if self._push else ()

    def sources(self) -> list[Inputs]:
        """Return the inputs that it watches for edges."""
        return [self._inputs, *(self._push.sources() if self._push else [])]

    def _turn(self) -> None:
        a, b = self._closed
        click = self._turned.feed(a=a, b=b)
        if click:
            self._put(self._keys[click])

    def poll(self, now: float) -> bool:
        """Handle the turns since the last call, read the push; tell whether to read again soon."""
        for contact, closed in self._inputs.edges():
            self._closed[contact] = closed
            self._turn()
        return self._push.poll(now) if self._push else False

    def close(self) -> None:
        """Release the pins."""
        if self._push:
            self._push.close()
        self._inputs.close()
