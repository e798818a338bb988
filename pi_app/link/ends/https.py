"""HTTPS to a club's hub: one connection, its requests one after the other, or a stream.

The standard library's client waits in a thread that each connection has for itself.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse, HTTPSConnection
from typing import Any, Self, TypeVar

from pi_app.link.contract import NO_CHECK_TIME, body
from pi_app.wire.messages import MessageError, compact, read_object

CONNECT_S = 15.0
ANSWER_S = 60.0
"""How long the hub may take to answer."""
SILENCE_S = 45.0
"""A stream without a byte for so long is broken."""
ANSWER_LIMIT_BYTES = 1024 * 1024
LINE_LIMIT_BYTES = 4 * 1024 * 1024
"""The longest line of a stream: a whole club's standings."""
T = TypeVar("T")


class ConnectError(Exception):
    """There is no connection; `code` is `name`, `away` or `certificate`."""

    def __init__(self, code: str, details: str) -> None:
        super().__init__(f"{code}: {details}")
        self.code = code


class LostError(Exception):
    """A connection ended, or was no HTTP, before the answer was complete."""


@dataclass(frozen=True, slots=True)
class HubReply:
    """An answer, whatever its status."""

    status: int
    retry_after_s: float | None
    data: bytes

    def facts(self) -> dict[str, Any]:
        """Return the object in it; MessageError without one."""
        return read_object(self.data)

    @property
    def error(self) -> str:
        """The word for what went wrong, "" without one."""
        try:
            return str(self.facts().get("error", ""))[:40]
        except MessageError:
            return ""


def pinned(authority: str, *, sure: bool) -> ssl.SSLContext:
    """Return a context that trusts this authority only; as it signs one hub, names do not count."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    context.load_verify_locations(cadata=authority)
    return _timed(context, sure=sure)


def public(*, sure: bool) -> ssl.SSLContext:
    """Return a context that trusts the system's authorities, and checks the name."""
    return _timed(ssl.create_default_context(), sure=sure)


def unverified() -> ssl.SSLContext:
    """Return a context that trusts any server, for joining, where people compare marks."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _timed(context: ssl.SSLContext, *, sure: bool) -> ssl.SSLContext:
    if not sure:  # while the clock is not set
        context.verify_flags |= ssl.VerifyFlags(NO_CHECK_TIME)
    return context


class HubConnection:
    """One connection to a hub."""

    def __init__(self, http: HTTPSConnection) -> None:
        self._http = http
        self._thread = ThreadPoolExecutor(1, "hub")
        self._socket: ssl.SSLSocket | None = None

    @classmethod
    async def connect(cls, host: str, port: int, context: ssl.SSLContext) -> Self:
        """Connect; ConnectError if that fails."""
        connection = cls(HTTPSConnection(host, port, timeout=CONNECT_S, context=context))
        try:
            await connection._in_thread(connection._open)
        except BaseException as error:
            connection.close()
            match error:
                case ssl.SSLCertVerificationError():
                    raise ConnectError("certificate", error.verify_message) from None
                case socket.gaierror() | UnicodeError():  # an invalid name cannot be encoded
                    raise ConnectError("name", str(error)) from None
                case OSError():  # SSLError too: the server speaks no TLS
                    raise ConnectError("away", f"{type(error).__name__}: {error}") from None
            raise
        return connection

    def _open(self) -> None:
        self._http.connect()
        self._socket = self._http.sock
        self._socket.settimeout(ANSWER_S)

    @property
    def leaf(self) -> bytes:
        """The server's certificate, as DER."""
        return (self._socket and self._socket.getpeercert(binary_form=True)) or b""

    @property
    def is_open(self) -> bool:
        """Whether another request may be sent."""
        return self._http.sock is not None

    def close(self) -> None:
        if self._socket is not None:
            with suppress(OSError):  # it ends what the thread waits for; SSLSocket's own waits too
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
        with suppress(RuntimeError):  # closed before
            self._thread.submit(self._end)
        self._thread.shutdown(wait=False)

    def _end(self) -> None:
        """Close it, once nothing waits for it any more: another connection may get its number."""
        self._http.close()
        if self._socket is not None:  # an answer with `Connection: close` has it for itself
            with suppress(OSError):
                socket.close(self._socket.detach())

    async def request(
        self,
        method: str,
        path: str,
        headers: Mapping[str, str],
        facts: Mapping[str, Any] | None = None,
    ) -> HubReply:
        """Send a request and return its answer; LostError, or TimeoutError after ANSWER_S."""

        def exchange() -> HubReply:
            response = self._begin(method, path, headers, facts)
            data = response.read(ANSWER_LIMIT_BYTES + 1)
            if len(data) > ANSWER_LIMIT_BYTES:
                raise LostError("the answer is too long")
            return HubReply(response.status, _seconds(response), data)

        async with asyncio.timeout(ANSWER_S):
            return await self._call(exchange)

    async def stream(self, path: str, headers: Mapping[str, str]) -> AsyncIterator[bytes]:
        """Yield the lines of an event stream; LostError, or TimeoutError after silence.

        A properly ended stream raises no error. The first item is its head: the
        status as three digits.
        """
        response = await self._call(lambda: self._begin("GET", path, headers, None))
        yield str(response.status).encode("ascii")
        if self._socket is not None:
            self._socket.settimeout(SILENCE_S)
        while line := await self._call(lambda: response.readline(LINE_LIMIT_BYTES)):
            if not line.endswith(b"\n"):
                raise LostError("a line is too long, or cut")
            yield line.removesuffix(b"\n").removesuffix(b"\r")

    def _begin(
        self, method: str, path: str, headers: Mapping[str, str], facts: Mapping[str, Any] | None
    ) -> HTTPResponse:
        """Send a request and return the head of its answer."""
        data = None if facts is None else compact(body(facts))
        kind = {} if data is None else {"Content-Type": "application/json"}
        self._http.request(method, path, data, {**headers, **kind})
        return self._http.getresponse()

    async def _call(self, what: Callable[[], T]) -> T:
        """Call something in the connection's thread; LostError if the connection ends."""
        try:
            return await self._in_thread(what)
        except TimeoutError:
            raise
        except (HTTPException, OSError) as error:
            raise LostError(str(error)) from None

    async def _in_thread(self, what: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, what)


def _seconds(response: HTTPResponse) -> float | None:
    """Return the seconds in `Retry-After`; None without it, or for a date."""
    said = response.headers.get("Retry-After", "")
    return float(said) if said.isascii() and said.isdigit() and len(said) < 7 else None
