"""A NetworkManager that only pretends: its D-Bus objects, and networks that come and go."""

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from pi_app.network.manager import (
    ACTIVE,
    DEVICE,
    FAILED,
    FREE,
    NOTHING,
    OWN_UUID,
    WIRELESS,
    ManagerError,
)

RADIO, CABLE = "/device/1", "/device/2"
JOINS = 50
"""The state of a device that waits for the other end."""


@dataclass
class Air:
    """A network in reach."""

    name: str
    password: str = ""
    strength: int = 70
    frequency: int = 2412
    gives_addresses: bool = True
    flags: int = 1
    wpa: int = 0
    rsn: int = 0x100


@dataclass
class FakeBus:
    """What `Manager` asks, with the radio's state in `state`; `settle` lets things go on."""

    air: list[Air] = field(default_factory=list)
    stored: dict[str, dict[str, dict[str, tuple[str, Any]]]] = field(default_factory=dict)
    state: int = FREE
    active: str = ""
    """The path of the stored connection in use."""
    capabilities: int = 0x40
    cable: bool = False
    there: bool = True
    saved: set[str] = field(default_factory=set)
    scans: int = 0
    radio_on: bool = False
    broken: bool = False
    """Whether no access point can be opened."""
    signals: deque[tuple[Any, ...]] = field(default_factory=deque)
    _made: int = 0

    def fileno(self) -> int:
        raise NotImplementedError

    def drain(self) -> None:
        """Nothing waits elsewhere."""

    def call(
        self, path: str, interface: str, method: str, signature: str = "", *values: Any
    ) -> tuple[Any, ...]:
        assert interface.startswith("org.freedesktop.")
        assert bool(signature) == bool(values)
        if not self.there:
            raise ManagerError("org.freedesktop.DBus.Error.ServiceUnknown")
        return tuple(getattr(self, f"_{method}")(path, *values))

    def settle(self) -> None:
        """Let what was begun come to its end."""
        if self.state != JOINS:
            return
        wireless = self.stored[self.active]["802-11-wireless"]
        if wireless["mode"][1] == "ap":
            self._end(8 if self.broken else 0)
            return
        name = bytes(wireless["ssid"][1]).decode()
        found = next((each for each in self.air if each.name == name), None)
        security = self.stored[self.active].get("802-11-wireless-security")
        password = security["psk"][1] if security else ""
        if found is None:
            self._end(53)
        elif password != found.password:
            self._end(7)
        elif found.gives_addresses:
            self._end(0)

    def _end(self, reason: int) -> None:
        if reason:
            self.signals.append((FAILED, JOINS, reason))
            self.state, self.active = FREE, ""
        else:
            self.state = ACTIVE

    # --- the objects

    def _GetDevices(self, _path: str) -> tuple[Any, ...]:  # noqa: N802  # their names
        return ([RADIO, CABLE],)

    def _GetAll(self, path: str, interface: str) -> tuple[Any, ...]:  # noqa: N802
        facts: dict[str, Any]
        if interface == DEVICE and path == CABLE:
            facts = {"DeviceType": 1, "State": ACTIVE if self.cable else 20}
        elif interface == DEVICE:
            facts = {
                "DeviceType": 2,
                "State": self.state,
                "Interface": "wlan0",
                "ActiveConnection": f"/active{self.active}" if self.active else NOTHING,
            }
        elif interface == WIRELESS:
            facts = {"WirelessCapabilities": self.capabilities, "LastScan": self.scans}
        elif interface.endswith("Active"):
            facts = {"Uuid": self.stored[path.removeprefix("/active")]["connection"]["uuid"][1]}
        else:
            each = self.air[int(path.removeprefix("/air/"))]
            facts = {
                "Ssid": each.name.encode(), "Strength": each.strength, "Mode": 2,
                "Flags": each.flags, "WpaFlags": each.wpa, "RsnFlags": each.rsn,
                "Frequency": each.frequency,
            }  # fmt: skip
        return ({name: ("?", value) for name, value in facts.items()},)

    def _Set(self, _path: str, _interface: str, name: str, value: Any) -> tuple[()]:  # noqa: N802
        assert (name, value) == ("WirelessEnabled", ("b", True))
        self.radio_on = True
        return ()

    def _ListConnections(self, _path: str) -> tuple[Any, ...]:  # noqa: N802
        return (list(self.stored),)

    def _GetSettings(self, path: str) -> tuple[Any, ...]:  # noqa: N802
        shown = {
            part: {name: value for name, value in values.items() if name != "psk"}
            for part, values in self.stored[path].items()
        }
        return (shown,)

    def _GetConnectionByUuid(self, _path: str, uuid: str) -> tuple[Any, ...]:  # noqa: N802
        for path, facts in self.stored.items():
            if facts["connection"]["uuid"][1] == uuid:
                return (path,)
        raise ManagerError("org.freedesktop.NetworkManager.Settings.InvalidConnection")

    def _GetAllAccessPoints(self, _path: str) -> tuple[Any, ...]:  # noqa: N802
        return ([f"/air/{number}" for number in range(len(self.air))],)

    # --- the changes

    def store(self, name: str, password: str = "") -> str:
        """Store a network as somebody else would have done."""
        settings: dict[str, dict[str, tuple[str, Any]]] = {
            "connection": {"id": ("s", name)},
            "802-11-wireless": {"ssid": ("ay", name.encode()), "mode": ("s", "infrastructure")},
        }
        if password:
            settings["802-11-wireless-security"] = {"psk": ("s", password)}
        return self._add(settings)

    def _add(self, settings: dict[str, dict[str, tuple[str, Any]]]) -> str:
        self._made += 1
        path = f"/settings/{self._made}"
        settings["connection"].setdefault("uuid", ("s", f"uuid-{self._made}"))
        self.stored[path] = settings
        return path

    def _RequestScan(self, _path: str, _options: Any) -> tuple[()]:  # noqa: N802
        self.scans += 1
        return ()

    def _AddConnection2(self, _path: str, settings: Any, *_: Any) -> tuple[Any, ...]:  # noqa: N802
        path = self._add(settings)
        self.saved.add(path)
        return (path, {})

    def _Update2(self, path: str, settings: Any, *_: Any) -> tuple[Any, ...]:  # noqa: N802
        self.stored[path] = settings
        return ({},)

    def _AddAndActivateConnection2(  # noqa: N802
        self, _path: str, settings: Any, device: str, _object: str, options: Any
    ) -> tuple[Any, ...]:
        assert options == {"persist": ("s", "memory")}
        path = self._add(settings)
        self._ActivateConnection("", path, device, NOTHING)
        return (path, f"/active{path}", {})

    def _ActivateConnection(  # noqa: N802
        self, _path: str, path: str, device: str, _object: str
    ) -> tuple[Any, ...]:
        assert device == RADIO
        self.state, self.active = JOINS, path
        return (f"/active{path}",)

    def _DeactivateConnection(self, _path: str, active: str) -> tuple[()]:  # noqa: N802
        if not self.active or active != f"/active{self.active}":
            raise ManagerError("org.freedesktop.NetworkManager.ConnectionNotActive")
        self.state, self.active = FREE, ""
        return ()

    def _Save(self, path: str) -> tuple[()]:  # noqa: N802
        self.saved.add(path)
        return ()

    def _Delete(self, path: str) -> tuple[()]:  # noqa: N802
        del self.stored[path]
        self.saved.discard(path)
        if path == self.active:
            self.state, self.active = FREE, ""
        return ()

    @property
    def own(self) -> dict[str, dict[str, tuple[str, Any]]]:
        """The own network as it is stored."""
        (path,) = self._GetConnectionByUuid("", OWN_UUID)
        return self.stored[path]
