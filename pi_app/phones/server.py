"""The Unix socket: one thread that waits in `select` and knows nothing of games.

Whatever a client does, nobody waits for it: each has a bounded buffer, of frames only the newest
is kept for it, and whoever does not read its answers is let go.
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
)

log = logging.getLogger(__name__)

MOST_CLIENTS = 16
"""Connections at a time; the one that has been silent longest gives way to one more, those by
which a paired browser has keyed last of all.
"""
LINES_A_TURN = 32
"""Lines that are taken of one client before the others have their turn."""
MOST_JUNK = 20
"""After so many lines that are no requests a client is hung up on."""
SHARE = 0.5
"""Of the time the thread works at most this share once it has worked for `SPREE_S` on end: the
loop gets the rest.
"""
SPREE_S = 0.02
MOST_WAITING = 2 * MOST_LINE
"""Bytes of answers that may wait for a client to read them."""

Receive = Callable[[Request, Reply], None]
"""Answers a request, at once or later, by calling what it is given; must not wait."""


@dataclass(eq=False, slots=True)
class _Client:
    socket: socket.socket
    heard: float
    taken: bytearray = field(default_factory=bytearray)
    out: deque[bytes] = field(default_factory=deque)
    waiting: int = 0
    """Bytes in `out`."""
    frame: int = 0
    """The number of the frame that was sent last."""
    behind: bool = False
    """Whether whole lines wait to be taken."""
    events: int = selectors.EVENT_READ
    junk: int = 0
    proven: bool = False
    """Whether a browser that is paired was served by it."""
    gone: bool = False

    @property
    def worth(self) -> tuple[bool, float]:
        """What it is kept for, compared with the others."""
        return self.proven, self.heard


class Server:
    """Listens on `path` from `start` to `stop`.

    `hello` makes the first line of a connection, in the server's thread.
    """

    def __init__(self, path: Path, mode: int, hello: Lines) -> None:
        self.path = path
        self._mode = mode
        self._ask: Receive = _deaf
        self._hello = hello
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

    @property
    def connected(self) -> bool:
        """Whether anybody is there."""
        return bool(self._clients)

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
        self._selector.register(listener, selectors.EVENT_READ, None)
        self._selector.register(self._woken, selectors.EVENT_READ, None)
        debt, last = 0.0, monotonic()
        while not self._stopped:
            behind = any(client.behind for client in self._clients)
            ready = self._selector.select(0 if behind else None)
            began = monotonic()
            for key, events in ready:
                if key.data is not None:
                    self._attend(key.data, events)
                elif key.fileobj is listener:
                    while self._accept(listener):
                        pass
                else:
                    self._woken.recv(4096)
            self._work()
            now = monotonic()
            debt = max(0.0, debt + (now - began) - SHARE * (now - last))
            last = now
            if debt > SPREE_S:
                sleep(SPREE_S)
        self.path.unlink(missing_ok=True)
        self._work()  # what was said last is still sent

    def _work(self) -> None:
        """Take everybody's lines, do what was posted, send what can be sent."""
        for client in self._clients:
            self._take(client)
        for _ in range(len(self._posted)):
            self._guarded(self._posted.popleft())
        for client in self._clients:
            self._guarded(partial(self._send_frame, client))
            self._send(client)
        gone = [client for client in self._clients if client.gone]
        for client in gone:
            self._selector.unregister(client.socket)
            client.socket.close()
        if gone:
            self._clients = [client for client in self._clients if not client.gone]
        for client in self._clients:
            self._watch(client)

    def _guarded(self, act: Callable[[], None]) -> None:
        """Do something; a fault in it must not end the others' connections."""
        try:
            act()
        except Exception:
            log.exception("a line for phones could not be made")

    def _watch(self, client: _Client) -> None:
        """Wait for what this client is to do next: who has sent too much is not listened to."""
        events = 0 if client.behind else selectors.EVENT_READ
        events |= selectors.EVENT_WRITE if client.out else 0
        # a client that is not to be waited for must stay registered: it may hang up
        events = events or selectors.EVENT_WRITE
        if events != client.events:
            client.events = events
            self._selector.modify(client.socket, events, client)

    def _accept(self, listener: socket.socket) -> bool:
        """Take one more client; tell whether another one may wait."""
        try:
            connection, _ = listener.accept()
        except BlockingIOError:
            return False
        except OSError as error:
            log.warning("a connection failed: %s", error)
            sleep(SPREE_S)
            return False
        connection.settimeout(0)
        client = _Client(connection, monotonic())
        there = [other for other in self._clients if not other.gone]
        if len(there) >= MOST_CLIENTS:
            min(there, key=lambda other: other.worth).gone = True
        self._selector.register(connection, client.events, client)
        self._clients = [*self._clients, client]
        self._queue(client, line_of(self._hello()))
        return True

    def _attend(self, client: _Client, events: int) -> None:
        """Read what has come, as far as there is room for it."""
        if not events & selectors.EVENT_READ or client.behind:
            return
        try:
            data = client.socket.recv(2 * MOST_REQUEST)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            client.gone = True
        client.taken += data

    def _take(self, client: _Client) -> None:
        """Answer a client's next lines, so many that the others have their turn soon."""
        for _ in range(LINES_A_TURN):
            if client.gone:
                return
            line, feed, rest = client.taken.partition(b"\n")
            if len(line) >= MOST_REQUEST:
                self._put(client, refused("", "bad", f"a line has at most {MOST_REQUEST} bytes"))
                self._send(client)
                client.gone = True
                return
            if not feed:
                break
            client.taken = rest
            client.heard = monotonic()
            self._answer(client, bytes(line))
        client.behind = b"\n" in client.taken

    def _answer(self, client: _Client, line: bytes) -> None:
        try:
            request = read_request(line)
        except BadRequestError as error:
            self._put(client, refused(error.id, "bad", str(error)))
            client.junk += 1
            client.gone = client.gone or client.junk > MOST_JUNK
            return

        def done(answer: Answered) -> None:
            client.proven = client.proven or (request.kind in _PAIRED and "ok" in answer)
            self.post(lambda: self._put(client, {"kind": "answer", "id": request.id, **answer}))

        try:
            self._ask(request, done)
        except BadRequestError as error:
            self._put(client, refused(error.id, "bad", str(error)))
        except Exception:
            log.exception("a phone's request failed")
            self._put(client, refused(request.id, "fault", "the companion failed"))

    def _tell(self, lines: Lines) -> None:
        line = line_of(lines())
        for client in self._clients:
            if not client.out:
                self._queue(client, line)

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
        except ValueError as error:
            line = line_of(refused(str(value.get("id", "")), "long", str(error)))
        self._send_frame(client)
        self._queue(client, line)
        if client.waiting > MOST_WAITING:
            log.info("a phone's connection is closed: it does not read")
            client.gone = True

    def _send_frame(self, client: _Client) -> None:
        """Send the newest frame to a client that has read what was sent before."""
        n, frame = self._newest
        if not n or client.frame == n:
            return
        self._send(client)
        if client.gone or client.out:
            return
        if self._line[0] != n:
            self._line = (n, line_of(frame()))
        client.frame = n
        self._queue(client, self._line[1])

    def _queue(self, client: _Client, line: bytes) -> None:
        client.out.append(line)
        client.waiting += len(line)

    def _send(self, client: _Client) -> None:
        """Send as much as the client takes."""
        while client.out and not client.gone:
            try:
                sent = client.socket.send(client.out[0])
            except BlockingIOError:
                return
            except OSError:
                client.gone = True
                return
            client.waiting -= sent
            rest = client.out.popleft()[sent:]
            if rest:
                client.out.appendleft(rest)
                return


_PAIRED = frozenset({"key", "play", "claim", "hand"})
"""Requests that only a paired browser gets an `ok` for."""


def _deaf(request: Request, done: Reply) -> None:
    """Answer nothing."""


def refused(identity: str, error: str, text: str) -> Answered:
    """Return the answer to a request that was not carried out."""
    return {"kind": "answer", "id": identity, "error": error, "text": text}
