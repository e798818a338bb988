"""In the emulated machine: number pads made by uinput, with a pad's exact key codes.

`serve FIFO NAME BUS` presses what the lines of a FIFO name.
"""

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from evdev import UInput, ecodes

PAD = [ecodes.ecodes[f"KEY_KP{digit}"] for digit in range(10)]
PAD += [ecodes.KEY_NUMLOCK, ecodes.KEY_KPSLASH, ecodes.KEY_KPASTERISK, ecodes.KEY_KPMINUS]
PAD += [ecodes.KEY_KPPLUS, ecodes.KEY_KPENTER, ecodes.KEY_KPDOT, ecodes.KEY_BACKSPACE]
HOLD_S = 0.03


def make(name: str, bus: int = ecodes.BUS_USB) -> UInput:
    """Make a pad, which repeats held keys as the kernel lets every keyboard do."""
    events: dict[int, Sequence[int]] = {
        ecodes.EV_KEY: PAD,
        ecodes.EV_MSC: [ecodes.MSC_SCAN],
        ecodes.EV_REP: [],
    }
    return UInput(events, name=name, bustype=bus)


def change(pad: UInput, code: int, value: int) -> None:
    pad.write(ecodes.EV_MSC, ecodes.MSC_SCAN, 0x70000 + code)
    pad.write(ecodes.EV_KEY, code, value)
    pad.syn()


def serve(fifo: Path, name: str, bus: int) -> None:
    """Press the keys that are named in the FIFO, one after the other; NAME:MS holds one."""
    pad = make(name, bus)
    os.mkfifo(fifo)
    while True:
        for word in fifo.read_text().split():
            key, _, held_ms = word.partition(":")
            code = ecodes.ecodes[f"KEY_{key}"]
            change(pad, code, 1)
            time.sleep(int(held_ms) / 1000 if held_ms else HOLD_S)
            change(pad, code, 0)
            time.sleep(HOLD_S)


if __name__ == "__main__":
    serve(Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]))
