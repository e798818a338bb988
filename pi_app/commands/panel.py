"""`beisitzer panel`: what arrives from the serial panel, line by line with times."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import click

from hardware.keys import Key
from hardware.panel import Panel, PanelStatus, PortProblem
from hardware.panel.protocol import Fault, HostHello, KeyEvent, PanelHello, Pong
from hardware.panel.session import Heard
from pi_app.commands.console import OutputError, refuse, texts
from pi_app.run.signals import on_ending_signal
from pi_app.settings.file import SettingsError, load

PROBLEMS = {
    PortProblem.ABSENT: "no panel is plugged in; looking for one",
    PortProblem.BUSY: "another program holds it, perhaps the running companion: stop it first",
    PortProblem.DENIED: "access is denied: join the group dialout and log in again",
    PortProblem.NOT_SERIAL: "this is no serial port",
}
_FAULTS = {
    Fault.LENGTH: "too long or empty",
    Fault.CHECKSUM: "wrong checksum",
    Fault.ENCODING: "not UTF-8",
    Fault.WORD: "unknown first word",
    Fault.WORDS: "wrong words",
}


@click.command()
@click.option("--port", help="Serial PORT of the panel; else as the settings say.")
@click.option("--seconds", type=click.FloatRange(min=0), help="End after so many SECONDS.")
@click.option("--pongs", is_flag=True, help="Show the answers to PING, too.")
def panel(port: str | None, seconds: float | None, pongs: bool) -> None:
    """Show what arrives from the serial panel, with times, until Ctrl-C.

    While this runs, the companion cannot use the panel.
    """
    try:
        config = load().settings.panel
    except SettingsError as error:
        refuse(str(error))
    if port is not None:
        config = replace(config, port=port)
    if config.port != "auto" and not Path(config.port).exists():
        tx = texts()
        refuse(
            tx(
                "cli",
                "there is no port {path}: plug the panel in, or name another port",
                path=config.port,
            )
        )
    done = threading.Event()

    def write(text: str) -> None:
        try:
            click.echo(text)
        except OutputError:
            done.set()  # nobody reads on, as after `| head`

    view = View(time.monotonic, write, pongs=pongs)
    device = Panel(config, view.key, watch=view.heard, changed=view.changed)
    on_ending_signal(done.set)
    device.start()
    device.show_rows(["beisitzer panel", datetime.now().astimezone().strftime("%H:%M:%S")])
    done.wait(seconds)
    device.close()
    view.summary(device.status)


class View:
    """Writes a line for everything that happens on the panel's line."""

    def __init__(
        self, clock: Callable[[], float], write: Callable[[str], None], *, pongs: bool = False
    ) -> None:
        self._clock = clock
        self._write = write
        self._pongs = pongs
        self._start = clock()
        self._status = PanelStatus()
        self._lines = 0
        self._keys = 0

    def heard(self, heard: Heard) -> None:
        """Tell of a line that arrived."""
        self._lines += 1
        text = heard.line.rstrip(b"\r").decode("ascii", "backslashreplace")
        match heard.message:
            case None:
                fault = _FAULTS[heard.fault or Fault.WORDS]
                self._tell(f"dropped, {fault}: {_clean(text)}")
            case KeyEvent(session, sequence, key, ms):
                how = "down" if ms is None else f"up after {ms} ms"
                self._tell(f"key {key.value} {how} (number {sequence}, session {session})")
            case PanelHello() as hello:
                self._tell(_described(hello))
            case HostHello():
                self._tell("our own HELLO came back: nobody has opened the other end")
            case Pong(number) if self._pongs:
                self._tell(f"answer to PING {number}")

    def key(self, key: Key) -> None:
        """Tell what key the companion would have got."""
        self._keys += 1
        self._tell(f"  -> {key.value}")

    def changed(self, status: PanelStatus) -> None:
        """Tell of a panel found or lost."""
        before, self._status = self._status, status
        if status.problem is not None:
            place = f"{status.port}: " if status.port else ""
            self._tell(place + PROBLEMS[status.problem])
        elif status.port != before.port or before.problem is not None:
            self._tell(f"{status.port}: opened, waiting for the panel")
        elif status.session is None and before.session is not None:
            self._tell("the panel fell silent or was restarted; beginning a new session")
        elif status.session is not None and status.session != before.session:
            self._tell(f"in session {status.session}")

    def summary(self, status: PanelStatus) -> None:
        """Write the counts."""
        self._write(f"{self._lines} lines, {status.dropped} dropped, {self._keys} keys")

    def _tell(self, text: str) -> None:
        self._write(f"{self._clock() - self._start:9.3f}  {text}")


def _clean(text: str) -> str:
    """Leave nothing in the text that a terminal would obey, and not too much of it."""
    shown = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)
    return shown if len(shown) <= 100 else shown[:97] + "..."


def _described(hello: PanelHello) -> str:
    parts = [f"{hello.keys} keys", f"{hello.lamps} lamps"]
    parts += ["a buzzer"] * hello.buzzer
    parts += [f"{hello.rows} rows of {hello.columns} characters"] * (hello.rows > 0)
    session = f"in session {hello.session}" if hello.session else "in no session"
    return f"panel {hello.name}, firmware {hello.firmware}, {', '.join(parts)}, {session}"
