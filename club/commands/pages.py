"""`beisitzer club pages` and `password`: the evening in browsers."""

from __future__ import annotations

import logging
import socket
import subprocess
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from club.commands.place import (
    IMPOSSIBLE,
    VerbContext,
    database_option,
    default_folder,
    open_club,
    refuse_database,
    refuse_missing,
    state_option,
    verb,
)
from pi_app.commands.console import lang_option, refuse, texts
from pi_app.files import log as logs
from pi_app.files.host import addresses
from pi_app.files.own_process import own_command, own_environment
from pi_app.texts.language import Texts

if TYPE_CHECKING:
    from club.hub.certificates import KeyPair
    from club.store.database import ClubDatabase

PORT = 8080
PLAIN_HTTP = 80
ENDS_S = 5
"""How long the pages may take to end before they are killed."""
PAUSE_S = 2.0
"""The pause before pages that have ended are started again."""

log = logging.getLogger(__name__)


@click.command()
@state_option
@database_option
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    default=PORT,
    metavar="NUMBER",
    help="Port of the hall's pages; default: 8080.",
)
@click.option(
    "--tls-port",
    type=click.IntRange(0, 65535),
    metavar="NUMBER",
    help="Port of the organiser's page over TLS; default: the next one. 0: no TLS.",
)
@click.option("--attached", is_flag=True, help="End when standard input ends.")
@lang_option
def pages(
    state: Path | None,
    database: str | None,
    port: int,
    tls_port: int | None,
    lang: str | None,
    *,
    attached: bool,
) -> None:
    """Serve the evening's pages: standings, rounds and seats for all, and the organiser's.

    Several may serve one club, also on other machines than the hub's, with its --database.
    """
    tx = texts(lang)
    folder = (state or default_folder()).absolute()
    try:
        from club.store.database import DatabaseError
        from club.web.serving import serve
    except ImportError as error:
        refuse_missing(tx, error)
    opened = open_club(tx, folder, database, create=True)
    logs.set_up() if logs.to_journal() else logs.set_up(folder / "pages.log")
    for name in ("sqlalchemy", "uvicorn"):
        logging.getLogger(name).setLevel(logging.ERROR)
    plain = _opened(tx, port)
    secure_port = port + 1 if tls_port is None else tls_port
    try:
        authority, host, password = _prepared(opened)
        secure = _secured(tx, folder, secure_port, authority, host) if secure_port else None
    except DatabaseError as error:
        refuse_database(tx, error)
    _say_where(tx, port, secure_port, authority)
    if password:
        _say_password(tx, password)
    serve(
        opened, plain, secure, language=tx.language, names=[host] if host else [], attached=attached
    )


def _prepared(opened: ClubDatabase) -> tuple[KeyPair, str, str | None]:
    """Return the club's authority, the host name it is known by, and a password that is new."""
    from club.hub.identity import authority_of, ensure_identity
    from club.web.organiser import ensure_password

    with opened.write() as writing:
        ensure_identity(writing)
        return authority_of(writing.connection), writing.get("host"), ensure_password(writing)


def _secured(
    tx: Texts, folder: Path, port: int, authority: KeyPair, host: str
) -> tuple[socket.socket, Path]:
    from club.web.serving import certificate_file

    return _opened(tx, port), certificate_file(folder, authority, host)


def _opened(tx: Texts, port: int) -> socket.socket:
    from pi_app.phones.web.sockets import opened

    try:
        return opened(port)
    except OSError as error:
        refuse(
            tx(
                "cli",
                "port {port} cannot be used ({why}): name another --port",
                port=port,
                why=error.strerror or error,
            ),
            IMPOSSIBLE,
        )


def _say_where(tx: Texts, port: int, secure_port: int, authority: KeyPair) -> None:
    from club.hub.certificates import fingerprint

    host = next(iter(addresses()), "localhost")
    shown = "" if port == PLAIN_HTTP else f":{port}"
    click.echo(tx("cli", "the hall: {url}", url=f"http://{host}{shown}/"))
    where = f"https://{host}:{secure_port}" if secure_port else f"http://{host}{shown}"
    click.echo(tx("cli", "the organiser: {url}", url=f"{where}/organiser"))
    if secure_port:
        mark = fingerprint(authority.certificate)
        click.echo(
            tx("cli", "fingerprint of the club's authority: {fingerprint}", fingerprint=mark)
        )


def _say_password(tx: Texts, password: str) -> None:
    words = tx("cli", "the organiser's password, shown only now: {password}", password=password)
    click.echo(words)


@click.command()
@click.option("--own", is_flag=True, help="Ask for a password of your own instead.")
@verb
def password(at: VerbContext, *, own: bool) -> None:
    """Set a new password for the organiser's page, and print it once; who was in is out."""
    from club.web.organiser import LEAST_LETTERS, MOST_LETTERS, new_password, set_password

    chosen = new_password()
    if own:
        chosen = click.prompt(
            at.tx("cli", "New password"), hide_input=True, confirmation_prompt=True
        )
        if not LEAST_LETTERS <= len(chosen.strip()) <= MOST_LETTERS:
            words = at.tx("cli", "a password has at least {least} letters", least=LEAST_LETTERS)
            refuse(words, IMPOSSIBLE)
    with at.act() as writing:
        set_password(writing, chosen)
    if own:
        click.echo(at.tx("cli", "the password is set"))
    else:
        _say_password(at.tx, chosen)


class PagesProcess:
    """Keeps `club pages` running beside a hub; it ends with the hub, however that ends."""

    def __init__(self, words: Sequence[str]) -> None:
        self._command = own_command("pi_app", "club", "pages", "--attached", *words)
        self._stop = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._keep, name="pages", daemon=True)
        self._thread.start()

    def _keep(self) -> None:
        while not self._stop.is_set():
            # the pipe has no other holder than this process: it is closed however this ends
            self._process = subprocess.Popen(  # noqa: S603  # this program
                self._command, stdin=subprocess.PIPE, env=own_environment()
            )
            status = self._process.wait()
            if not self._stop.is_set():
                log.error("the pages have ended with %d and are started again", status)
                self._stop.wait(PAUSE_S)

    def close(self) -> None:
        self._stop.set()
        process = self._process
        if process is not None:
            process.terminate()
            try:
                process.wait(ENDS_S)
            except subprocess.TimeoutExpired:
                process.kill()
        self._thread.join(ENDS_S)
        if process is not None and process.stdin is not None:
            with suppress(OSError):
                process.stdin.close()
