"""Opens the window, on a desktop or directly on the screen (KMS/DRM), or writes its pictures."""

import ctypes
import os
import time
from collections.abc import Callable
from pathlib import Path

import pygame

from pi_app.displays.window.desktop import sdl
from pi_app.displays.window.direct import PLUGGED_S, DirectScreen
from pi_app.displays.window.display import Look, WindowDisplay
from pi_app.displays.window.painter import Painter
from pi_app.displays.window.theme import theme_at
from pi_app.settings.schema import Settings
from pi_app.texts.language import Texts
from pi_app.view.frame import Frame
from pi_app.view.inputs import KeyQueue
from pi_app.view.output import DeferredOutput, Output

DEVICES = Path("/dev/dri")
LIBRARIES = ("libEGL.so.1", "libGLESv2.so.2")
"""Libraries that SDL needs on a screen without a desktop, but that its packages do not require."""
PACKAGES = "libegl1 libgles2 libgl1-mesa-dri"


class NoWindowError(Exception):
    """No window can be opened; the text says what is missing, in the table's language."""


def open_window(
    keys: KeyQueue,
    look: Look | None = None,
    tx: Texts | None = None,
    *,
    bare: bool = False,
    devices: Path = DEVICES,
) -> WindowDisplay:
    """Open the window, or raise NoWindowError.

    `bare`: there is no desktop, so SDL draws directly on the screen, unless SDL_VIDEODRIVER is set.
    """
    chosen = os.environ.get("SDL_VIDEODRIVER")
    try:
        return WindowDisplay(keys, look or Look(), screen=DirectScreen() if bare else None)
    except pygame.error as error:
        pygame.display.quit()
        tx = tx or Texts("en")
        raise NoWindowError(_missing(tx, devices, str(error), bare=bare and not chosen)) from None


class AwaitedWindow(DeferredOutput[Output]):
    """The window of a screen that is not plugged in yet; `open_window` opens it later."""

    def __init__(self, screen: DirectScreen, open_window: Callable[[], Output]) -> None:
        super().__init__("window", lambda: not screen.awaits(), self._open)
        self._open_window = open_window
        self._settings: Settings | None = None
        """What was changed at the table before there was a window."""

    def _open(self) -> Output:
        window = self._open_window()
        if self._settings is not None:
            window.configure(self._settings)
        return window

    def configure(self, settings: Settings) -> None:
        self._settings = settings
        super().configure(settings)

    def poll(self) -> None:
        self.make_if_wanted()
        super().poll()

    def poll_every_s(self) -> float | None:
        return PLUGGED_S if self._made is None else self._made.poll_every_s()


def can_draw_bare(devices: Path = DEVICES) -> bool:
    """Tell whether SDL can draw without a desktop: the screen's device exists and is accessible."""
    return any(os.access(card, os.R_OK | os.W_OK) for card in devices.glob("card*"))


def video_drivers(maps: Path = Path("/proc/self/maps")) -> tuple[str, ...]:
    """Return the video drivers in this build of SDL; () if unknown."""
    try:
        library = sdl(maps)
        library.SDL_GetVideoDriver.restype = ctypes.c_char_p
        count = library.SDL_GetNumVideoDrivers()
        return tuple(library.SDL_GetVideoDriver(number).decode().lower() for number in range(count))
    except (OSError, AttributeError):
        return ()


def bare_trouble(
    tx: Texts, drivers: tuple[str, ...], libraries: tuple[str, ...] = LIBRARIES
) -> str:
    """Say why this SDL cannot draw without a desktop, or "" if it can."""
    if drivers and "kmsdrm" not in drivers:
        sdl = ".".join(map(str, pygame.get_sdl_version()))
        return tx(
            "cli",
            "the SDL {version} of this pygame cannot draw without a desktop: use the system's,"
            " sudo apt install python3-pygame, or pygame-ce",
            version=sdl,
        )
    for library in libraries:
        try:
            ctypes.CDLL(library)
        except OSError:
            return tx(
                "cli",
                "SDL cannot draw without a desktop, as {library} is missing. Do: sudo apt install"
                " {packages}",
                library=library,
                packages=PACKAGES,
            )
    return ""


def _missing(tx: Texts, devices: Path, error: str, *, bare: bool) -> str:
    """Return a sentence that says why there is no window, and what to do."""
    if not bare:
        return tx(
            "cli",
            "the desktop lets no window open ({error}): check DISPLAY or WAYLAND_DISPLAY,"
            " or use --display terminal",
            error=error,
        )
    cards = sorted(devices.glob("card*"))
    if not cards:
        return tx(
            "cli",
            "there is neither a desktop nor a screen device {device}: connect the screen, put"
            " dtoverlay=vc4-kms-v3d into config.txt, or use --display terminal",
            device=devices / "card*",
        )
    if not can_draw_bare(devices):
        return tx(
            "cli",
            "no permission for {device}: sudo usermod -aG video,render,input $USER, then log in"
            " again",
            device=cards[0],
        )
    return bare_trouble(tx, video_drivers()) or tx(
        "cli",
        "pygame cannot draw without a desktop here ({error}): is a screen connected, and does no"
        " desktop hold it? If so: sudo apt install {packages}",
        error=error,
        packages=PACKAGES,
    )


class WindowShots(Output):
    """Writes `window-0001.png` and so on into a folder, each new frame one picture."""

    name = "window shots"

    def __init__(self, folder: Path) -> None:
        look = Look()
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._count = 0
        theme = theme_at(look.theme, time.localtime().tm_hour)
        self._painter = Painter(pygame.Surface(look.size), theme, fixed=look.fixed)

    def show(self, frame: Frame) -> None:
        if not self._painter.paint(frame):
            return
        self._count += 1
        path = self._folder / f"window-{self._count:04}.png"
        pygame.image.save(self._painter.surface, str(path))
