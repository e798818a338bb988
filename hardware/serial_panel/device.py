"""The serial panel as a device: finds it, runs its session, turns its keys into `Key`s.

One thread owns the port. Callers only store what to show and wake the thread, so a stuck or
unplugged panel never delays a game.
"""

import logging
import socket
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from typing import Final

from hardware.config import PanelConfig
from hardware.keys import Key, Put
from hardware.serial_panel.listener import Listener
from hardware.serial_panel.port import Lookout, Port, PortError, PortProblem, candidates
from hardware.serial_panel.protocol import BeepKind, PanelHello
from hardware.serial_panel.session import Gone, Heard, HostSession, Joined

RETRY_S: Final = 0.5
"""The time between two searches for a port: a panel plugged in again is found within 3 s."""

TRIAL_S: Final = 1.6
"""How long a port may take to answer before the next one is tried; three HELLOs."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PanelStatus:
    """The state of the panel: `hello` is its latest one, `session` ours while it has joined.

    `dropped` counts the lines that could not be read.
    """

    port: str | None = None
    problem: PortProblem | None = None
    hello: PanelHello | None = None
    session: str | None = None
    dropped: int = 0


class SerialPanel:
    """A serial panel that may come and go.

    `put` is called with every key, from the panel's thread; it must return at once, False for a key
    that it cannot take, which the panel will send again. `watch` is called with every line and
    `changed` with every new status, for the debugging view.
    """

    def __init__(
        self,
        config: PanelConfig,
        put: Put,
        *,
        watch: Callable[[Heard], None] | None = None,
        changed: Callable[[PanelStatus], None] | None = None,
        find: Callable[[PanelConfig], list[str]] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._config = config
        self._changed = changed
        self._find = find or Lookout()
        self._clock = clock
        self._session = HostSession(watch=watch)
        self._listener = Listener(self._session, put)
        self._status = PanelStatus()
        self._lock = threading.Lock()
        self._wake_reader, self._wake_writer = socket.socketpair()
        # neither end ever waits
        self._wake_reader.settimeout(0)
        self._wake_writer.settimeout(0)
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="panel", daemon=True)

    def start(self) -> None:
        """Start looking for the panel."""
        self._thread.start()

    def close(self) -> None:
        """Send the latest state, stop, and release the port; takes at most a second."""
        self._stopping.set()
        self._wake()
        if self._thread.is_alive():
            self._thread.join(1.0)
        self._wake_writer.close()
        self._wake_reader.close()

    @property
    def status(self) -> PanelStatus:
        """The present state of the panel."""
        return replace(self._status, dropped=self._session.dropped)

    @property
    def stuck(self) -> tuple[Key, ...]:
        """The keys that have been down too long to be held by a finger."""
        return self._listener.stuck

    @property
    def text_rows(self) -> int:
        """Rows of the panel's display, 0 without one; 4 until a panel has said otherwise."""
        hello = self._status.hello
        return 4 if hello is None else hello.rows

    @property
    def text_columns(self) -> int:
        """Characters in a row of the panel's display; 20 until a panel has said otherwise."""
        hello = self._status.hello
        return 20 if hello is None else hello.columns

    @property
    def lamps(self) -> int:
        """How many lamps the panel has; 6 until a panel has said otherwise."""
        hello = self._status.hello
        return 6 if hello is None else hello.lamps

    def show_rows(self, rows: Sequence[str]) -> None:
        """Show these rows of text; the rest of the display is blank."""
        with self._lock:
            self._session.set_rows(rows)
        self._wake()

    def show_lamps(self, colours: Sequence[int]) -> None:
        """Light the lamps, 0xRRGGBB each, from lamp 0; lamps not named are dark."""
        with self._lock:
            self._session.set_lamps(colours)
        self._wake()

    def lamp(self, index: int, colour: int) -> None:
        """Light one lamp, counted from 0, in 0xRRGGBB; the others stay as they are."""
        with self._lock:
            self._session.set_lamp(index, colour)
        self._wake()

    def beep(self, kind: BeepKind) -> None:
        """Sound once, if a panel with a buzzer is there now."""
        with self._lock:
            self._session.beep(kind)
        self._wake()

    def _wake(self) -> None:
        with suppress(OSError):  # closed, or the thread will wake anyway
            self._wake_writer.send(b"!")

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._try_ports()
            except Exception:  # noqa: BLE001  # a bug must not silence the panel for ever
                _log.exception("the panel's thread failed and goes on")
            self._stopping.wait(RETRY_S)

    def _try_ports(self) -> None:
        paths = self._find(self._config)
        if not paths:
            self._set_status(replace(self._status, port=None, problem=PortProblem.ABSENT))
        for path in paths:
            if self._stopping.is_set():
                return
            try:
                with closing(Port(path)) as port:
                    self._serve(port)
            except PortError as error:
                self._set_status(
                    replace(self._status, port=path, problem=error.problem, session=None)
                )

    def _serve(self, port: Port) -> None:
        """Run a session on one port until it is lost, or is silent while another could answer."""
        opened_at = self._clock()
        with self._lock:
            self._listener.open(opened_at)
        self._set_status(replace(self._status, port=port.path, problem=None, session=None))
        data = b""
        while True:
            now = self._clock()
            with self._lock:
                events, _keys = self._listener.hear(data, now)  # it has put the keys already
                out = self._session.tick(now)
            for event in events:
                match event:
                    case Joined(hello):
                        self._set_status(replace(self._status, hello=hello, session=hello.session))
                    case Gone():
                        self._set_status(replace(self._status, session=None))
            port.send(out)
            if self._stopping.is_set():
                return
            # no panel answers here, so another port gets its turn if there is one
            silent = now - self._session.heard_at > TRIAL_S and not self._session.joined
            if silent and any(path != port.path for path in self._find(self._config)):
                return
            with self._lock:
                due = self._listener.due(now)
            # ends early for bytes of the panel and for `_wake`
            data = port.wait(self._wake_reader.fileno(), due)
            with suppress(BlockingIOError):
                self._wake_reader.recv(4096)  # the calls to wake up

    def _set_status(self, status: PanelStatus) -> None:
        if status == self._status:
            return
        self._status = status
        if status.session is not None and status.hello is not None:
            _log.info("panel %s on %s", status.hello.name, status.port)
        elif status.problem is not None:
            _log.info("no panel on %s: %s", status.port or "any port", status.problem.value)
        if self._changed is not None:
            self._changed(self.status)


