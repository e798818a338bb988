"""The process for the table's Wi-Fi: it answers the companion, and carries out `decide`.

A request is one line of JSON and so is the answer, as with root's helper (`systemd/helper.py`):
{"call": "status"} gives {"ok": {...}} or {"error": "no-radio"}. It runs as a user of its own, with
only the permissions it needs in NetworkManager's rules.
"""

from __future__ import annotations

import json
import logging
import select
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from pi_app.network.manager import (
    ACTIVE,
    FAILED,
    FAULTS,
    FREE,
    NETWORK_LIMIT,
    InReach,
    Known,
    Manager,
    ManagerError,
    Radio,
)
from pi_app.network.names import make_name, make_password
from pi_app.network.policy import (
    Pauses,
    Sight,
    State,
    WifiStep,
    WifiWish,
    decide,
    free_name,
    quietest,
    request_network,
)
from pi_app.system.replace import PRIVATE, write_safely
from pi_app.wire.messages import Message, MessageError, String, read_object

log = logging.getLogger(__name__)

REQUEST_LIMIT_BYTES = 4096
"""Longer requests are refused."""
NAME_LIMIT_BYTES = 32
REQUEST_S = 5.0
QUICK_S, SLOW_S = 1.0, 10.0
"""The time between two steps: while something is under way, and otherwise."""
SCAN_S = 15.0
"""How long a scan may take."""
NAMED_FILE = "own.json"
"""The own network's name, its password and the wish, in the service's folder."""
COUNTRY_FILE = "country"
"""The file from which systemd sets the radio's country before it starts the service."""


class WifiRefusedError(Exception):
    """A request failed; the text is the code of the reason."""


@dataclass
class Own:
    """The stored facts of the own network."""

    name: str = ""
    password: str = field(default="", repr=False)


