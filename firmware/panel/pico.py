"""The panel on a Raspberry Pi Pico or Pico 2: pins, watchdog, USB."""

import gc
import sys

import machine
import micropython
import neopixel

from .app import App
from .clock import Clock, sleep_ms, sleep_us
from .display import ROWS
from .oled import PanelOled
from .session import Outputs, Session
from .stream import Stream
from .tune import Tune

ROW_PINS = (2, 3, 4, 5)
COLUMN_PINS = (6, 7, 8, 9)
BUTTON_PINS = (10, 11, 12, 13, 14, 15)
SDA_PIN = 16
SCL_PIN = 17
BUZZER_PIN = 21
LAMP_PIN = 22

WATCHDOG_MS = 8000
STEP_MS = 4
COLLECT_MS = 1000
# Full lamps draw more than USB should give, and dazzle: a quarter is bright enough.
LAMP_SHIFT = 2
_SETTLE_US = 5  # until the columns follow a row that was driven low
# Row and column in the matrix.
_BACK = (2, 3)
_MENU = (3, 3)


class Keys:
    """The matrix keypad and the six die buttons; a pressed key pulls its pin down.

    Rows that are not being read float: with two keys of one column pressed, a row driven high
    and one driven low would meet in a short circuit.
    """

    def __init__(self) -> None:
        up = machine.Pin.PULL_UP
        self._rows = [machine.Pin(pin, machine.Pin.IN) for pin in ROW_PINS]
        self._columns = [machine.Pin(pin, machine.Pin.IN, up) for pin in COLUMN_PINS]
        self._buttons = [machine.Pin(pin, machine.Pin.IN, up) for pin in BUTTON_PINS]
        self.rows = [0] * len(ROW_PINS)

    def scan(self) -> int:
        """Read all keys: the matrix into `rows`, the buttons as the result."""
        for i in range(len(self._rows)):
            self._rows[i].init(machine.Pin.OUT, value=0)
            sleep_us(_SETTLE_US)
            self.rows[i] = _read_mask(self._columns)
            self._rows[i].init(machine.Pin.IN)
        return _read_mask(self._buttons)

    def is_held(self, row: int, column: int) -> bool:
        """Whether the last scan saw this key of the matrix."""
        return self.rows[row] & (1 << column) != 0


def _read_mask(pins: list[machine.Pin]) -> int:
    mask = 0
    for i in range(len(pins)):
        if not pins[i].value():
            mask |= 1 << i
    return mask


class PicoPanel(Outputs):
    """The lamps, the buzzer and the display of this board."""

    def __init__(self) -> None:
        self._pixels = neopixel.NeoPixel(machine.Pin(LAMP_PIN), self.lamps)
        self._pixels_changed = True
        self._buzzer = machine.PWM(machine.Pin(BUZZER_PIN))
        self._buzzer.duty_u16(0)
        self._tune = Tune()
        sda, scl = machine.Pin(SDA_PIN), machine.Pin(SCL_PIN)
        self._oled = PanelOled(machine.I2C(0, sda=sda, scl=scl, freq=400000))
        if not self._oled.works:
            # HELLO must not announce a display that is not there
            self.rows = self.columns = 0
        self.show_waiting()

    def lamp(self, index: int, colour: int) -> None:
        """Light a lamp, or all of them for -1."""
        parts = (colour >> 16, colour >> 8 & 255, colour & 255)
        dim = tuple([part >> LAMP_SHIFT for part in parts])
        if index < 0:
            self._pixels.fill(dim)
        else:
            self._pixels[index] = dim
        self._pixels_changed = True

    def beep(self, kind: str) -> None:
        """Start a beep."""
        self._tune.start(kind)

    def text(self, row: int, text: str) -> None:
        """Show a row of text."""
        self._oled.text(row, text)

    def show_waiting(self) -> None:
        """Show that no companion is there."""
        self.lamp(-1, 0)
        for row in range(ROWS):
            self._oled.text(row, "" if row else "Beisitzer ...")

    def tick(self, now: int, *, draws: bool, touched: bool) -> None:
        """Output the changes, on the display only with `draws`; `touched`: a key is down."""
        if self._pixels_changed:
            self._pixels_changed = False
            self._pixels.write()
        pitch = self._tune.tick(now)
        if pitch > 0:
            self._buzzer.freq(pitch)
        if pitch >= 0:  # -1: the tone stays as it is
            # half of each period on is loudest; 0 is silence
            self._buzzer.duty_u16(32768 if pitch else 0)
        if draws:
            self._oled.tick(now, touched=touched)
        if self._oled.works and not self.rows:  # the display was found after the start
            self.rows = Outputs.rows
            self.columns = Outputs.columns


def main() -> None:
    """Run for ever; BACK and MENU held at the start lead to the prompt instead.

    There is no other way to the prompt: a Ctrl-C on the line is only a garbled byte, and a started
    watchdog cannot be stopped. `main.py` turns Ctrl-C off before this module is read;
    at the prompt it is on again.
    """
    keys = Keys()
    keys.scan()
    if keys.is_held(*_BACK) and keys.is_held(*_MENU):
        return
    micropython.kbd_intr(-1)
    watchdog = machine.WDT(timeout=WATCHDOG_MS)
    board = PicoPanel()
    app = App(Session(board), Stream(sys.stdin.buffer, sys.stdout.buffer))
    clock = Clock()
    collect_at = 0
    while True:
        now = clock.now()
        buttons = keys.scan()
        app.step(keys.rows, buttons, now)
        # Reading and drawing in one step would take longer than a key may go unseen.
        board.tick(now, draws=app.quiet, touched=app.touched)
        watchdog.feed()
        # MicroPython collects by itself when no memory is left. That takes milliseconds, so it is
        # better done while nobody types and nothing arrives.
        if app.idle and now >= collect_at:
            gc.collect()
            collect_at = now + COLLECT_MS
        sleep_ms(STEP_MS)
