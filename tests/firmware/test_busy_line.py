"""Keys pressed while the host has much to show: every byte takes the panel time, none a press."""

import random
from types import SimpleNamespace

import pytest

from firmware.panel import stream
from firmware.panel.app import App
from firmware.panel.keypad import BUTTONS, MATRIX
from firmware.panel.session import Session
from hardware.keys import Key
from hardware.serial_panel.listener import Listener
from hardware.serial_panel.session import HostSession
from tests.hardware.serial_panel.wire import KEYS, Buzzer

BYTE_MS = 0.4
"""What a byte costs a Pico, read or written; measured."""
LOOP_MS = 5
"""What a step costs besides: the scan, and the 4 ms that it sleeps."""
TAP_MS = 60
PRESSES = 150
GAP_MS = 30
READ, WRITE = 1, 4


class Usb:
    """The panel's end of the line and its clock, which every byte moves on."""

    def __init__(self) -> None:
        self.now = 0.0
        self.arrived = bytearray()
        self.sent = bytearray()

    def readinto(self, buffer: bytearray) -> int:
        self.now += BYTE_MS
        buffer[0] = self.arrived.pop(0)
        return 1

    def write(self, data: bytes) -> int:
        self.now += BYTE_MS * len(data)
        self.sent += data
        return len(data)


class Poll:
    """MicroPython's poll on that end: there is always room to write."""

    def register(self, usb: Usb, event: int) -> None:
        self._usb, self._event = usb, event

    def ipoll(self, _timeout: int) -> list[tuple[Usb, int]]:
        ready = self._event == WRITE or self._usb.arrived
        return [(self._usb, self._event)] if ready else []


class Fingers:
    """Presses keys for 60 ms each, at moments that no scan knows of."""

    def __init__(self, chance: random.Random) -> None:
        self.presses = [chance.choice(KEYS) for _ in range(PRESSES)]
        self._starts = [1_000.0]
        for _ in self.presses:
            self._starts.append(self._starts[-1] + chance.uniform(350, 700))

    @property
    def end(self) -> float:
        return self._starts[-1] + 2_000

    def scan(self, now: float) -> tuple[list[int], int]:
        """Give the rows of the matrix and the die buttons as they are now."""
        down = {
            key.value
            for key, start in zip(self.presses, self._starts, strict=False)
            if start <= now < start + TAP_MS
        }
        rows = [sum(1 << i for i, name in enumerate(row) if name in down) for row in MATRIX]
        return rows, sum(1 << i for i, name in enumerate(BUTTONS) if name in down)


@pytest.mark.parametrize("seed", range(3))
def test_every_press_of_60_ms_arrives_while_the_host_fills_the_display(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(stream, "select", SimpleNamespace(poll=Poll, POLLIN=READ, POLLOUT=WRITE))
    chance = random.Random(seed)
    usb, buzzer, fingers, heard = Usb(), Buzzer(), Fingers(chance), list[Key]()
    app = App(Session(buzzer), stream.Stream(usb, usb))  # type: ignore[arg-type]
    host = HostSession()

    def put(key: Key) -> bool:
        heard.append(key)
        return True

    listener = Listener(host, put)
    gaps, shown = [], 0.0
    while usb.now < fingers.end:
        start = usb.now
        rows, buttons = fingers.scan(start)
        app.step(rows, buttons, int(start))
        usb.now += LOOP_MS
        listener.hear(bytes(usb.sent), usb.now / 1000)
        usb.sent.clear()
        if usb.now - shown > 250:
            shown = usb.now
            host.set_rows([chance.choice("ÄÖÜ") * 20 for _ in range(4)])
        usb.arrived += host.tick(usb.now / 1000)
        gaps.append(usb.now - start)
    assert buzzer.bad == 0
    assert heard == fingers.presses
    assert sum(gap > 20 for gap in gaps) > PRESSES, "the line is hardly ever busy"
    assert max(gaps) <= GAP_MS
