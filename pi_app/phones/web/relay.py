"""The one connection to the companion, for however many browsers: frames in, requests out.

docs/remote.md has the lines to the letter.
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

from pi_app.phones.protocol import MOST_LINE, MOST_REQUEST, VERSION, line_of, read_object

log = logging.getLogger(__name__)

MOST_WAITING = 64
"""Requests that it has not answered yet."""
MOST_UNSENT = 64 * 1024
"""Bytes that it has not read yet."""
HELLO_S = 5.0
ANSWER_S = 10.0
RETRIES_S = (0.1, 0.2, 0.5, 1.0, 2.0)

Answer = Mapping[str, Any]


class AwayError(Exception):
    """The companion is not reachable, or did not answer in time."""


class BusyError(Exception):
    """The companion has more to answer than it can."""


class TooLongError(Exception):
    """The companion does not take a line of this length."""


@dataclass(frozen=True, slots=True)
class Latest:
    """What every page should show now."""

    turns: int = 0
    """How often the companion was found or lost; 0: it is still being looked for."""
    hello: Answer | None = None
    """What the companion said of itself; None: it is away."""
    off: bool = False
    """Whether it is away because phones were switched off there."""
    frame: bytes | None = None
    """The newest frame with its number, as JSON on one line."""
    signal: bytes | None = None
    """The last thing that lamp and buzzer were told, as JSON on one line."""


class Relay:
    """Follows the companion at `path`, finds it again, and asks it what browsers want to know."""

    def __init__(self, path: Path) -> None:
        self.news = Latest()
        self.closed = False
        self._path = path
        self._changed = asyncio.Event()
        self._writer: StreamWriter | None = None
        self._waiting: dict[str, Future[Answer]] = {}
        self._numbers = count(1)

    @property
    def language(self) -> str | None:
        """The table's language; None while nobody has said it."""
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
            if self.news.turns != turns:
                log.warning("no companion at %s: %s", self._path, why)
                tries = 0
            await asyncio.sleep(RETRIES_S[min(tries, len(RETRIES_S) - 1)])
            tries += 1

    async def changed(self, seen: Latest, within_s: float) -> bool:
        """Wait until there are other news than `seen`; False if there were none in time."""
        try:
            async with asyncio.timeout(within_s):
                while self.news is seen and not self.closed:
                    await self._changed.wait()
        except TimeoutError:
            return False
        return True

    def close(self) -> None:
        """Let everybody who waits for news go."""
        self.closed = True
        self._wake()

    async def ask(self, kind: str, **facts: object) -> Answer:
        """Ask the companion and return its answer.

        Raises AwayError, BusyError or TooLongError.
        """
        writer = self._writer
        if writer is None:
            raise AwayError
        full = writer.transport.get_write_buffer_size() > MOST_UNSENT
        if full or len(self._waiting) >= MOST_WAITING:
            raise BusyError
        name = str(next(self._numbers))
        try:
            line = line_of({"kind": kind, "id": name, **facts}, MOST_REQUEST)
        except ValueError:
            raise TooLongError from None
        self._waiting[name] = asyncio.get_running_loop().create_future()
        try:
            writer.write(line)
            async with asyncio.timeout(ANSWER_S):
                return await self._waiting[name]
        except TimeoutError:
            raise AwayError from None
        finally:
            del self._waiting[name]

    async def _follow(self) -> None:
        """Connect and take every line until the companion goes."""
        async with asyncio.timeout(HELLO_S):
            reader, writer = await asyncio.open_unix_connection(self._path, limit=MOST_LINE)
        try:
            async with asyncio.timeout(HELLO_S):
                hello = read_object(await reader.readline())
            if hello.get("kind") != "hello" or hello.get("version") != VERSION:
                raise ValueError(f"no hello of version {VERSION}")
            self._writer = writer
            self._publish(Latest(self.news.turns + 1, hello))
            await self._take_lines(reader)
        finally:
            self._writer = None
            writer.transport.abort()

    async def _take_lines(self, reader: StreamReader) -> None:
        takers: dict[str, Callable[[Answer], None]] = {
            "hello": self._greeted,
            "frame": self._show,
            "signal": self._signal,
            "answer": self._answered,
            "off": self._switched_off,
        }
        while line := await reader.readline():
            said = read_object(line)
            if taker := takers.get(str(said.get("kind"))):
                taker(said)

    def _greeted(self, hello: Answer) -> None:
        """Take over that language or colours are others now."""
        self._publish(replace(self.news, turns=self.news.turns + 1, hello=hello))

    def _show(self, said: Answer) -> None:
        frame = _line({"n": said.get("n"), "frame": said.get("frame")})
        self._publish(replace(self.news, frame=frame))

    def _signal(self, said: Answer) -> None:
        self._publish(replace(self.news, signal=_line({"name": said.get("name")})))

    def _answered(self, said: Answer) -> None:
        asked = self._waiting.get(str(said.get("id")))
        if asked is not None and not asked.done():
            asked.set_result({name: said[name] for name in said if name not in ("kind", "id")})

    def _switched_off(self, said: Answer) -> None:
        """Keep what is said before the companion hangs up: to be published when it has."""
        del said
        self.news = replace(self.news, off=True)

    def _lose(self) -> None:
        for asked in self._waiting.values():
            if not asked.done():
                asked.set_exception(AwayError())
        if self.news.hello is not None or self.news.turns == 0:
            self._publish(Latest(self.news.turns + 1, off=self.news.off))

    def _publish(self, news: Latest) -> None:
        self.news = news
        self._wake()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()


def _line(value: object) -> bytes:
    """Return a value as JSON on one line."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode(errors="replace")
