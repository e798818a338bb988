"""A whole rig that is not there, for tests, the doctor and the desk: pins, buses, glass."""

from hardware.simulation.bus import SimulatedI2c, SimulatedSpi
from hardware.simulation.oled import SimulatedOled
from hardware.simulation.rig import SimulatedRig

__all__ = ["SimulatedI2c", "SimulatedOled", "SimulatedRig", "SimulatedSpi"]
