"""The one vocabulary of all inputs: keypad, buttons, encoder, panel, window, script."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class Key(StrEnum):
    """A key that reaches the loop; the values are the names of the serial panel protocol.

    A long press is a key of its own: BACK, MENU, PUSH and the stick's left and right have one,
    which is why these send their short form only when they are released. The keys from STICK_UP on
    turn a dial; a rig without digits has only them.
    """

    D0 = "0"
    D1 = "1"
    D2 = "2"
    D3 = "3"
    D4 = "4"
    D5 = "5"
    D6 = "6"
    D7 = "7"
    D8 = "8"
    D9 = "9"
    STAR = "STAR"
    ENTER = "ENTER"
    UP = "UP"
    DOWN = "DOWN"
    BACK = "BACK"
    MENU = "MENU"
    DIE1 = "DIE1"
    DIE2 = "DIE2"
    DIE3 = "DIE3"
    DIE4 = "DIE4"
    DIE5 = "DIE5"
    DIE6 = "DIE6"
    BACK_HELD = "BACK_HELD"
    MENU_HELD = "MENU_HELD"
    STICK_UP = "STICK_UP"
    STICK_DOWN = "STICK_DOWN"
    STICK_LEFT = "STICK_LEFT"
    STICK_RIGHT = "STICK_RIGHT"
    TURN_LEFT = "TURN_LEFT"
    TURN_RIGHT = "TURN_RIGHT"
    PUSH = "PUSH"
    PUSH_HELD = "PUSH_HELD"
    STICK_LEFT_HELD = "STICK_LEFT_HELD"
    STICK_RIGHT_HELD = "STICK_RIGHT_HELD"

    @property
    def digit(self) -> int | None:
        """0 to 9 for a digit key, else None."""
        return int(self.value) if self.value.isdigit() else None

    @property
    def sign(self) -> str:
        """The print on the keypad's key; the name of a key that no keypad has."""
        return _SIGNS.get(self, self.value)

    @property
    def step(self) -> int:
        """1 for DOWN, -1 for UP, 0 for every other key."""
        return _STEPS.get(self, 0)

    @property
    def die(self) -> int | None:
        """1 to 6 for a die button, else None."""
        return int(self.value[3]) if self.value.startswith("DIE") else None

    @property
    def held(self) -> "Key | None":
        """The key that a long press of this one sends, or None."""
        return _HELD.get(self)


_SIGNS = {
    Key.STAR: "*",
    Key.ENTER: "#",
    Key.UP: "A",
    Key.DOWN: "B",
    Key.BACK: "C",
    Key.MENU: "D",
}
_STEPS = {Key.UP: -1, Key.DOWN: 1}
_HELD = {
    Key.BACK: Key.BACK_HELD,
    Key.MENU: Key.MENU_HELD,
    Key.PUSH: Key.PUSH_HELD,
    Key.STICK_LEFT: Key.STICK_LEFT_HELD,
    Key.STICK_RIGHT: Key.STICK_RIGHT_HELD,
}

HELD_KEYS = frozenset(_HELD.values())
"""The long presses."""

DIAL_KEYS = frozenset(
    key
    for key in Key
    if key.value.startswith(("STICK", "TURN")) or key in (Key.PUSH, Key.PUSH_HELD)
)
"""The keys of a dial: a joystick or five keys, or an encoder without a keypad."""


@dataclass(frozen=True, slots=True)
class Times:
    """The limits between kinds of presses, in seconds; a repeat after 0 s means no repeat.

    A contact counts after it was quiet for `debounce_s`; a long press lasts at least `hold_s`.
    """

    debounce_s: float = 0.02
    hold_s: float = 0.6
    repeat_after_s: float = 0.5
    repeat_every_s: float = 0.15
    stuck_s: float = 10.0


TIMES = Times()
"""The press times of header, serial panel, window and firmware."""

Put = Callable[[Key], object]
"""Takes a key of an input, from any thread and at once; returns False if it cannot take it."""
