"""How long the OLED's pixels are lit in an evening of play, with and without screen saving.

The real driver shows the frames of each game, the same keys again and again; the lit pixels of the
simulated OLED are counted.
"""

from bench.figure import Figure
from bench.keys import TURNS, frames_of
from hardware.config import OledConfig
from hardware.oled import Care, Oled, open_wire
from hardware.simulation import SimulatedI2c, SimulatedOled
from pi_app.displays.oled import paint

HOURS = 3
FRAME_S = 7
"""Seconds for a key and a moment of thinking."""
BUDGET_PERCENT = 60
PIXELS = 128 * 64


def hottest_percent(game: str, *, spared: bool) -> float:
    """Return for how much of an evening the hottest pixel is lit, in percent."""
    now = 0.0
    simulated = SimulatedOled()
    # sending the same picture again changes no pixel and would only take time
    config = OledConfig(refresh_s=3600)
    care = Care() if spared else Care(shift_after_s=0)
    wire = open_wire(config, bus=SimulatedI2c(simulated))
    oled = Oled(wire, config, care, lambda: now)
    _, keys = TURNS[game]
    pictures = [paint(frame) for frame in frames_of(game, keys)]
    times_shown: dict[bytes, int] = {}
    for number in range(round(3600 * HOURS / FRAME_S)):
        now = number * FRAME_S
        oled.touch()
        oled.tick()
        oled.show(pictures[number % len(pictures)])
        # on an SSD1306 memory and glass have the same pixels
        glass = bytes(simulated.memory)
        times_shown[glass] = times_shown.get(glass, 0) + 1
    # each picture's pixels are looked at once, however often it was shown
    counts = [0] * PIXELS
    for glass, times in times_shown.items():
        bits = int.from_bytes(glass, "little")
        for pixel in range(PIXELS):
            counts[pixel] += times * (bits >> pixel & 1)
    return 100 * max(counts) / sum(times_shown.values())


def figures() -> list[Figure]:
    """Return the hottest pixel in an evening of each game; plain: without screen saving."""
    return [
        Figure(
            f"burn-in, {game}: hottest pixel is lit",
            hottest_percent(game, spared=True),
            "%",
            BUDGET_PERCENT,
            hottest_percent(game, spared=False),
        )
        for game in TURNS
    ]
