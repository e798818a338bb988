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
from hardware.serial_panel.protocol import Fault, HostHello, KeyEvent, PanelHello, Pong
from hardware.serial_panel.session import Heard
from pi_app.commands.console import OutputError, load_settings, refuse, texts
from pi_app.run.signals import on_ending_signal
from pi_app.texts.language import Text, Texts


@click.command()
@click.option("--port", help="Serial PORT of the panel; default: as in the settings.")
@click.option("--seconds", type=click.FloatRange(min=0), help="End after SECONDS.")
@click.option("--pongs", is_flag=True, help="Show the answers to PING, too.")
def panel(port: str | None, seconds: float | None, pongs: bool) -> None:
    """Show what the serial panel sends, with times, until Ctrl-C.

    While this runs, the companion cannot use the panel.
    """
    config = load_settings().panel
    tx = texts()
    if port is not None:
        config = replace(config, port=port)
    if config.port != "auto" and not Path(config.port).exists():
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
            done.set()  # the reader has ended, as in `| head`

    view = View(tx, time.monotonic, write, pongs=pongs)
    device = SerialPanel(config, view.show_key, watch=view.show_line, changed=view.show_status)
    on_ending_signal(done.set)
    device.start()
    # the panel's own display shows that lines arrive there
    device.show_rows(["beisitzer panel", datetime.now().astimezone().strftime("%H:%M:%S")])
    done.wait(seconds)
    device.close()
    view.summary(device.status)


_PROBLEMS = {
    PortProblem.ABSENT: Text("cli", "no panel is plugged in; looking for one"),
    PortProblem.BUSY: Text(
        "cli", "another program holds it, perhaps the running companion: stop it first"
    ),
    PortProblem.DENIED: Text("cli", "access is denied: join the group dialout and log in again"),
    PortProblem.NOT_SERIAL: Text("cli", "this is no serial port"),
}
_FAULTS = {
    Fault.LENGTH: Text("cli", "too long or empty"),
    Fault.CHECKSUM: Text("cli", "wrong checksum"),
    Fault.ENCODING: Text("cli", "not UTF-8"),
    Fault.WORD: Text("cli", "unknown first word"),
}


class View:
    """Writes a line of text for each event on the serial line."""

    def __init__(
        self,
        tx: Texts,
        clock: Callable[[], float],
        write: Callable[[str], None],
        *,
        pongs: bool = False,
    ) -> None:
        self._tx = tx
        self._clock = clock
        self._write = write
        self._pongs = pongs
        self._start = clock()
        self._status = PanelStatus()
        """The status that was written last."""
        self._line_count = 0
        self._key_count = 0

    def show_line(self, heard: Heard) -> None:
        """Write what arrived."""
        self._line_count += 1
        tx = self._tx
        # a line may end with CR and LF; bytes that are not ASCII are shown as \xNN
        text = heard.line.rstrip(b"\r").decode("ascii", "backslashreplace")
        match heard.message:
            case None:
                why = tx.say(_FAULTS, heard.fault) or tx("cli", "wrong words")
                shown = "".join(
                    char if char.isprintable() else f"\\x{ord(char):02x}" for char in text
                )
                shown = shown if len(shown) <= 100 else shown[:97] + "..."
                self._print(tx("cli", "dropped, {why}: {line}", why=why, line=shown))
            case KeyEvent() as event:
                self._print(_key_event_words(tx, event))
            case PanelHello() as hello:
                self._print(_hello_words(tx, hello))
            case HostHello():
                self._print(tx("cli", "our own HELLO came back: nobody has opened the other end"))
            case Pong(number) if self._pongs:
                self._print(tx("cli", "answer to PING {number}", number=number))

    def show_key(self, key: Key) -> None:
        """Write which key the companion would have received."""
        self._key_count += 1
        self._print(f"  -> {key.value}")

    def show_status(self, status: PanelStatus) -> None:
        """Write that a panel was found or lost."""
        tx, before = self._tx, self._status
        self._status = status
        if status.problem is not None:
            place = f"{status.port}: " if status.port else ""
            self._print(place + tx.say(_PROBLEMS, status.problem))
        elif status.port != before.port or before.problem is not None:
            self._print(tx("cli", "{path}: opened, waiting for the panel", path=status.port))
        elif status.session is None and before.session is not None:
            self._print(
                tx("cli", "the panel fell silent or was restarted; beginning a new session")
            )
        elif status.session is not None and status.session != before.session:
            self._print(tx("cli", "in session {session}", session=status.session))

    def summary(self, status: PanelStatus) -> None:
        """Write the counts."""
        tx = self._tx
        parts = (
            tx.many("cli", "{n} line", "{n} lines", self._line_count),
            tx("cli", "{n} dropped", n=status.dropped),
            tx.many("cli", "{n} key", "{n} keys", self._key_count),
        )
        self._write(", ".join(parts))

    def _print(self, text: str) -> None:
        self._write(f"{self._clock() - self._start:9.3f}  {text}")


def _key_event_words(tx: Texts, event: KeyEvent) -> str:
    facts = {"key": event.key.value, "number": event.sequence, "session": event.session}
    if event.ms is None:
        return tx("cli", "key {key} down (number {number}, session {session})", **facts)
    return tx(
        "cli",
        "key {key} up after {ms} ms (number {number}, session {session})",
        ms=event.ms,
        **facts,
    )


def _hello_words(tx: Texts, hello: PanelHello) -> str:
    name = {"name": hello.name, "firmware": hello.firmware}
    parts = [
        tx("cli", "panel {name}, firmware {firmware}", **name),
        tx.many("cli", "{n} key", "{n} keys", hello.keys),
        tx.many("cli", "{n} lamp", "{n} lamps", hello.lamps),
    ]
    if hello.buzzer:
        parts.append(tx("cli", "a buzzer"))
    if hello.rows > 0:
        size = {"rows": hello.rows, "columns": hello.columns}
        parts += [tx("cli", "{rows} rows of {columns} characters", **size)]
    session = tx("cli", "in session {session}", session=hello.session)
    parts += [session if hello.session else tx("cli", "in no session")]
    return ", ".join(parts)
