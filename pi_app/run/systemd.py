"""The companion as a service: tells systemd when it is ready, and that it is alive.

It sends datagrams to the Unix socket that systemd names, nothing if it names none.
"""

import os
from collections.abc import Callable, Mapping

from pi_app.settings.file import APPLIANCE
from pi_app.view.frame import Frame
from pi_app.view.output import Output

POWER_STATUS = {"off": 210, "restart": 211, "again": 212}
"""Exit statuses that ask the unit to switch the machine off, to restart it, or to start the
program again: the service itself may do none of that.
"""


def is_service() -> bool:
    """Tell whether systemd started the program."""
    return "INVOCATION_ID" in os.environ


def is_appliance() -> bool:
    """Tell whether the systemd unit carries out the POWER_STATUS exit statuses."""
    return os.environ.get(APPLIANCE) == "1"


def notify(state: str, environ: Mapping[str, str] = os.environ) -> None:
    """Send systemd a state such as READY=1; OSError if its socket is gone."""
    address = environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    import socket

    if address.startswith("@"):  # systemd's notation for an abstract socket
        address = "\0" + address[1:]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel:
        channel.connect(address)
        channel.send(state.encode())


class ServiceOutput(Output):
    """Sends READY after the first frame, and feeds the watchdog from the loop only.

    It must be the last output, so that READY comes after the displays have painted; then it calls
    `ready` once.
    """

    name = "service"

    def __init__(
        self,
        ready: Callable[[], None],
        clock: Callable[[], float],
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        self._ready: Callable[[], None] | None = ready
        self._clock = clock
        self._environ = environ
        usec = environ.get("WATCHDOG_USEC", "")
        # three messages in each watchdog interval
        self._every_s = int(usec) / 1_000_000 / 3 if usec.isdecimal() and int(usec) else None
        """None: systemd expects none."""
        self._fed_at = clock()
        """When systemd was told last that the loop is alive."""

    def show(self, frame: Frame) -> None:
        del frame
        if self._ready is not None:
            ready = self._ready
            self._ready = None  # only once
            notify("READY=1", self._environ)
            ready()

    def poll(self) -> None:
        if self._every_s is not None and self._clock() - self._fed_at >= self._every_s:
            self._fed_at = self._clock()
            notify("WATCHDOG=1", self._environ)

    def poll_every_s(self) -> float | None:
        return self._every_s

    def close(self) -> None:
        notify("STOPPING=1", self._environ)
