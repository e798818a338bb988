"""One connection to a companion's socket: lines of JSON, and numbered requests with answers."""

import asyncio
from asyncio import Future, StreamReader, StreamWriter
from collections.abc import AsyncIterator, Callable, Mapping
from itertools import count
from pathlib import Path
from typing import Any, Self

from pi_app.wire.messages import line_of, read_object

PENDING_REQUESTS = 64
"""The most requests that wait for the companion's answer."""
UNSENT_BYTES = 64 * 1024
"""The most bytes that wait until the companion reads them."""
HELLO_S = 5.0
"""How long connecting, and then the first line, may take."""
ANSWER_S = 10.0
"""How long an answer may take."""
FRAME = b'{"kind":"frame",'
"""How the line of a frame begins."""

Answer = Mapping[str, Any]


class AwayError(Exception):
    """The companion is not reachable, or did not answer in time."""


class BusyError(Exception):
    """Too many requests wait for the companion."""


class LongRequestError(Exception):
    """The request is longer than a line may be."""


class LineClient:
    """A connection with its first line, `hello`, read; `request_limit` bounds a line to send."""

    def __init__(
        self, reader: StreamReader, writer: StreamWriter, hello: Answer, request_limit: int
    ) -> None:
        self.hello = hello
        self._reader = reader
        self._writer = writer
        self._request_limit = request_limit
        self._pending: dict[str, Future[Answer]] = {}
        self._numbers = count(1)
        self.pass_frame: Callable[[bytes], None] | None = None
        """Gets the lines of frames as they came, instead of who follows `lines`."""

    @classmethod
    async def connect(cls, path: Path, version: int, line_limit: int, request_limit: int) -> Self:
        """Connect; TimeoutError, OSError, or ValueError without a hello of this version."""
        async with asyncio.timeout(HELLO_S):
            reader, writer = await asyncio.open_unix_connection(path, limit=line_limit)
        try:
            async with asyncio.timeout(HELLO_S):
                hello = read_object(await reader.readline())
        except BaseException:
            writer.transport.abort()
            raise
        if hello.get("kind") == "hello" and hello.get("version") == version:
            return cls(reader, writer, hello, request_limit)
        writer.transport.abort()
        raise ValueError(f"no hello of version {version}")

    async def ask(self, kind: str, facts: Mapping[str, Any]) -> Answer:
        """Send a request and return its answer.

        Raises AwayError, BusyError or LongRequestError.
        """
        if self._writer.is_closing():
            raise AwayError
        full = self._writer.transport.get_write_buffer_size() > UNSENT_BYTES
        if full or len(self._pending) >= PENDING_REQUESTS:
            raise BusyError
        identity = str(next(self._numbers))
        try:
            line = line_of({"kind": kind, "id": identity, **facts}, self._request_limit)
        except ValueError:
            raise LongRequestError from None
        self._pending[identity] = asyncio.get_running_loop().create_future()
        try:
            self._writer.write(line)
            async with asyncio.timeout(ANSWER_S):
                return await self._pending[identity]
        except TimeoutError:
            raise AwayError from None
        finally:
            del self._pending[identity]

    async def lines(self) -> AsyncIterator[dict[str, Any]]:
        """Yield every line that is no answer, until the connection ends; OSError, ValueError."""
        while line := await self._reader.readline():
            if self.pass_frame is not None and line.startswith(FRAME):
                self.pass_frame(line)
                continue
            message = read_object(line)
            if message.get("kind") != "answer":
                yield message
                continue
            future = self._pending.get(str(message.pop("id", "")))
            if future is not None and not future.done():  # nobody waits for a late answer
                del message["kind"]
                future.set_result(message)

    def close(self) -> None:
        """End the connection; waiting requests raise AwayError."""
        self._writer.transport.abort()
        for future in self._pending.values():
            if not future.done():
                future.set_exception(AwayError())
