"""A simulated rig, for tests and benches: pins, buses, OLED."""

from tools.simulation.bus import SimulatedI2c, SimulatedSpi
from tools.simulation.oled import SimulatedOled
from tools.simulation.rig import SimulatedRig

__all__ = ["SimulatedI2c", "SimulatedOled", "SimulatedRig", "SimulatedSpi"]