@dataclass
class Service:
    """The table's Wi-Fi. `folder` is kept; `clock` gives seconds and never goes back."""

    manager: Manager
    folder: Path
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    pauses: Pauses = field(default_factory=Pauses)
    wish: WifiWish = field(default_factory=WifiWish)
    state: State = field(default_factory=State)
    own: Own = field(default_factory=Own)
    added: set[str] = field(default_factory=set)
    """UUIDs of the networks that a phone may forget.

    They are those joined after the first. Those that the owner stored, and the first one that the
    table joined, belong to the house.
    """
    found: list[InReach] = field(default_factory=list)
    looked: float | None = None
    new_country: bool = False
    """Whether the service must be restarted."""
    _fault: tuple[str, str] = ("", "")
    """Why the last attempt failed, and for which network; reported once."""
    _trying: str = ""
    """The network that is being joined."""
    _named: tuple[str, str] = ("", "")
    """The connection in use, and the name of its network."""
    _trouble: str = ""
    """NetworkManager's latest refusal."""
    _new: tuple[str, str] = ("", "")
    """Path and name of a network that is being joined for the first time."""

    # --- storage

    def load(self) -> None:
        """Read the stored facts; none are there before the first wish."""
        self.state = State(since=self.clock())
        with suppress(OSError, ValueError, TypeError, KeyError):
            kept = json.loads((self.folder / NAMED_FILE).read_text())
            self.own = Own(**kept["own"])
            self.wish = WifiWish(**kept["wish"])
            self.added = set(kept["added"])

    def _store_state(self) -> None:
        kept = {"own": asdict(self.own), "wish": asdict(self.wish), "added": [*self.added]}
        write_safely(self.folder / NAMED_FILE, json.dumps(kept).encode(), PRIVATE)

    # --- steps

    def step(self) -> None:
        """Observe the machine once, and carry out the next step."""
        try:
            radio, cable = self.manager.devices()
            self._hear(radio)
            act = self._decide(radio, cable=cable)
            if act is not None and radio is not None:
                log.info("%s %s", act.what, act.name)
                self._do(act, radio)
            self._trouble = ""
        except ManagerError as error:
            if str(error) != self._trouble:
                log.warning("NetworkManager: %s", error)
            self._trouble = str(error)

    def _hear(self, radio: Radio | None) -> None:
        """Note why an attempt failed."""
        self.manager.bus.drain()
        signals = self.manager.bus.signals
        while signals:
            new, old, reason = signals.popleft()
            # a network that had given an address has gone, which is no failure to join
            if new == FAILED and old < ACTIVE and self._trying:
                self._fault = FAULTS.get(reason, "failed"), self._trying
        if radio is not None and radio.link in ("joining", "joined"):
            self._trying = self._name(radio)

    def _name(self, radio: Radio) -> str:
        if self._named[0] != radio.uuid:
            known = {each.uuid: each.name for each in self.manager.known()}
            self._named = radio.uuid, known.get(radio.uuid, "")
        return self._named[1]

    def _decide(self, radio: Radio | None, *, cable: bool) -> WifiStep | None:
        sight = self._sight(radio, cable=cable)
        self.state, act = decide(self.state, sight, self.wish, self.clock(), self.pauses)
        if sight.fault:
            self._fault = ("", "")
        self._settle_new(sight)
        return act

    def _sight(self, radio: Radio | None, *, cable: bool) -> Sight:
        fault, failed = self._fault
        if radio is None:
            return Sight(radio=False, cable=cable, fault=fault, failed=failed)
        link = radio.link
        name = self._trying if link in ("joining", "joined") else ""
        # only an idle radio joins or opens a network
        known = {each.name for each in self.manager.known()} if link == "none" else set()
        return Sight(
            link,
            name,
            radio.can_open,
            cable,
            frozenset(known & {each.name for each in self.found}),
            self.looked,
            self._guests(radio),
            fault,
            failed,
        )

    def _guests(self, radio: Radio) -> int | None:
        """Return how many devices are in the own network, if a scan is due; else None."""
        since = max(self.looked or 0.0, self.state.since)
        due = radio.link == "own" and self.clock() - since >= self.pauses.look
        return self.manager.guests(radio) if due else None

    def _settle_new(self, sight: Sight) -> None:
        """Store a network after its first join, or drop it if the join failed."""
        path, name = self._new
        if not path or self.state.asked:
            return
        self._new = ("", "")
        if sight.link != "joined" or sight.name != name:
            self.manager.drop(path)
            return
        self.manager.store_network(path)
        self._drop_added(name)
        if others := [each for each in self.manager.known() if each.path != path]:
            (new,) = (each.uuid for each in self.manager.known() if each not in others)
            self.added.add(new)
            self._store_state()

    def _do(self, act: WifiStep, radio: Radio) -> None:
        if act.what == "look":
            self._scan(radio)
        elif act.what == "stop":
            self.manager.stop(radio)
        elif act.what == "own":
            self._open(radio)
        else:
            self._trying = act.name
            self.manager.activate(self._known(act.name)[-1].path, radio)

    def _scan(self, radio: Radio) -> None:
        """Scan for networks in reach, after closing the own one."""
        before = self.manager.last_scan(radio)
        if radio.link in ("own", "starting"):
            self.manager.stop(radio)
        end, asked = self.clock() + SCAN_S, False
        while self.clock() < end:
            now, _ = self.manager.devices()
            if now is None or now.link == "joining":  # NetworkManager has found a known one itself
                break
            if now.state == FREE or now.link == "joined":
                if self.manager.last_scan(now) != before:
                    break
                if not asked:
                    self.manager.scan(now)
                    asked = True
            self.sleep(0.2)
        self.found = [each for each in self.manager.found(radio) if each.name != self.own.name]
        self.looked = self.clock()

    def _open(self, radio: Radio) -> None:
        """Open the own network, on the best channel and with an unused name."""
        self._make()
        attempt = self.state.failures
        loads: dict[int, int] = {}
        for each in self.found:
            loads[each.channel] = loads.get(each.channel, 0) + each.signal
        channel = self.wish.channel if self.wish.channel and not attempt else 0
        seen = frozenset(each.name for each in self.manager.found(radio))
        name = free_name(self.own.name, seen)
        path = self.manager.store_own(
            name,
            self.own.password,
            channel or quietest(loads, attempt=attempt),
            sae=self.manager.offers_sae(),
        )
        self.manager.activate(path, radio)

    def _make(self) -> None:
        """Create name and password of the own network, once."""
        if not self.own.password:
            self.own = Own(make_name(), make_password())
            self._store_state()

    # --- calls

    def status(self) -> dict[str, Any]:
        """Return the radio's state, networks in reach, known networks, and the reason."""
        radio, cable = self.manager.devices()
        link = "none" if radio is None else radio.link
        known = {each.name for each in self.manager.known()}
        age = None if self.looked is None else round(self.clock() - self.looked)
        found = self.found
        if radio is not None and link != "own":
            found = [each for each in self.manager.found(radio) if each.name != self.own.name]
        return {
            "link": link,
            "name": self._name(radio) if radio and link in ("joining", "joined") else "",
            "radio": radio is not None and radio.can_open,
            "cable": cable,
            "asked": self.state.asked,
            "fault": self.state.fault,
            "reason": self.state.reason,
            "about": self.state.about,
            "own": self.manager.own_name() or self.own.name,
            "age_s": age,
            "known": sorted(known),
            "networks": [
                {"name": each.name, "signal": each.signal, "kind": each.kind}
                for each in found[:NETWORK_LIMIT]
            ],
        }

    def set_wish(self, **values: Any) -> dict[str, Any]:
        """Accept the table's wish, and store it for the next start."""
        wish, before = WifiWish(**values), self.wish
        if wish != before:
            self.wish = wish
            self._store_state()
        if wish.country != before.country:
            write_safely(self.folder / COUNTRY_FILE, f"{wish.country}\n".encode())
            self.new_country = True
        if wish.own != "never":
            self._make()
            self.manager.switch_on()
        return {}

    def code(self) -> dict[str, Any]:
        """Return the own network's name and password, for joining it."""
        if not self.own.password:
            raise WifiRefusedError("none")
        return {"name": self.manager.own_name() or self.own.name, "password": self.own.password}

    def new_password(self) -> dict[str, Any]:
        """Create a new password; devices with the old one are locked out."""
        self.own = Own(self.own.name or make_name(), make_password())
        self._store_state()
        radio, _ = self.manager.devices()
        if radio is not None and radio.link == "own":
            self.manager.stop(radio)
        return {}

    def look(self) -> dict[str, Any]:
        """Scan now, after closing the own network."""
        radio = self._radio()
        self._scan(radio)
        return self.status()

    def join(self, *, name: str, password: str, kind: str) -> dict[str, Any]:
        """Begin to join a network: a new one with a password, a known or open one without."""
        if self.wish.own == "always":
            raise WifiRefusedError("stays")
        radio = self._radio()
        self._fault = ("", "")
        if self._new[0]:
            self.manager.drop(self._new[0])
            self._new = ("", "")
        if not password and (known := self._known(name)):
            self.manager.activate(known[-1].path, radio)
        elif (kind == "open") != (password == ""):
            raise WifiRefusedError("password")
        else:
            self._new = self.manager.join(radio, name, password, kind), name
        self._trying = name
        self.state = request_network(self.state, name, self.clock())
        return {}

    def forget(self, *, name: str) -> dict[str, Any]:
        """Forget a network; refuse for those of the house."""
        if self._known(name) and not self._drop_added(name):
            raise WifiRefusedError("house")
        return {}

    def _known(self, name: str) -> list[Known]:
        """Return the stored networks of this name; the last one was joined last."""
        return [each for each in self.manager.known() if each.name == name]

    def _drop_added(self, name: str) -> bool:
        """Forget networks of this name that a phone may forget; return whether any were there."""
        dropped = [each for each in self._known(name) if each.uuid in self.added]
        for each in dropped:
            self.manager.drop(each.path)
            self.added.discard(each.uuid)
        if dropped:
            self._store_state()
        return bool(dropped)

    def _radio(self) -> Radio:
        radio, _ = self.manager.devices()
        if radio is None:
            raise WifiRefusedError("no-radio")
        return radio


