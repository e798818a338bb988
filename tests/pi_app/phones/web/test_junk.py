"""However much junk comes in: no key is lost, no frame late, and the memory comes back.

With `--times 112` a hundred thousand requests are sent, and no frame may then take more than 0.2 s.
"""

import asyncio
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.options import Options
from tests.pi_app.phones.web.junk import junk
from tests.pi_app.phones.web.site import COOKIE, WAIT_S, Stream
from tests.stand_ins.companion import FakeCompanion

pytestmark = pytest.mark.nightly

JUNK, SLOW, FULL = 900, 60, 100_000
FRAME_S = 0.2
MOST_GROWTH_MIB = 6.0
"""What a process may keep beyond what it keeps of a twentieth of it."""
SENDERS = 3
LASTING = 4
"""Sockets of a process that serves nobody: what listens, the relay, the loop's own pair."""


class Evening:
    """A companion with its loop in a thread, and the site as a process."""

    def __init__(self, folder: Path, limits: str, slow: int) -> None:
        self.slow = slow
        self.companion = FakeCompanion(folder / "remote.sock")
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        asyncio.run_coroutine_threadsafe(self.companion.start(), self.loop).result(WAIT_S)
        self.errors = (folder / "errors").open("w+")
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "tests.pi_app.phones.web.process",
                str(self.companion.path),
                limits,
            ],
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
        )
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline())
        self.over = threading.Event()
        self.late: list[float] = []
        """Seconds from a frame's making to its arrival at a browser."""
        self.statuses: Counter[str] = Counter()
        self.confirmed: list[str] = []
        self.faults: list[BaseException] = []

    def memory_at_rest_mib(self) -> float:
        """Wait until nobody is connected any more; return the process's resident memory."""
        end = time.monotonic() + 2 * WAIT_S
        while self._connections() and time.monotonic() < end:
            time.sleep(0.1)
        assert not self._connections()
        status = Path(f"/proc/{self.process.pid}/status").read_text("utf-8")
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def _connections(self) -> int:
        """Count the browsers that are connected."""
        sockets = -LASTING
        for each in Path(f"/proc/{self.process.pid}/fd").iterdir():
            with suppress(FileNotFoundError):  # closed in the meantime
                sockets += str(each.readlink()).startswith("socket:")
        return sockets

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(WAIT_S)
        assert self.process.stdout is not None
        self.process.stdout.close()
        asyncio.run_coroutine_threadsafe(self.companion.stop(), self.loop).result(WAIT_S)
        self.loop.call_soon_threadsafe(self.loop.stop)
        while self.loop.is_running():
            time.sleep(0.01)
        self.loop.close()
        self.errors.close()

    # --- who is there; each in a thread

    def show(self) -> None:
        """Show frames as a table does that is played at quickly."""
        while not self.over.wait(0.05):
            title = f"at {time.monotonic()}"
            self.loop.call_soon_threadsafe(self.companion.show, title)

    def look(self) -> None:
        """Look at every frame that is made from now on, and note how late it is."""
        begun = time.monotonic()
        with closing(Stream(self.port, COOKIE)) as stream:
            for name, facts in stream:
                title = facts["frame"]["title"] if name == "frame" else ""
                made = float(title[3:]) if title.startswith("at ") else 0
                if made > begun:
                    self.late.append(time.monotonic() - made)
                if self.over.is_set():
                    return

    def key(self) -> None:
        """Key as pages do: the same number again until it is answered."""
        for n in count(1):
            if self.over.wait(0.02):
                return
            while not self._key(n, str(n)):
                pass

    def _key(self, n: int, key: str) -> bool:
        with suppress(OSError), closing(HTTPConnection("127.0.0.1", self.port, WAIT_S)) as one:
            host = f"127.0.0.1:{self.port}"
            headers = {"Origin": f"http://{host}", "Content-Type": "application/json"}
            body = f'{{"epoch":"e1","seen":0,"n":{n},"key":"{key}"}}'
            one.request("POST", "/api/key", body, {**headers, "Host": host, "Cookie": COOKIE})
            if one.getresponse().status == 200:
                self.confirmed.append(key)
                return True
        self.over.wait(0.1)
        return self.over.is_set()

    def send(self, seed: int, requests: int) -> None:
        """Send junk, each on a connection of its own from a neighbour's address."""
        random = Random(seed)
        for _ in range(requests):
            with suppress(OSError), closing(self._from(2 + seed)) as end:
                end.settimeout(0.05 if random.random() < 0.05 else 2)
                end.sendall(junk(random))
                end.shutdown(socket.SHUT_WR)
                self.statuses[end.recv(16)[9:12].decode("latin-1")] += 1

    def dawdle(self) -> None:
        """Open connections, and let a byte trickle into each now and then."""
        begun = b"POST /api/key HTTP/1.1\r\nHost: localhost\r\nX: "
        ends: list[socket.socket] = []
        while not self.over.wait(0.2):
            while len(ends) < self.slow:
                end = self._from(100 + len(ends) % 8)
                end.settimeout(1)
                end.sendall(begun[: 1 + len(ends) % len(begun)])
                ends.append(end)
            for end in ends.copy():
                try:
                    end.sendall(b"x")
                except OSError:
                    end.close()
                    ends.remove(end)
        for end in ends:
            end.close()

    def _from(self, neighbour: int) -> socket.socket:
        source = (f"127.0.0.{neighbour}", 0)
        return socket.create_connection(("127.0.0.1", self.port), WAIT_S, source)

    def together(self, requests: int, *acts: Any) -> None:
        """Run these until so many requests of junk were sent, then end all."""
        self.over.clear()

        def run(act: Any) -> None:
            try:
                act()
            except BaseException as error:  # noqa: BLE001  # told by the test
                self.faults.append(error)

        lasting = [threading.Thread(target=run, args=(act,), daemon=True) for act in acts]
        senders = [
            threading.Thread(target=self.send, args=(seed, requests // SENDERS), daemon=True)
            for seed in range(SENDERS)
        ]
        for thread in lasting + senders:
            thread.start()
        for thread in senders:
            thread.join()
        self.over.set()
        for thread in lasting:
            thread.join(WAIT_S)
            assert not thread.is_alive()


@contextmanager
def evening(folder: Path, limits: str, slow: int) -> Iterator[Evening]:
    one = Evening(folder, limits, slow)
    try:
        yield one
    finally:
        one.close()


@pytest.mark.parametrize("limits", ["unlimited", "limited"])
@pytest.mark.timeout(7200)
def test_junk_and_slow_connections_cost_no_key_no_frame_and_no_memory(
    limits: str, place: Path, options: Options
) -> None:
    junk = JUNK * options.times
    with evening(place, limits, SLOW) as one:
        one.together(junk // 20, one.show, one.look, one.dawdle)
        before = one.memory_at_rest_mib()
        one.together(junk, one.show, one.look, one.key, one.dawdle)
        assert one.faults == []
        assert one.process.poll() is None
        after = one.memory_at_rest_mib()
        late = sorted(one.late)
        errors = (place / "errors").read_text()
    sys.stdout.write(
        f"{limits}: {dict(one.statuses)}, {len(one.confirmed)} keys, {len(late)} frames, "
        f"median {late[len(late) // 2]:.4f} s, latest {late[-1]:.3f} s, "
        f"{before:.1f} MiB before, {after:.1f} MiB after\n"
    )
    assert one.confirmed
    # the last one may have been under way when the evening was over
    assert one.companion.played[: len(one.confirmed)] == one.confirmed
    assert len(one.companion.played) <= len(one.confirmed) + 1
    assert set(one.statuses) <= {"", "200", "400", "401", "403", "404", "405", "408", "409", "413",
                                 "415", "429", "304", "100"}  # fmt: skip
    assert one.statuses.total() > junk / 2
    assert late[len(late) // 2] < FRAME_S
    assert junk < FULL or late[-1] < FRAME_S
    assert after - before < MOST_GROWTH_MIB
    assert "Traceback" not in errors, errors[errors.index("Traceback") :][:6000]
