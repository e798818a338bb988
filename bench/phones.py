"""Phones: the pages' memory with many browsers, and a key's way to another phone's page."""

import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from statistics import median
from threading import Event, Thread

from bench.figure import Figure, most_memory_mib
from bench.keys import PLAYERS
from hardware.keys import Key
from pi_app.extras.link import ClubPart, add_link
from pi_app.link.settings import ClubSettings
from pi_app.phones.output import Phones
from pi_app.phones.protocol import WebSettings
from pi_app.phones.web.sockets import FIRST, opened
from pi_app.run.opening import Wish, companion, first_screen
from pi_app.screens.context import Context
from pi_app.settings.schema import Settings
from pi_app.store import Store
from pi_app.texts.language import Texts
from pi_app.view.frame import Frame
from pi_app.view.inputs import KeyQueue
from pi_app.view.output import Output

GAME = "just4fun"
BROWSERS = 12
KEYS = 100
NOTHING_KEYED, KEYED = '"entry":null', '"entry":{"text":"5"'
"""Parts of a frame's JSON before and after the key 5."""
PATIENCE_S = 30.0
_HAND_OVER = f"""
import os, sys
os.dup2(int(sys.argv[1]), {FIRST})
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
os.execv(sys.executable, [sys.executable, "-m", "pi_app", "web", "--socket", sys.argv[2]])
"""
"""Hands a socket over to the process as systemd does."""


class _FrameShown(Output):
    """Records the time of each frame."""

    def __init__(self) -> None:
        self.done = Event()

    def show(self, frame: Frame) -> None:
        del frame
        self.done.set()


class BenchTable:
    """A companion with its loop, a store on the disk, and perhaps a socket for phones and link."""

    def __init__(self, folder: Path, joined: ClubSettings | None = None, *, socket: bool) -> None:
        self.socket = folder / "r.sock"
        self._store = Store(folder / "games")
        settings = Settings().plus(WebSettings(enabled=socket), joined or ClubSettings())
        ctx = Context(Texts("en"), settings, self._store, time.monotonic)
        club = ClubPart(ctx)
        first = first_screen(ctx, Wish({"Game": GAME, "Players": PLAYERS[GAME]}, new_game=True))
        self._keys, self._shown = KeyQueue(), _FrameShown()
        self._program = companion(ctx, first, self._keys, [self._shown])
        if socket:
            phones = Phones(self._program, path=self.socket)
            self._program.follow(phones)
            add_link(self._program, club, lambda: phones)
        self._loop = Thread(target=self._program.run, daemon=True)
        self._loop.start()
        self._wait()

    def _wait(self) -> None:
        if not self._shown.done.wait(PATIENCE_S):
            raise RuntimeError("no frame")

    def press(self, key: Key) -> float:
        """Press a key; return the seconds until its frame was shown."""
        self._shown.done.clear()
        start = time.perf_counter()
        self._keys.put(key)
        self._wait()
        return time.perf_counter() - start

    def close(self) -> None:
        self._keys.stop()
        self._loop.join(PATIENCE_S)
        for output in self._program.outputs:
            output.close()
        self._store.close()


class ServedPages:
    """The process that serves phones at a companion's socket, and browsers connected to it."""

    def __init__(self, companion: Path, stack: ExitStack, browsers: int) -> None:
        listening = stack.enter_context(opened(0))
        command = [sys.executable, "-c", _HAND_OVER, str(listening.fileno()), str(companion)]
        process = subprocess.Popen(command, pass_fds=[listening.fileno()])  # noqa: S603  # our own
        self.pid = process.pid
        stack.callback(process.wait)
        stack.callback(process.terminate)
        _, port = listening.getsockname()[:2]
        self._browsers = [stack.enter_context(_browser(port)) for _ in range(browsers)]
        self.wait_for(NOTHING_KEYED)

    def wait_for(self, text: str) -> None:
        """Wait until every browser has a frame with this text."""
        for browser in self._browsers:
            received = b""
            while text.encode() not in received:
                received += browser.recv(65536)

    def read_on(self) -> None:
        """Read all events, in threads that end with the browsers."""
        for browser in self._browsers:
            Thread(target=_read, args=(browser,), daemon=True).start()


def _read(browser: socket.socket) -> None:
    with suppress(OSError):  # closed at the end
        while browser.recv(65536):
            pass


@contextmanager
def _browser(port: int) -> Iterator[socket.socket]:
    with closing(socket.create_connection(("127.0.0.1", port), PATIENCE_S)) as end:
        end.sendall(b"GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n")
        yield end


def figures() -> list[Figure]:
    """Return the memory of the pages' process, and the median way of a key to the last browser."""
    with tempfile.TemporaryDirectory(prefix="b") as folder, ExitStack() as stack:
        table = stack.enter_context(closing(BenchTable(Path(folder), socket=True)))
        pages = ServedPages(table.socket, stack, BROWSERS)
        times = []
        for number in range(KEYS):
            start = time.perf_counter()
            table.press(Key.BACK if number % 2 else Key.D5)
            pages.wait_for(NOTHING_KEYED if number % 2 else KEYED)
            times.append(time.perf_counter() - start)
            time.sleep(0.02)
        memory = most_memory_mib(pages.pid)
    way_ms = 1e3 * median(times)
    return [
        Figure(f"memory, pages' process with {BROWSERS} browsers", memory, "MiB", 45),
        Figure(f"key to the last of {BROWSERS} phones' pages", way_ms, "ms", 50),
    ]
