"""The serial panel as a display: the same Frame in a few rows of text, lamps and beeps."""

from collections.abc import Callable
from dataclasses import replace

from hardware.config import PanelConfig
from hardware.keys import Key
from hardware.serial_panel import BeepKind, PanelStatus, SerialPanel
from hardware.serial_panel.port import candidates
from pi_app.displays.text import text_rows
from pi_app.view.frame import Frame, Header, Signal
from pi_app.view.output import Output

# 0xRRGGBB; paler than on the rig's lamp, because WS2812 can mix all colours
_COLOURS = {
    "yellow": 0xFFC000,
    "red": 0xFF0000,
    "white": 0xFFFFFF,
    "pink": 0xFF2080,
    "green": 0x00FF00,
    "blue": 0x0000FF,
}
_BEEPS = {Signal.TICK: BeepKind.TICK, Signal.BAD: BeepKind.BAD, Signal.WIN: BeepKind.WIN}


def lamp_colours(frame: Frame, lamps: int) -> list[int]:
    """Return the die buttons' colours, 0xRRGGBB: those that mean something are lit."""
    colour = _COLOURS.get(frame.header.colour or "", 0xFFFFFF)
    return [colour if number in frame.keys.dice else 0 for number in range(1, lamps + 1)]


def beep_of(signal: Signal) -> BeepKind:
    """Return the panel's sound for a signal; it has four, so some signals share one."""
    return _BEEPS.get(signal, BeepKind.OK)


class SerialPanelDisplay(Output):
    """Shows frames on the panel while one is connected."""

    name = "panel"

    def __init__(
        self, config: PanelConfig, put: Callable[[Key], object], wake: Callable[[], None]
    ) -> None:
        """Start looking for the panel; `wake` makes the loop call `poll` soon."""
        self._wake = wake
        self._frame = Frame(Header(""))
        self._shown_for: tuple[int, int, int] | None = None
        """The rows, columns and lamps of the panel that shows the frame."""
        self.panel = SerialPanel(config, put, changed=self._wake_when_connected)
        self.panel.start()

    def _wake_when_connected(self, status: PanelStatus) -> None:
        if status.session is not None:  # connected: perhaps another panel, of another size
            self._wake()

    def show(self, frame: Frame) -> None:
        self._frame = frame
        panel = self.panel
        self._shown_for = (panel.text_rows, panel.text_columns, panel.lamps)
        panel.show_rows(text_rows(frame, panel.text_columns, panel.text_rows))
        panel.show_lamps(lamp_colours(frame, panel.lamps))

    def signal(self, signal: Signal) -> None:
        if signal is not Signal.TURN:  # the panel would cut the sound before it short
            self.panel.beep(beep_of(signal))

    def poll(self) -> None:
        """Show the frame again if the panel's size has changed."""
        panel = self.panel
        if self._shown_for != (panel.text_rows, panel.text_columns, panel.lamps):
            self.show(self._frame)

    def stuck_keys(self) -> tuple[Key, ...]:
        return self.panel.stuck

    def close(self) -> None:
        """Close the panel and leave no old position on it."""
        self.panel.show_rows(["Beisitzer"])
        self.panel.show_lamps([])
        self.panel.close()


def open_panel(
    config: PanelConfig, port: str | None, put: Callable[[Key], object], wake: Callable[[], None]
) -> list[Output]:
    """Return the panel's display: on `port` if given, else as the settings say."""
    if port is not None:
        config = replace(config, enabled=True, port=port)
    return [SerialPanelDisplay(config, put, wake)] if config.enabled else []


def panel_is_there(config: PanelConfig) -> bool:
    """Tell whether a panel can replace any other display: its port is set, or one is plugged in."""
    return config.enabled and bool(candidates(config))
