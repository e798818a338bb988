"""The web application: pages, texts, the stream of frames, and the pages' requests."""

import asyncio
import hashlib
import re
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from pi_app.phones.web.api import Api, json_response
from pi_app.phones.web.guard import Guard, Limits, plain_address
from pi_app.phones.web.live import events
from pi_app.phones.web.rates import Quota
from pi_app.phones.web.relay import Relay
from pi_app.phones.web.words import words
from pi_app.system.host import urls
from pi_app.texts.language import Texts, language_for

COMMENT = re.compile(rb"^[ \t]*(?://[^\n]*|/\*(?:(?!\*/).)*\*/[ \t]*)\n", re.MULTILINE | re.DOTALL)
"""A comment in a script or a style with nothing else on its lines."""
TYPE = re.compile(rb"/\*\* @type \{[^*\n]*\} \*/ ?")
"""A type comment within a line."""
INDENT = re.compile(rb"^\s+", re.MULTILINE)
PAGES = Path(__file__).parent / "pages"
HEAD = b"    <!-- head.html -->\n"
SCRIPTLESS = b"<!-- needs-javascript -->"
"""The place of the one sentence that a page without scripts says."""
NAMED = {
    "/": "table",
    "/keys": "keys",
    "/hand": "hand",
    "/history": "history",
    "/pair": "pair",
    "/network": "network",
}
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}
"""The kinds of files that are served."""

STREAMS_OF_ONE = 12
"""The most streams, and so open pages, of one address."""
STREAMS = 32
"""The most streams of all addresses."""


_QR_MARGIN = 4
"""Light modules around a QR code, as its standard requires."""


def served(path: Path) -> bytes:
    """Return a file as browsers get it: scripts and styles without comments and indentation.

    A page has the HEAD of all pages in the place of its name. OSError if it cannot be read.
    """
    data = path.read_bytes()
    if HEAD in data:
        data = data.replace(HEAD, (PAGES / "head.html").read_bytes())
    if path.suffix not in (".js", ".css"):
        return data
    return INDENT.sub(b"", TYPE.sub(b"", COMMENT.sub(b"", data)))


def _spoken(data: bytes, tx: Texts) -> bytes:
    """Return a page with what it says in a browser without scripts."""
    needs = escape(tx("page", "Beisitzer needs JavaScript on this page."))
    return data.replace(SCRIPTLESS, needs.encode())


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


@dataclass(frozen=True, slots=True)
class _CachedFile:
    """A page's file as it was read; `stamp` is its time and size, which tell when it changed."""

    stamp: tuple[int, int]
    tag: str
    data: bytes


class PageFiles:
    """The files of the pages, read at their first request and again after a change.

    A file is in the first of the folders that has one of its name.
    """

    def __init__(self, *folders: Path) -> None:
        self._folders = folders
        self._cache: dict[tuple[str, str], _CachedFile] = {}

    def reply(self, request: Request, name: str, tx: Texts) -> Response | None:
        """Return a response with a file, or 304 if the browser has it; None if there is no file."""
        path = self._folders[0] / name
        with suppress(OSError):  # a name that is too long
            path = next((each / name for each in self._folders if (each / name).is_file()), path)
        # another name of the path than `name` leads out of the folder
        if path.suffix not in TYPES or path.name != name or name.startswith("."):
            return None
        try:
            status = path.stat()
            stamp = (status.st_mtime_ns, status.st_size)
            key = name, tx.language if path.suffix == ".html" else ""
            file = self._cache.get(key)
            if file is None or file.stamp != stamp:
                data = _spoken(served(path), tx) if key[1] else served(path)
                tag = f'"{hashlib.sha256(data).hexdigest()[:20]}"'
                file = self._cache[key] = _CachedFile(stamp, tag, data)
        except (OSError, ValueError):  # ValueError: a NUL in its name
            return None
        headers = {"ETag": file.tag, "Cache-Control": "no-cache"}
        if request.headers.get("if-none-match") == file.tag:
            return Response(None, 304, headers)
        return Response(file.data, 200, headers, TYPES[path.suffix])


class Routes:
    """The function that answers each path; `urls_of` returns this machine's addresses on a port."""

    def __init__(
        self, relay: Relay, folder: Path, urls_of: Callable[[int], tuple[str, ...]]
    ) -> None:
        self._relay = relay
        self._urls_of = urls_of
        self._pages = PageFiles(folder)
        self._live = Quota(STREAMS_OF_ONE, STREAMS)
        self.api = Api(relay, lambda: texts_of(relay))

    def all(self) -> list[Route]:
        return [
            *(Route(path, self._page) for path in NAMED),
            Route("/static/{name}", self._file),
            Route("/manifest.webmanifest", self._file),
            Route("/favicon.ico", self._file),
            Route("/texts.json", self._texts),
            Route("/invitation.svg", self._invitation),
            Route("/live", self._follow),
            Route("/api/{verb}", self.api.post, methods=["POST"]),
            Route("/api/{kind}", self.api.get),
            Route("/api/game/{game}", self.api.get),
            Route("/api/game/{game}/record.txt", self.api.record),
        ]

    def _file_or_404(self, request: Request, name: str) -> Response:
        reply = self._pages.reply(request, name, texts_of(self._relay))
        return reply or self.api.refused("missing")

    async def _page(self, request: Request) -> Response:
        return self._file_or_404(request, NAMED[request.url.path] + ".html")

    async def _file(self, request: Request) -> Response:
        fixed = {"/manifest.webmanifest": "manifest.webmanifest", "/favicon.ico": "icon.png"}
        path = request.url.path
        return self._file_or_404(request, fixed.get(path) or request.path_params["name"])

    async def _texts(self, request: Request) -> Response:
        page = request.query_params.get("page")
        return json_response(words(texts_of(self._relay), page))

    async def _invitation(self, request: Request) -> Response:
        """Answer with a picture of the address that phones open."""
        addresses = self._urls_of(int(request.scope["server"][1]))
        picture = invitation(addresses[0] if addresses else "")
        return Response(picture, 200, {"Cache-Control": "no-store"}, TYPES[".svg"])

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
        exception_handlers={HTTPException: not_there, Exception: fault},
        lifespan=beside(relay.run),
    )
    # a path with a slash too many is not found instead of being redirected
    app.router.redirect_slashes = False
    return Guard(app, lambda: texts_of(relay), limits or Limits())
