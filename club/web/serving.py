"""Serves the hub: hall, organiser and tables on one port with one certificate."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import socket
from asyncio.sslproto import SSLProtocol
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from club.evening.passwords import PASSWORD, set_password
from club.judging.intake import judge_again
from club.store.certificates import make_server
from club.store.database import ClubDatabase, Writing
from club.store.identity import authority_of, ensure_identity, note_place
from club.store.running import RunningLock
from club.web.app import application
from club.web.door import IDLE_S, DoorConnection, DoorSocket
from club.web.news import HubWatch
from pi_app.phones.web.server import WebServer
from pi_app.phones.web.sockets import opened
from pi_app.system.host import addresses
from pi_app.system.replace import PRIVATE, write_safely
from pi_app.texts.language import Texts

READ_LIMIT_BYTES = 16 * 1024
"""The buffer of each TLS connection; asyncio's default is 256 KiB."""
OPEN_FILE_LIMIT = 8192
"""Open connections are open files: the usual 1,024 are too few for a hall."""


@dataclass(frozen=True, slots=True)
class HubPlace:
    """A hub's folder and address; a `certificate` is a public one."""

    folder: Path
    port: int
    bind: str = ""
    host: str = ""
    certificate: Path | None = None
    proxies: tuple[str, ...] = ()


def serve(
    database: ClubDatabase,
    place: HubPlace,
    language: str,
    ready: Callable[[str, str | None], None],
) -> None:
    """Serve until a signal; `ready` gets the address, and a new password if one was made.

    DatabaseError `taken` if another hub has the database, OSError if the port cannot be used.
    """
    with (
        closing(RunningLock(database, alone=database.is_sqlite)) as lock,
        _listening(place) as listening,
        DoorSocket(listening) as door,
    ):
        _allow_files()
        SSLProtocol.max_size = READ_LIMIT_BYTES
        port = int(door.getsockname()[1])
        host = place.host or _host(place.bind)
        with database.write() as writing:
            ensure_identity(writing)
            note_place(writing, host, port, public=place.certificate is not None)
            certificate = own_certificate(writing, host)
            password = None if writing.get(PASSWORD) else set_password(writing)
        judge_again(database)
        served = place.certificate or place.folder / "tls.pem"
        if place.certificate is None:
            place.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_safely(served, certificate.encode(), PRIVATE)

        class Here(DoorConnection):
            pass

        Here.door = door
        news = HubWatch(database, Texts(language), lock)
        app = application(database, news, language, proxies=place.proxies)

        def begun() -> None:
            named = f"[{host}]" if ":" in host else host
            ready(f"https://{named}:{port}", password)

        server = _HubServer(
            app, news.close, connection=Here, certificate=served, idle_connection_s=IDLE_S
        )
        server.begun = begun

        with suppress(KeyboardInterrupt):
            asyncio.run(server.serve([door]))


class _HubServer(WebServer):
    """Reports when it accepts connections."""

    begun: Callable[[], None]

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self.begun()


def _listening(place: HubPlace) -> socket.socket:
    if not place.bind:
        return opened(place.port)
    family = socket.AF_INET6 if ":" in place.bind else socket.AF_INET
    return socket.create_server((place.bind, place.port), family=family, backlog=1024)


def _host(bind: str) -> str:
    """Return the address for tables of a hub that listens here."""
    everywhere = ("", "0.0.0.0", "::")  # noqa: S104  # compared, not bound
    return next(iter(addresses()), "localhost") if bind in everywhere else bind


def _allow_files() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = OPEN_FILE_LIMIT if hard == resource.RLIM_INFINITY else min(hard, OPEN_FILE_LIMIT)
    if soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def own_certificate(writing: Writing, host: str) -> str:
    """Return key and certificates as PEM, shared by a club's hubs and renewed for new names."""
    machine = os.uname().nodename
    wanted = (host, "localhost", "127.0.0.1", "::1", machine, *addresses())
    names = {*filter(None, wanted), f"{machine.partition('.')[0]}.local"}
    known = set(json.loads(writing.get("tls_names", "[]")))
    if not names <= known:
        authority = authority_of(writing.connection)
        pair = make_server(authority, sorted(names | known))
        writing.put("tls", pair.key + pair.certificate + authority.certificate)
        writing.put("tls_names", json.dumps(sorted(names | known)))
    return writing.get("tls")
