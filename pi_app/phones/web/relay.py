"""The one connection to the companion for all browsers: frames in, requests out.

docs/remote.md describes every line.
"""

import asyncio
import json
import logging
from asyncio import Future, StreamReader, StreamWriter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

from pi_app.phones.frames import hidden_data
from pi_app.phones.protocol import MOST_LINE, MOST_REQUEST, VERSION, line_of, read_object

log = logging.getLogger(__name__)

MOST_WAITING = 64
"""The most requests that wait for the companion's answer."""
MOST_UNSENT = 64 * 1024
"""The most bytes that wait until the companion reads them."""
HELLO_S = 5.0
"""How long connecting, and then the first line, may take."""
ANSWER_S = 10.0
"""How long an answer may take."""
RETRIES_S = (0.1, 0.2, 0.5, 1.0, 2.0)
"""The pauses between attempts to connect; the last one repeats."""

Answer = Mapping[str, Any]


class AwayError(Exception):
    """The companion is not reachable, or did not answer in time."""


class BusyError(Exception):
    """Too many requests wait for the companion."""


class LongRequestError(Exception):
    """The request is longer than a line may be."""


@dataclass(frozen=True, slots=True)
class Latest:
    """The latest news from the companion, for every page."""

    turns: int = 0
    """How often a hello came or the connection was lost; 0: nothing is known yet."""
    hello: Answer | None = None
    """The companion's hello; None: it is away."""
    off: bool = False
    """Whether it is away because phones were switched off at the table."""
    ends: bool = False
    """Whether it is away because it was told to end, perhaps to start again."""
    frame: bytes | None = None
    """The newest frame with its number, as JSON on one line."""
    hidden: bytes | None = None
    """The frame for browsers that are not paired; None if they may see the same."""
    signal: bytes | None = None
    """The last signal for lamp and buzzer, as JSON on one line."""


class NewsBoard:
    """Has the latest news, and wakes whoever waits for the next."""

    def __init__(self) -> None:
        self.news = Latest()
        self.closed = False
        self._changed = asyncio.Event()

    async def changed(self, seen: Latest, within_s: float) -> bool:
        """Wait until the news are no longer `seen`; return False if that takes too long."""
        try:
            async with asyncio.timeout(within_s):
                while self.news is seen and not self.closed:
                    await self._changed.wait()
        except TimeoutError:
            return False
        return True

    def close(self) -> None:
        """End all waiting for news."""
        self.closed = True
        self._wake()

    def publish(self, news: Latest) -> None:
        self.news = news
        self._wake()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()  # those who wait from now on wait for the next news


class Relay(NewsBoard):
    """Reads the companion's lines from the socket `path`, reconnects, and sends it requests."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._writer: StreamWriter | None = None
        self._waiting: dict[str, Future[Answer]] = {}
        self._numbers = count(1)

    @property
    def language(self) -> str | None:
        """The table's language; None while the companion is away."""
        hello = self.news.hello
        return None if hello is None else str(hello.get("language"))

    async def run(self) -> None:
        """Follow the companion until this task is cancelled."""
        tries = 0
        while True:
            turns = self.news.turns
            try:
                await self._follow()
                why = "it closed the connection"
            except TimeoutError:
                why = "it said nothing"
            except (OSError, ValueError, RecursionError) as error:
                why = f"{type(error).__name__}: {error}"
            finally:
                self._lose()
            # the connection was there and is lost, or the first attempt has failed
            if self.news.turns != turns:
                log.warning("no companion at %s: %s", self._path, why)
                tries = 0
            await asyncio.sleep(RETRIES_S[min(tries, len(RETRIES_S) - 1)])
            tries += 1

    async def ask(self, kind: str, **facts: object) -> Answer:
        """Ask the companion and return its answer.

        Raises AwayError, BusyError or LongRequestError.
        """
        writer = self._writer
        if writer is None:
            raise AwayError
        full = writer.transport.get_write_buffer_size() > MOST_UNSENT
        if full or len(self._waiting) >= MOST_WAITING:
            raise BusyError
        identity = str(next(self._numbers))
        try:
            line = line_of({"kind": kind, "id": identity, **facts}, MOST_REQUEST)
        except ValueError:
            raise LongRequestError from None
        self._waiting[identity] = asyncio.get_running_loop().create_future()
        try:
            writer.write(line)
            async with asyncio.timeout(ANSWER_S):
                return await self._waiting[identity]
        except TimeoutError:
            raise AwayError from None
        finally:
            del self._waiting[identity]

    async def _follow(self) -> None:
        """Connect and handle every line until the connection ends."""
        async with asyncio.timeout(HELLO_S):
            reader, writer = await asyncio.open_unix_connection(self._path, limit=MOST_LINE)
        try:
            async with asyncio.timeout(HELLO_S):
                hello = read_object(await reader.readline())
            if hello.get("kind") != "hello" or hello.get("version") != VERSION:
                raise ValueError(f"no hello of version {VERSION}")
            self._writer = writer
            self.publish(Latest(self.news.turns + 1, hello))
            await self._take_lines(reader)
        finally:
            self._writer = None
            writer.transport.abort()

    async def _take_lines(self, reader: StreamReader) -> None:
        handlers: dict[str, Callable[[Answer], None]] = {
            "hello": self._take_hello,
            "frame": self._take_frame,
            "signal": self._take_signal,
            "answer": self._take_answer,
            "off": self._take_off,
            "ends": self._take_ends,
        }
        while line := await reader.readline():
            message = read_object(line)
            if handler := handlers.get(str(message.get("kind"))):
                handler(message)

    def _take_hello(self, hello: Answer) -> None:
        """Publish a hello that follows a change of language or theme."""
        self.publish(replace(self.news, turns=self.news.turns + 1, hello=hello))

    def _take_frame(self, message: Answer) -> None:
        n, frame = message.get("n"), message.get("frame")
        hidden = None
        if isinstance(frame, dict) and frame.get("paired"):
            hidden = _line({"n": n, "frame": hidden_data(frame)})
        self.publish(replace(self.news, frame=_line({"n": n, "frame": frame}), hidden=hidden))

    def _take_signal(self, message: Answer) -> None:
        self.publish(replace(self.news, signal=_line({"name": message.get("name")})))

    def _take_answer(self, message: Answer) -> None:
        future = self._waiting.get(str(message.get("id")))
        if future is not None and not future.done():  # nobody waits for one that came too late
            answer = {name: message[name] for name in message if name not in ("kind", "id")}
            future.set_result(answer)

    def _take_off(self, message: Answer) -> None:
        """Note that phones were switched off; published when the connection ends."""
        del message
        self.news = replace(self.news, off=True)

    def _take_ends(self, message: Answer) -> None:
        """Note that the companion ends as it was told to; published when the connection ends."""
        del message
        self.news = replace(self.news, ends=True)

    def _lose(self) -> None:
        """Fail the waiting requests, and publish that the companion is away."""
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(AwayError())
        # once: attempts that fail again are no news
        if self.news.hello is not None or self.news.turns == 0:
            self.publish(Latest(self.news.turns + 1, off=self.news.off, ends=self.news.ends))


def _line(value: object) -> bytes:
    """Return a value as JSON on one line."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode(errors="replace")  # a lone surrogate has no bytes
