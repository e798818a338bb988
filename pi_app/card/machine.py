"""The machine's clock, time zone, name and Wi-Fi, changed by root's helper."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from pi_app.card.helper import HelperError, call

ROOT = Path("/")
WIFI_SOCKET = Path("/run/beisitzer-wifi.sock")
"""Where the service listens that keeps the Wi-Fi (`pi_app/network`)."""
JOIN_S, LOOK_S = 75.0, 0.5
"""How long joining a network may take, and how often to look."""


@dataclass(frozen=True, slots=True)
class Network:
    """A Wi-Fi network in reach; `kind` is open, wpa-psk, sae, or other: not to be joined here."""

    name: str
    signal: int
    """In percent."""
    kind: str
    used: bool = False


class System(Protocol):
    """What a table asks of its machine; HelperError if it fails."""

    def networks(self) -> list[Network]:
        """Return the Wi-Fi networks in reach, the strongest first."""

    def join(self, network: Network, password: str) -> None:
        """Join a Wi-Fi network and keep it."""

    def set_clock(self, now: datetime) -> None:
        """Set the clock."""

    def set_zone(self, zone: str) -> None:
        """Set the time zone by its name, such as Europe/Berlin."""

    def set_name(self, name: str) -> None:
        """Give the machine another name in the house."""

    def name(self) -> str:
        """Return the machine's name."""

    def zone(self) -> str:
        """Return the name of the time zone; "" if it is unknown."""

    def follows_network_time(self) -> bool:
        """Tell whether the clock was set by the network since the start."""

    def is_card(self) -> bool:
        """Tell whether the system is a flashed card, which nobody else has named."""

    def has_bus(self, bus: str) -> bool:
        """Tell whether the header's bus is switched on: i2c or spi."""


class HelpersSystem:
    """This machine."""

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
        status = self._ask("look", at=WIFI_SOCKET)
        used = status["name"] if status["link"] == "joined" else ""
        return [Network(**each, used=each["name"] == used) for each in status["networks"]]

    def join(self, network: Network, password: str) -> None:
        self._ask("join", at=WIFI_SOCKET, name=network.name, password=password, kind=network.kind)
        for _ in range(int(JOIN_S / LOOK_S)):
            status = self._ask("status", at=WIFI_SOCKET)
            if status["link"] == "joined" and status["name"] == network.name:
                return
            if status["asked"] != network.name:
                raise HelperError(str(status["fault"] or "failed"), {})
            self._sleep(LOOK_S)
        raise HelperError("no-address", {})

    def set_clock(self, now: datetime) -> None:
        self._ask("clock-set", utc=now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M"))

    def set_zone(self, zone: str) -> None:
        self._ask("zone-set", zone=zone)
        time.tzset()  # this program reads the link again

    def set_name(self, name: str) -> None:
        self._ask("host-set", name=name)

    def name(self) -> str:
        return os.uname().nodename.partition(".")[0]

    def zone(self) -> str:
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
        return (self._root / "run/systemd/timesync/synchronized").exists()

    def is_card(self) -> bool:
        return is_card(self._root)

    def has_bus(self, bus: str) -> bool:
        pattern = {"spi": "spidev*", "i2c": "i2c-*"}[bus]
        return any((self._root / "dev").glob(pattern))


def is_card(root: Path = ROOT) -> bool:
    """Tell whether the system is a flashed card."""
    return (root / "etc/beisitzer-card").exists()
