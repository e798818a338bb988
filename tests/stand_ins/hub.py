"""A club's hub as the contract has it (docs/link.md), which can be killed and meddled with.

It keeps what a hub keeps on its disk apart from its process, counts as a hub counts, and judges no
record.
"""

from __future__ import annotations

import json
import queue
import socket
import ssl
import threading
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self

from tests.stand_ins.certificates import make_ca, make_certificate
from tests.stand_ins.waiting import PATIENCE_S

Json = dict[str, Any]
CONTENT = ("evening", "round", "game", "reason", "withdrawn")
SEAT = ("seat", "p", "rank", "points", "won")
CUT, CUT_LATER, HANG = "cut", "cut later", "hang"
"""What may become of a request in place of an answer: the connection is cut before it is done, or
after it was done; or nothing comes."""
Reply = tuple[int, Json] | tuple[int, Json, dict[str, str]]
Meddle = Callable[[str, Json], Reply | str | None]
"""What becomes of a request to a path: an answer, one of the words above, None: what is right."""


@dataclass
class HubDisk:
    """What a hub has on its disk; a copy of it is a backup."""

    hub: str = "hub-1"
    era: str = "era-1"
    token: str = "token-of-this-table-0001"  # noqa: S105  # of tests
    held: dict[str, dict[int, str]] = field(default_factory=dict)
    """The content of each revision of each game."""
    verdicts: dict[tuple[str, int], Json] = field(default_factory=dict)
    code: str = ""
    nonce: str = ""
    unconfirmed: bool = False
    seat: Json = field(default_factory=lambda: {"rev": 1, "evening": "e7k2", "round": None})

    @property
    def count(self) -> int:
        return sum(map(len, self.held.values()))

    def judge(self, result: Json) -> Json:
        """Hold a result, and return the verdict."""
        game, revision = result["game_id"], result["revision"]
        content = {name: result.get(name) for name in CONTENT}
        seats = [{name: seat[name] for name in SEAT} for seat in result.get("seats", ())]
        text = json.dumps([content, seats])
        held = self.held.setdefault(game, {})
        verdict: Json = {"game_id": game, "revision": revision, "verdict": "counted", "why": None}
        if held.get(revision) == text:
            verdict = {**self.verdicts[game, revision]}
            if verdict["verdict"] == "counted":
                verdict["verdict"] = "known"
            return verdict
        if revision in held:
            return {**verdict, "verdict": "disputed", "highest": max(held)}
        if held and revision < max(held):
            verdict |= {"verdict": "known", "why": "older", "highest": max(held)}
        held[revision] = text
        self.verdicts[game, revision] = verdict
        return verdict

    def counted(self) -> dict[str, int]:
        """Return the revision of each game that counts."""
        good = [key for key, each in self.verdicts.items() if each["verdict"] == "counted"]
        return {game: max(n for other, n in good if other == game) for game, _ in good}


