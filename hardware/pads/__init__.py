"""Number pads and keyboards on USB or Bluetooth, read through the kernel's event devices."""

from hardware.pads.device import PadCalls, PadPorts, Pads, try_open
from hardware.pads.search import InputDevice, find, is_taken

__all__ = ["InputDevice", "PadCalls", "PadPorts", "Pads", "find", "is_taken", "try_open"]
