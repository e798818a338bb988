"""The OLED: its bus, its changes, its protection against burn-in, its recovery."""

from hardware.oled.display import Care, Light, Oled
from hardware.oled.patches import find_patches
from hardware.oled.wire import open_wire

__all__ = ["Care", "Light", "Oled", "find_patches", "open_wire"]
