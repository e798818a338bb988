"""`beisitzer pads`: shows which number pads are there and what each key does; writes the chart."""

import threading
from pathlib import Path

import click

from hardware.errors import DeviceError
from hardware.keys import Key
from hardware.pads import Pads, find, is_taken, try_open
from hardware.pads.table import CODES, table_of
from pi_app.commands.console import OutputError, load_settings, refuse, system_words, texts
from pi_app.commands.device_sentences import reason, remedy
from pi_app.commands.key_chart import key_chart, key_words
from pi_app.files.replace import write_safely
from pi_app.run.signals import on_ending_signal
from pi_app.settings.schema import Settings
from pi_app.texts.language import LANGUAGES, Texts

_NAMES = {code: name for name, code in CODES.items()}
"""The kernel's name of a key by its number."""


@click.command()
@click.option("--chart", type=click.Path(path_type=Path), help="Write the key chart to FILE.")
@click.option("--seconds", type=click.FloatRange(min=0), help="End after SECONDS.")
@click.option(
    "--lang", type=click.Choice(sorted(LANGUAGES)), is_eager=True, help="Language of the report."
)
def pads(chart: Path | None, seconds: float | None, lang: str | None) -> None:
    """Show what number pads send, until Ctrl-C; or write a key chart to lay under one.

    While this runs, the companion cannot use the pads.
    """
    settings = load_settings()
    tx = texts(lang)
    if chart is None:
        _listen(tx, settings, seconds)
        return
    try:
        write_safely(chart, key_chart(tx, table_of(settings.pads)).encode())
    except OSError as error:
        refuse(f"{chart}: {system_words(tx, error)}")


def _listen(tx: Texts, settings: Settings, seconds: float | None) -> None:
    config = settings.pads
    # not as the service does: a keyboard may be the one at which this command is typed
    taken = [device for device in find() if is_taken(device, config, appliance=False)]
    if not taken:
        refuse(tx("cli", "no number pad is plugged in; a keyboard has to be named: pads.name"), 1)
    for device in taken:
        click.echo(f"{device.name} ({device.port or device.path})")
    errors = [error for device in taken if (error := try_open(device.path))]
    if len(errors) == len(taken):  # none can be read
        refuse(_words(tx, errors[0], settings), 1)
    done = threading.Event()
    table = table_of(config)

    def write(code: int) -> None:
        name = _NAMES.get(code, str(code))
        try:
            click.echo(f"{name}: {key_words(tx, table.get(name)) or '-'}")
        except OutputError:
            done.set()  # the reader has ended, as in `| head`

    reading = Pads(config, _forget, watch=write)
    on_ending_signal(done.set)
    reading.start()
    done.wait(seconds)
    reading.close()


def _forget(_key: Key) -> None:
    """Take a key that was shown already."""


def _words(tx: Texts, error: DeviceError, settings: Settings) -> str:
    return f"{reason(tx, error)}. {remedy(tx, error, settings)}"
