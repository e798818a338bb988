"""HTTPS to a club's hub: one connection, its requests one after the other, or a stream."""

from __future__ import annotations

import asyncio
import socket
import ssl
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

import h11

from pi_app.link.contract import NO_CHECK_TIME, body
from pi_app.wire.messages import MessageError, compact, read_object

CONNECT_S = 15.0
ANSWER_S = 60.0
"""How long the hub may take to answer."""
SILENCE_S = 45.0
"""A stream without a byte for so long is broken."""
ANSWER_LIMIT_BYTES = 1024 * 1024
EVENT_LIMIT_BYTES = 4 * 1024 * 1024
"""The longest event of a stream: a whole club's standings."""
_READ_BYTES = 64 * 1024


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

    def __init__(self, reader: StreamReader, writer: StreamWriter, host: str) -> None:
        self._reader = reader
        self._writer = writer
        self._host = host
        self._http = h11.Connection(h11.CLIENT, max_incomplete_event_size=_READ_BYTES)

    @classmethod
    async def connect(cls, host: str, port: int, context: ssl.SSLContext) -> Self:
        """Connect; ConnectError if that fails."""
        try:
            async with asyncio.timeout(CONNECT_S):
                reader, writer = await asyncio.open_connection(
                    host, port, ssl=context, limit=_READ_BYTES
                )
        except ssl.SSLCertVerificationError as error:
            raise ConnectError("certificate", error.verify_message) from None
        except (socket.gaierror, UnicodeError) as error:  # an invalid name cannot be encoded
            raise ConnectError("name", str(error)) from None
        except (OSError, TimeoutError) as error:  # SSLError too: the server speaks no TLS
            raise ConnectError("away", f"{type(error).__name__}: {error}") from None
        return cls(reader, writer, f"{f'[{host}]' if ':' in host else host}:{port}")

    @property
    def leaf(self) -> bytes:
        """The server's certificate, as DER."""
        shown: bytes = self._writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
        return shown

    @property
    def is_open(self) -> bool:
        """Whether another request may be sent."""
        usable = self._http.our_state is h11.IDLE and self._http.their_state is h11.IDLE
        return usable and not self._writer.is_closing() and not self._reader.at_eof()

    def close(self) -> None:
        self._writer.transport.abort()

    async def request(
        self,
        method: str,
        path: str,
        headers: Mapping[str, str],
        facts: Mapping[str, Any] | None = None,
    ) -> HubReply:
        """Send a request and return its answer; LostError, or TimeoutError after ANSWER_S."""
        data = bytearray()
        async with asyncio.timeout(ANSWER_S):
            head = await self._begin(method, path, headers, facts)
            async for chunk in self._chunks():
                data += chunk
                if len(data) > ANSWER_LIMIT_BYTES:
                    raise LostError("the answer is too long")
        if self._http.our_state is h11.DONE and self._http.their_state is h11.DONE:
            self._http.start_next_cycle()
        return HubReply(head.status_code, _seconds(head), bytes(data))

    async def stream(self, path: str, headers: Mapping[str, str]) -> AsyncIterator[bytes]:
        """Yield the lines of an event stream; LostError, or TimeoutError after silence.

        A properly ended stream raises no error. The first item is its head: the
        status as three digits.
        """
        async with asyncio.timeout(ANSWER_S):
            head = await self._begin("GET", path, headers, None)
        yield str(head.status_code).encode("ascii")
        rest = bytearray()
        chunks = aiter(self._chunks())
        while True:
            try:
                async with asyncio.timeout(SILENCE_S):
                    rest += await anext(chunks)
            except StopAsyncIteration:
                return
            *lines, tail = rest.split(b"\n")
            rest = bytearray(tail)
            for line in lines:
                yield bytes(line).removesuffix(b"\r")
            if len(rest) > EVENT_LIMIT_BYTES:
                raise LostError("an event is too long")

    async def _begin(
        self, method: str, path: str, headers: Mapping[str, str], facts: Mapping[str, Any] | None
    ) -> h11.Response:
        """Send a request and return the head of its answer."""
        data = b"" if facts is None else compact(body(facts))
        sized = (
            {}
            if facts is None
            else {
                "Content-Type": "application/json",
                "Content-Length": str(len(data)),
            }
        )
        asked = h11.Request(
            method=method, target=path, headers=[*{"Host": self._host, **headers, **sized}.items()]
        )
        try:
            sent = self._http.send(asked) or b""
            sent += (self._http.send(h11.Data(data)) or b"") if data else b""
            self._writer.write(sent + (self._http.send(h11.EndOfMessage()) or b""))
            await self._writer.drain()
        except (OSError, h11.ProtocolError) as error:
            raise LostError(str(error)) from None
        while True:
            event = await self._event()
            if isinstance(event, h11.Response):
                return event
            if isinstance(event, h11.ConnectionClosed):
                raise LostError("closed before an answer")

    async def _chunks(self) -> AsyncIterator[bytes]:
        while True:
            event = await self._event()
            if isinstance(event, h11.Data):
                yield bytes(event.data)
            elif isinstance(event, h11.EndOfMessage):
                return
            elif isinstance(event, h11.ConnectionClosed):
                raise LostError("closed within an answer")

    async def _event(self) -> Any:
        while True:
            try:
                event = self._http.next_event()
                if event is not h11.NEED_DATA:
                    return event
                self._http.receive_data(await self._reader.read(_READ_BYTES))
            except (OSError, h11.ProtocolError) as error:
                raise LostError(str(error)) from None


def _seconds(head: h11.Response) -> float | None:
    """Return the seconds in `Retry-After`; None without it, or for a date."""
    said = next((value for name, value in head.headers if name == b"retry-after"), b"")
    return float(said) if said.isdigit() and len(said) < 7 else None
