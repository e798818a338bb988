"""What a finger or a mouse can hit in the window, what that does."""

from collections.abc import Sequence
from dataclasses import dataclass

import pygame

from hardware.keys import Key
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
