"""The web application: pages, texts, the stream of frames, and the pages' requests."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from pi_app.phones.web.api import Api, json_response
from pi_app.phones.web.files import PAGES, PageFiles
from pi_app.phones.web.guard import Guard, Limits, plain_address
from pi_app.phones.web.live import events
from pi_app.phones.web.rates import Quota
from pi_app.phones.web.relay import Relay
from pi_app.phones.web.words import words
from pi_app.system.host import urls
from pi_app.texts.language import Texts, language_for

PATHS = ("/", "/play", "/more", "/keys", "/history", "/pair", "/network")
"""The addresses of the page's places: one file, whose script looks at the address."""
STREAMS_OF_ONE = 12
"""The most streams, and so open pages, of one address."""
STREAMS = 32
"""The most streams of all addresses."""


_QR_MARGIN = 4
"""Light modules around a QR code, as its standard requires."""


def invitation(url: str) -> bytes:
    """Return an SVG picture of an address: a QR code with the text below it; empty for ""."""
    if not url:
        return b'<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0"/>'
    import segno  # only until two phones are paired

    rows = segno.make(url, error="l", micro=False, boost_error=False).matrix
    width = len(rows) + 2 * _QR_MARGIN
    dark = "".join(
        f"M{x + _QR_MARGIN} {y + _QR_MARGIN}h1v1h-1z"
        for y, row in enumerate(rows)
        for x, is_dark in enumerate(row)
        if is_dark
    )
    host, colon, port = url.removeprefix("http://").partition(":")
    # the host as wide as the code: a bold letter is about 0.7 of its size wide
    size = 1.4 * width / max(len(host), 14)  # 14: a short host is not written larger
    height = width + size * (2 if port else 1)  # a line for the host, one for the port
    text = "".join(
        f'<tspan x="{width / 2}" y="{width + row * size:.2f}">{line}</tspan>'
        for row, line in enumerate((host, colon + port))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:.2f}">'
        f'<path fill="#fff" d="M0 0h{width}v{height:.2f}H0z"/>'
        f'<path shape-rendering="crispEdges" d="{dark}"/>'
        f'<text text-anchor="middle" font-weight="bold" font-family="system-ui, sans-serif"'
        f' font-size="{size:.2f}">{text}</text></svg>'
    ).encode()


def texts_of(relay: Relay) -> Texts:
    """Return the texts in the table's language, or in the system's while it is unknown."""
    return Texts(language_for(relay.language or "auto"))


class Routes:
    """The function that answers each path; `urls_of` returns this machine's addresses on a port."""

    def __init__(
        self, relay: Relay, folder: Path, urls_of: Callable[[int], tuple[str, ...]]
    ) -> None:
        self._relay = relay
        self._urls_of = urls_of
        self._files = PageFiles(folder)
        self._live = Quota(STREAMS_OF_ONE, STREAMS)
        self.api = Api(relay, lambda: texts_of(relay))

    def all(self) -> list[Route]:
        return [
            *(Route(path, self._page) for path in PATHS),
            Route("/static/{name}", self._file),
            Route("/texts.json", self._texts),
            Route("/invitation.svg", self._invitation),
            Route("/live", self._follow),
            Route("/api/{verb}", self.api.post, methods=["POST"]),
            Route("/api/{kind}", self.api.get),
            Route("/api/game/{game}", self.api.get),
            Route("/api/game/{game}/record.txt", self.api.record),
        ]

    async def _page(self, request: Request) -> Response:
        del request
        return self._files.page(texts_of(self._relay))

    async def _file(self, request: Request) -> Response:
        return self._files.file(request) or self.api.refused("missing")

    async def _texts(self, request: Request) -> Response:
        del request
        return json_response(words(texts_of(self._relay)))

    async def _invitation(self, request: Request) -> Response:
        """Answer with a picture of the address that phones open."""
        addresses = self._urls_of(int(request.scope["server"][1]))
        picture = invitation(addresses[0] if addresses else "")
        return Response(picture, 200, {"Cache-Control": "no-store"}, "image/svg+xml")

    async def _follow(self, request: Request) -> Response:
        """Answer with a stream that ends when the browser goes."""
        address = str(plain_address(request.client.host)) if request.client else ""
        if request.method == "HEAD":  # it would wait for the end of the stream
            return self.api.refused("method")
        if not self._live.take(address):
            return self.api.refused("busy")
        stream = events(self._relay, lambda: self.api.who(request))
        return EventStream(stream, lambda: self._live.give_back(address))


class EventStream(StreamingResponse):
    """A stream of events; `ended` is called when nobody follows it any more."""

    def __init__(self, stream: AsyncIterator[bytes], ended: Callable[[], None]) -> None:
        super().__init__(stream, 200, {"Cache-Control": "no-store"}, "text/event-stream")
        self._ended = ended

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._ended()


def beside(
    run: Callable[[], Coroutine[Any, Any, None]],
) -> Callable[[Starlette], AbstractAsyncContextManager[None]]:
    """Return the lifespan of an application beside which something runs until it ends."""

    @asynccontextmanager
    async def running(app: Starlette) -> AsyncIterator[None]:
        del app
        task = asyncio.create_task(run())
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    return running


def application(
    relay: Relay,
    *,
    folder: Path = PAGES,
    limits: Limits | None = None,
    reached: Callable[[int], tuple[str, ...]] = urls,
) -> Guard:
    """Return the application; the relay runs as long as it does.

    `reached` returns this machine's addresses on a port, the most reliable first.
    """
    routes = Routes(relay, folder, reached)

    async def not_there(request: Request, error: Exception) -> Response:
        del request
        status = error.status_code if isinstance(error, HTTPException) else 500
        return routes.api.refused({404: "missing", 405: "method"}.get(status, "bad"))

    async def fault(request: Request, error: Exception) -> Response:
        del request, error
        return routes.api.refused("fault")

    app = Starlette(
        routes=routes.all(),
        middleware=[Middleware(GZipMiddleware)],
        exception_handlers={HTTPException: not_there, Exception: fault},
        lifespan=beside(relay.run),
    )
    # a path with a slash too many is not found instead of being redirected
    app.router.redirect_slashes = False
    return Guard(app, lambda: texts_of(relay), limits or Limits())
