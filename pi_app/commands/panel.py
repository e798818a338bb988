"""`beisitzer panel`: shows what arrives from the serial panel, line by line with times."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import click

from hardware.keys import Key
from hardware.serial_panel import PanelStatus, PortProblem, SerialPanel
from hardware.serial_panel.protocol import Pong
from hardware.serial_panel.session import Heard
from pi_app.commands.console import OutputError, load_settings, refuse
from pi_app.run.signals import on_ending_signal

PROBLEMS = {
    PortProblem.ABSENT: "no panel is plugged in; looking for one",
    PortProblem.BUSY: "another program holds it, perhaps the running companion: stop it first",
    PortProblem.DENIED: "access is denied: join the group dialout and log in again",
    PortProblem.NOT_SERIAL: "this is no serial port",
}


@click.command()
@click.option("--port", help="Serial PORT of the panel; default: as in the settings.")
@click.option("--seconds", type=click.FloatRange(min=0), help="End after SECONDS.")
@click.option("--pongs", is_flag=True, help="Show the answers to PING, too.")
def panel(port: str | None, seconds: float | None, pongs: bool) -> None:
    """Show what the serial panel sends, with times, until Ctrl-C.

    While this runs, the companion cannot use the panel.
    """
    config = load_settings().panel
    if port is not None:
        config = replace(config, port=port)
    if config.port != "auto" and not Path(config.port).exists():
        refuse(f"there is no port {config.port}: plug the panel in, or name another port")
    done = threading.Event()

    def write(text: str) -> None:
        try:
            click.echo(text)
        except OutputError:
            done.set()  # the reader has ended, as in `| head`

    view = View(time.monotonic, write, pongs=pongs)
    device = SerialPanel(config, view.show_key, watch=view.show_line, changed=view.show_status)
    on_ending_signal(done.set)
    device.start()
    # the panel's own display shows that lines arrive there
    device.show_rows(["beisitzer panel", datetime.now().astimezone().strftime("%H:%M:%S")])
    done.wait(seconds)
    device.close()


class View:
    """Writes a line of text for each event on the serial line."""

    def __init__(
        self, clock: Callable[[], float], write: Callable[[str], None], *, pongs: bool = False
    ) -> None:
        self._clock = clock
        self._write = write
        self._pongs = pongs
        self._start = clock()

    def show_line(self, heard: Heard) -> None:
        """Write what arrived, and of a line that is dropped why."""
        # a line may end with CR and LF; bytes that are not ASCII are shown as \xNN
        text = heard.line.rstrip(b"\r").decode("ascii", "backslashreplace")
        text = "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text)
        text = text if len(text) <= 100 else text[:97] + "..."
        if heard.message is None:
            fault = heard.fault.value if heard.fault else "words"
            self._print(f"dropped ({fault}): {text}")
        elif self._pongs or not isinstance(heard.message, Pong):
            self._print(text)

    def show_key(self, key: Key) -> None:
        """Write which key the companion would have received."""
        self._print(f"  -> {key.value}")

    def show_status(self, status: PanelStatus) -> None:
        """Write that a panel was found or lost."""
        if status.problem is not None:
            self._print(f"{status.port or ''} {PROBLEMS[status.problem]}".strip())
        else:
            self._print(f"{status.port}: session {status.session}, {status.dropped} dropped")

    def _print(self, text: str) -> None:
        self._write(f"{self._clock() - self._start:9.3f}  {text}")
