"""`beisitzer club start`: runs the hub."""

from __future__ import annotations

import errno
import logging
from pathlib import Path

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
from pi_app.system import log as logs
from pi_app.system.replace import PRIVATE, write_safely
from pi_app.texts.language import Texts


@click.command()
@state_option
@database_option
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8443,
    metavar="NUMBER",
    help="Port of pages and tables; default: 8443.",
)
@click.option("--bind", metavar="ADDRESS", help="Listen on this address only.")
@click.option("--host", metavar="NAME", help="Name or address under which tables reach the hub.")
@click.option(
    "--certificate",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="A public certificate and its key as PEM; default: one of the club's own authority.",
)
@click.option(
    "--proxy",
    "proxies",
    multiple=True,
    metavar="ADDRESS",
    help="Believe this reverse proxy who asks; may be given several times.",
)
@lang_option
def start(
    state: Path | None,
    database: str | None,
    port: int,
    bind: str | None,
    host: str | None,
    certificate: Path | None,
    proxies: tuple[str, ...],
    lang: str | None,
) -> None:
    """Run the club's hub: hall, organiser's page and tables on one port.

    Prints one line when it is ready, and ends with Ctrl-C. All is kept in the folder, or in the
    database that is named; with PostgreSQL several hubs may serve one club.
    """
    tx = texts(lang)
    folder = (state or default_folder()).absolute()
    try:
        from club.store.database import DatabaseError
        from club.web.serving import HubPlace, serve
    except ImportError as error:
        refuse_missing(tx, error)
    opened = open_club(tx, folder, database, create=True)
    _keep_url(tx, folder, database)
    _log(folder)
    place = HubPlace(folder, port, bind or "", host or "", certificate, proxies)

    def ready(url: str, password: str | None) -> None:
        if password:
            words = tx(
                "cli", "the organiser's password, shown only now: {password}", password=password
            )
            click.echo(words, err=True)
        click.echo(tx("cli", "the hub is ready: {url}", url=url))

    try:
        serve(opened, place, tx.language, ready)
    except DatabaseError as error:
        refuse_database(tx, error)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            refuse_database(tx, DatabaseError("full", str(error)))
        words = tx(
            "cli",
            "port {port} cannot be used ({why}): name another --port",
            port=port,
            why=why(error),
        )
        refuse(words, IMPOSSIBLE)


def _keep_url(tx: Texts, folder: Path, database: str | None) -> None:
    """Store the database's URL, so that other verbs find it by the folder alone."""
    if database is None:
        return
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_safely(folder / DATABASE_FILE, f"{database}\n".encode(), PRIVATE)
    except OSError as error:
        words = tx("cli", "{path} cannot be written: {why}", path=folder, why=why(error))
        refuse(words, IMPOSSIBLE)


def _log(folder: Path) -> None:
    logs.set_up() if logs.to_journal() else logs.set_up(folder / "hub.log")
    for name in ("sqlalchemy", "uvicorn"):
        logging.getLogger(name).setLevel(logging.ERROR)
