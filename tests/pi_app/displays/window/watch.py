"""Looking on while the window paints: every text, where it lies, and what is under it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pygame
import pytest
from PIL import Image

from pi_app.displays.window import ink
from pi_app.displays.window.theme import RGB

SIZES = (
    (800, 480),
    (1024, 600),
    (1280, 720),
    (1280, 800),
    (1920, 1080),
    (480, 800),
    (1080, 1920),
)
"""The sizes that the window is laid out for, in pixels."""


@dataclass(frozen=True)
class Written:
    """One text as it was laid: the pixels of its letters, and the region it had to stay in."""

    text: str
    colour: RGB
    box: pygame.Rect
    clip: pygame.Rect
    grounds: frozenset[RGB]
    """The colours that lay under most of it."""

    high: int
    """The height of a line of its letters, in pixels."""

    def says(self, text: str) -> bool:
        """Tell whether this is the text, whole or with an ellipsis at its end."""
        return self.text == text or (
            self.text.endswith("…") and text.startswith(self.text[:-1].rstrip())
        )


class Watch:
    """Keeps what is written on one surface."""

    def __init__(self, surface: pygame.Surface) -> None:
        self.surface = surface
        self.written: list[Written] = []
        self.grounds = False

    def inside(self, box: pygame.Rect) -> list[Written]:
        """Return what is written in a region."""
        return [each for each in self.written if box.contains(each.box)]

    def note(
        self,
        surface: pygame.Surface,
        image: pygame.Surface,
        box: pygame.Rect,
        text: str,
        colour: RGB,
    ) -> None:
        if surface is not self.surface or not text.strip():
            return
        tight = image.get_bounding_rect().move(box.topleft)
        under = self._under(tight) if self.grounds else frozenset()
        self.written.append(
            Written(text, colour, tight, surface.get_clip(), under, image.get_height())
        )

    def _under(self, box: pygame.Rect) -> frozenset[RGB]:
        """Return the colours of at least a quarter of the pixels in a box."""
        place = box.clip(self.surface.get_rect())
        if not place.width or not place.height:
            return frozenset()
        data = pygame.image.tobytes(self.surface.subsurface(place), "RGB")
        colours = Image.frombytes("RGB", place.size, data).getcolors(place.width * place.height)
        least = place.width * place.height / 4
        return frozenset(colour for count, colour in colours or () if count >= least)  # type: ignore[misc]


@contextmanager
def watching(
    monkeypatch: pytest.MonkeyPatch, surface: pygame.Surface, *, grounds: bool = False
) -> Iterator[Watch]:
    """Look on while something is painted on this surface."""
    watch = Watch(surface)
    watch.grounds = grounds
    lay = ink._blit_text

    def look_on(
        onto: pygame.Surface, image: pygame.Surface, box: pygame.Rect, text: str, colour: RGB
    ) -> None:
        watch.note(onto, image, box, text, colour)
        lay(onto, image, box, text, colour)

    with monkeypatch.context() as patch:
        patch.setattr(ink, "_blit_text", look_on)
        yield watch
