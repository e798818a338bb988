"""`beisitzer link`: carries results to a club's hub, and what the table does into the house."""

import logging
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep

import click

from pi_app.commands.console import load_settings, refuse
from pi_app.files import log as logs
from pi_app.files.host import state_folder
from pi_app.link.mqtt.trouble import ConnectError, LinkFault, LinkTrouble, sentence
from pi_app.link.protocol import LinkSource, LinkSourceError
from pi_app.phones.protocol import socket_path
from pi_app.run.signals import on_ending_signal
from pi_app.settings.schema import ENGLISH
from pi_app.texts.libraries import library_words

log = logging.getLogger(__name__)

PATIENCE_S = 60.0
PLACE_RETRY_S = 0.5
"""The pause between attempts to get the link's place, before the settings are known."""


@click.command()
@click.option(
    "--socket",
    "path",
    type=click.Path(path_type=Path),
    help="FILE of the companion's socket.",
)
def link(path: Path | None) -> None:
    """Connect this table with a broker: for a club's hub and for a smart home.

    Carries what the companion has to say; you may restart it at any time. The settings are in
    the table link.
    """
    _set_up_log()
    while _run(path or socket_path()):
        log.info("the settings have changed")


def _run(path: Path) -> bool:
    """Run with the settings as they are now; return whether to begin again with new ones."""
    folder = state_folder()
    placed = _take_place(path, folder) if folder else None
    settings = load_settings()
    try:
        from pi_app.link.mqtt.link import LinkEnd, LinkVoices, LinkWishes, TableLink
        from pi_app.link.mqtt.process import addresses, new_memory
    except ImportError as error:
        refuse(library_words(ENGLISH, error, "paho", "pip install 'beisitzer[link]'"))
    joins = not settings.link.enabled
    where = addresses(settings.link)
    if not joins:
        _check(where)

    def say_connected() -> None:
        broker = settings.link
        click.echo(f"connected to {broker.host}, port {broker.port}, as {broker.user}")

    def say_trouble(trouble: LinkTrouble) -> None:
        _say(f"{settings.link.host}:{settings.link.port}: {sentence(ENGLISH, trouble.fault)}")

    def say_source(error: LinkSourceError) -> None:
        if joins:  # nobody at the table wants to join a club either
            refuse("the link is off: set link.enabled = true")
        if error.code == "forbidden":
            refuse(source_words(error))
        _say(source_words(error))

    running = TableLink(
        settings.link.user,
        where,
        _source(path, folder, placed),
        new_memory(),
        LinkVoices(say_connected, say_trouble, say_source),
        LinkWishes(settings.link.home_assistant, joins),
    )
    on_ending_signal(running.stop)
    return running.run() is LinkEnd.AGAIN


def _check(where: Callable[[], object]) -> None:
    """Refuse settings that name no table: no waiting would mend them."""
    try:
        where()
    except ConnectError as error:
        if error.trouble.fault is LinkFault.SETTINGS:
            refuse(sentence(ENGLISH, error.trouble.fault))


_SOURCE = {
    "off": "the companion has the link switched off: System, Club and home",
    "forbidden": "the companion does not let this user be its link",
    "taken": "another link runs already: end it first",
    "lost": "the companion has ended: waiting for it",
}


def source_words(error: LinkSourceError) -> str:
    """Say why there is nothing to carry, and what to do."""
    return _SOURCE.get(error.code, "no companion is there: waiting for it")


def _take_place(path: Path, folder: Path) -> LinkSource:
    """Wait for the link's place at the companion, which then sends the copies.

    SystemExit if the place stays unavailable: the companion starts the service again later.
    """
    from pi_app.link.mqtt.companion import CompanionSource

    ends, told = monotonic() + PATIENCE_S, ""
    while True:
        try:
            source = CompanionSource(path, folder)
        except LinkSourceError as error:
            words = source_words(error)
            if error.code == "forbidden":
                refuse(words)
            if words != told:
                _say(words)
                told = words
            if error.code == "off" or monotonic() >= ends:
                raise SystemExit(0) from None
            sleep(PLACE_RETRY_S)
        else:
            source.copies_changed = False  # the settings are read after this
            return source


def _source(path: Path, folder: Path | None, placed: LinkSource | None) -> Callable[[], LinkSource]:
    """Return a function that opens the companion's socket; its first call returns `placed`."""
    from pi_app.link.mqtt.companion import CompanionSource

    first = [placed] if placed else []
    return lambda: first.pop() if first else CompanionSource(path, folder)


def _set_up_log() -> None:
    # a file of its own: the companion writes the other one
    if logs.to_journal():
        logs.set_up()
    else:
        logs.set_up(logs.log_file().with_name("link.log"))


def _say(line: str) -> None:
    """Say something on standard error, where the journal has it too."""
    click.echo(f"beisitzer: {line}", err=True)
