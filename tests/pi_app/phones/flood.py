"""A process that floods the socket: `flood.py SOCKET LINES SEED`, 0 lines without end.

It stands alone, so that it shares nothing with the companion but the machine.
"""

import json
import random
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, suppress

KINDS = ("key", "play", "pair", "who", "seats", "claim", "release", "hand", "history", "game", "?")
FIELDS = ("token", "epoch", "seen", "n", "key", "seat", "cards", "move", "code", "page")
TOO_LONG = 8 * 1024 + 1


def junk(chance: random.Random) -> Iterator[bytes]:
    """Yield lines that somebody might send who means no good, or is broken."""
    values: tuple[Callable[[], object], ...] = (
        lambda: chance.choice(["", "5", "ENTER", "\ud800", "x" * 500, None, True, [], {}]),
        lambda: chance.choice([-1, 0, 1, 2**53, 2**70, 1e300, {"tap": "29"}]),
        lambda: "0" * 64,
    )
    while True:
        match chance.randrange(30):
            case 0:
                yield chance.randbytes(chance.randrange(200)).replace(b"\n", b"")
            case 1:
                yield b"[" * chance.randrange(3000)
            case 2:
                yield json.dumps([chance.random()] * chance.randrange(9)).encode()
            case 3 | 4 | 5 | 6:
                yield b'{"kind":"who","id":"' + b"x" * chance.randrange(64) + b'"}'
            case _:
                fields = {name: chance.choice(values)() for name in FIELDS if chance.random() < 0.7}
                request = {"kind": chance.choice(KINDS), "id": "j", **fields}
                yield json.dumps(request).encode()


def flood(path: str, lines: int, seed: int) -> None:
    """Send junk, now and then a giant line and half a one, and leave much of the answers unread."""
    chance = random.Random(seed)
    source = junk(chance)
    sent = 0
    while sent < lines or not lines:
        with suppress(OSError), closing(socket.socket(socket.AF_UNIX)) as client:
            client.settimeout(5)
            client.connect(path)
            for _ in range(500):
                client.sendall(next(source) + b"\n")
                sent += 1
                if chance.random() < 0.001:
                    client.sendall(b"y" * TOO_LONG)
                if chance.random() < 0.9:
                    with suppress(BlockingIOError):
                        client.recv(65536, socket.MSG_DONTWAIT)
            client.sendall(b'{"kind":"key"')


if __name__ == "__main__":
    flood(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