# --- requests


class WifiCall(Message):
    """A possible call; exactly its arguments must be given."""


class SetWish(WifiCall):
    own: Literal["never", "needed", "always"]
    phones: bool
    country: Annotated[str, String(2, pattern="|[A-Z]{2}")]
    channel: Literal[0, 1, 6, 11]


NetworkName = Annotated[str, String(32, pattern="(?s:.+)", raw=True)]
"""A network's name, with any characters."""


class Join(WifiCall):
    name: NetworkName
    # none, a password, or 64 digits
    password: Annotated[str, String(64, pattern=r"|[ -~]{8,63}|[0-9a-fA-F]{64}", raw=True)]
    kind: Literal["open", "wpa-psk", "sae"]


class Forget(WifiCall):
    name: NetworkName


CALLS: Mapping[str, tuple[type[WifiCall], Callable[..., dict[str, Any]]]] = {
    "status": (WifiCall, Service.status),
    "wish": (SetWish, Service.set_wish),
    "code": (WifiCall, Service.code),
    "password": (WifiCall, Service.new_password),
    "look": (WifiCall, Service.look),
    "join": (Join, Service.join),
    "forget": (Forget, Service.forget),
}
"""Each call with its method."""


def _carry_out(values: dict[str, Any], service: Service) -> dict[str, Any]:
    name = str(values.pop("call", ""))
    if name not in CALLS:
        raise WifiRefusedError("unknown-call")
    call, act = CALLS[name]
    try:
        asked = call.read(values).facts()
    except MessageError:
        raise WifiRefusedError("argument") from None
    name_bytes = str(asked.get("name", "")).encode(errors="replace")
    if values.keys() != asked.keys() or len(name_bytes) > NAME_LIMIT_BYTES:
        raise WifiRefusedError("argument")
    return act(service, **asked)


