"""A rig for tests: simulated devices, and time that passes only when a test says so."""

from typing import Any

from hardware.config import Devices
from hardware.keys import Key
from hardware.oled import Care
from hardware.rig import Rig, RigPorts
from tools.simulation import SimulatedRig


class Bench:
    """A rig on simulated devices whose time is moved by hand and which polls on request."""

    def __init__(self, devices: Devices | None = None, **more: Any) -> None:
        self.devices = devices or Devices()
        self.now = 0.0
        self.heard: list[Key] = []
        self.simulated = SimulatedRig(self.devices)
        more = {"factory": self.simulated.factory, "bus": self.simulated.bus, **more}
        care = Care(dim_after_s=0, blank_after_s=0, shift_after_s=0)
        ports = RigPorts(clock=lambda: self.now, **more)
        self.rig = Rig(self.devices, self.heard.append, care=care, ports=ports)

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds / 0.005)):
            self.now += 0.005
            self.rig.poll()

    def key(self, key: Key, seconds: float = 0.1) -> None:
        self.simulated.down(key)
        self.wait(seconds)
        self.simulated.up(key)
        self.wait(0.1)
