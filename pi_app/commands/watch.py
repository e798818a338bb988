"""`beisitzer doctor --watch`: shows what the keys of the rig, of number pads and the panel send."""

from collections.abc import Callable
from threading import Event

import click

from hardware.keys import Key
from hardware.pads import Pads
from hardware.pads.table import CODES, table_of
from hardware.serial_panel import SerialPanel
from pi_app.commands.console import OutputError
from pi_app.commands.key_chart import key_words
from pi_app.displays.rig import open_rig_output
from pi_app.run.signals import on_ending_signal
from pi_app.settings.schema import Settings
from pi_app.texts.language import Texts

POLL_S = 0.1
"""How often the rig is polled, in seconds."""
_NAMES = {code: name for name, code in CODES.items()}
"""The kernel's name of a pad's key by its number."""


def watch(tx: Texts, settings: Settings, seconds: float | None) -> None:
    """Write a line for each key until Ctrl-C: where it is, what it sends, what that does."""
    done = Event()

    def write(line: str) -> None:
        try:
            click.echo(line)
        except OutputError:
            done.set()  # the reader has ended, as in `| head`

    def heard_at(place: str) -> Callable[[Key], bool]:
        def hear(key: Key) -> bool:
            write(f"{place}: {key.value} {key_words(tx, key)}".rstrip())
            return True

        return hear

    table = table_of(settings.pads)

    def show_code(code: int) -> None:
        name = _NAMES.get(code, str(code))
        write(f"pads: {name} {key_words(tx, table.get(name)) or '-'}")

    rig = open_rig_output(settings, heard_at("rig"))
    pads = Pads(settings.pads, lambda _key: True, watch=show_code)
    panel = SerialPanel(settings.panel, heard_at("panel"))
    click.echo(tx("cli", "Press keys; Ctrl-C ends."))
    on_ending_signal(done.set)
    pads.start()
    panel.start()
    waited = 0.0
    while not done.wait(POLL_S) and (seconds is None or waited < seconds):
        waited += POLL_S
        if rig is not None:
            rig.poll()
    for device in (pads, panel, rig):
        if device is not None:
            device.close()
