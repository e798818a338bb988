"""The room that a desktop leaves for a window: SDL knows it, but pygame does not offer it."""

import ctypes
from contextlib import suppress
from pathlib import Path

import pygame

TITLE_BAR = 40
"""The assumed height of a title bar in pixels, until the desktop tells it."""
_NO_SCREEN = ("dummy", "offscreen")
"""SDL's drivers without a screen, which invent its size."""
_WINDOWS = range(1, 256)
"""The ids that SDL may have given our window, as it never reuses an id."""


def sdl(maps: Path = Path("/proc/self/maps")) -> ctypes.CDLL:
    """Return the SDL that pygame has loaded; OSError where it cannot be found."""
    loaded = {line.split()[-1] for line in maps.read_text().splitlines() if "libSDL2-2" in line}
    return ctypes.CDLL(min(loaded, default=""))


def room_for_window() -> pygame.Rect | None:
    """Return the pixels for a window between a desktop's panels and below its own title bar.

    None if SDL does not know them. The title bar's height is only known once the window is shown.
    """
    if pygame.display.get_driver() in _NO_SCREEN:
        return None
    bounds = (ctypes.c_int * 4)()  # left, top, width, height
    edges = [ctypes.c_int() for _ in range(4)]
    top, left, bottom, right = edges
    try:
        library = sdl()
        if library.SDL_GetDisplayUsableBounds(0, bounds):
            return None
        if library.SDL_GetWindowBordersSize(_window(library), *map(ctypes.byref, edges)):
            top.value = TITLE_BAR
    except (OSError, AttributeError):
        return None
    return pygame.Rect(
        bounds[0] + left.value,
        bounds[1] + top.value,
        bounds[2] - left.value - right.value,
        bounds[3] - top.value - bottom.value,
    )


def move_into(room: pygame.Rect) -> None:
    """Move the window into this room if it lies partly outside."""
    left, top = ctypes.c_int(), ctypes.c_int()
    with suppress(OSError, AttributeError):
        library = sdl()
        window = _window(library)
        library.SDL_GetWindowPosition(window, ctypes.byref(left), ctypes.byref(top))
        place = pygame.Rect((left.value, top.value), pygame.display.get_window_size())
        if not room.contains(place):
            place.clamp_ip(room)
            library.SDL_SetWindowPosition(window, place.left, place.top)


def _window(library: ctypes.CDLL) -> ctypes.c_void_p:
    """Return SDL's only window; it is null if there is none."""
    library.SDL_GetWindowFromID.restype = ctypes.c_void_p
    found = filter(None, map(library.SDL_GetWindowFromID, _WINDOWS))
    return ctypes.c_void_p(next(found, None))
