"""Opens the window, on a desktop or directly on the screen (KMS/DRM), or writes its pictures."""

import os
import time
from pathlib import Path

import pygame

from pi_app.displays.window.display import Look, WindowDisplay
from pi_app.displays.window.painter import Painter
from pi_app.displays.window.theme import theme_at
from pi_app.texts.language import Texts
from pi_app.view.frame import Frame
from pi_app.view.inputs import KeyQueue
from pi_app.view.output import Output

DEVICES = Path("/dev/dri")


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
    if bare and not chosen:
        os.environ["SDL_VIDEODRIVER"] = "kmsdrm"
    try:
        return WindowDisplay(keys, look or Look())
    except pygame.error as error:
        pygame.display.quit()
        tx = tx or Texts("en")
        raise NoWindowError(_missing(tx, devices, str(error), bare=bare and not chosen)) from None
    finally:
        if bare and not chosen:
            os.environ.pop("SDL_VIDEODRIVER", None)


def can_draw_bare(devices: Path = DEVICES) -> bool:
    """Tell whether SDL can draw without a desktop: the screen's device exists and is accessible."""
    return any(os.access(card, os.R_OK | os.W_OK) for card in devices.glob("card*"))


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
            device=devices / "card0",
        )
    if not can_draw_bare(devices):
        return tx(
            "cli",
            "no permission for {device}: sudo usermod -aG video,render,input $USER, then log in"
            " again",
            device=cards[0],
        )
    return tx(
        "cli",
        "pygame cannot draw without a desktop here ({error}): is a screen connected, does no"
        " desktop hold it, and can this pygame do KMS/DRM? That of the system can: sudo apt"
        " install python3-pygame",
        error=error,
    )


class WindowShots(Output):
    """Writes `window-0001.png` and so on into a folder, each new frame one picture."""

    name = "window shots"

    def __init__(self, folder: Path, look: Look | None = None) -> None:
        look = look or Look()
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
