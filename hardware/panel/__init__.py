"""The serial panel: a microcontroller with keys, lamps, buzzer and text rows on USB."""

from hardware.panel.device import Panel, PanelFound, PanelStatus, probe
from hardware.panel.port import STABLE_PORT, PortProblem
from hardware.panel.protocol import BeepKind, PanelHello

__all__ = [
    "STABLE_PORT",
    "BeepKind",
    "Panel",
    "PanelFound",
    "PanelHello",
    "PanelStatus",
    "PortProblem",
    "probe",
]
