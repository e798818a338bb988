"""Targets in the window for a finger or a mouse, with their actions."""

from collections.abc import Sequence
from dataclasses import dataclass

import pygame

from hardware.keys import Key
from pi_app.view.inputs import Tap


@dataclass(frozen=True, slots=True)
class Choose:
    """Choose the item of a list `steps` rows below the marked one."""

    steps: int


@dataclass(frozen=True, slots=True)
class Letter:
    """Type this letter of a name."""

    letter: str


@dataclass(frozen=True, slots=True)
class Toggle:
    """Show or hide the keypad."""


Deed = Key | Tap | Choose | Letter | Toggle


@dataclass(frozen=True, slots=True)
class Target:
    """A place in the window, and the action of a touch there."""

    box: pygame.Rect
    deed: Deed


def hit(targets: Sequence[Target], point: tuple[int, int]) -> Target | None:
    """Return the target at a point, the last painted one if there are several."""
    return next((target for target in reversed(targets) if target.box.collidepoint(point)), None)
