"""What a finger or a mouse can hit in the window, what that does, and long presses."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pygame

from hardware.keys import HOLD_S, Key
from pi_app.view.inputs import Tap


@dataclass(frozen=True, slots=True)
class Choose:
    """Take the item of a list that stands `steps` below the chosen one."""

    steps: int


@dataclass(frozen=True, slots=True)
class Letter:
    """Write this letter where a name is typed."""

    letter: str


@dataclass(frozen=True, slots=True)
class Toggle:
    """Show or hide the keypad."""


Deed = Key | Tap | Choose | Letter | Toggle


@dataclass(frozen=True, slots=True)
class Target:
    """A place in the window and its deed."""

    box: pygame.Rect
    deed: Deed


def hit(targets: Sequence[Target], point: tuple[int, int]) -> Target | None:
    """Return the target under a point, the one painted last where two lie there."""
    return next((each for each in reversed(targets) if each.box.collidepoint(point)), None)


class Presses:
    """Turns going down and up into keys: BACK and MENU send a key of their own when held."""

    def __init__(self, put: Callable[[Key], object], clock: Callable[[], float]) -> None:
        self._put = put
        self._clock = clock
        self._waiting: tuple[Key, float] | None = None

    @property
    def waiting(self) -> bool:
        """Whether a key is down that may become a long press."""
        return self._waiting is not None

    def down(self, key: Key) -> None:
        """Take a key that goes down; most count at once."""
        if key.held is None:
            self._put(key)
        else:
            self._waiting = (key, self._clock() + HOLD_S)

    def up(self) -> None:
        """Take the key going up: if it was short, it counts now."""
        if self._waiting is not None:
            self._put(self._waiting[0])
            self._waiting = None

    def cancel(self) -> None:
        """Forget the key: the finger slid away from it."""
        self._waiting = None

    def poll(self) -> None:
        """Send the long press as soon as it is long enough."""
        if self._waiting is None:
            return
        key, due = self._waiting
        if key.held is not None and self._clock() >= due:
            self._put(key.held)
            self._waiting = None
