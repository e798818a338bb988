"""The OLED: its wire, what changed on it, and how it is spared and healed."""

from hardware.oled.display import Care, Light, Oled
from hardware.oled.patches import find_patches
from hardware.oled.wire import open_wire

__all__ = ["Care", "Light", "Oled", "find_patches", "open_wire"]
