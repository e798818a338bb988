"""The machine the companion runs on, as data: version, time, addresses, what its firmware says."""

import os
from datetime import UTC, datetime
from pathlib import Path

PROC = Path("/proc")


def utc_now() -> datetime:
    """Return what time it is, in UTC. Commands hand it to whatever has to know."""
    return datetime.now(UTC)


def version() -> str:
    """Return the program's version, "?" where it is not installed."""
    from importlib import metadata  # slow to import, and a start does not need it

    try:
        return metadata.version("beisitzer")
    except metadata.PackageNotFoundError:
        return "?"


def urls(port: int, root: Path = Path("/")) -> tuple[str, ...]:
    """Return how browsers in the house reach this machine, the surest first; none offline.

    By name only where avahi answers for it; on port 80 it is the name of the table.
    """
    end = "" if port == 80 else f":{port}"
    found = [f"http://{address}{end}" for address in addresses()[:1]]
    if found and (root / "run/avahi-daemon/socket").exists():
        name = "beisitzer" if port == 80 else os.uname().nodename.partition(".")[0]
        found.append(f"http://{name}.local{end}")
    return tuple(found)


def has_program(command: str) -> bool:
    """Tell whether the program that a command line begins with is there."""
    import shlex  # neither is needed to start
    import shutil

    try:
        words = shlex.split(command)
    except ValueError:
        return False
    return bool(words) and shutil.which(words[0]) is not None


def addresses(root: Path = PROC) -> tuple[str, ...]:
    """Return the machine's IPv4 addresses, without the one that it calls itself by.

    Read from the kernel's table, so that no socket is needed.
    """
    try:
        lines = (root / "net/fib_trie").read_text("ascii").splitlines()
    except (OSError, UnicodeDecodeError):
        return ()
    found: dict[str, None] = {}
    address = ""
    for line in lines:
        words = line.split()
        if words[:1] == ["|--"] and len(words) > 1:
            address = words[1]
        elif words[:3] == ["/32", "host", "LOCAL"] and not address.startswith("127."):
            found[address] = None
    return tuple(found)
