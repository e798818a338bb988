"""Ports for the servers that tests start as processes of their own."""

import itertools
import os
import random
import socket

_SPAN = 1000
_WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
_FIRST = 10_000 + _WORKER % 20 * _SPAN
"""Below the ports that the kernel hands out to clients: those take a port that was free."""
_numbers = itertools.count(random.randrange(_SPAN))


def free_port() -> int:
    """Return a port that nobody listens on, and that no other test of this run is given."""
    for number in itertools.islice(_numbers, _SPAN):
        port = _FIRST + number % _SPAN
        with socket.socket() as probe:
            try:
                probe.bind(("", port))
            except OSError:
                continue
            return port
    raise AssertionError(f"no port from {_FIRST} on is free")
