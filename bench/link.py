"""From a key to its frame without a link, with one, and with a link or a broker that hangs.

The companion runs with its loop, its socket and a store on the disk; some keys
store a move. With the broker that hangs the link is `beisitzer link` itself, whose connection
stands and is never answered. All are measured in turn in one run, so that a busy machine is busy
for each. How often a companion wakes up while nobody plays is measured on processes of their own,
side by side.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from threading import Event, Thread

from bench.figure import Figure
from bench.keys import PLAYERS
from hardware.keys import Key
from pi_app.commands.table_link import Club, add_link
from pi_app.phones.output import Phones
from pi_app.run.loop import Companion
from pi_app.run.opening import Wish, companion, first_screen
from pi_app.screens.context import Context
from pi_app.settings.schema import LinkSettings, Settings
from pi_app.store.store import Store
from pi_app.texts.language import Texts
from pi_app.view.frame import Frame
from pi_app.view.inputs import KeyQueue
from pi_app.view.key_script import read_keys
from pi_app.view.output import Output

GAME = "just4fun"
KEYS = "5 < 5# <<"
"""Keys each of which changes the frame: two digits, a move that is stored, and its undo."""
ROUNDS = 60
BUDGET = 1.25
"""How much longer a key may take with a link: less than a busy machine's own differences."""
PATIENCE_S = 30
START_S = 180.0
"""How long a companion may take to start on a busy machine."""
SETTLE_S, IDLE_S = 8.0, 20.0
"""How long a companion starts and comes to rest, and how long it is then watched."""
MORE_WAKEUPS = 0.2
"""How many more a second may come by chance in so short a time."""
Attach = Callable[[Path], object]


class _FrameShown(Output):
    """Notes when a frame was shown."""

    def __init__(self) -> None:
        self.done = Event()

    def show(self, frame: Frame) -> None:
        del frame
        self.done.set()


class _Table:
    """A companion whose loop runs; `attach` connects a link."""

    def __init__(self, folder: Path, link: LinkSettings) -> None:
        self.store = Store(folder / "games.db")
        ctx = Context(Texts("en"), Settings(link=link), self.store, time.monotonic)
        club = Club(ctx)
        tags = {"Game": GAME, "Players": PLAYERS[GAME]}
        self.keys, self.shown = KeyQueue(), _FrameShown()
        first = first_screen(ctx, Wish(tags, new_game=True))
        self.program: Companion = companion(ctx, first, self.keys, [self.shown])
        phones = Phones(self.program, path=folder / "r.sock")
        self.program.follow(phones)
        add_link(self.program, club, lambda: phones)
        self._thread = Thread(target=self.program.run, daemon=True)
        self._thread.start()
        self._wait()

    def _wait(self) -> None:
        if not self.shown.done.wait(PATIENCE_S):
            raise RuntimeError("no frame")

    def press(self, key: Key) -> float:
        """Press a key; return the seconds until its frame was shown."""
        self.shown.done.clear()
        start = time.perf_counter()
        self.keys.put(key)
        self._wait()
        return time.perf_counter() - start

    def end(self) -> None:
        self.keys.stop()
        self._thread.join(PATIENCE_S)
        for output in self.program.outputs:
            output.close()
        self.store.close()


def _take(path: Path, *, reads: bool, patience_s: float = PATIENCE_S) -> socket.socket:
    """Take the link's place, and read all that comes or nothing."""
    link = socket.socket(socket.AF_UNIX)
    ends = time.monotonic() + patience_s
    while True:
        try:
            link.connect(str(path))
            break
        except OSError:
            if time.monotonic() > ends:
                raise
            time.sleep(0.01)
    link.sendall(json.dumps({"kind": "link", "id": "1", "version": 2}).encode() + b"\n")
    if reads:
        Thread(target=_read, args=(link,), daemon=True).start()
    return link


def _read(link: socket.socket) -> None:
    while link.recv(65536):
        pass


