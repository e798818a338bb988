"""The door of the hub: limits connections and requests, by address."""

from __future__ import annotations

import re
import socket
import weakref
from asyncio import Transport
from collections.abc import Collection
from ipaddress import IPv6Address, ip_network
from typing import Any, ClassVar

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from pi_app.phones.web.api import json_response
from pi_app.phones.web.guard import is_own_page, plain_address, with_headers
from pi_app.phones.web.rates import Buckets, Rate
from pi_app.phones.web.server import Connection

HANDSHAKE_LIMIT = 512
"""The most connections that have not completed TLS; beyond that the oldest is ended."""
STREAMS = 1000
"""The most open pages and tables."""
STREAMS_OF_ONE = 600
"""The most streams of one address: a whole hall may share one."""
SPARE = 200
"""Connections beside the streams of open pages."""
IDLE_S = 75.0
"""How long an idle connection is kept."""
EACH = Rate(200, 2000)
"""Limit of requests from one address: a whole hall may open the pages within a minute."""
EVERYBODY = Rate(2000, 8000)
_OF_TABLES = re.compile("/api/[0-9]+/")
"""Requests of tables need no check of their origin: no other site can send a table's token."""


def counted_address(text: str) -> str:
    """Return an address as the limits count it; "" if it is malformed.

    An IPv6 address counts as its network, because its owner has 2**64 addresses there.
    """
    address = plain_address(text)
    if isinstance(address, IPv6Address):
        return str(ip_network((address, 64), strict=False))
    return "" if address is None else str(address)


def client_address(request: Request) -> str:
    """Return the client's address, in the form for limits; "" if it is malformed."""
    return counted_address(request.client.host) if request.client else ""


class DoorSocket(socket.socket):
    """A listening socket that ends the oldest connections without TLS if there are too many."""

    def __init__(self, listening: socket.socket) -> None:
        super().__init__(fileno=listening.detach())
        self.waiting: dict[int, weakref.ref[socket.socket]] = {}
        """Connections that have not completed TLS, by file number, the oldest first."""

    def accept(self) -> tuple[socket.socket, Any]:
        connection, address = super().accept()
        self.waiting.pop(connection.fileno(), None)
        self.waiting[connection.fileno()] = weakref.ref(connection)
        while len(self.waiting) > HANDSHAKE_LIMIT:
            number = next(iter(self.waiting))
            oldest = self.waiting.pop(number)()
            if oldest is not None and oldest.fileno() == number:
                try:
                    oldest.shutdown(socket.SHUT_RDWR)
                except OSError:
                    continue  # it has ended by itself
        return connection, address


class DoorConnection(Connection):
    """A connection at the hub; a whole hall may share one address."""

    door: ClassVar[DoorSocket | None] = None

    most = STREAMS + SPARE
    most_of_one = STREAMS_OF_ONE + SPARE
    idle_s = IDLE_S

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        if self.door is not None:
            self.door.waiting.pop(transport.get_extra_info("socket").fileno(), None)
        super().connection_made(transport)


class HubDoor:
    """Checks every request of the hub first, and adds the security headers to every answer.

    Requests through one of the `proxies` count under the address that the proxy names.
    """

    def __init__(self, app: ASGIApp, proxies: Collection[str] = (), each: Rate = EACH) -> None:
        self._app = app
        self._proxies = frozenset(proxies)
        self._each = Buckets(each)
        self._everybody = Buckets(EVERYBODY)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        headers = Headers(scope=scope)
        address, scheme = self._origin(scope, headers)
        scope["scheme"] = scheme
        scope["client"] = (address, 0)
        app = self._app
        if not (self._each.take(counted_address(address)) and self._everybody.take("")):
            app = json_response({"error": "rate"}, 429)
        elif not _OF_TABLES.match(scope["path"]) and not is_own_page(scope, headers):
            app = json_response({"error": "origin"}, 403)
        await app(scope, receive, with_headers(send))

    def _origin(self, scope: Scope, headers: Headers) -> tuple[str, str]:
        """Return the client's address and scheme."""
        address = str(plain_address(scope["client"][0]) or "") if scope["client"] else ""
        forwarded = headers.get("x-forwarded-for", "").rpartition(",")[2].strip()
        if address in self._proxies and (known := plain_address(forwarded)) is not None:
            return str(known), headers.get("x-forwarded-proto", scope["scheme"])
        return address, scope["scheme"]
