"""Each new frame as a numbered PNG."""

import logging
from pathlib import Path

from pi_app.displays.oled import paint
from pi_app.view.frame import Frame
from pi_app.view.output import Output

log = logging.getLogger(__name__)

SCALE = 4
"""How many pixels of the file one of the OLED becomes."""


class Shots(Output):
    """Writes `oled-0001.png` and so on into a folder, enlarged for people."""

    name = "shots"

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._count = 0
        self._last = b""

    def show(self, frame: Frame) -> None:
        canvas = paint(frame)
        if bytes(canvas) == self._last:  # another frame that looks the same
            return
        self._last = bytes(canvas)
        self._count += 1
        image = canvas.to_image()
        image.resize((canvas.width * SCALE, canvas.height * SCALE)).save(
            self._folder / f"oled-{self._count:04}.png"
        )


def open_shots(folder: Path) -> list[Output]:
    """Return outputs that write each new frame as pictures: the OLED's and perhaps the window's."""
    outputs: list[Output] = [Shots(folder)]
    try:
        from pi_app.displays.window import WindowShots
    except ImportError as error:
        log.info("the window's pictures are left out: %s", error)
    else:
        outputs.append(WindowShots(folder))
    return outputs
