"""In the emulated machine: number pads made by uinput, with a pad's exact key codes.

`serve FIFO NAME BUS` presses what the lines of a FIFO name; `flood COUNT RATE` presses that many
digits on two pads, and says what the program's reader made of them.
"""

import json
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


def flood(count: int, rate: int) -> None:
    """Press digits on two pads in turn: 0 to 4 on the one, 5 to 9 on the other."""
    from hardware.config import PadsConfig
    from hardware.pads import Pads

    pads = [make(f"flood {number}") for number in range(2)]
    ear, bell = os.pipe()
    if os.fork() == 0:
        os.read(ear, 1)
        _press(pads, count, rate)
        os._exit(0)
    heard: list[int] = []
    lost: list[int] = []
    reading = Pads(
        PadsConfig(name="flood"),
        lambda key: heard.append(key.digit if key.digit is not None else -1),
        lost=lambda: lost.append(len(heard)),
    )
    reading.start()
    while len(reading.names) < 2:
        time.sleep(0.1)
    begun = time.monotonic()
    os.write(bell, b"!")
    os.wait()
    took_s = time.monotonic() - begun
    time.sleep(2)
    reading.close()
    wanted = [number // 2 % 5 + 5 * (number % 2) for number in range(count)]
    said = {"heard": len(heard), "same": heard == wanted, "lost": lost, "rate": count / took_s}
    sys.stdout.write(json.dumps(said) + "\n")


def _press(pads: list[UInput], count: int, rate: int) -> None:
    due = time.monotonic()
    for number in range(count):
        pad = pads[number % 2]
        code = PAD[number // 2 % 5 + 5 * (number % 2)]
        change(pad, code, 1)
        change(pad, code, 0)
        due = max(due + 1 / rate, time.monotonic())  # never faster, to catch up
        time.sleep(max(0.0, due - time.monotonic()))


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        serve(Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]))
    else:
        flood(int(sys.argv[2]), int(sys.argv[3]))
