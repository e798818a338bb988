"""What stands before every request: who may ask at all, how often, and what each answer says.

A page of another site must not reach the companion through a browser at the table: neither by a
name that it lets point here (Host), nor by sending a form (Origin), nor in a frame.
"""

import re
import socket
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import NamedTuple

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pi_app.phones.web.api import refusal
from pi_app.phones.web.rates import Buckets, Rate
from pi_app.texts.language import Texts

Address = IPv4Address | IPv6Address

NAME = "beisitzer"
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        "object-src 'none'"
    ),
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_HOST = re.compile(r"(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]+))(?::\d{1,5})?")


class Limits(NamedTuple):
    """How often may be asked."""

    each: Rate = Rate(30, 120)
    """By one address."""
    everybody: Rate = Rate(300, 600)
    pairing: Rate = Rate(1, 10)
    """Codes tried by one address; the companion counts the wrong ones."""


def own_names() -> frozenset[str]:
    """Return the names that this machine has in its network."""
    name = socket.gethostname().partition(".")[0].lower()
    return frozenset({"localhost", name, f"{name}.local", NAME, f"{NAME}.local"} - {"", ".local"})


def plain_address(text: str) -> Address | None:
    """Return an address, an IPv4 one that came as IPv6 as itself; None if it is none."""
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def is_local(address: Address) -> bool:
    return address.is_private or address.is_loopback or address.is_link_local


def is_near(client: Address | None, server: Address | None) -> bool:
    """Tell whether an address is in the same network: not one of the wide world's, or a neighbour.

    Homes with IPv6 have addresses of the wide world; a neighbour's begins like one's own.
    """
    if client is None or server is None:
        return False
    if is_local(client):
        return True
    bits = 24 if server.version == 4 else 64
    return client.version == server.version and client in ip_network((server, bits), strict=False)


class Guard:
    """Lets through what may be asked, and writes on every answer how it is to be treated."""

    def __init__(
        self,
        app: ASGIApp,
        texts: Callable[[], Texts],
        limits: Limits,
    ) -> None:
        self._app = app
        self._texts = texts
        self._names = own_names()
        self._each = Buckets(limits.each)
        self._everybody = Buckets(limits.everybody)
        self._pairing = Buckets(limits.pairing)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        code = self._code(scope)
        app = self._app if code is None else refusal(self._texts(), code)
        await app(scope, receive, marked)

    def _code(self, scope: Scope) -> str | None:
        """Return why a request is refused; None lets it through."""
        headers = Headers(scope=scope)
        client, server = (plain_address((scope[end] or ("",))[0]) for end in ("client", "server"))
        if not is_near(client, server):
            return "network"
        if not (self._each.take(str(client)) and self._everybody.take("")):
            return "rate"
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._is_own(hosts[0], server):
            return "host"
        if not _is_own_page(scope["method"], scope["path"], headers):
            return "origin"
        if scope["path"] == "/api/pair" and not self._pairing.take(str(client)):
            return "rate"
        return None

    def _is_own(self, host: str, server: Address | None) -> bool:
        match = _HOST.fullmatch(host)
        if match is None:
            return False
        literal = plain_address(match[1] or match[2])
        if literal is not None:
            return literal == server or is_local(literal)
        return match[1] is None and match[2].lower().removesuffix(".") in self._names


def _is_own_page(method: str, path: str, headers: Headers) -> bool:
    """Tell whether one of our own pages asks; a page itself may be opened from anywhere."""
    site = headers.get("sec-fetch-site", "same-origin")
    if method in ("GET", "HEAD"):
        from_outside = site not in ("same-origin", "none")
        return not (from_outside and path.startswith(("/api/", "/live", "/texts.json")))
    origins = headers.getlist("origin")
    own = f"http://{headers['host']}".lower()
    return len(origins) == 1 and origins[0].lower() == own and site == "same-origin"
