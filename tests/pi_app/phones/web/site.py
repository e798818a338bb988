"""A web process in a thread of the test: the real server, on a port of its own."""

import asyncio
import http.client
import json
import socket
import threading
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

from pi_app.phones.web.app import application
from pi_app.phones.web.rates import Rate
from pi_app.phones.web.relay import Relay
from pi_app.phones.web.server import WebServer
from pi_app.phones.web.sockets import opened
from tests.pi_app.pilot import at_home
from tests.stand_ins.companion import CODE, TOKEN, FakeCompanion

T = TypeVar("T")

WAIT_S = 60.0
"""Nothing takes so long, however busy the machine is."""
MANY = Rate(1e9, 1e9)
COOKIE = f"beisitzer={TOKEN}"
PAGES = {
    "page.html": "<!doctype html><title>page</title><script><!-- words --></script>"
    " /static/app.js /static/icon.png",
    "app.js": "",
    "icon.png": "png",
    "secret.txt": "not for browsers",
}


class Reply:
    """A whole answer."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.headers = response.headers
        self.data = response.read()

    @property
    def json(self) -> Any:
        return json.loads(self.data)

    @property
    def error(self) -> str:
        return f"{self.status} {self.json['error']}"


class Site:
    """The server, the companion that it finds, and a loop for both in a thread."""

    def __init__(self, folder: Path, rate: Rate = MANY, pages: Path | None = None) -> None:
        """Make pages for tests in the folder, unless there are `pages`."""
        self.folder = folder
        self.pages = pages or folder / "pages"
        if pages is None:
            self.pages.mkdir(exist_ok=True)
            for name, text in PAGES.items():
                (self.pages / name).write_text(text)
        self.companion = FakeCompanion(folder / "remote.sock")
        self.relay = Relay(self.companion.path)
        self.listening = opened(0)
        self.port: int = self.listening.getsockname()[1]
        app = application(self.relay, folder=self.pages, rate=rate, reached=at_home)
        self.server = WebServer(app, self.relay.close)
        self.streams: list[Stream] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        self._loop.run_until_complete(self._serve())
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()

    async def _serve(self) -> None:
        await self.server.serve([self.listening])
        await self.companion.stop()

    def start(self) -> None:
        self._thread.start()
        self.do(self.companion.start)

    def stop(self) -> None:
        for stream in self.streams:
            stream.close()
        self.server.should_exit = True
        self._thread.join(WAIT_S)
        assert not self._thread.is_alive()

    def do(self, act: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Let the loop do something, and wait for it."""
        asyncio.run_coroutine_threadsafe(act(), self._loop).result(WAIT_S)

    def call(self, act: Callable[[], T]) -> T:
        """Call something in the loop's thread; return what it returned."""

        async def called() -> T:
            return act()

        return asyncio.run_coroutine_threadsafe(called(), self._loop).result(WAIT_S)

    def wait_for(self, seen: Callable[[], object]) -> None:
        """Wait until something holds; it is looked at in the loop's thread."""

        async def waited() -> None:
            while not seen():
                await asyncio.sleep(0.01)

        self.do(lambda: asyncio.wait_for(waited(), WAIT_S))

    # --- what a browser does

    def ask(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        cookie: str | None = COOKIE,
        host: str | None = None,
        **headers: str,
    ) -> Reply:
        """Send a request as one of our own pages would; `headers` with _ for -, "" for none."""
        host = host or f"127.0.0.1:{self.port}"
        sent = {"Host": host}
        if method == "POST":
            sent |= {"Origin": f"http://{host}", "Content-Type": "application/json"}
        if cookie:
            sent["Cookie"] = cookie
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT_S)
        try:
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            sent = {name: value for name, value in sent.items() if value}
            connection.request(method, path, data if method == "POST" else None, sent)
            return Reply(connection.getresponse())
        finally:
            connection.close()

    def key(self, n: int, key: str = "5", epoch: str = "e1", **more: Any) -> Reply:
        return self.ask("POST", "/api/key", {"epoch": epoch, "seen": 0, "n": n, "key": key}, **more)

    def pair(self, code: str = CODE, **more: Any) -> Reply:
        return self.ask("POST", "/api/pair", {"code": code, "name": "Test"}, cookie=None, **more)

    def live(self, cookie: str | None = COOKIE) -> "Stream":
        self.streams.append(Stream(self.port, cookie))
        return self.streams[-1]


class Stream:
    """A browser that follows /live."""

    def __init__(self, port: int, cookie: str | None = None) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), WAIT_S)
        lines = ["GET /live HTTP/1.1", f"Host: 127.0.0.1:{port}"]
        lines += [f"Cookie: {cookie}"] if cookie else []
        self._socket.sendall("\r\n".join([*lines, "", ""]).encode())
        self._response = http.client.HTTPResponse(self._socket)
        self._response.begin()
        self.status = self._response.status
        self.headers = self._response.headers

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        """Yield the events until the server ends the stream."""
        name = ""
        while line := self._response.readline():
            field, _, value = line.decode().rstrip("\n").partition(": ")
            if field == "event":
                name = value
            elif field == "data":
                yield name, json.loads(value)

    def until(self, wanted: str) -> Any:
        """Return the facts of the next event of this name."""
        return next(facts for name, facts in self if name == wanted)

    def title(self, wanted: str) -> None:
        """Wait for the frame with this title."""
        next(None for name, facts in self if name == "frame" and facts["frame"]["title"] == wanted)

    def close(self) -> None:
        self._response.close()
        self._socket.close()
