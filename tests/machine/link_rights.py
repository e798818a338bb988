"""Says what the link's process may do: started by systemd as the service itself is."""

import json
import os
import pwd
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path

GAMES = Path("/var/lib/beisitzer")
SOCKET = "/run/beisitzer/remote.sock"
OPEN_S = 30.0
TRIED = ("AF_INET", "AF_INET6", "AF_UNIX", "AF_NETLINK", "AF_PACKET", "AF_BLUETOOTH", "AF_VSOCK")


def opens(family: str) -> bool:
    """Tell whether a socket of this family can be had."""
    kind = socket.SOCK_RAW if family in ("AF_NETLINK", "AF_PACKET") else socket.SOCK_STREAM
    with suppress(OSError), socket.socket(getattr(socket, family), kind):
        return True
    return False


def may(path: Path, mode: int) -> bool:
    """Tell whether a file or folder can be opened in this way."""
    with suppress(OSError):
        os.close(os.open(path, mode))
        return True
    return False


def writable() -> list[str]:
    """Return the folders of the machine in which it may write, and which are kept."""
    folders = ("/", "/etc", "/usr/lib/beisitzer", "/var/lib", "/var/log", "/home", "/run", "/boot")
    return [each for each in (*folders, str(GAMES)) if os.access(each, os.W_OK)]


def answers() -> bool:
    """Tell whether the companion's socket lets it in, which it may be about to open."""
    ends = time.monotonic() + OPEN_S
    while time.monotonic() < ends:
        with suppress(OSError), socket.socket(socket.AF_UNIX) as companion:
            companion.connect(SOCKET)
            return True
        time.sleep(0.1)
    return False


games = (GAMES, GAMES / "games", GAMES / "settings.toml")
found = {
    "user": pwd.getpwuid(os.getuid()).pw_name,
    "families": [family for family in TRIED if opens(family)],
    "games": [str(path) for path in games if may(path, os.O_RDONLY) or may(path, os.O_RDWR)],
    "writable": writable(),
    "companion": answers(),
}
sys.stdout.write(f"RIGHTS {json.dumps(found)}\n")
