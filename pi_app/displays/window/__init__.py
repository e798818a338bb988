"""The whole table on a screen, in a window or without a desktop. Needs pygame."""

import os

# pygame greets on standard output when it is imported, where people expect JSON or nothing.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

from pi_app.displays.window.direct import DirectScreen
from pi_app.displays.window.display import Look, WindowDisplay
from pi_app.displays.window.opening import (
    AwaitedWindow,
    NoWindowError,
    WindowShots,
    bare_trouble,
    open_window,
    video_drivers,
)

__all__ = [
    "AwaitedWindow",
    "DirectScreen",
    "Look",
    "NoWindowError",
    "WindowDisplay",
    "WindowShots",
    "bare_trouble",
    "open_window",
    "video_drivers",
]
