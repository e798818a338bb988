"""The stream that a page follows: server-sent events; a slow browser gets only the newest frame."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Protocol

from pi_app.phones.web.relay import Latest

BEAT_S = 1.0
"""The longest silence, so that both ends notice when the other one is gone."""
RETRY = b"retry: 1000\n\n"
"""After a lost connection the browser tries again after so many milliseconds."""
HELLO = ("epoch", "theme", "invites", "first", "joined", "wifi")
"""The fields of the companion's hello that pages get."""


class NewsSource(Protocol):
    """A source of news, such as a relay."""

    @property
    def news(self) -> Latest: ...

    @property
    def closed(self) -> bool: ...

    async def changed(self, seen: Latest, within_s: float) -> bool: ...


async def events(
    source: NewsSource, who: Callable[[], Awaitable[dict[str, Any]]]
) -> AsyncIterator[bytes]:
    """Yield events until the source is closed; `who` returns what only this browser is told.

    Nothing is queued for a browser: each pass sends the latest news, so a slow browser misses
    frames and delays nobody.
    """
    yield RETRY
    turns, frame, signal = 0, None, None  # the last news sent to this browser
    paired = False
    while not source.closed:
        news = source.news
        if news.turns != turns:
            # an old signal is not sent to a browser that begins to follow
            turns, frame, signal = news.turns, None, news.signal
            if news.hello is None:
                yield event_bytes("away", json.dumps({"why": news.why}).encode())
            else:
                hello = {name: news.hello.get(name) for name in HELLO}
                told = await who()
                paired = bool(told.get("paired"))
                yield event_bytes("hello", json.dumps(hello | told).encode())
        elif news.frame is not None and news.frame is not frame:
            frame = news.frame
            yield event_bytes("frame", frame if paired or news.hidden is None else news.hidden)
        elif news.signal is not None and news.signal is not signal:
            signal = news.signal
            yield event_bytes("signal", signal)
        elif not await source.changed(news, BEAT_S):
            yield event_bytes("beat", b"{}")


def event_bytes(name: str, data: bytes) -> bytes:
    """Return an event as server-sent events are written."""
    return b"event: " + name.encode() + b"\ndata: " + data + b"\n\n"
