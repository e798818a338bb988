"""The screen that SDL draws on without a desktop: off and on, turned, connected or not."""

import ctypes
import os
from collections.abc import Sequence
from ctypes import POINTER, Structure, c_char, c_int, c_uint32, c_uint64
from pathlib import Path
from typing import Literal

import pygame

CONNECTORS = Path("/sys/class/drm")
PLUGGED_S = 2.0
"""How often to look whether a screen was plugged in, in seconds."""
Rotation = Literal[0, 90, 180, 270]

_POWER = {True: 0, False: 3}
"""The values of the property DPMS: DRM_MODE_DPMS_ON and DRM_MODE_DPMS_OFF."""


class _Resources(Structure):
    """libdrm's drmModeRes: a card's resources."""

    _fields_ = (
        ("count_fbs", c_int),
        ("fbs", POINTER(c_uint32)),
        ("count_crtcs", c_int),
        ("crtcs", POINTER(c_uint32)),
        ("count_connectors", c_int),
        ("connectors", POINTER(c_uint32)),
    )


class _Properties(Structure):
    """libdrm's drmModeObjectProperties: the properties of a connector, by their numbers."""

    _fields_ = (
        ("count_props", c_uint32),
        ("props", POINTER(c_uint32)),
        ("prop_values", POINTER(c_uint64)),
    )


class _Property(Structure):
    """The beginning of libdrm's drmModePropertyRes, up to the property's name."""

    _fields_ = (("prop_id", c_uint32), ("flags", c_uint32), ("name", c_char * 32))


_CONNECTOR = 0xC0C0C0C0
"""DRM_MODE_OBJECT_CONNECTOR."""


class DirectScreen:
    """A screen without a desktop, which only this program turns off.

    `connectors` is the kernel's folder of connectors for screens.
    """

    size = (0, 0)
    """The size requested from SDL, in pixels; (0, 0) is the whole screen."""

    def __init__(self, connectors: Path = CONNECTORS) -> None:
        self._connectors = connectors

    def init(self) -> None:
        """Start SDL's display on the screen itself, unless SDL_VIDEODRIVER names another driver.

        pygame.error if SDL finds no screen.
        """
        # SDL's own choice, the desktop's OpenGL, leaves the screen black where there is no libGL
        os.environ.setdefault("SDL_FRAMEBUFFER_ACCELERATION", "opengles2")
        chosen = os.environ.get("SDL_VIDEODRIVER")
        os.environ.setdefault("SDL_VIDEODRIVER", "kmsdrm")
        try:
            pygame.display.init()
        finally:
            if chosen is None:
                del os.environ["SDL_VIDEODRIVER"]

    def plugged(self) -> tuple[tuple[str, str], ...]:
        """Return each connector with a screen and that screen's resolutions, one a line."""
        found = []
        for status in sorted(self._connectors.glob("card*-*/status")):
            try:
                if status.read_text().strip() == "connected":
                    modes = (status.parent / "modes").read_text()
                    found.append((status.parent.name, modes))
            except OSError:  # a connector may go together with its dock
                continue
        return tuple(found)

    def awaits(self) -> bool:
        """Tell whether there are connectors, but no screen at any."""
        return any(self._connectors.glob("card*-*/status")) and not self.plugged()

    def turn(self, *, on: bool) -> bool:
        """Turn the screens of SDL's card on or off; return whether that worked.

        Only the program that draws may do it, and only by the descriptor that it draws with.
        """
        try:
            drm = ctypes.CDLL("libdrm.so.2")
        except OSError:
            return False
        taken = [_turn(drm, fd, on=on) for fd in _open_cards()]  # each of them, not only the first
        return any(taken)


def _open_cards() -> list[int]:
    """Return the descriptors by which this program holds graphics cards."""
    found = []
    for link in Path("/proc/self/fd").iterdir():
        try:
            target = str(link.readlink())
        except OSError:  # the descriptor that lists the folder is closed by now
            continue
        if target.startswith("/dev/dri/card"):
            found.append(int(link.name))
    return found


def _turn(drm: ctypes.CDLL, fd: int, *, on: bool) -> bool:
    """Set DPMS of each connector of a card that has it; return whether any succeeded."""
    drm.drmModeGetResources.restype = POINTER(_Resources)
    drm.drmModeObjectGetProperties.restype = POINTER(_Properties)
    drm.drmModeGetProperty.restype = POINTER(_Property)
    resources = drm.drmModeGetResources(fd)
    if not resources:
        return False
    taken = False
    for number in range(resources.contents.count_connectors):
        connector = resources.contents.connectors[number]
        properties = drm.drmModeObjectGetProperties(fd, connector, _CONNECTOR)
        for index in range(properties.contents.count_props if properties else 0):
            identity = properties.contents.props[index]
            one = drm.drmModeGetProperty(fd, identity)
            if one and one.contents.name == b"DPMS":
                value = c_uint64(_POWER[on])
                taken |= drm.drmModeConnectorSetProperty(fd, connector, identity, value) == 0
            drm.drmModeFreeProperty(one)
        drm.drmModeFreeObjectProperties(properties)
    drm.drmModeFreeResources(resources)
    return taken


class Canvas:
    """The surface to paint on: the screen itself, or a surface that is copied to it turned.

    SDL cannot turn a screen without a desktop, so this does. `rotate` is in degrees, clockwise.
    """

    def __init__(self, screen: pygame.Surface, rotate: Rotation = 0) -> None:
        self.screen = screen
        self._rotate = rotate
        width, height = screen.get_size()
        size = (height, width) if rotate in (90, 270) else (width, height)
        self.surface = pygame.Surface(size) if rotate else screen

    def update(self, boxes: Sequence[pygame.Rect] | None = None) -> None:
        """Show changes within these boxes, in pixels of the canvas; without boxes all."""
        if not self._rotate:
            pygame.display.update(boxes if boxes is not None else self.screen.get_rect())
            return
        whole = self.surface.get_rect()
        for box in boxes if boxes is not None else [whole]:
            part = box.clip(whole)
            if part:
                turned = pygame.transform.rotate(self.surface.subsurface(part), -self._rotate)
                self.screen.blit(turned, self._on_screen(part))
        pygame.display.update()

    def _on_screen(self, box: pygame.Rect) -> tuple[int, int]:
        """Return the screen's place of a box's left upper corner once it is turned."""
        width, height = self.surface.get_size()
        match self._rotate:
            case 90:
                return height - box.bottom, box.left
            case 180:
                return width - box.right, height - box.bottom
            case 270:
                return box.top, width - box.right
            case _:
                return box.topleft

    def point(self, at: tuple[int, int]) -> tuple[int, int]:
        """Return the point of the canvas that a finger on the screen touches."""
        x, y = at
        width, height = self.surface.get_size()
        match self._rotate:
            case 90:
                return y, height - 1 - x
            case 180:
                return width - 1 - x, height - 1 - y
            case 270:
                return width - 1 - y, x
            case _:
                return x, y
