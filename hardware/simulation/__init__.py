"""A simulated rig, for tests, the doctor and the desktop: pins, buses, OLED."""

from hardware.simulation.bus import SimulatedI2c, SimulatedSpi
from hardware.simulation.oled import SimulatedOled
from hardware.simulation.rig import SimulatedRig

__all__ = ["SimulatedI2c", "SimulatedOled", "SimulatedRig", "SimulatedSpi"]
