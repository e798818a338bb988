"""What the window would show, written as pictures without opening one."""

from pathlib import Path

import pygame

from pi_app.displays.window.display import Look
from pi_app.displays.window.painter import Painter
from pi_app.displays.window.theme import THEMES
from pi_app.view.frame import Frame
from pi_app.view.output import Output


class WindowShots(Output):
    """Writes `window-0001.png` and so on into a folder, each new frame one picture."""

    name = "window shots"

    def __init__(self, folder: Path, look: Look | None = None) -> None:
        look = look or Look()
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._count = 0
        self._painter = Painter(pygame.Surface(look.size), THEMES[look.theme])

    def show(self, frame: Frame) -> None:
        if not self._painter.paint(frame):
            return
        self._count += 1
        path = self._folder / f"window-{self._count:04}.png"
        pygame.image.save(self._painter.surface, str(path))
