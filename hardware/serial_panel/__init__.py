"""The serial panel: a microcontroller with keys, lamps, buzzer and text rows on USB."""

from hardware.serial_panel.device import PanelFound, PanelStatus, SerialPanel, probe
from hardware.serial_panel.port import STABLE_PORT, PortProblem
from hardware.serial_panel.protocol import BeepKind, PanelHello

__all__ = [
    "STABLE_PORT",
    "BeepKind",
    "PanelFound",
    "PanelHello",
    "PanelStatus",
    "PortProblem",
    "SerialPanel",
    "probe",
]
