"""The sockets on which the server listens: systemd's, or one on a port of its own."""

import os
import socket
from collections.abc import Mapping

FIRST = 3
"""The first file descriptor that systemd hands over."""
UNSENT = 64 * 1024
"""The system's send buffer in bytes: a large one would send old frames to slow browsers."""


def handed_over(environ: Mapping[str, str] = os.environ) -> list[socket.socket]:
    """Return systemd's sockets; none if systemd did not start the program."""
    if environ.get("LISTEN_PID") != str(os.getpid()):
        return []
    number = environ.get("LISTEN_FDS", "")
    count = int(number) if number.isdecimal() else 0
    files = range(FIRST, FIRST + count)
    return [_prepared(socket.socket(fileno=file)) for file in files]


def opened(port: int) -> socket.socket:
    """Return a socket of our own on all addresses of the machine; OSError if it is taken."""
    if socket.has_dualstack_ipv6():
        try:
            both = socket.create_server(("", port), family=socket.AF_INET6, dualstack_ipv6=True)
        except OSError:
            pass  # a kernel without IPv6 addresses, or a port that is taken: the next line says so
        else:
            return _prepared(both)
    return _prepared(socket.create_server(("", port)))


def _prepared(listening: socket.socket) -> socket.socket:
    listening.set_inheritable(False)
    # its connections inherit this
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNSENT)
    return listening
