"""A window to key at, for tests: SDL's dummy driver, its keys and its clock."""

from collections.abc import Iterator
from typing import TypeVar

import pygame
import pytest

from hardware.keys import Key
from pi_app.displays.window import Look, WindowDisplay
from pi_app.displays.window.touch import Deed
from pi_app.view.inputs import Input, KeyQueue, Tap
from tests.pi_app.displays.window.samples import frames
from tests.pi_app.pilot import Clock

SAMPLES = frames()
_PLACES = {
    getattr(pygame, name): getattr(pygame, f"KSCAN_{name[2:].upper()}", 0)
    for name in dir(pygame)
    if name.startswith("K_")
}
"""The places of keys on a keyboard of the USA, by the keys' codes."""


class Table:
    """A window of SDL's dummy driver, its keys and its clock."""

    def __init__(self, look: Look | None = None, room: pygame.Rect | None = None) -> None:
        self.room = room
        """What the desktop leaves for the window; None: nobody knows."""
        self.clock = Clock()
        self.keys = KeyQueue()
        self.keys.open()
        self.window = WindowDisplay(self.keys, look or Look(), self.clock, room=lambda: self.room)

    def post(self, kind: int, **facts: object) -> None:
        if isinstance(key := facts.get("key"), int):
            facts = {"scancode": _PLACES.get(key, 0), "mod": 0} | facts
        pygame.event.post(pygame.event.Event(kind, facts))
        self.window.poll()

    def type(
        self, key: int, char: str = "", *, hold_s: float = 0.0, **facts: object
    ) -> list[Input]:
        self.post(pygame.KEYDOWN, key=key, unicode=char, **facts)
        self.clock.now += hold_s
        self.window.poll()
        self.post(pygame.KEYUP, key=key)
        return self.heard()

    def place(self, deed: Deed) -> tuple[int, int]:
        return next(each.box.center for each in self.window.targets if each.deed == deed)

    def down(self, deed: Deed) -> None:
        self.post(pygame.MOUSEBUTTONDOWN, button=1, touch=False, pos=self.place(deed))

    def up(self, point: tuple[int, int]) -> None:
        self.post(pygame.MOUSEBUTTONUP, button=1, touch=False, pos=point)

    def finger(self, kind: int, number: int, point: tuple[int, int]) -> None:
        """Let a finger touch a point of the screen or leave it, as SDL reports it."""
        screen = pygame.display.get_surface()
        assert screen is not None
        x, y = point
        width, height = screen.get_size()
        self.post(kind, finger_id=number, x=(x + 0.5) / width, y=(y + 0.5) / height)

    def click(self, deed: Deed) -> list[Input]:
        point = self.place(deed)
        self.down(deed)
        self.up(point)
        return self.heard()

    def heard(self) -> list[Input]:
        found: list[Input] = []
        while (key := self.keys.get(0.0)) is not None:
            assert isinstance(key, Key | Tap)
            found.append(key)
        return found

    def pixels(self) -> bytes:
        return self.window.surface.get_buffer().raw


T = TypeVar("T", bound=Table)


def opened(kind: type[T], monkeypatch: pytest.MonkeyPatch) -> Iterator[T]:
    """Yield an open window of this kind, for a fixture."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    table = kind()
    yield table
    table.window.close()
