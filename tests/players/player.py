"""A player: sees a frame, knows what a table of that game wants next, and presses it.

What presses is the device: pins, a dial, a pad's events, a panel's line. A device proves itself
by its own suite that a press becomes a key; whole games through it are journeys, one of a kind.
"""

from collections.abc import Callable, Iterable
from random import Random

from bench.whole_game import FINGERS
from engines.game import AnyPosition
from hardware.keys import Key
from pi_app.view.frame import Frame

TURN_LIMIT = 600

Press = Callable[[Iterable[Key]], object]


class Player:
    """Everybody at a table, with one device."""

    def __init__(
        self,
        press: Press,
        frame: Callable[[], Frame],
        position: Callable[[], AnyPosition],
        chance: Random,
    ) -> None:
        self._press = press
        self._frame = frame
        self._position = position
        self._chance = chance
        self.keys = 0
        """How many keys of a keypad it took."""

    def next(self) -> list[Key]:
        """Return the keys that the table waits for."""
        position = self._position()
        game = type(position).__module__.split(".")[1]
        return FINGERS[game](position, self._frame(), self._chance)

    def turn(self) -> None:
        """Press what the table waits for."""
        keys = self.next()
        self.keys += len(keys)
        self._press(keys)

    def play(self, most: int = TURN_LIMIT) -> None:
        """Play to the end; AssertionError if there is none."""
        for _ in range(most):
            if self._position().result is not None:
                return
            self.turn()
        raise AssertionError("the game does not end")
