"""The one connection to the companion for all browsers: frames in, requests out.

docs/remote.md describes every line.
"""

import asyncio
import logging
from dataclasses import dataclass, replace
from pathlib import Path

from pi_app.phones.frames import hidden_data
from pi_app.phones.protocol import LINE_LIMIT_BYTES, REQUEST_LIMIT_BYTES, VERSION, FromBrowser
from pi_app.wire.client import Answer, AwayError, LineClient
from pi_app.wire.messages import compact, read_object

log = logging.getLogger(__name__)

RETRIES_S = (0.1, 0.2, 0.5, 1.0, 2.0)
"""The pauses between attempts to connect; the last one repeats."""
FOR_PAIRED = b'"paired":true'
"""Marks a frame for paired browsers; no text contains it, as JSON escapes the quotes in texts."""


@dataclass(frozen=True, slots=True)
class Latest:
    """The latest news from the companion, for every page."""

    turns: int = 0
    """How often a hello came or the connection was lost; 0: nothing is known yet."""
    hello: Answer | None = None
    """The companion's hello; None: it is away."""
    why: str = ""
    """Why it is away: "off", phones were switched off at the table; "ends", it was told to end."""
    frame: bytes | None = None
    """The newest frame with its number, as JSON on one line."""
    hidden: bytes | None = None
    """The frame for browsers that are not paired; None if they may see the same."""
    signal: bytes | None = None
    """What pages should look at again, as JSON on one line."""


class NewsBoard:
    """Has the latest news, and wakes tasks that wait for the next."""

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
        self._changed = asyncio.Event()  # later callers wait for the next news


class Relay(NewsBoard):
    """Reads the companion's lines from the socket `path`, reconnects, and sends it requests."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._client: LineClient | None = None

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
            except (OSError, ValueError) as error:
                why = f"{type(error).__name__}: {error}"
            finally:
                self._lose()
            # the connection was there and is lost, or the first attempt has failed
            if self.news.turns != turns:
                log.warning("no companion at %s: %s", self._path, why)
                tries = 0
            await asyncio.sleep(RETRIES_S[min(tries, len(RETRIES_S) - 1)])
            tries += 1

    async def request(self, asked: FromBrowser) -> Answer:
        """Ask the companion and return its answer.

        Raises AwayError, BusyError or LongRequestError.
        """
        if self._client is None:
            raise AwayError
        return await self._client.ask(asked.kind, asked.facts())

    async def _follow(self) -> None:
        """Connect and handle every line until the connection ends."""
        client = await LineClient.connect(
            self._path, VERSION, LINE_LIMIT_BYTES, REQUEST_LIMIT_BYTES
        )
        try:
            self._client = client
            client.pass_frame = self._take_frame
            self.publish(Latest(self.news.turns + 1, client.hello))
            async for message in client.lines():
                kind = str(message.get("kind"))
                if kind == "hello":  # after a change of language or theme
                    self.publish(replace(self.news, turns=self.news.turns + 1, hello=message))
                elif kind in ("off", "ends"):  # published when the connection ends
                    self.news = replace(self.news, why=kind)
        finally:
            self._client = None
            client.close()

    def _take_frame(self, line: bytes) -> None:
        """Pass a frame on as it came; only one for paired browsers is read, to be hidden."""
        hidden = None
        if FOR_PAIRED in line:
            message = read_object(line)
            hidden = compact({"n": message["n"], "frame": hidden_data(message["frame"])})
        self.publish(replace(self.news, frame=line.rstrip(), hidden=hidden))

    def _lose(self) -> None:
        """Publish that the companion is away."""
        # once, because repeated failures are no news
        if self.news.hello is not None or self.news.turns == 0:
            self.publish(Latest(self.news.turns + 1, why=self.news.why))
