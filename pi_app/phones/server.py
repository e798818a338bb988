"""The Unix socket: one thread that waits in `select` and knows nothing of games.

Whatever a client does, nobody waits for it: each has a bounded buffer, of frames only the newest
is kept for it, and whoever does not read its answers is let go. `asyncio` would be no shorter
with these bounds, and adds 1.9 MiB (4.8 MiB resident) to a companion that has no other use for it.
"""

from __future__ import annotations

import logging
import os
import selectors
import socket
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Event, Thread
from time import monotonic, sleep

from pi_app.phones.protocol import (
    MOST_LINE,
    MOST_REQUEST,
    Answered,
    BadRequestError,
    Lines,
    Reply,
    Request,
    line_of,
    read_request,
    refused,
)
from pi_app.texts.language import Texts

log = logging.getLogger(__name__)

MOST_CLIENTS = 16
"""Connections at a time; the one that has been silent longest gives way to one more, those by
which a paired browser has keyed last of all.
"""
SPOONFUL = 1024
"""Bytes that are read of one client before the others have their turn; a request has fewer."""
MOST_JUNK = 20
"""After so many lines that are no requests a client is hung up on."""
SHARE = 0.5
"""Of the time the thread works at most this share once it has worked for `SPREE_S` on end: the
loop gets the rest.
"""
SPREE_S = 0.02
MOST_WAITING = 2 * MOST_LINE
"""Bytes of answers that may wait for a client to read them."""
_PAIRED = frozenset({"key", "play", "undo", "claim", "hand"})
"""Requests that only a paired browser gets an `ok` for."""

Receive = Callable[[Request, Reply], None]
"""Answers a request, at once or later, by calling what it is given; must not wait."""


