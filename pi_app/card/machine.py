"""The machine's clock, time zone, name and Wi-Fi, changed by root's helper."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hardware.config import Devices, boot_lines
from pi_app.card.helper import HelperError, call
from pi_app.run.loop import Companion
from pi_app.screens.base import Quit
from pi_app.system.host import CARD, WIFI_SOCKET, network_set_clock
from pi_app.view.output import Output

log = logging.getLogger(__name__)

ROOT = Path("/")
JOIN_S, LOOK_S = 75.0, 0.5
"""How long joining a network may take, and how often to look."""


@dataclass(frozen=True, slots=True)
class Network:
    """A Wi-Fi network in reach; `kind` is open, wpa-psk, sae, or other (cannot be joined)."""

    name: str
    signal: int
    """In percent."""
    kind: str
    used: bool = False


class System:
    """The table's requests to its machine and root's helper; HelperError if one fails."""

    def __init__(
        self,
        root: Path = ROOT,
        ask: Callable[..., dict[str, Any]] = call,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._root = root
        self._ask = ask
        self._sleep = sleep

    def networks(self) -> list[Network]:
        """Return the Wi-Fi networks in reach, the strongest first."""
        status = self._ask("look", at=WIFI_SOCKET)
        used = status["name"] if status["link"] == "joined" else ""
        return [Network(**each, used=each["name"] == used) for each in status["networks"]]

    def join(self, network: Network, password: str) -> None:
        """Join a Wi-Fi network and keep it."""
        self._ask("join", at=WIFI_SOCKET, name=network.name, password=password, kind=network.kind)
        for _ in range(int(JOIN_S / LOOK_S)):
            status = self._ask("status", at=WIFI_SOCKET)
            if status["link"] == "joined" and status["name"] == network.name:
                return
            if status["asked"] != network.name:
                raise HelperError(str(status["fault"] or "failed"))
            self._sleep(LOOK_S)
        raise HelperError("no-address")

    def set_clock(self, now: datetime) -> None:
        """Set the clock."""
        self._ask("clock-set", utc=now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M"))

    def set_zone(self, zone: str) -> None:
        """Set the time zone by its name, such as Europe/Berlin."""
        self._ask("zone-set", zone=zone)
        time.tzset()  # makes this process read the new zone

    def set_name(self, name: str) -> None:
        """Give the machine another name in the house."""
        self._ask("host-set", name=name)

    def name(self) -> str:
        """Return the machine's name."""
        return os.uname().nodename.partition(".")[0]

    def zone(self) -> str:
        """Return the name of the time zone; "" if it is unknown."""
        link = self._root / "etc/localtime"
        try:
            while link.is_symlink():
                target = str(link.readlink())
                if "zoneinfo/" in target:
                    return target.partition("zoneinfo/")[2]
                link = self._root / target.lstrip("/")
        except OSError:
            pass
        return ""

    def follows_network_time(self) -> bool:
        """Tell whether the clock was set by the network since the start."""
        return network_set_clock(self._root)

    def is_card(self) -> bool:
        """Tell whether the system is a flashed card; only then may the table rename it."""
        return (self._root / CARD.relative_to("/")).exists()

    def header_lines(self) -> tuple[str, ...]:
        """Return the firmware's configuration of the parts on the header."""
        try:
            return tuple((self._root / "data/machine/header.txt").read_text("ascii").splitlines())
        except (OSError, ValueError):
            return boot_lines(Devices())  # the image's own

    def set_header(self, lines: tuple[str, ...]) -> None:
        """Change it from the machine's next start on."""
        self._ask("header-set", lines="".join(f"{line}\n" for line in lines))


class HeaderCheck(Output):
    """Switches on the buses that a card's settings need, once, after the first frame.

    The firmware switches them on before Linux starts: at the `first` start, when no game waits, the
    machine restarts by itself, later the table asks for a restart.
    """

    name = "header"

    def __init__(self, program: Companion, system: System, *, first: bool) -> None:
        self._program = program
        self._system = system
        self._first = first
        self._begun = False

    def poll_every_s(self) -> float | None:
        return None if self._begun else 1.0

    def poll(self) -> None:
        if self._begun:
            return
        self._begun = True
        ctx = self._program.ctx
        lines = boot_lines(ctx.settings)
        if lines != self._system.header_lines():
            ctx.worker.begin(lambda _: self._set(lines), self._end, idle=True)

    def _set(self, lines: tuple[str, ...]) -> bool:
        try:
            self._system.set_header(lines)
        except HelperError as error:
            log.warning("the header's buses stay as they are: %s", error)
            return False
        return True

    def _end(self, done: bool | None) -> None:  # noqa: FBT001  # called with the job's answer
        if done and self._first:
            self._program.quit = Quit(power="restart")
        elif done:
            tx = self._program.ctx.texts
            self._program.bulletin.tell(tx("alert", "Other parts on the pins: restart the Pi."))
