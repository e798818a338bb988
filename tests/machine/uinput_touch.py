"""In the emulated machine: a touch screen made by uinput, with slots as Linux's type B wants them.

`FIFO WIDTH HEIGHT` makes it; each line of the FIFO, "X Y", is a finger that touches and leaves.
"""

import os
import sys
import time
from pathlib import Path

from evdev import AbsInfo, UInput, ecodes

HOLD_S = 0.12
"""How long a finger stays, and how long it is away before the next one."""


def make(width: int, height: int) -> UInput:
    """Make the screen; positions are in pixels."""

    def axis(most: int) -> AbsInfo:
        return AbsInfo(value=0, min=0, max=most, fuzz=0, flat=0, resolution=0)

    events = {
        ecodes.EV_KEY: [ecodes.BTN_TOUCH],
        ecodes.EV_ABS: [
            (ecodes.ABS_X, axis(width - 1)),
            (ecodes.ABS_Y, axis(height - 1)),
            (ecodes.ABS_MT_SLOT, axis(9)),
            (ecodes.ABS_MT_TRACKING_ID, axis(65535)),
            (ecodes.ABS_MT_POSITION_X, axis(width - 1)),
            (ecodes.ABS_MT_POSITION_Y, axis(height - 1)),
        ],
    }
    return UInput(events, name="touch screen", input_props=[ecodes.INPUT_PROP_DIRECT])


def touch(screen: UInput, x: int, y: int, number: int) -> None:
    """Touch a point with one finger, and leave it."""
    down = [
        (ecodes.ABS_MT_SLOT, 0), (ecodes.ABS_MT_TRACKING_ID, number),
        (ecodes.ABS_MT_POSITION_X, x), (ecodes.ABS_MT_POSITION_Y, y),
        (ecodes.ABS_X, x), (ecodes.ABS_Y, y),
    ]  # fmt: skip
    for code, value in down:
        screen.write(ecodes.EV_ABS, code, value)
    screen.write(ecodes.EV_KEY, ecodes.BTN_TOUCH, 1)
    screen.syn()
    time.sleep(HOLD_S)
    screen.write(ecodes.EV_ABS, ecodes.ABS_MT_TRACKING_ID, -1)
    screen.write(ecodes.EV_KEY, ecodes.BTN_TOUCH, 0)
    screen.syn()
    time.sleep(HOLD_S)


def serve(fifo: Path, width: int, height: int) -> None:
    """Touch what the lines of the FIFO say."""
    screen = make(width, height)
    os.mkfifo(fifo)
    number = 0
    while True:
        for line in fifo.read_text().splitlines():
            x, y = line.split()
            number += 1
            touch(screen, int(x), int(y), number)


if __name__ == "__main__":
    serve(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
