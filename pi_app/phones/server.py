"""The Unix socket for phones and the link: one thread that waits in `select`, and knows no games.

Nobody waits for a client: it gets only the newest frame, and a client that does not read its
answers is disconnected. `asyncio` would be no shorter with these limits, and adds 1.9 MiB (4.8 MiB
resident) to a companion that does not use it otherwise.
"""

from __future__ import annotations

import logging
import os
import selectors
import socket
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Event, Thread
from time import monotonic, sleep
from typing import Any, Protocol

from pi_app.phones.protocol import (
    LINE_LIMIT_BYTES,
    LINK,
    REQUEST_LIMIT_BYTES,
    Answered,
    BadRequestError,
    Lines,
    Reply,
    Request,
    read_link_request,
    read_request,
    refused,
    user_of,
)
from pi_app.texts.language import Texts
from pi_app.wire.messages import line_of

log = logging.getLogger(__name__)

CLIENT_LIMIT = 16
"""The most connections. A further one replaces the one that has been silent longest."""
READ_LIMIT_BYTES = 1024
"""The most bytes that are read from one client before the next one; most requests are shorter."""
SHARE = 0.5
"""The largest share of the time in which the thread may work, so that the loop gets the rest."""
SPREE_S = 0.02
"""How much longer than its share the thread may work before it pauses; also the pause."""
WAITING_LIMIT_BYTES = 2 * LINE_LIMIT_BYTES
"""The most bytes of answers that may wait for a client to read them."""

Receive = Callable[[Request, Reply], None]
"""Answers a request by calling the reply, at once or later; must not wait."""


class LinkPlace(Protocol):
    """The place of the link, which no phone can take; called in the server's thread."""

    most_line: int
    """The most bytes of a line from it or to it."""

    def refusal(self, user: int) -> str:
        """Return why a process of this user may not have the place now, "" if it may."""

    def ask(self, kind: str, facts: Mapping[str, Any], done: Reply) -> None:
        """Answer a request by calling `done`, at once or later."""

    def left(self) -> None:
        """Note that the connection has ended."""


@dataclass(eq=False, slots=True)
class _Client:
    socket: socket.socket
    heard_at: float
    unfinished: bytes = b""
    """The beginning of a line."""
    out: bytearray = field(default_factory=bytearray)
    """Bytes that it has not read yet."""
    frame: int = 0
    """The number of the frame that was sent last."""
    linked: bool = False
    """Whether it has the link's place."""
    gone: bool = False

    @property
    def most_waiting(self) -> int:
        """The most bytes that may wait for it to read them."""
        return 2 * WAITING_LIMIT_BYTES if self.linked else WAITING_LIMIT_BYTES

    def lines(self) -> list[bytes]:
        """Return the complete lines that have arrived, without their line feeds."""
        try:
            data = self.socket.recv(READ_LIMIT_BYTES)
        except BlockingIOError:
            return []
        except OSError:
            data = b""  # as if the client had closed the connection
        self.gone = self.gone or not data
        # what follows the last line feed is the beginning of the next line
        *lines, self.unfinished = (self.unfinished + data).split(b"\n")
        return lines

    def send(self) -> None:
        """Send as much as the client takes."""
        try:
            while self.out and not self.gone:
                del self.out[: self.socket.send(self.out)]
        except BlockingIOError:
            pass
        except OSError:
            self.gone = True