def answer_line(line: bytes, service: Service) -> bytes:
    """Carry out a request and return the answer."""
    try:
        reply: dict[str, Any] = {"ok": _carry_out(read_object(line), service)}
    except MessageError:
        reply = {"error": "request"}
    except WifiRefusedError as error:
        reply = {"error": str(error)}
    except ManagerError as error:
        log.warning("NetworkManager: %s", error)
        reply = {"error": "failed"}
    return json.dumps(reply).encode() + b"\n"


def serve(service: Service, listener: socket.socket, idle_s: float) -> None:
    """Answer requests and keep the Wi-Fi while it is wanted, until the country changes."""
    quiet_since, door = service.clock(), listener.fileno()
    while not service.new_country:
        service.step()
        wanted = service.wish.own != "never" or bool(service.state.asked)
        if wanted:
            quiet_since = service.clock()
        elif service.clock() - quiet_since >= idle_s:
            return
        busy = service.state.link in ("joining", "starting", "none") or service.state.asked
        pause = QUICK_S if wanted and busy else SLOW_S
        ready, _, _ = select.select([door, service.manager.bus.fileno()], [], [], pause)
        if door in ready:
            with suppress(OSError):
                _accept_client(service, listener)
                quiet_since = service.clock()


def _accept_client(service: Service, listener: socket.socket) -> None:
    connection, _ = listener.accept()
    with connection:
        connection.settimeout(REQUEST_S)
        with connection.makefile("rb") as requests:
            line = requests.readline(REQUEST_LIMIT_BYTES)
        if line.endswith(b"\n"):
            connection.sendall(answer_line(line, service))