@dataclass(eq=False, slots=True)
class _Client:
    socket: socket.socket
    heard: float
    taken: bytes = b""
    """The beginning of a line."""
    out: bytearray = field(default_factory=bytearray)
    """What it has not read yet."""
    frame: int = 0
    """The number of the frame that was sent last."""
    junk: int = 0
    proven: bool = False
    """Whether a browser that is paired was served by it."""
    gone: bool = False

    @property
    def worth(self) -> tuple[bool, float]:
        """What it is kept for, compared with the others."""
        return self.proven, self.heard

    def lines(self) -> list[bytes]:
        """Return the lines that have come, without their line feeds."""
        try:
            data = self.socket.recv(SPOONFUL)
        except BlockingIOError:
            return []
        except OSError:
            data = b""
        self.gone = self.gone or not data
        *lines, self.taken = (self.taken + data).split(b"\n")
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

    `hello` makes the first line of a connection, in the server's thread; `texts` are the table's
    now, for what is refused here.
    """

    def __init__(self, path: Path, mode: int, hello: Lines, texts: Callable[[], Texts]) -> None:
        self.path = path
        self._mode = mode
        self._ask: Receive = _deaf
        self._hello = hello
        self._texts = texts
        self._clients: list[_Client] = []
        """Never changed in place: other threads look whether it is empty."""
        self._selector = selectors.DefaultSelector()
        self._posted: deque[Callable[[], None]] = deque()
        self._newest: tuple[int, Lines] = (0, dict)
        self._line: tuple[int, bytes] = (0, b"")
        self._woken, self._waker = socket.socketpair()
        self._waker.settimeout(0)
        self._stopped = False
        self.listening = Event()
        """Set as soon as clients can connect, or when it is certain that none can."""
        self._thread = Thread(target=self._run, name="remote", daemon=True)

    def start(self, ask: Receive) -> None:
        """Listen from now on; `ask` is called for every request, in the server's thread."""
        self._ask = ask
        self._thread.start()

    def stop(self) -> None:
        """Close every connection and take the socket's file away."""
        self._stopped = True
        self._wake()
        self._thread.join(timeout=5)

    def show(self, n: int, frame: Lines) -> None:
        """Let everybody see frame `n`; `frame` makes its line, once and only if somebody looks."""
        self._newest = (n, frame)
        if self._clients:
            self._wake()

    def tell(self, lines: Lines) -> None:
        """Send everybody who keeps up a line that may be lost."""
        if self._clients:
            self.post(lambda: self._tell(lines))

    def announce(self, lines: Lines) -> None:
        """Send everybody a line that must arrive."""
        if self._clients:
            self.post(lambda: self._announce(lines))

    def post(self, act: Callable[[], None]) -> None:
        """Do something in the server's thread; callable from any."""
        self._posted.append(act)
        self._wake()

    def _wake(self) -> None:
        with suppress(OSError):  # full: it is awake; closed: it is over
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
            self.listening.set()
            self._selector.close()
            for connection in (self._woken, self._waker, *(c.socket for c in self._clients)):
                connection.close()
            self._clients = []

    def _listen(self) -> socket.socket:
        """Open the socket; OSError where that cannot be, or another companion has it."""
        self.path.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
        if self.path.is_socket():
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
                probe.settimeout(1)
                with suppress(ConnectionRefusedError, FileNotFoundError):
                    probe.connect(str(self.path))
                    raise OSError("another companion listens there")
            self.path.unlink(missing_ok=True)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        # Whoever finds the file is let in: it gets its name when all is ready.
        unready = self.path.with_name(f"new-{os.getpid()}")
        try:
            unready.unlink(missing_ok=True)
            listener.bind(str(unready))
            unready.chmod(self._mode)
            listener.listen(MOST_CLIENTS)
            unready.rename(self.path)
        except BaseException:
            listener.close()
            unready.unlink(missing_ok=True)
            raise
        listener.settimeout(0)
        return listener

    def _serve(self, listener: socket.socket) -> None:
        """Attend to everybody until `stop` is called; then nobody finds the socket any more."""
        reading = selectors.EVENT_READ
        self._selector.register(listener, reading, partial(self._accept, listener))
        self._selector.register(self._woken, reading, lambda: self._woken.recv(4096))
        debt, last = 0.0, monotonic()
        while not self._stopped:
            ready = self._selector.select()
            began = monotonic()
            for key, _ in ready:
                key.data()
            self._work()
            now = monotonic()
            debt = max(0.0, debt + (now - began) - SHARE * (now - last))
            last = now
            if debt > SPREE_S:
                sleep(SPREE_S)
        self.path.unlink(missing_ok=True)
        self._work()  # what was said last is still sent

    def _work(self) -> None:
        """Do what was posted, send what can be sent, let go of who is gone."""
        for _ in range(len(self._posted)):
            self._guarded(self._posted.popleft())
        for client in self._clients:
            self._guarded(partial(self._send_frame, client))
            client.send()
            if client.gone:
                self._selector.unregister(client.socket)
                client.socket.close()
            else:
                self._watch(client)
        if any(client.gone for client in self._clients):
            self._clients = [client for client in self._clients if not client.gone]

    def _guarded(self, act: Callable[[], None]) -> None:
        """Do something; a fault in it must not end the others' connections."""
        try:
            act()
        except Exception:
            log.exception("a line for phones could not be made")

    def _watch(self, client: _Client) -> None:
        """Wait for what this client is to do next."""
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if client.out else 0)
        now = self._selector.get_key(client.socket)
        if events != now.events:
            self._selector.modify(client.socket, events, now.data)

    def _accept(self, listener: socket.socket) -> None:
        """Take one more client."""
        try:
            connection, _ = listener.accept()
        except OSError as error:
            log.warning("a connection failed: %s", error)
            sleep(SPREE_S)
            return
        connection.settimeout(0)
        client = _Client(connection, monotonic())
        there = [other for other in self._clients if not other.gone]
        if len(there) >= MOST_CLIENTS:
            min(there, key=lambda other: other.worth).gone = True
        self._selector.register(connection, selectors.EVENT_READ, partial(self._attend, client))
        self._clients = [*self._clients, client]
        client.out += line_of(self._hello())

    def _attend(self, client: _Client) -> None:
        """Answer the lines that a client has sent."""
        lines = client.lines()
        if len(client.taken) >= MOST_REQUEST:
            lines.append(client.taken)
        for line in lines:
            if not client.gone:
                client.heard = monotonic()
                self._answer(client, line)

    def _answer(self, client: _Client, line: bytes) -> None:
        try:
            request = read_request(line)
        except BadRequestError as error:
            self._put(client, self._no(error.id, "bad", why=str(error)))
            client.junk += not error.id
            if len(line) >= MOST_REQUEST or client.junk > MOST_JUNK:
                client.send()
                client.gone = True
            return

        def done(answer: Answered) -> None:
            client.proven = client.proven or (request.kind in _PAIRED and "ok" in answer)
            self.post(lambda: self._put(client, {"kind": "answer", "id": request.id, **answer}))

        try:
            self._ask(request, done)
        except Exception:
            log.exception("a phone's request failed")
            self._put(client, self._no(request.id, "fault"))

    def _no(self, identity: str, code: str, **more: object) -> Answered:
        return {"kind": "answer", "id": identity, **refused(self._texts(), code, **more)}

    def _tell(self, lines: Lines) -> None:
        line = line_of(lines())
        for client in self._clients:
            if not client.out:
                client.out += line

    def _announce(self, lines: Lines) -> None:
        value = lines()
        for client in self._clients:
            self._put(client, value)

    def _put(self, client: _Client, value: Answered) -> None:
        """Send a client a line, after the frame that shows what it tells of."""
        if client.gone:
            return
        try:
            line = line_of(value)
        except ValueError:
            line = line_of(self._no(str(value.get("id", "")), "long"))
        self._send_frame(client)
        client.out += line
        if len(client.out) > MOST_WAITING:
            log.info("a phone's connection is closed: it does not read")
            client.gone = True

    def _send_frame(self, client: _Client) -> None:
        """Send the newest frame to a client that has read what was sent before."""
        n, frame = self._newest
        if not n or client.frame == n:
            return
        client.send()
        if client.gone or client.out:
            return
        if self._line[0] != n:
            self._line = (n, line_of(frame()))
        client.frame = n
        client.out += self._line[1]


def _deaf(request: Request, done: Reply) -> None:
    """Answer nothing."""