@dataclass(frozen=True, slots=True)
class PanelFound:
    """The result of probing one port: `hello` is None if nothing answered."""

    port: str
    problem: PortProblem | None
    hello: PanelHello | None


def probe(
    config: PanelConfig,
    timeout_s: float = TRIAL_S,
    *,
    find: Callable[[PanelConfig], list[str]] = candidates,
) -> list[PanelFound]:
    """Look for a panel on every port, up to `timeout_s` each; return one entry a port.

    A panel that answers joins a session of ours and leaves it ten seconds later. A port that a
    running companion uses is reported as busy and left alone.
    """
    return [_probe(path, timeout_s) for path in find(config)]


def _probe(path: str, timeout_s: float) -> PanelFound:
    session = HostSession()
    # `wait` wants something that could wake it; here nothing does
    reader, writer = socket.socketpair()
    with reader, writer:
        try:
            with closing(Port(path)) as port:
                start = now = time.monotonic()
                session.open(now)
                while not session.joined and now < start + timeout_s:
                    port.send(session.tick(now))
                    wait_s = min(session.due(now), start + timeout_s - now)
                    data = port.wait(reader.fileno(), wait_s)
                    now = time.monotonic()
                    session.receive(data, now)
        except PortError as error:
            return PanelFound(path, error.problem, None)
    return PanelFound(path, None, session.hello)
