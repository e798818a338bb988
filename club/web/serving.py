"""Serves the pages: plain for the hall, and by TLS for the organiser."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from socket import socket

from starlette.types import ASGIApp, Receive, Scope, Send

from club.hub.certificates import KeyPair, is_for, make_server
from club.store.database import ClubDatabase
from club.web.app import STREAMS, STREAMS_OF_ONE, application
from club.web.news import HallNews
from pi_app.files.host import addresses
from pi_app.files.replace import PRIVATE, write_safely
from pi_app.phones.web.server import Connection, WebServer

STANDARD_INPUT = 0
SPARE = 200
"""Connections beside the streams of open pages."""


class HallConnection(Connection):
    """A connection of a whole hall, which may be behind one address."""

    @property
    def most(self) -> int:
        return STREAMS + SPARE

    @property
    def most_of_one(self) -> int:
        return STREAMS_OF_ONE + SPARE


class _Beside(WebServer):
    """A second server of the same loop: signals and what runs beside pages are the first one's."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _without_lifespan(app: ASGIApp) -> ASGIApp:
    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            await app(scope, receive, send)
            return
        for kind in ("startup", "shutdown"):
            await receive()
            await send({"type": f"lifespan.{kind}.complete"})

    return serve


def serve(
    database: ClubDatabase,
    plain: socket,
    secure: tuple[socket, Path] | None,
    *,
    language: str | None = None,
    names: Iterable[str] = (),
    attached: bool = False,
) -> None:
    """Serve until a signal, or with `attached` until standard input ends.

    `secure` is the socket for TLS with a PEM file of key and certificates.
    """
    news = HallNews(database)
    port = int(secure[0].getsockname()[1]) if secure else None
    app = application(database, news, language=language, secure_port=port, names=names)
    beside = None
    if secure is not None:
        beside = _Beside(
            _without_lifespan(app),
            lambda: None,
            connection=HallConnection,
            certificate=secure[1],
        )

    def ending() -> None:
        news.close()
        if beside is not None:
            beside.should_exit = True

    first = WebServer(app, ending, connection=HallConnection)
    if attached:
        first.end_with(STANDARD_INPUT)

    async def run() -> None:
        if beside is None or secure is None:
            await first.serve([plain])
        else:
            await asyncio.gather(first.serve([plain]), beside.serve([secure[0]]))

    with suppress(KeyboardInterrupt):
        asyncio.run(run())


def certificate_file(folder: Path, authority: KeyPair, host: str) -> Path:
    """Return the PEM file of the pages' key and certificate, made where it is not right yet."""
    machine = os.uname().nodename
    wanted = (host, "localhost", "127.0.0.1", "::1", machine, *addresses())
    names = list(dict.fromkeys(filter(None, (*wanted, f"{machine.partition('.')[0]}.local"))))
    file = folder / "web" / "tls.pem"
    with suppress(OSError, ValueError):
        if is_for(file.read_text("ascii"), authority.certificate, names):
            return file  # browsers that accepted it once accept it again
    pair = make_server(authority, names)
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_safely(file, (pair.key + pair.certificate + authority.certificate).encode(), PRIVATE)
    return file
