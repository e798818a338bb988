"""The machine that the companion runs on: version, time, addresses, programs."""

import os
import sys
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, TextIO

from pi_app.texts.printable import printable

PROC = Path("/proc")
OWN_WIFI = "10.43.77.1"
"""The machine's address in its own Wi-Fi; beisitzer.conf of dnsmasq names it too."""
CARD = Path("/etc/beisitzer-card")
"""A file that exists only on a flashed card."""
HELPER_SOCKET = Path("/run/beisitzer-helper.sock")
"""The socket of root's helper (`systemd/helper.py`)."""
WIFI_SOCKET = Path("/run/beisitzer-wifi.sock")
"""The socket of the service for the table's Wi-Fi (`pi_app/network`)."""


utc_now = partial(datetime.now, UTC)
"""Returns the current time. Commands pass this function to all code that needs it."""


FIRST_YEAR = 2025
"""Earlier clocks are wrong: the program is younger."""


def clock_is_sure(now: datetime, root: Path = Path("/")) -> bool:
    """Tell whether the clock can be trusted, also on a machine without a battery.

    It can if the network has set it since the start, or a clock chip has kept it.
    """
    if now.year < FIRST_YEAR:
        return False
    asks_network = (root / "run/systemd/timesync").is_dir()
    has_chip = any((root / "sys/class/rtc").glob("rtc*"))
    return network_set_clock(root) or not asks_network or has_chip


def network_set_clock(root: Path) -> bool:
    """Tell whether the network has set the clock since the machine's start."""
    return (root / "run/systemd/timesync/synchronized").exists()


def boot_moment() -> tuple[str, int]:
    """Return an id of this run of the machine, and the seconds since the machine started.

    Both are right while the clock is not set, and do not jump when it is.
    """
    try:
        boot = (PROC / "sys/kernel/random/boot_id").read_text("utf-8").strip()
    except OSError:
        boot = "?"
    return boot, int(monotonic())


def version() -> str:
    """Return the program's version, "?" if it is not installed."""
    # taken from the folder's name: importlib.metadata needs 1.5 MB and much time
    for folder in sys.path:
        for found in Path(folder).glob("beisitzer-*.dist-info"):
            return found.stem.partition("-")[2]
    from importlib import metadata

    try:
        return metadata.version("beisitzer")
    except metadata.PackageNotFoundError:
        return "?"


def urls(port: int, *, own_name: bool = False) -> tuple[str, ...]:
    """Return the URLs of this machine for browsers in the house, the surest first; () offline.

    A name is included only if avahi runs; on port 80 it is the name of the table, unless the
    machine's `own_name` is wanted.
    """
    port_part = "" if port == 80 else f":{port}"
    # only the first address: several would confuse people
    urls = [f"http://{address}{port_part}" for address in addresses()[:1]]
    if urls and Path("/run/avahi-daemon/socket").exists():
        name = "beisitzer" if port == 80 and not own_name else os.uname().nodename.partition(".")[0]
        urls.append(f"http://{name}.local{port_part}")
    return tuple(urls)


def listens(port: int, root: Path = Path("/")) -> bool:
    """Tell whether a program of this machine listens on a TCP port; True if /proc does not tell.

    The kernel lists all ports; the companion's own service may open no connection to try one.
    """
    rows: list[str] = []
    for name in ("tcp", "tcp6"):
        with suppress(OSError):
            rows += (root / "proc/self/net" / name).read_text("ascii").splitlines()
    # own address and port in hexadecimal, the other end's, and the state: 0A is listening
    found = (row.split()[1:4] for row in rows)
    return not rows or any(at.endswith(f":{port:04X}") and state == "0A" for at, _, state in found)


def has_program(command: str) -> bool:
    """Tell whether the program at the beginning of a command line exists."""
    import shlex  # imported here for a faster start
    import shutil

    try:
        words = shlex.split(command)
    except ValueError:
        return False
    return bool(words) and shutil.which(words[0]) is not None


def addresses(root: Path = PROC) -> tuple[str, ...]:
    """Return the machine's IPv4 addresses except loopback.

    They come from the kernel's table, without a socket.
    """
    try:
        lines = (root / "net/fib_trie").read_text("ascii").splitlines()
    except (OSError, UnicodeDecodeError):
        return ()
    local: dict[str, None] = {}
    address = ""
    for line in lines:
        words = line.split()
        if words[:1] == ["|--"] and len(words) > 1:
            address = words[1]
        # such a line marks the address above it as this machine's
        elif words[:3] == ["/32", "host", "LOCAL"] and not address.startswith("127."):
            local[address] = None
    return tuple(local)


def state_folder() -> Path | None:
    """Return the folder that systemd gives a service for its own files; None without systemd."""
    name = os.environ.get("STATE_DIRECTORY", "").partition(":")[0]  # it may name several folders
    return Path(name) if name else None


def obeys_escapes(stream: TextIO) -> bool:
    """Tell whether a stream is a terminal that obeys escape sequences (colours, erasing)."""
    return stream.isatty() and os.environ.get("TERM", "") not in ("", "dumb", "unknown")


def echo_styled(text: str, **style: Any) -> None:
    """Write a line to standard output, on a terminal in this style of click's."""
    import click  # most users of this module print nothing

    if obeys_escapes(sys.stdout):
        write_escapes(sys.stdout, f"{click.style(printable(text), **style)}\n")
    else:
        click.echo(text)


def write_escapes(stream: TextIO, text: str) -> None:
    """Write control characters too, which a printable stream would remove."""
    getattr(stream, "write_raw", stream.write)(text)
    stream.flush()
