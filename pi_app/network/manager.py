"""NetworkManager over D-Bus: the radio's state, networks in reach, and a few changes.

Numbers are those of NetworkManager's D-Bus interface.
"""

from __future__ import annotations

import re
import subprocess
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Protocol

from pi_app.network.policy import Link
from pi_app.system.host import OWN_WIFI

BUS: Final = "org.freedesktop.NetworkManager"
ROOT: Final = "/org/freedesktop/NetworkManager"
SETTINGS: Final = f"{ROOT}/Settings"
DEVICE: Final = f"{BUS}.Device"
WIRELESS: Final = f"{DEVICE}.Wireless"
CONNECTION: Final = f"{BUS}.Settings.Connection"
NOTHING: Final = "/"
OWN_UUID: Final = "4f1b7c4e-8d0e-4a56-9a6e-be151721f1f1"
"""The own network's connection is found again by this."""
CALL_S = 30.0
ETHERNET, WIFI = 1, 2
CAN_OPEN = 0x40
"""A radio that can be an access point."""
UNAVAILABLE, FREE, PREPARES, ACTIVE, FAILED = 20, 30, 40, 100, 120
PRIVATE, PSK, ENTERPRISE, SAE = 0x1, 0x100, 0x200, 0x400
TO_DISK = 0x1
FAULTS: Mapping[int, str] = {
    5: "no-address", 6: "no-address", 15: "no-address", 16: "no-address", 17: "no-address",
    7: "wrong-password", 8: "wrong-password", 9: "wrong-password", 11: "wrong-password",
    53: "not-found",
}  # fmt: skip
"""The meaning of a device's reason for a failure: no address came; the other end refused the
password (a network with WPA3 only ends the conversation); the network was not there."""
NETWORK_LIMIT = 20


class ManagerError(Exception):
    """NetworkManager refused; the text is its name for the reason."""


class Bus(Protocol):
    """The system's D-Bus, for calls to NetworkManager."""

    signals: deque[tuple[Any, ...]]
    """The bodies of StateChanged signals of devices, oldest first."""

    def call(
        self, path: str, interface: str, method: str, signature: str = "", *values: object
    ) -> tuple[Any, ...]:
        """Call a method; ManagerError if it fails."""

    def fileno(self) -> int:
        """Return the descriptor that becomes readable with a signal."""

    def drain(self) -> None:
        """Read what has arrived."""


class JeepneyBus:
    """The bus, using jeepney; ManagerError without a bus."""

    def __init__(self) -> None:
        from jeepney import MatchRule, message_bus
        from jeepney.io.blocking import Proxy, open_dbus_connection

        try:
            self._connection = open_dbus_connection("SYSTEM", auth_timeout=10.0)
        except (OSError, KeyError) as error:
            raise ManagerError(str(error)) from error
        self.signals: deque[tuple[Any, ...]] = deque(maxlen=64)
        rule = MatchRule(type="signal", sender=BUS, interface=DEVICE, member="StateChanged")
        Proxy(message_bus, self._connection).AddMatch(rule)
        # the bus replaces the sender by a number, so that the filter leaves it out
        here = MatchRule(type="signal", interface=DEVICE, member="StateChanged")
        self._messages: deque[Any] = deque(maxlen=64)
        self._connection.filter(here, queue=self._messages)

    def call(
        self, path: str, interface: str, method: str, signature: str = "", *values: object
    ) -> tuple[Any, ...]:
        from jeepney import DBusAddress, DBusErrorResponse, new_method_call
        from jeepney.wrappers import unwrap_msg

        address = DBusAddress(path, BUS, interface)
        message = new_method_call(address, method, signature or None, values)
        try:
            reply = self._connection.send_and_get_reply(message, timeout=CALL_S)
            return tuple(unwrap_msg(reply))
        except DBusErrorResponse as error:
            raise ManagerError(error.name) from error
        except TimeoutError as error:
            raise ManagerError("timeout") from error

    def fileno(self) -> int:
        number: int = self._connection.sock.fileno()
        return number

    def drain(self) -> None:
        with suppress(TimeoutError):
            while True:
                self._connection.recv_messages(timeout=0)
        while self._messages:
            self.signals.append(tuple(self._messages.popleft().body))


@dataclass(frozen=True, slots=True)
class InReach:
    """A network in reach; `kind` is open, wpa-psk, sae, or other, which cannot be joined here."""

    name: str
    signal: int
    """In percent."""
    kind: str
    channel: int


@dataclass(frozen=True, slots=True)
class Known:
    """A Wi-Fi network that NetworkManager has stored."""

    path: str
    uuid: str
    name: str


@dataclass(frozen=True, slots=True)
class Radio:
    """The machine's Wi-Fi device."""

    path: str
    interface: str
    state: int
    active: str
    """The path of its active connection."""
    uuid: str
    """Its connection, also while it is being made."""
    can_open: bool

    @property
    def link(self) -> Link:
        """The state of the radio."""
        own = self.uuid == OWN_UUID
        if self.state == ACTIVE:
            return "own" if own else "joined"
        if PREPARES <= self.state < ACTIVE:
            return "starting" if own else "joining"
        return "none"


