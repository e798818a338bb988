"""Checks every request before anything else: who may send it, and how often.

A page of another site must not reach the companion through a browser at the table: neither by a
host name of its own that points to this machine (Host), nor by a form (Origin), nor in a frame.
"""

import re
import socket
from collections.abc import Callable, Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pi_app.phones.web.api import refusal
from pi_app.phones.web.rates import Buckets, Rate
from pi_app.system.host import OWN_WIFI
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
PROBED = frozenset(
    {
        "captive.apple.com",
        "connectivitycheck.gstatic.com",
        "connectivitycheck.android.com",
        "clients3.google.com",
        "www.msftconnecttest.com",
        "www.msftncsi.com",
    }
)
"""Addresses by which phones and computers test for the internet. In the table's own Wi-Fi these
names lead here (beisitzer.conf of dnsmasq), and the answer redirects to our page. So the page opens
by itself, as a hotel's sign-in page does."""
_HOST = re.compile(r"(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]+))(?::\d{1,5})?")
"""A Host header: an IPv6 address in brackets (group 1) or a name or IPv4 address (group 2)."""


FROM_ONE = Rate(30, 120)
"""How many requests one address may send."""


def own_names() -> frozenset[str]:
    """Return the names that this machine has in its network."""
    name = socket.gethostname().partition(".")[0].lower()
    names = {"localhost", name, f"{name}.local", NAME, f"{NAME}.local"}
    return frozenset(names - {"", ".local"})  # left by a machine without a name


def plain_address(text: str) -> Address | None:
    """Return the address in a text, as IPv4 if it is mapped into IPv6; None for another text."""
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def is_local(address: Address) -> bool:
    return address.is_private or address.is_loopback or address.is_link_local


def is_near(client: Address | None, server: Address | None) -> bool:
    """Tell whether a client is in the server's network.

    Its address is a private one or, for IPv6 at home, a public one with the server's prefix.
    """
    if client is None or server is None:
        return False
    if is_local(client):
        return True
    bits = 24 if server.version == 4 else 64  # the usual prefixes of one network
    return client.version == server.version and client in ip_network((server, bits), strict=False)


def with_headers(send: Send) -> Send:
    """Return a `send` that adds the security HEADERS."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(HEADERS)
        await send(message)

    return send_with_headers


class Guard:
    """Refuses requests that are not allowed, and adds the security HEADERS to every response."""

    def __init__(
        self,
        app: ASGIApp,
        texts: Callable[[], Texts],
        rate: Rate,
        names: Iterable[str] = (),
    ) -> None:
        """`names` are host names under which this machine is reached beside its own."""
        self._app = app
        self._texts = texts
        self._names = own_names() | {name.lower() for name in names}
        self._each = Buckets(rate)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        error = self._error(scope)
        app = self._app if error is None else refusal(self._texts(), error)
        if error == "host" and _is_probe(scope):
            port = scope["server"][1]
            app = RedirectResponse(f"http://{OWN_WIFI}{'' if port == 80 else f':{port}'}/", 302)
            app.headers["Cache-Control"] = "no-store"
        await app(scope, receive, with_headers(send))

    def _error(self, scope: Scope) -> str | None:
        """Return the code of the error for a request that is refused; None for any other."""
        headers = Headers(scope=scope)
        # both are pairs of address and port
        client = plain_address(scope["client"][0] if scope["client"] else "")
        server = plain_address(scope["server"][0] if scope["server"] else "")
        if not is_near(client, server):
            return "network"
        if not self._each.take(str(client)):
            return "rate"
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._is_own(hosts[0], server):
            return "host"
        return None if is_own_page(scope, headers) else "origin"

    def _is_own(self, host: str, server: Address | None) -> bool:
        """Tell whether a Host header names this machine."""
        match = _HOST.fullmatch(host)
        if match is None:
            return False
        literal = plain_address(match[1] or match[2])
        if literal is not None:
            return literal == server or is_local(literal)
        if match[1] is not None:  # in brackets, but no address
            return False
        return match[2].lower().removesuffix(".") in self._names  # a full name may end in a dot


def _is_probe(scope: Scope) -> bool:
    """Tell whether a phone in the own Wi-Fi tests for the internet."""
    server = plain_address(scope["server"][0] if scope["server"] else "")
    host = Headers(scope=scope).get("host", "").lower().partition(":")[0]
    is_look = scope["method"] in ("GET", "HEAD")
    return is_look and host in PROBED and str(server) == OWN_WIFI


def is_own_page(scope: Scope, headers: Headers) -> bool:
    """Tell whether one of our own pages sent a request; links from other sites may open pages."""
    method, path = scope["method"], scope["path"]
    site = headers.get("sec-fetch-site", "same-origin")  # old browsers do not send it
    if method in ("GET", "HEAD"):
        is_data = path.startswith(("/api/", "/live"))
        return not is_data or site in ("same-origin", "none")  # none: typed or a bookmark
    origins = [origin.lower() for origin in headers.getlist("origin")]
    return origins == [f"{scope['scheme']}://{headers['host']}".lower()] and site == "same-origin"
