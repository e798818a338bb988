"""How soon the OLED shows the right picture again, on a simulated bus with a simulated clock.

Measured after a byte that the OLED refuses, and after the OLED is plugged in again. The time of the
bytes on the bus is that at 100 kHz, a Pi's slowest default, with nine bits per byte.
"""

from gpiozero.pins.mock import MockFactory, MockPWMPin

from bench.bus import checkered_picture
from bench.figure import Figure
from hardware.config import Devices
from hardware.framebuffer import Framebuffer
from hardware.oled import Care
from hardware.rig import Rig
from hardware.simulation import SimulatedI2c, SimulatedOled

BUS_HZ, BITS = 100_000, 9
REFUSED_MS, REPLUGGED_S = 100, 2
"""The budgets."""


class _OledOnBus:
    """A rig with only an OLED, and a clock that `pass_time` moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.bus = SimulatedI2c(SimulatedOled("ssd1306"))
        still = Care(dim_after_s=0, blank_after_s=0, shift_after_s=0)
        self.rig = Rig(
            Devices(),
            lambda _: None,
            factory=MockFactory(pin_class=MockPWMPin),
            bus=self.bus,
            care=still,
            clock=lambda: self.now,
        )

    def pass_time(self, at_most: float) -> None:
        """Wait like the loop, for a second or until something is due."""
        due = self.rig.due_s()
        self.now += min(at_most, 1.0 if due is None else due)
        self.rig.tick()

    def seconds_until(self, picture: Framebuffer) -> float:
        """Return the seconds until the OLED shows a picture: waiting, and bytes on the bus."""
        sent, start = self.bus.sent, self.now
        self.rig.show(picture)
        while self.bus.oled.visible_picture() != picture:
            self.pass_time(1.0)
        return self.now - start + (self.bus.sent - sent) * BITS / BUS_HZ


def after_a_refusal_ms() -> float:
    """Return the longest recovery after a refused byte, over all positions in a picture."""
    longest = 0.0
    for byte in range(0, 1100, 20):  # a full picture has some 1,100 bytes
        setup = _OledOnBus()
        setup.rig.show(Framebuffer())
        setup.bus.fail_at_byte(byte)
        # without the bytes before the refused one, which are no part of the recovery
        longest = max(longest, setup.seconds_until(checkered_picture()) - byte * BITS / BUS_HZ)
    return 1000 * longest


def after_a_replug_s() -> float:
    """Return the longest recovery after the OLED was unplugged for a while and plugged in."""
    longest = 0.0
    for away in (0.2, 0.9, 5.0, 60.0, 600.0):
        setup = _OledOnBus()
        setup.rig.show(checkered_picture())
        setup.bus.dead = True
        end = setup.now + away
        while setup.now < end:
            setup.pass_time(end - setup.now)
        setup.bus.oled.power_cycle()
        setup.bus.dead = False
        back = setup.now
        while setup.bus.oled.visible_picture() != checkered_picture():
            setup.pass_time(1.0)
        longest = max(longest, setup.now - back)
    return longest


def figures() -> list[Figure]:
    """Return the longest recovery of each kind."""
    return [
        Figure("OLED right after a refused byte", after_a_refusal_ms(), "ms", REFUSED_MS),
        Figure("OLED right after it is plugged in", after_a_replug_s(), "s", REPLUGGED_S),
    ]