class Manager:
    """Calls of NetworkManager."""

    def __init__(self, bus: Bus, run: Callable[..., str] | None = None) -> None:
        self.bus = bus
        self._run = run or run_command

    # --- queries

    def _properties(self, path: str, interface: str) -> dict[str, Any]:
        (found,) = self.bus.call(path, "org.freedesktop.DBus.Properties", "GetAll", "s", interface)
        return {name: value for name, (_, value) in found.items()}

    def _devices(self) -> Iterator[tuple[str, dict[str, Any]]]:
        (paths,) = self.bus.call(ROOT, BUS, "GetDevices")
        for path in paths:
            with suppress(ManagerError):  # the object has gone meanwhile
                yield path, self._properties(path, DEVICE)

    def devices(self) -> tuple[Radio | None, bool]:
        """Return the radio, if there is one that is switched on, and whether a cable is used."""
        radio, cable = None, False
        for path, facts in self._devices():
            if facts["DeviceType"] == ETHERNET:
                cable = cable or facts["State"] == ACTIVE
            elif facts["DeviceType"] == WIFI and facts["State"] >= FREE and radio is None:
                wireless = self._properties(path, WIRELESS)
                active = facts["ActiveConnection"]
                radio = Radio(
                    path,
                    facts["Interface"],
                    facts["State"],
                    active,
                    self._uuid(active),
                    bool(wireless["WirelessCapabilities"] & CAN_OPEN),
                )
        return radio, cable

    def _uuid(self, active: str) -> str:
        if active == NOTHING:
            return ""
        with suppress(ManagerError):
            return str(self._properties(active, f"{BUS}.Connection.Active")["Uuid"])
        return ""

    def switch_on(self) -> None:
        """Switch the radio on, which is off on a Pi until its country is known."""
        value = ("b", True)
        with suppress(ManagerError):
            self.bus.call(
                ROOT, "org.freedesktop.DBus.Properties", "Set", "ssv", BUS, "WirelessEnabled", value
            )

    def known(self) -> list[Known]:
        """Return the stored networks, without the own one and other access points."""
        found = []
        (paths,) = self.bus.call(SETTINGS, f"{BUS}.Settings", "ListConnections")
        for path in paths:
            with suppress(ManagerError):
                facts = self._settings(path)
                wireless = facts.get("802-11-wireless")
                mode = wireless and wireless.get("mode", "infrastructure")
                if wireless and mode == "infrastructure":
                    name = bytes(wireless["ssid"]).decode("utf-8", "replace")
                    found.append(Known(path, facts["connection"]["uuid"], name))
        return found

    def _settings(self, path: str) -> dict[str, dict[str, Any]]:
        (facts,) = self.bus.call(path, CONNECTION, "GetSettings")
        return {
            part: {name: value for name, (_, value) in values.items()}
            for part, values in facts.items()
        }

    def found(self, radio: Radio) -> list[InReach]:
        """Return the networks that the radio saw last, the strongest first, each once."""
        (paths,) = self.bus.call(radio.path, WIRELESS, "GetAllAccessPoints")
        seen: dict[str, InReach] = {}
        for path in paths:
            with suppress(ManagerError):
                facts = self._properties(path, f"{BUS}.AccessPoint")
                name = bytes(facts["Ssid"]).decode("utf-8", "replace")
                if not name or facts["Mode"] != 2:  # 2: a network with an access point
                    continue
                kind = _kind(facts["Flags"], facts["WpaFlags"] | facts["RsnFlags"])
                each = InReach(name, facts["Strength"], kind, channel_of(facts["Frequency"]))
                if name not in seen or seen[name].signal < each.signal:
                    seen[name] = each
        return sorted(seen.values(), key=lambda each: -each.signal)

    def last_scan(self, radio: Radio) -> int:
        """Return the time of the radio's last scan, in ms of its own clock."""
        return int(self._properties(radio.path, WIRELESS)["LastScan"])

    def guests(self, radio: Radio) -> int | None:
        """Return how many devices are in the own network; None if unknown."""
        words = self._iw("dev", radio.interface, "station", "dump")
        return None if words is None else len(re.findall(r"(?m)^Station ", words))

    def offers_sae(self) -> bool:
        """Tell whether the driver reports that an access point here can do WPA3."""
        words = self._iw("phy") or ""
        return "SAE with AUTHENTICATE" in words or "SAE_OFFLOAD_AP" in words

    def _iw(self, *words: str) -> str | None:
        """Return what iw prints; None if it cannot be asked."""
        try:
            return self._run("iw", *words)
        except (OSError, subprocess.SubprocessError):
            return None

    # --- changes

    def scan(self, radio: Radio) -> None:
        with suppress(ManagerError):  # refused soon after another scan, which has the same result
            self.bus.call(radio.path, WIRELESS, "RequestScan", "a{sv}", {})

    def stop(self, radio: Radio) -> None:
        """Disconnect the radio."""
        with suppress(ManagerError):
            self.bus.call(ROOT, BUS, "DeactivateConnection", "o", radio.active)

    def activate(self, path: str, radio: Radio) -> None:
        self.bus.call(ROOT, BUS, "ActivateConnection", "ooo", path, radio.path, NOTHING)

    def join(self, radio: Radio, name: str, password: str, kind: str) -> str:
        """Begin to join a network that is not stored yet; return its path."""
        settings: dict[str, dict[str, tuple[str, object]]] = {
            "connection": {"id": ("s", name), "type": ("s", "802-11-wireless")},
            "802-11-wireless": {
                "ssid": ("ay", name.encode()),
                "mode": ("s", "infrastructure"),
            },
            # the table can only show an IPv4 address
            "ipv4": {"method": ("s", "auto"), "may-fail": ("b", False)},
            "ipv6": {"method": ("s", "auto")},
        }
        if kind != "open":
            settings["802-11-wireless-security"] = {
                "key-mgmt": ("s", kind), "psk": ("s", password),
            }  # fmt: skip
        options = {"persist": ("s", "memory")}
        path, *_ = self.bus.call(
            ROOT, BUS, "AddAndActivateConnection2", "a{sa{sv}}ooa{sv}",
            settings, radio.path, NOTHING, options,
        )  # fmt: skip
        return str(path)

    def store_network(self, path: str) -> None:
        """Store a joined network."""
        self.bus.call(path, CONNECTION, "Save")

    def drop(self, path: str) -> None:
        with suppress(ManagerError):
            self.bus.call(path, CONNECTION, "Delete")

    def own_path(self) -> str:
        """Return the path of the own network; "" if it was never made."""
        try:
            (path,) = self.bus.call(
                SETTINGS, f"{BUS}.Settings", "GetConnectionByUuid", "s", OWN_UUID
            )
        except ManagerError:
            return ""
        return str(path)

    def own_name(self) -> str:
        path = self.own_path()
        return bytes(self._settings(path)["802-11-wireless"]["ssid"]).decode() if path else ""

    def store_own(self, name: str, password: str, channel: int, *, sae: bool) -> str:
        """Store the own network with these settings; return its path."""
        settings = own_settings(name, password, channel, sae=sae)
        path = self.own_path()
        if not path:
            (path, _) = self.bus.call(
                SETTINGS, f"{BUS}.Settings", "AddConnection2", "a{sa{sv}}ua{sv}",
                settings, TO_DISK, {},
            )  # fmt: skip
            return str(path)
        self.bus.call(path, CONNECTION, "Update2", "a{sa{sv}}ua{sv}", settings, TO_DISK, {})
        return path


