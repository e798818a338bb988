"""The process for phones: from its first connection to the page, its memory, a frame's delay."""

import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from bench.figure import Figure, yard
from pi_app.phones.protocol import VERSION
from pi_app.phones.web.sockets import FIRST, opened

FRAMES = 300
"""How many frames are sent."""
STREAMS = 12
"""How many browsers follow."""
RUNS = 5
"""How often the process is started."""
HELLO = {"kind": "hello", "version": VERSION, "epoch": "bench", "language": "en", "theme": "dark"}
_HAND_OVER = f"""
import os, sys
os.dup2(int(sys.argv[1]), {FIRST})
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
os.execv(sys.executable, [sys.executable, "-m", "pi_app", "web", "--socket", sys.argv[2]])
"""
"""Hands a socket over to the process as systemd does."""


class _Companion:
    """Greets each connection and sends messages."""

    def __init__(self, path: Path) -> None:
        self._lines: list[socket.socket] = []
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(path))
        self._listening.listen()

    def greet(self) -> None:
        self._lines.append(self._listening.accept()[0])
        self.say(HELLO)

    def say(self, message: dict[str, object]) -> None:
        for line in self._lines:
            line.sendall(json.dumps(message).encode() + b"\n")

    def close(self) -> None:
        for connection in (self._listening, *self._lines):
            connection.close()


@contextmanager
def _process(
    listening: socket.socket, path: Path, environment: dict[str, str]
) -> Iterator["subprocess.Popen[bytes]"]:
    """Run the process inside the block, started like systemd at the first connection."""
    command = [sys.executable, "-c", _HAND_OVER, str(listening.fileno()), str(path)]
    process = subprocess.Popen(  # noqa: S603  # our own interpreter
        command, pass_fds=[listening.fileno()], env=environment
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def _ask(port: int, path: str) -> socket.socket:
    end = socket.create_connection(("127.0.0.1", port))
    end.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    return end


def first_page_s(byte_code: str) -> float:
    """Measure the seconds from the first connection, which starts the process, to the page."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": byte_code}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    with opened(0) as listening:
        start = time.perf_counter()
        with closing(_ask(listening.getsockname()[1], "/")) as end:  # waits for the process
            path = Path(byte_code, "no.sock")
            with _process(listening, path, environment):
                if not end.recv(20).startswith(b"HTTP/1.1 200"):
                    raise RuntimeError("no page")
                return time.perf_counter() - start


def following() -> tuple[float, float]:
    """Return the median seconds from the companion to the browsers, and peak memory in MiB."""
    with tempfile.TemporaryDirectory() as folder, opened(0) as listening:
        path = Path(folder, "s")
        companion = _Companion(path)
        greeting = threading.Thread(target=companion.greet)
        greeting.start()
        port = listening.getsockname()[1]
        with _process(listening, path, dict(os.environ)) as process:
            greeting.join()
            streams = [_ask(port, "/live") for _ in range(STREAMS)]
            try:
                times = [_one_frame(companion, streams, n) for n in range(FRAMES)]
            finally:
                companion.close()
                for end in streams:
                    end.close()
            status = Path(f"/proc/{process.pid}/status").read_text("utf-8")
    # the "high water mark" of the resident memory, in KiB
    peak = int(status.partition("VmHWM:")[2].split()[0]) / 1024
    return sorted(times)[FRAMES // 2], peak


def _one_frame(companion: _Companion, streams: list[socket.socket], n: int) -> float:
    """Return the seconds until the last browser has the whole frame."""
    # as large as a board with its stones
    frame = {"title": f"frame {n}", "lines": ["x" * 120] * 100, "end": f"<{n}>"}
    start = time.perf_counter()
    companion.say({"kind": "frame", "n": n, "frame": frame})
    for end in streams:
        received = b""
        while f"<{n}>".encode() not in received:
            received += end.recv(65536)
    return time.perf_counter() - start


def figures() -> list[Figure]:
    """Return start-up with warm and cold byte code, a frame's delay, memory."""
    with tempfile.TemporaryDirectory() as folder:
        warm = f"{folder}/warm"
        first_page_s(warm)  # makes the byte code
        times, yards = [], []
        for _ in range(RUNS):
            before = yard(time.perf_counter)
            times.append(first_page_s(warm))
            yards.append(times[-1] / min(before, yard(time.perf_counter)))
        cold = min(first_page_s(f"{folder}/cold-{run}") for run in range(2))
    way, peak = following()
    return [
        # 300 yardsticks: a second on the idle desktop on which everything is measured
        Figure(
            "phones: start to first page",
            sorted(times)[RUNS // 2],
            "s",
            300,
            ratio=sorted(yards)[RUNS // 2],
        ),
        Figure("phones: the same, cold byte code", cold, "s"),
        Figure(f"phones: a frame's way to {STREAMS} browsers", way * 1e3, "ms", 150),
        Figure("phones: resident memory", peak, "MiB", 45),
    ]