@contextmanager
def _real_link(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run `beisitzer link` with a broker that takes its connection and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as broker:
        port = broker.getsockname()[1]
        lines = (
            "[link]",
            "enabled = true",
            f"port = {port}",
            'user = "table-07"',
            "insecure = true",
        )
        (folder / "settings.toml").write_text("\n".join(lines) + "\n")
        variables = {
            **os.environ,
            "BEISITZER_CONFIG": str(folder / "settings.toml"),
            "BEISITZER_REMOTE": str(folder / "r.sock"),
            "XDG_STATE_HOME": str(folder),
        }
        command = [sys.executable, "-m", "pi_app", "link"]
        link = subprocess.Popen(command, env=variables)  # noqa: S603  # our own
        try:
            broker.settimeout(PATIENCE_S)
            near, _ = broker.accept()  # it has its place, and waits for an answer
            yield link
            near.close()
        finally:
            link.kill()
            link.wait()


@contextmanager
def _idle(folder: Path, *, on: bool) -> Iterator[subprocess.Popen[bytes]]:
    """Run a companion with a game on the table, as a process; with a link in its place if `on`."""
    link = f'[link]\nenabled = {str(on).lower()}\nuser = "table-07"\n'
    (folder / "settings.toml").write_text(link)
    variables = {
        **os.environ,
        "BEISITZER_CONFIG": str(folder / "settings.toml"),
        "BEISITZER_REMOTE": str(folder / "r.sock"),
        "XDG_STATE_HOME": str(folder),
    }
    command = [sys.executable, "-m", "pi_app", "play", GAME, "--players", PLAYERS[GAME]]
    command += ["--display", "none", "--store", str(folder / "games.db")]
    table = subprocess.Popen(  # noqa: S603  # our own
        command, env=variables, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )
    try:
        with ExitStack() as stack:
            if on:
                link_ = stack.enter_context(
                    _take(folder / "r.sock", reads=True, patience_s=START_S)
                )
                stack.callback(link_.shutdown, socket.SHUT_RDWR)
            yield table
    finally:
        table.kill()
        table.wait()


def _wakeups(table: subprocess.Popen[bytes]) -> int:
    """Return how often threads of a process have gone on after a wait, since it started."""
    found = 0
    for status in Path(f"/proc/{table.pid}/task").glob("*/status"):
        lines = dict(line.split(":\t", 1) for line in status.read_text().splitlines())
        found += int(lines["voluntary_ctxt_switches"])
    return found


def _idle_figures() -> list[Figure]:
    with ExitStack() as stack:
        tables = {}
        for name, on in {"without a link": False, "with a link": True}.items():
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="b")))
            tables[name] = stack.enter_context(_idle(folder, on=on))
        time.sleep(SETTLE_S)
        before = {name: _wakeups(table) for name, table in tables.items()}
        time.sleep(IDLE_S)
        rates = {name: (_wakeups(tables[name]) - count) / IDLE_S for name, count in before.items()}
    plain, *_ = rates.values()
    return [
        Figure(
            f"idle companion, {name}: wakeups",
            rate,
            "1/s",
            None if name == "without a link" else plain + MORE_WAKEUPS,
        )
        for name, rate in rates.items()
    ]


@contextmanager
def _tables() -> Iterator[dict[str, _Table]]:
    on = LinkSettings(enabled=True, user="table-07")
    kinds = {
        "without a link": (LinkSettings(), None),
        "with a link": (on, True),
        "with a link that hangs": (on, False),
        "with a broker that hangs": (on, None),
    }
    with ExitStack() as stack:
        tables = {}
        for name, (settings, reads) in kinds.items():
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="b")))
            table = tables[name] = _Table(folder, settings)
            stack.callback(table.end)
            if settings.enabled and reads is None:
                stack.enter_context(_real_link(folder))
            elif reads is not None:
                link = _take(folder / "r.sock", reads=reads)
                stack.callback(link.close)
                stack.callback(link.shutdown, socket.SHUT_RDWR)
        yield tables


def figures() -> list[Figure]:
    """Return the median time from a key to its frame, its multiple of that without a link.

    And how often an idle companion wakes up.
    """
    keys = read_keys(KEYS)
    times: dict[str, list[float]] = {}
    with _tables() as tables:
        for _ in range(ROUNDS):
            for key in keys:
                for name, table in tables.items():
                    times.setdefault(name, []).append(table.press(key))
    medians = {name: 1e3 * median(found) for name, found in times.items()}
    plain, *_ = medians.values()
    return [
        Figure(
            f"key to frame, {name}",
            value,
            "ms",
            None if value is plain else BUDGET,
            None if value is plain else plain,
            ratio=None if value is plain else value / plain,
        )
        for name, value in medians.items()
    ] + _idle_figures()