class FakeHub:
    """Serves on one port, which it keeps over kills; `meddle` may spoil any request."""

    def __init__(self, folder: Path, disk: HubDisk | None = None, bind: str = "127.0.0.1") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        make_ca(folder)
        make_certificate(folder, "hub", host="DNS:another.name")
        self.folder = folder
        self.disk = disk or HubDisk()
        self.meddle: Meddle = lambda _path, _facts: None
        self.heard: list[tuple[str, Json, dict[str, str]]] = []
        """Every request: its path, its body and its headers."""
        self.accepted: list[list[str]] = []
        """The paths that came over each connection."""
        self.port = 0
        self._bind = bind
        self._lock = threading.RLock()
        self._server: ThreadingHTTPServer | None = None
        self._sockets: set[socket.socket] = set()
        self._streams: list[queue.SimpleQueue[tuple[str, Json] | None]] = []
        self._hung = threading.Event()

    @property
    def ca_pem(self) -> str:
        return (self.folder / "ca.pem").read_text("ascii")

    @property
    def access(self) -> Json:
        """What a table's link keeps of this hub."""
        facts = {"hub": self.disk.hub, "table": "table-07-x3k9", "token": self.disk.token}
        return {**facts, "ca_pem": self.ca_pem, "club": "Spielkreis"}

    def paths(self) -> list[str]:
        with self._lock:
            return [path for path, _, _ in self.heard]

    # --- living and dying

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.kill()

    def start(self) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.folder / "hub.pem", self.folder / "hub.key")
        hub = self

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            allow_reuse_address = True
            request_queue_size = 128

            def finish_request(self, request: Any, client_address: Any) -> None:
                request.settimeout(PATIENCE_S)
                with suppress(OSError), context.wrap_socket(request, server_side=True) as secured:
                    with hub._lock:
                        hub._sockets.add(secured)
                        hub.accepted.append([])
                    _Handler(hub, hub.accepted[-1], secured, client_address, self)
                    hub._sockets.discard(secured)

            def handle_error(self, request: Any, client_address: Any) -> None:
                """Say nothing: connections are cut on purpose."""

        self._hung.clear()
        self._server = Server((self._bind, self.port), _Handler, bind_and_activate=True)
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def kill(self) -> None:
        """End at once: every connection breaks, whatever it was about."""
        server, self._server = self._server, None
        if server is not None:
            server.shutdown()
            server.server_close()
        self._hung.set()
        for stream in self._streams:
            stream.put(None)
        self._streams.clear()
        for each in list(self._sockets):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    stop = kill

    def backup(self) -> HubDisk:
        with self._lock:
            return deepcopy(self.disk)

    def restore(self, disk: HubDisk, era: str = "") -> None:
        """Begin again with an older disk; without an `era` it was only copied back."""
        self.kill()
        self.disk = deepcopy(disk)
        self.disk.era = era or self.disk.era
        self.start()

    def streams(self) -> int:
        """Return how many streams are open: an event reaches these alone."""
        with self._lock:
            return len(self._streams)

    def tell(self, name: str, facts: Json) -> None:
        """Send an event to every open stream."""
        with self._lock:
            if name == "seat":
                self.disk.seat = facts
            for stream in self._streams:
                stream.put((name, facts))

    def decide(self, game: str, revision: int, verdict: str, why: str | None = None) -> None:
        """Change a verdict as an organiser does, and tell."""
        changed = {"game_id": game, "revision": revision, "verdict": verdict, "why": why}
        with self._lock:
            self.disk.verdicts[game, revision] = changed
            self.tell("verdict", changed)

    # --- answering

    def answer(self, path: str, facts: Json, token: str) -> Reply:
        """Return what a hub answers; everything is on its disk when this returns."""
        disk = self.disk
        with self._lock:
            if path == "/join":
                return self._join(facts)
            if token != disk.token:
                return 401, {"error": "token"}
            if disk.unconfirmed:
                return 403, {"error": "unconfirmed"}
            if path == "/state":
                return 204, {}
            had = disk.count
            if path == "/hello":
                return 200, {"v": 2, "hub": disk.hub, "era": disk.era, "had": had, "has": had}
            verdicts = [disk.judge(result) for result in facts["results"]]
            counts = {"had": had, "has": disk.count}
            return 200, {"v": 2, "era": disk.era, **counts, "verdicts": verdicts}

    def _join(self, facts: Json) -> Reply:
        if not self.disk.code:
            return 403, {"error": "closed"}
        if facts["code"] != self.disk.code:
            return 403, {"error": "code"}
        self.disk.nonce = facts["nonce"]
        return 200, {"v": 2, **self.access}

    def open_stream(self) -> queue.SimpleQueue[tuple[str, Json] | None]:
        """Return a stream that begins with what is current."""
        stream: queue.SimpleQueue[tuple[str, Json] | None] = queue.SimpleQueue()
        with self._lock:
            stream.put(("hub", {"era": self.disk.era}))
            stream.put(("seat", self.disk.seat))
            for verdict in self.disk.verdicts.values():
                if verdict["verdict"] != "counted":
                    stream.put(("verdict", verdict))
            self._streams.append(stream)
        return stream


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, hub: FakeHub, paths: list[str], *args: Any) -> None:
        self.hub = hub
        self.paths = paths
        super().__init__(*args)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("do_"):  # every method
            return self._serve
        raise AttributeError(name)

    def _serve(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        facts = json.loads(self.rfile.read(length) or b"{}")
        path = self.path.removeprefix("/api/2")
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        with self.hub._lock:
            self.hub.heard.append((path, facts, dict(self.headers)))
            self.paths.append(path)
        meddled = self.hub.meddle(path, facts)
        if meddled == CUT:
            self.close_connection = True
            return
        if meddled == HANG:
            self.hub._hung.wait(PATIENCE_S)
            self.close_connection = True
            return
        if path.startswith("/news") and meddled is None:
            self._stream(once=path.endswith("?once"))
            return
        reply = meddled if isinstance(meddled, tuple) else self.hub.answer(path, facts, token)
        if meddled == CUT_LATER:
            self.close_connection = True
            return
        status, said, *more = reply
        data = b"" if status == 204 else json.dumps(said).encode()
        self.send_response(status)
        for name, value in (more[0] if more else {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, *, once: bool) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        stream = self.hub.open_stream()
        with suppress(OSError):
            while (event := stream.get()) is not None:
                name, facts = event
                text = f": comment\nevent: {name}\ndata: {json.dumps(facts)}\n\n"
                self.wfile.write(text.encode())
                if once and stream.empty():
                    break
        self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the library's name
        """Say nothing."""
