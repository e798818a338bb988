"""The web application: pages, texts, the stream of frames, and the pages' requests."""

import asyncio
import io
import re
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

from pi_app.phones.web.api import CODES, Api, RefusedError
from pi_app.phones.web.files import PAGES, PageFiles
from pi_app.phones.web.guard import FROM_ONE, Guard, plain_address
from pi_app.phones.web.live import events
from pi_app.phones.web.rates import Quota, Rate
from pi_app.phones.web.relay import Relay
from pi_app.phones.web.words import words
from pi_app.system.host import urls
from pi_app.texts.language import Texts, language_for

PATHS = ("/", "/play", "/more", "/invite", "/keys", "/history", "/pair", "/network")
"""The addresses of the page's places: all have one file, and its script reads the address."""
STREAMS_OF_ONE = 12
"""The most streams, and so open pages, of one address."""
STREAMS = 32
"""The most streams of all addresses."""
_CODE = re.compile("[0-9]{6}")
"""The digits that let a phone in, as they stand in an address."""


def qr_code(text: str) -> bytes:
    """Return a text as a QR code in SVG."""
    import segno  # only needed while phones may join

    file = io.BytesIO()
    code = segno.make(text, error="l", micro=False, boost_error=False)
    code.save(file, kind="svg", light="#fff", omitsize=True, xmldecl=False)
    return file.getvalue()


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
            Route("/invitation.svg", self._invitation),
            Route("/live", self._follow),
            Route("/api/{kind}", self.api.ask, methods=["POST"]),
        ]

    async def _page(self, request: Request) -> Response:
        del request
        tx = texts_of(self._relay)
        return self._files.page(tx, words(tx))

    async def _file(self, request: Request) -> Response:
        return self._files.file(request) or self.api.refused("missing")

    async def _invitation(self, request: Request) -> Response:
        """Answer with a QR code of the address that phones open, with the digits asked for."""
        addresses = self._addresses(request)
        if not addresses:
            return self.api.refused("missing")
        code = request.url.query
        way = f"/pair#{code}" if _CODE.fullmatch(code) else ""
        headers = {"Cache-Control": "no-store"}
        return Response(qr_code(addresses[0] + way), 200, headers, "image/svg+xml")

    def _addresses(self, request: Request) -> tuple[str, ...]:
        """Return the addresses that phones open, the surest first."""
        return self._urls_of(int(request.scope["server"][1]))

    async def _who(self, request: Request) -> dict[str, Any]:
        """Return the facts for this browser alone, and the addresses for other phones."""
        own = {"language": texts_of(self._relay).language, "urls": self._addresses(request)}
        return {**await self.api.who(request), **own}

    async def _follow(self, request: Request) -> Response:
        """Answer with a stream that ends when the browser goes."""
        address = str(plain_address(request.client.host)) if request.client else ""
        if request.method == "HEAD":  # otherwise it would wait for the end of the stream
            return self.api.refused("method")
        if not self._live.take(address):
            return self.api.refused("busy")
        stream = events(self._relay, lambda: self._who(request))
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
    """Return an application's lifespan that runs something beside it until the end."""

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


def code_of(error: Exception) -> str:
    """Return an error's code for the requesting browser."""
    if isinstance(error, RefusedError):
        return str(error)
    if isinstance(error, HTTPException):
        return {404: "missing", 405: "method"}.get(error.status_code, "bad")
    return CODES.get(type(error), "fault")


def application(
    relay: Relay,
    *,
    folder: Path = PAGES,
    rate: Rate = FROM_ONE,
    reached: Callable[[int], tuple[str, ...]] = urls,
) -> Guard:
    """Return the application; the relay runs as long as it does.

    `reached` returns this machine's addresses on a port, the most reliable first.
    """
    routes = Routes(relay, folder, reached)

    async def refuse(request: Request, error: Exception) -> Response:
        del request
        return routes.api.refused(code_of(error))

    app = Starlette(
        routes=routes.all(),
        middleware=[Middleware(GZipMiddleware)],
        exception_handlers=dict.fromkeys((HTTPException, RefusedError, *CODES, Exception), refuse),
        lifespan=beside(relay.run),
    )
    # a path with an extra slash is not found, instead of redirected
    app.router.redirect_slashes = False
    return Guard(app, lambda: texts_of(relay), rate)
