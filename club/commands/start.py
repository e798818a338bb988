"""`beisitzer club start`: runs the hub."""

from __future__ import annotations

import logging
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from club.commands.place import (
    DATABASE_FILE,
    IMPOSSIBLE,
    database_option,
    default_folder,
    open_club,
    refuse_database,
    refuse_missing,
    state_option,
)
from pi_app.commands.console import lang_option, refuse, texts, why
from pi_app.files import log as logs
from pi_app.files.replace import PRIVATE, write_safely
from pi_app.texts.language import Text, Texts

if TYPE_CHECKING:
    from club.hub.connection import BrokerPlace
    from club.hub.identity import BrokerAddress
    from club.hub.process import HubSettings
    from club.store.database import ClubDatabase

_FAULTS = {
    "taken": Text("cli", "another hub already runs with this database"),
    "no-broker": Text("cli", "the broker does not answer"),
    "refused": Text("cli", "the broker refuses the hub ({why}): it needs rights for everything"),
    "missing": Text("cli", "the broker is missing: sudo apt-get install mosquitto"),
    "port": Text("cli", "port {port} is taken: name another --port"),
    "failed": Text("cli", "the broker has ended at once ({why})"),
}


@click.command()
@state_option
@database_option
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    default=8883,
    metavar="NUMBER",
    help="Port of the hub's own broker; default: 8883.",
)
@click.option(
    "--web-port",
    type=click.IntRange(0, 65535),
    default=8443,
    metavar="NUMBER",
    help="Port of the page at which tables join; default: 8443.",
)
@click.option(
    "--pages-port",
    type=click.IntRange(1, 65534),
    metavar="NUMBER",
    help="Serve the evening's pages too, the organiser's over TLS on the port above it.",
)
@click.option("--own-broker", is_flag=True, help="Run a broker too; this is the default.")
@click.option("--broker", metavar="URL", help="Use this broker: mqtts://USER:PASSWORD@HOST:PORT.")
@click.option(
    "--ca",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The broker's authority as PEM; default: those of the system.",
)
@click.option("--host", metavar="NAME", help="Name or address under which tables reach the hub.")
@lang_option
def start(
    state: Path | None,
    database: str | None,
    port: int,
    web_port: int,
    pages_port: int | None,
    broker: str | None,
    ca: Path | None,
    host: str | None,
    lang: str | None,
    *,
    own_broker: bool,
) -> None:
    """Run the club's hub: take in what tables send, and tell them who plays where.

    Prints one line when it is ready, and ends with Ctrl-C. All is kept in the folder, or in the
    database that is named.
    """
    tx = texts(lang)
    if own_broker and broker:
        raise click.UsageError(tx("cli", "--own-broker and --broker cannot both be"))
    folder = (state or default_folder()).absolute()
    try:
        from club.hub.process import HubSettings
    except ImportError as error:
        refuse_missing(tx, error)
    place = _broker_place(tx, broker, ca) if broker else None
    opened = open_club(tx, folder, database, create=True)
    _keep_url(tx, folder, database)
    _log(folder)

    def time_up(number: int) -> str:
        return tx("alert", "Round {n}: time is up", n=number)

    settings = HubSettings(folder, port, web_port, host or "", place, time_up)
    words = ["--state", str(folder), "--lang", tx.language]
    words += ["--database", database] if database else []
    _run(tx, opened, settings, [*words, "--port", str(pages_port)] if pages_port else [])


def _broker_place(tx: Texts, broker: str, ca: Path | None) -> BrokerPlace:
    from club.hub.connection import read_place

    if ca is not None and not ca.is_file():
        refuse(
            tx(
                "cli",
                "{path} cannot be read: {why}",
                path=ca,
                why=tx("cli", "there is no such file or folder"),
            )
        )
    try:
        return read_place(broker, str(ca) if ca else None)
    except ValueError:
        raise click.UsageError(
            tx("cli", "--broker must be mqtts://HOST:PORT, not {url}", url=broker)
        ) from None


def _keep_url(tx: Texts, folder: Path, database: str | None) -> None:
    """Keep the database's URL, so that other verbs find it by the folder alone."""
    if database is None:
        return
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_safely(folder / DATABASE_FILE, f"{database}\n".encode(), PRIVATE)
    except OSError as error:
        refuse(
            tx("cli", "{path} cannot be written: {why}", path=folder, why=why(error)),
            IMPOSSIBLE,
        )


def _log(folder: Path) -> None:
    logs.set_up() if logs.to_journal() else logs.set_up(folder / "hub.log")
    logging.getLogger("sqlalchemy").setLevel(logging.ERROR)


def _run(
    tx: Texts, opened: ClubDatabase, settings: HubSettings, pages_words: Sequence[str]
) -> None:
    """Run the hub, and beside it `club pages` with these words, if there are any."""
    from club.commands.pages import PagesProcess
    from club.hub.broker import BrokerError
    from club.hub.process import Hub, HubError
    from club.store.database import DatabaseError

    pages: list[PagesProcess] = []

    def ready(at: BrokerAddress, hub: str) -> None:
        if pages_words:
            pages.append(PagesProcess(pages_words))
        click.echo(
            tx(
                "cli",
                "the hub {hub} is ready: tables reach it at {host}:{port}",
                hub=hub,
                host=at.host,
                port=at.port,
            )
        )

    def waiting() -> None:
        click.echo(tx("cli", "another hub takes in: this one waits for its place"), err=True)

    hub = Hub(opened, settings, ready, waiting)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: hub.stop())
    try:
        hub.run()
    except (HubError, BrokerError) as error:
        _refuse(tx, error.code, why=error, port=settings.port)
    except DatabaseError as error:
        refuse_database(tx, error)
    finally:
        for each in pages:
            each.close()


def _refuse(tx: Texts, code: str, **facts: object) -> NoReturn:
    refuse(tx.say(_FAULTS, code, **facts), IMPOSSIBLE)
