"""Opening the window on a desktop or, without one, straight on the screen (KMS/DRM)."""

import os
from pathlib import Path

import pygame

from pi_app.displays.window.display import Look, WindowDisplay
from pi_app.texts.language import Texts
from pi_app.view.inputs import KeyQueue

DEVICES = Path("/dev/dri")


class NoWindowError(Exception):
    """No window can be opened; the text says in the table's language what is missing."""


def open_window(
    keys: KeyQueue,
    look: Look | None = None,
    tx: Texts | None = None,
    *,
    bare: bool = False,
    devices: Path = DEVICES,
) -> WindowDisplay:
    """Open the window, or raise NoWindowError.

    `bare` says that there is no desktop: SDL is then told to draw on the screen itself.
    Whoever set SDL_VIDEODRIVER is obeyed.
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
    """Tell whether a screen without a desktop can be drawn on: its device is there and ours."""
    return any(os.access(card, os.R_OK | os.W_OK) for card in devices.glob("card*"))


def _missing(tx: Texts, devices: Path, error: str, *, bare: bool) -> str:
    """Say why there is no window and what can be done about it."""
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
            " anew",
            device=cards[0],
        )
    return tx(
        "cli",
        "pygame cannot draw without a desktop here ({error}): is a screen connected, does no"
        " desktop hold it, and can this pygame do KMS/DRM? That of the system can: sudo apt"
        " install python3-pygame",
        error=error,
    )