class Server:
    """Listens on `path` from `start` to `stop`.

    `hello` makes the first line of a connection, in the server's thread; `texts` returns the
    table's texts, for refusals.
    """

    def __init__(self, path: Path, mode: int, hello: Lines, texts: Callable[[], Texts]) -> None:
        self.path = path
        self._mode = mode
        self._ask: Receive
        self._hello = hello
        self._texts = texts
        self._clients: list[_Client] = []
        """Replaced, never changed in place: other threads check whether it is empty."""
        self._selector = selectors.DefaultSelector()
        self._posted: deque[Callable[[], None]] = deque()
        self.place: LinkPlace | None = None
        self.open_to_phones = True
        """Whether phones may ask; set before `start`, later by `let_phones`."""
        self._news: dict[str, Answered] = {}
        """The newest line of each kind that the link has not been sent."""
        self._newest: tuple[int, Lines] = (0, dict)
        """The newest frame: its number, and the function that makes its line."""
        self._line: tuple[int, bytes] = (0, b"")
        """The frame's line that was made last, with its number."""
        self._woken, self._waker = socket.socketpair()
        self._waker.settimeout(0)
        self._stopped = False
        self.listening = Event()
        """Set when clients can connect, or when listening has failed."""
        self._thread = Thread(target=self._run, name="remote", daemon=True)

    def start(self, ask: Receive) -> None:
        """Listen from now on; `ask` is called for every request, in the server's thread."""
        self._ask = ask
        self._thread.start()

    def stop(self) -> None:
        """Close every connection and remove the socket's file."""
        self._stopped = True
        self._wake()
        self._thread.join(timeout=5)

    def show(self, n: int, frame: Lines) -> None:
        """Send frame `n` to all clients; `frame` makes its line, once and only if needed."""
        self._newest = (n, frame)
        if self._clients:
            self._wake()

    def announce(self, line: Answered) -> None:
        """Send a line to all phones."""
        if self._clients:
            self.post(partial(self._announce, line))

    def let_phones(self, *, ask: bool) -> None:
        """Let phones ask from now on, or tell them that they may not, and disconnect them."""

        def change() -> None:
            dismissed = self._clients if self.open_to_phones and not ask else []
            self.open_to_phones = ask
            for client in dismissed:
                if not client.linked:
                    self._dismiss(client, {"kind": "off"})

        self.post(change)

    def inform(self, line: Answered) -> None:
        """Send a line to the link when it has read everything; a newer one of its kind replaces it.

        A line of kind `event` is not kept: late it would only confuse.
        """
        if self._clients:
            self.post(partial(self._inform, line))

    def dismiss(self, line: Answered) -> None:
        """Send the link a last line, and close its connection."""

        def send() -> None:
            for client in self._linked():
                self._dismiss(client, line)

        self.post(send)

    def post(self, act: Callable[[], None]) -> None:
        """Let the server's thread call `act`; any thread may call this."""
        self._posted.append(act)
        self._wake()

    def _wake(self) -> None:
        with suppress(OSError):  # if the pair is full it is awake already; it may be closed
            self._waker.send(b"\0")

    # --- the thread

    def _run(self) -> None:
        try:
            with self._listen() as listener:
                self.listening.set()
                self._serve(listener)
        except OSError as error:
            log.warning("no phone can connect, %s: %s", self.path, error)
        except Exception:
            log.exception("the socket for phones failed")
        finally:
            self.listening.set()  # lets `start` return even after an error
            self._selector.close()
            for connection in (self._woken, self._waker, *(c.socket for c in self._clients)):
                connection.close()
            self._clients = []

    def _listen(self) -> socket.socket:
        """Open the socket; OSError if that fails or another companion listens on it."""
        self.path.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
        if self.path.is_socket():
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
                probe.settimeout(1)
                with suppress(ConnectionRefusedError, FileNotFoundError):
                    probe.connect(str(self.path))
                    raise OSError("another companion listens there")
            self.path.unlink(missing_ok=True)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        # clients connect as soon as they find the file, so it gets its name last
        temporary = self.path.with_name(f"new-{os.getpid()}")
        try:
            temporary.unlink(missing_ok=True)
            listener.bind(str(temporary))
            temporary.chmod(self._mode)
            listener.listen(CLIENT_LIMIT)
            temporary.rename(self.path)
        except BaseException:
            listener.close()
            temporary.unlink(missing_ok=True)
            raise
        listener.settimeout(0)
        return listener

    def _serve(self, listener: socket.socket) -> None:
        """Serve all clients until `stop` is called, then remove the socket's file."""
        reading = selectors.EVENT_READ
        self._selector.register(listener, reading, partial(self._accept, listener))
        # the bytes only wake the thread
        self._selector.register(self._woken, reading, lambda: self._woken.recv(4096))
        excess, last = 0.0, monotonic()  # how much longer than its share the thread has worked
        while not self._stopped:
            ready = self._selector.select()
            began = monotonic()
            for key, _ in ready:
                key.data()  # the function that was registered with the socket
            self._work()
            now = monotonic()
            excess = max(0.0, excess + (now - began) - SHARE * (now - last))
            last = now
            if excess > SPREE_S:
                sleep(SPREE_S)
        self.path.unlink(missing_ok=True)
        self._work()  # sends the last posted lines

    def _work(self) -> None:
        """Call posted functions, send what clients take, and close the clients that are gone."""
        # functions posted meanwhile wait for the next pass, so that clients get their turn
        for _ in range(len(self._posted)):
            self._guarded(self._posted.popleft())
        for client in self._clients:
            self._guarded(partial(self._send_frame, client))
            client.send()
            if client.linked:
                self._send_news(client)
            if client.gone:
                self._selector.unregister(client.socket)
                client.socket.close()
                if client.linked and self.place is not None:
                    self._news.clear()
                    self._guarded(self.place.left)
            else:
                self._watch(client)
        if any(client.gone for client in self._clients):
            self._clients = [client for client in self._clients if not client.gone]

    def _guarded(self, act: Callable[[], None]) -> None:
        """Call `act`; a fault in it must not end the other connections."""
        try:
            act()
        except Exception:
            log.exception("a line for phones could not be made")

    def _watch(self, client: _Client) -> None:
        """Watch for data from this client and, if lines wait for it, for room to send."""
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if client.out else 0)
        key = self._selector.get_key(client.socket)
        if events != key.events:
            self._selector.modify(client.socket, events, key.data)

    def _accept(self, listener: socket.socket) -> None:
        """Accept a client; if there are too many, the one that was silent longest goes."""
        try:
            connection, _ = listener.accept()
        except OSError as error:
            log.warning("a connection failed: %s", error)
            sleep(SPREE_S)  # the client still waits, so `select` would return at once
            return
        connection.settimeout(0)
        client = _Client(connection, monotonic())
        others = [other for other in self._clients if not (other.gone or other.linked)]
        if len(others) >= CLIENT_LIMIT:
            min(others, key=lambda other: other.heard_at).gone = True
        self._selector.register(connection, selectors.EVENT_READ, partial(self._receive, client))
        self._clients = [*self._clients, client]
        client.out += line_of(self._hello(), LINE_LIMIT_BYTES)

    def _receive(self, client: _Client) -> None:
        """Answer the lines that a client has sent."""
        lines = client.lines()
        most = self.place.most_line if client.linked and self.place else REQUEST_LIMIT_BYTES
        if len(client.unfinished) >= most:  # refuses too long a line before its end
            lines.append(client.unfinished)
        for line in lines:
            if not client.gone:
                client.heard_at = monotonic()
                self._answer_line(client, line)

    def _answer_line(self, client: _Client, line: bytes) -> None:
        if client.linked or f'"{LINK}"'.encode() in line:
            asked = read_link_request(line)
            if client.linked or (asked is not None and asked["kind"] == LINK):
                self._answer_link(client, asked)
                return
        try:
            request = read_request(line)
        except BadRequestError as error:
            end = self._dismiss if len(line) >= REQUEST_LIMIT_BYTES else self._put
            end(client, self._no(error.id, "bad", why=str(error)))
            return
        if not self.open_to_phones:
            self._dismiss(client, self._no(request.id, "off"))
            return
        try:
            self._ask(request, self._reply_to(client, request.id))
        except Exception:
            log.exception("a phone's request failed")
            self._put(client, self._no(request.id, "fault"))

    def _answer_link(self, client: _Client, asked: Answered | None) -> None:
        """Give the link its place, or pass on what it asks."""
        place = self.place
        if asked is None:  # the link's user sends no junk
            self._dismiss(client, self._no("", "bad"))
            return
        identity, kind = str(asked["id"]), str(asked["kind"])
        why = "off" if place is None else "" if client.linked else self._refusal(place, client)
        if place is None or why:
            self._put(client, self._no(identity, why))
            return
        client.linked = True
        try:
            place.ask(kind, asked, self._reply_to(client, identity))
        except Exception:
            log.exception("a request of the link failed")
            self._put(client, self._no(identity, "fault"))

    def _refusal(self, place: LinkPlace, client: _Client) -> str:
        """Return why a client may not have the link's place now, "" if it may."""
        return place.refusal(user_of(client.socket)) or ("taken" if self._linked() else "")

    def _linked(self) -> list[_Client]:
        return [client for client in self._clients if client.linked and not client.gone]

    def _inform(self, line: Answered) -> None:
        for client in self._linked():
            if line["kind"] != "event":
                self._news[line["kind"]] = line
                self._send_news(client)
            elif not client.out:
                self._put(client, line)

    def _send_news(self, client: _Client) -> None:
        """Send the link its news, if it has read everything before."""
        if self._news and not client.out:
            lines = [line_of(line, LINE_LIMIT_BYTES) for line in self._news.values()]
            self._news.clear()
            client.out += b"".join(lines)
            client.send()

    def _no(self, identity: str, code: str, **more: object) -> Answered:
        return {"kind": "answer", "id": identity, **refused(self._texts(), code, **more)}

    def _announce(self, line: Answered) -> None:
        for client in self._clients:
            if self.open_to_phones and not client.linked:
                self._put(client, line)

    def _reply_to(self, client: _Client, identity: str) -> Reply:
        """Return the function that answers a request of a client, from any thread."""

        def done(answer: Answered) -> None:
            self.post(lambda: self._put(client, {"kind": "answer", "id": identity, **answer}))

        return done

    def _dismiss(self, client: _Client, line: Answered) -> None:
        """Send a client a last line, and close its connection."""
        self._put(client, line)
        client.send()
        client.gone = True

    def _put(self, client: _Client, value: Answered) -> None:
        """Send a line to a client; the newest frame goes first.

        So a client gets the frame after its key before the answer to that key.
        """
        if client.gone:
            return
        try:
            line = line_of(value, LINE_LIMIT_BYTES)
        except ValueError:
            line = line_of(self._no(str(value.get("id", "")), "long"), LINE_LIMIT_BYTES)
        self._send_frame(client)
        client.out += line
        if len(client.out) > client.most_waiting:
            log.info("a phone's connection is closed: it does not read")
            client.gone = True

    def _send_frame(self, client: _Client) -> None:
        """Send the newest frame to a client that has read everything before it."""
        n, frame = self._newest
        # 0: nothing was shown yet
        if not n or client.frame == n or client.linked or not self.open_to_phones:
            return
        client.send()
        if client.gone or client.out:
            return
        line_n, line = self._line
        if line_n != n:  # an older frame's line; a new one is made once for all clients
            line = line_of(frame(), LINE_LIMIT_BYTES)
            self._line = (n, line)
        client.frame = n
        client.out += line