def own_settings(
    name: str, password: str, channel: int, *, sae: bool
) -> dict[str, dict[str, tuple[str, object]]]:
    """Return the own network's settings for NetworkManager.

    It never opens by itself. With `sae` phones that know WPA3 use it, others WPA2.
    """
    return {
        "connection": {
            "id": ("s", "Beisitzer"),
            "uuid": ("s", OWN_UUID),
            "type": ("s", "802-11-wireless"),
            "autoconnect": ("b", False),
        },
        "802-11-wireless": {
            "ssid": ("ay", name.encode()),
            "mode": ("s", "ap"),
            "band": ("s", "bg"),
            "channel": ("u", channel),
        },
        "802-11-wireless-security": {
            "key-mgmt": ("s", "wpa-psk"),
            "psk": ("s", password),
            "proto": ("as", ["rsn"]),
            "pairwise": ("as", ["ccmp"]),
            "group": ("as", ["ccmp"]),
            # WPA3 needs protected frames; some radios without WPA3 fail with them
            "pmf": ("i", 2 if sae else 1),
        },
        "ipv4": {
            "method": ("s", "shared"),
            "address-data": (
                "aa{sv}",
                [{"address": ("s", OWN_WIFI), "prefix": ("u", 24)}],
            ),
        },
        "ipv6": {"method": ("s", "disabled")},
    }


def channel_of(frequency: int) -> int:
    """Return the channel of a frequency in MHz; 0 outside of the 2.4 GHz band."""
    if frequency == 2484:
        return 14
    return (frequency - 2407) // 5 if 2412 <= frequency <= 2472 else 0


def _kind(flags: int, security: int) -> str:
    if security & ENTERPRISE:
        return "other"
    if security & PSK:
        return "wpa-psk"
    if security & SAE:
        return "sae"
    return "other" if security or flags & PRIVATE else "open"


def run_command(*words: str) -> str:
    """Run a program of the system, and return its output."""
    path = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C"}
    done = subprocess.run(  # noqa: S603  # iw alone
        words, env=path, capture_output=True, text=True, check=True, timeout=10
    )
    return done.stdout
