"""The server: uvicorn, with limits for everything that a client could leave open."""

import os
from asyncio import AbstractEventLoop, Transport
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from socket import IPPROTO_TCP, TCP_USER_TIMEOUT, socket
from threading import Thread
from time import monotonic
from typing import Any

import h11
from starlette.types import ASGIApp
from uvicorn import Config, Server
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

CONNECTION_LIMIT = 128
CONNECTION_LIMIT_PER_ADDRESS = 48
"""The most connections of one address; a browser has six."""
HEAD_LIMIT_BYTES = 16 * 1024
"""The most bytes of a request's first lines."""
UNREAD_LIMIT_BYTES = 32 * 1024
"""The most bytes of an answer that wait here until the browser reads more."""
WAIT_S = 15.0
"""How long a connection may be open without a complete request."""
GONE_S = 20
"""How long a browser may acknowledge nothing of its answer."""
GRACE_S = 2
"""How long requests may take when the server ends."""
TICKS_A_SECOND = 10
"""How often uvicorn calls `on_tick`."""


class Connection(H11Protocol):
    """One connection; it notes since when it has been waiting, so that `look` can end it."""

    most = CONNECTION_LIMIT
    """The most connections of all addresses."""
    most_of_one = CONNECTION_LIMIT_PER_ADDRESS
    """The most connections of one address."""
    idle_s = WAIT_S
    """How long a connection is kept after an answer, until its next request begins."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.address = ""
        self.answered = False
        """Whether any of its requests was answered."""
        self.since = monotonic()
        """When it was opened or its last answer was complete."""
        self._begun: float | None = None
        """Since when a request has been incomplete."""

    @property
    def is_answering(self) -> bool:
        """Whether a request has begun and its answer, also a stream, is not complete."""
        return not getattr(self.cycle, "response_complete", True)  # no cycle before the first

    @property
    def is_asking(self) -> bool:
        """Whether a complete request waits for its answer."""
        return self.is_answering and not self.cycle.more_body

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""
        transport.set_write_buffer_limits(UNREAD_LIMIT_BYTES)
        # a phone that went out of reach does not close its connection
        end: socket = transport.get_extra_info("socket")
        end.setsockopt(IPPROTO_TCP, TCP_USER_TIMEOUT, GONE_S * 1000)
        make_room(self)

    def data_received(self, data: bytes) -> None:
        if self._begun is None and not self.is_answering:
            self._begun = monotonic()
        super().data_received(data)
        if self.is_answering:  # its head is complete
            self._begun = None

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        # uvicorn leaves this timer running, and with it the lost connection in memory
        self._unset_keepalive_if_required()

    def on_response_complete(self) -> None:
        self.answered = True
        self.since = monotonic()
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP; in the middle of a request, end the connection instead."""
        if self.conn.our_state is h11.IDLE:
            super().send_400_response(msg)
            return
        if self.is_answering:
            # the application that waits for the rest of the request must end, too
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.transport.abort()

    def expire(self, now: float) -> None:
        """End the connection if it has waited for too long."""
        # an answer may take long, as a stream does, while the browser reads it
        for since, limit_s in (
            (self._begun, WAIT_S),
            (None if self.is_answering else self.since, self.idle_s if self.answered else WAIT_S),
        ):
            if since is not None and now - since > limit_s:
                self.transport.abort()


def make_room(fresh: Connection) -> None:
    """End one connection if there are too many: of an address with too many, or with the most.

    Connections without a complete request go first, the oldest of them. The fresh one goes only if
    its own address has too many and all its other connections wait for an answer.
    """
    connections = [other for other in fresh.connections if isinstance(other, Connection)]
    counts = Counter(connection.address for connection in connections)
    if counts[fresh.address] > fresh.most_of_one:
        addresses = {fresh.address}
    elif len(connections) > fresh.most:
        most = max(counts.values())
        addresses = {address for address, count in counts.items() if count == most}
    else:
        return
    others = [other for other in connections if other.address in addresses and other is not fresh]
    # False sorts first: without a request, then never answered, then the oldest
    victim = min(others, key=lambda other: (other.is_asking, other.answered, other.since))
    # every candidate waits for an answer, and the fresh one comes from such a busy address
    if victim.is_asking and fresh.address in addresses:
        victim = fresh
    fresh.connections.discard(victim)  # uvicorn would do so only after the connection is closed
    victim.transport.abort()


class WebServer(Server):
    """Serves an application on sockets; ends by itself after `idle_s` without connections.

    `ending` is called first when it ends, to end the streams, which otherwise last for hours.
    """

    def __init__(
        self,
        app: ASGIApp,
        ending: Callable[[], None],
        idle_s: float | None = None,
        *,
        connection: type[Connection] = Connection,
        certificate: Path | None = None,
        idle_connection_s: float = WAIT_S,
    ) -> None:
        """`certificate` is a PEM file with a key and its certificates: then it speaks TLS."""
        config = Config(
            app,
            loop="asyncio",
            http=connection,
            ssl_certfile=certificate,
            ws="none",
            lifespan="on",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_keep_alive=int(idle_connection_s),
            timeout_graceful_shutdown=GRACE_S,
            h11_max_incomplete_event_size=HEAD_LIMIT_BYTES,
        )
        super().__init__(config)
        self._ending = ending
        self._idle_s = idle_s
        self._busy = monotonic()
        """When there was a connection last."""

    def end_with(self, file: int) -> None:
        """End at the end of this file: a pipe whose other end the companion has."""

        def wait() -> None:
            with suppress(OSError):  # a closed file has ended, too
                while os.read(file, 1024):
                    pass
            self.should_exit = True

        Thread(target=wait, name="attached", daemon=True).start()

    async def on_tick(self, counter: int) -> bool:
        if counter % TICKS_A_SECOND == 0:
            self._expire_connections(monotonic())
        return await super().on_tick(counter)

    def _expire_connections(self, now: float) -> None:
        for connection in list(self.server_state.connections):
            if isinstance(connection, Connection):
                connection.expire(now)
        if self.server_state.connections:
            self._busy = now
        elif self._idle_s is not None and now - self._busy >= self._idle_s:
            self.should_exit = True

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        self._ending()
        await super().shutdown(sockets)
