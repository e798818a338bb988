"""Floods, lies, half lines and stalled clients: no key is lost or played twice, none waits long.

`-s` prints what was measured.
"""

import gc
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from pathlib import Path

from hardware.keys import Key
from pi_app.phones.server import CLIENT_LIMIT
from tests.options import Options
from tests.pi_app.phones.client import Client, Line, Phone, Table, connected, table
from tests.pi_app.pilot import entry_of
from tests.stand_ins.waiting import wait_for

LATEST_S = 5.0
"""On a machine that does much else at the same time; measured alone it is a hundredth."""
LINES = 6000
"""How many lines of junk are sent, usually."""
J4F = {"Game": "just4fun", "Players": "Anna yellow, Ben red"}


@contextmanager
def floods(path: Path, count: int, lines: int) -> Iterator[list["subprocess.Popen[bytes]"]]:
    """Let so many processes send junk for a while."""
    command = [sys.executable, str(Path(__file__).with_name("flood.py")), str(path), str(lines)]
    senders = [subprocess.Popen([*command, str(seed)]) for seed in range(count)]
    try:
        yield senders
    finally:
        for sender in senders:
            sender.kill()
            sender.wait()


class Stubborn:
    """A phone that repeats its key on a new connection until it is answered."""

    def __init__(self, opened: Table) -> None:
        token = opened.pairing.pair(opened.pairing.show_code(), "stubborn")
        opened.pairing.hide_code()
        assert isinstance(token, str)
        self.opened, self.token = opened, token
        self.phone = Phone(opened.path, token)
        self.taken: list[float] = []
        self.again = 0

    def key(self, key: str) -> Line:
        began = time.monotonic()
        self.phone.lines.clear()
        self.phone.n += 1
        while True:
            try:
                answer = self.phone.key(key, n=self.phone.n)
            except (OSError, EOFError):
                self._again()
                continue
            self.phone.n -= 1  # counted twice above
            if answer.get("error") == "busy":
                continue
            self.taken.append(time.monotonic() - began)
            return answer

    def close(self) -> None:
        self.phone.socket.close()

    def _again(self) -> None:
        n = self.phone.n - 1
        self.again += 1
        self.close()
        self.phone = Phone(self.opened.path, self.token)
        self.phone.n = n


def memory_mib() -> float:
    """Return the resident memory of this process."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def test_floods_lose_no_key_and_delay_neither_phone_nor_table(options: Options) -> None:
    lines = LINES * options.times
    with table(J4F) as opened, ExitStack() as stack:
        phone = Stubborn(opened)
        stack.callback(phone.close)
        for _ in range(4):  # who look, and stall
            stack.enter_context(Client(opened.path))
        assert phone.key("1")["ok"]
        assert phone.key("BACK")["ok"]
        before = memory_mib()
        late: list[float] = []
        with floods(opened.path, 4, lines // 4) as senders:
            while len(late) < 20 or any(sender.poll() is None for sender in senders):
                for key in ("1", "STAR", "2", "ENTER"):
                    assert phone.key(key)["ok"]
                assert opened.tokens() == ("1+2",)
                assert phone.key("BACK_HELD")["ok"]
                assert opened.tokens() == ()
                for key in (Key.D5, Key.BACK):
                    opened.recorder.frames.clear()
                    began = time.monotonic()
                    opened.keys.put(key)
                    wait_for(lambda: opened.recorder.frames)
                    late.append(time.monotonic() - began)
        after, taken = memory_mib(), sorted(phone.taken)
        print(  # noqa: T201
            f"\n{lines} lines: {len(taken)} keys,"
            f" median {1000 * taken[len(taken) // 2]:.0f} ms,"
            f" slowest {1000 * taken[-1]:.0f} ms, {phone.again} connections lost,"
            f" at the table {1000 * max(late):.0f} ms,"
            f" memory {before:.1f} to {after:.1f} MiB"
        )
        assert max(taken[-1], *late) < LATEST_S
        assert after - before < 12


def test_two_hundred_half_open_connections_hold_up_nobody() -> None:
    with table(J4F) as opened, ExitStack() as stack:
        phone = Stubborn(opened)
        stack.callback(phone.close)
        for n in range(200):
            client = stack.enter_context(closing(socket.socket(socket.AF_UNIX)))
            client.settimeout(10)
            wait_for(partial(connected, client, opened.path))
            with suppress(OSError):
                client.sendall(b'{"kind":"who","id":"')
            if n % 50 == 0:
                assert phone.key("5")["ok"]
                assert phone.key("BACK")["ok"]
        assert phone.key("7")["ok"]
        entry = entry_of(opened.recorder.frames[-1])
        assert entry.text == "7"
        server = opened.phones.server
        wait_for(lambda: len(server._clients) <= CLIENT_LIMIT)  # type: ignore[union-attr]
