"""Decides which Wi-Fi the table is in: a pure function of the state, the wish and the time.

A radio is either in somebody's network or opens its own, and then it cannot scan. So the own
network sometimes closes for a scan, but never while a phone is in it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

Opens = Literal["never", "needed", "always"]
Link = Literal["none", "joining", "joined", "starting", "own"]
"""The radio's state: idle, in somebody's network (joining, or with an address), opening its own."""
WifiStepName = Literal["look", "own", "stop", "join"]

SETTLE_S = 20.0
"""How long NetworkManager may take to find a known network by itself."""
JOIN_S = 60.0
"""How long joining a network may take until the own network returns."""
START_S = 30.0
"""How long starting the own network may take."""
LOOK_S = 120.0
"""How often the own network closes for a scan while nobody is in it."""
SOUR_S, SOUREST_S = 60.0, 600.0
"""How long a network is left alone after a failure: first and longest; it doubles."""
BEGIN_S = 3.0
"""How long NetworkManager may take to leave the previous network."""
OPEN_S = 10.0
"""How long NetworkManager may take to begin with the own network, on a busy machine."""
TRIES = 3
"""How many channels in a row are tried for the own network before a pause."""
PAUSE_S = 300.0


@dataclass(frozen=True, slots=True)
class Pauses:
    """The times that a test may shorten, in seconds."""

    settle: float = SETTLE_S
    join: float = JOIN_S
    look: float = LOOK_S


@dataclass(frozen=True, slots=True)
class WifiWish:
    """The table's wish: its own network off, if needed, or always; and whether phones are on."""

    own: Opens = "never"
    phones: bool = False
    country: str = ""
    """Two letters; "" leaves the radio's rules as they are."""
    channel: int = 0
    """0: the quietest one."""


@dataclass(frozen=True, slots=True)
class Sight:
    """The machine's present observations."""

    link: Link = "none"
    name: str = ""
    """The network that it is in or is joining."""
    radio: bool = True
    """Whether there is a radio that can open a network, switched on."""
    cable: bool = False
    """Whether a cable leads into a network."""
    reach: frozenset[str] = frozenset()
    """The known networks in the last scan."""
    looked: float | None = None
    """When the last scan ended; None before the first one."""
    guests: int | None = None
    """How many devices are in the own network; None if unknown."""
    fault: str = ""
    """Why the last attempt failed, reported once: wrong-password, no-address, not-found, failed."""
    failed: str = ""
    """The network that failed."""


@dataclass(frozen=True, slots=True)
class State:
    """The memory of the decisions."""

    link: Link = "none"
    name: str = ""
    since: float = 0.0
    """Since when the link has been in its state."""
    asked: str = ""
    """The network that somebody has requested; "" without a request."""
    asked_at: float = 0.0
    fault: str = ""
    """Why joining the last requested network failed; "" if it has not failed."""
    came_from_own: bool = False
    """Whether the radio is idle only because the own network closed for a scan."""
    sour: Mapping[str, float] = field(default_factory=dict)
    """Until when each network is left alone after a failure."""
    strikes: Mapping[str, int] = field(default_factory=dict)
    """How often in a row joining each network failed."""
    reason: str = ""
    """Why the own network is open: nothing-known, wrong-password, no-address, not-found, failed,
    gone; "own-failed" if it failed to open."""
    about: str = ""
    """The network that the reason is about."""
    opening: float | None = None
    """Since when the own network has been opening; None if it is not."""
    failures: int = 0
    """How often in a row the own network failed to start."""
    rest_until: float = 0.0


@dataclass(frozen=True, slots=True)
class WifiStep:
    """The next step; a join has the network's name."""

    what: WifiStepName
    name: str = ""


def request_network(state: State, name: str, now: float) -> State:
    """Note a request for a network, and forget its earlier failures."""
    sour = {other: until for other, until in state.sour.items() if other != name}
    return replace(state, asked=name, asked_at=now, fault="", sour=sour, came_from_own=False)


def decide(
    state: State, sight: Sight, wish: WifiWish, now: float, pauses: Pauses | None = None
) -> tuple[State, WifiStep | None]:
    """Return the new state and the next step; `now` is in seconds of a monotonic clock."""
    state, act = _decided(_noticed(state, sight, now), sight, wish, now, pauses or Pauses())
    return (replace(state, opening=now) if act == WifiStep("own") else state), act


def _decided(
    state: State, sight: Sight, wish: WifiWish, now: float, pauses: Pauses
) -> tuple[State, WifiStep | None]:
    if not _wants_own(sight, wish):
        state = replace(state, reason="", about="", failures=0, rest_until=0.0)
        end = sight.link in ("own", "starting") and not state.asked
        state, act = _asked(state, sight, now, pauses) if state.asked else (state, None)
        return state, WifiStep("stop") if end else act
    if state.asked:
        return _asked(state, sight, now, pauses)
    if wish.own == "always":
        return _always(state, sight, now)
    return _where_needed(state, sight, now, pauses)


def _wants_own(sight: Sight, wish: WifiWish) -> bool:
    if not sight.radio or wish.own == "never":
        return False
    return wish.own == "always" or (wish.phones and not sight.cable)


def _noticed(state: State, sight: Sight, now: float) -> State:
    """Note a change of the link, and its meaning for the previous network."""
    sour = {name: until for name, until in state.sour.items() if until > now}
    state = replace(state, sour=sour)
    if state.opening is not None and sight.link != "starting":
        begun = state.link == "starting" or now - state.opening >= OPEN_S
        if sight.link == "none" and begun:
            state = _not_opened(state, now)
        elif sight.link != "none":
            state = replace(state, opening=None)
    if (sight.link, sight.name) == (state.link, state.name):
        return state
    before, name = state.link, state.name
    state = replace(state, link=sight.link, name=sight.name, since=now)
    if sight.link == "own":
        reason = "" if state.reason == "own-failed" else state.reason
        return replace(state, failures=0, reason=reason, came_from_own=False)
    if sight.link == "joined":
        strikes = {name: n for name, n in state.strikes.items() if name != sight.name}
        return replace(
            state, sour={}, strikes=strikes, reason="", about="", failures=0, came_from_own=False
        )
    if before == "joined" and sight.link == "none":
        return replace(state, reason="gone", about=name, came_from_own=False)
    return replace(state, came_from_own=before == "own" or state.came_from_own)


def _not_opened(state: State, now: float) -> State:
    """Note that the own network failed to open."""
    failures = state.failures + 1
    rest = now + PAUSE_S if failures % TRIES == 0 else 0.0
    return replace(
        state, opening=None, failures=failures, reason="own-failed", about="", rest_until=rest
    )


def _failed(state: State, name: str, fault: str, now: float) -> State:
    """Leave a network alone for a while, and store the reason."""
    strikes = {**state.strikes, name: min(state.strikes.get(name, 0) + 1, 8)}
    pause = min(SOUR_S * 2 ** (strikes[name] - 1), SOUREST_S)
    sour = {**state.sour, name: now + pause}
    return replace(
        state, asked="", fault=fault, sour=sour, strikes=strikes, reason=fault, about=name
    )


def _asked(state: State, sight: Sight, now: float, pauses: Pauses) -> tuple[State, WifiStep | None]:
    """Wait for a requested network; without one the own network returns."""
    # until NetworkManager begins, the radio is in the previous network, perhaps of the same name
    begun = now - state.asked_at >= BEGIN_S
    if begun and sight.link == "joined" and sight.name == state.asked:
        return replace(state, asked=""), None
    late = now - state.asked_at >= pauses.join
    fault = sight.fault if sight.failed == state.asked else ""
    if not (fault or late):
        return state, None
    # the wish counts again at the next step
    state = _failed(state, state.asked, fault or "no-address", now)
    return replace(state, came_from_own=True), None


def _always(state: State, sight: Sight, now: float) -> tuple[State, WifiStep | None]:
    if sight.link == "own":
        return state, None
    if sight.link == "starting":
        return _starting(state, now)
    return _open(state, now)


def _open(state: State, now: float) -> tuple[State, WifiStep | None]:
    """Open the own network, unless that has begun or has just failed too often."""
    if state.opening is not None or now < state.rest_until:
        return state, None
    return state, WifiStep("own")


def _starting(state: State, now: float) -> tuple[State, WifiStep | None]:
    return state, WifiStep("stop") if now - state.since >= START_S else None


def _where_needed(
    state: State, sight: Sight, now: float, pauses: Pauses
) -> tuple[State, WifiStep | None]:
    match sight.link:
        case "joined":
            return state, None
        case "joining":
            if now - state.since >= pauses.join:
                return _open(_failed(state, sight.name, "no-address", now), now)
            return state, None
        case "starting":
            return _starting(state, now)
        case "own":
            looked = max(sight.looked or 0.0, state.since)
            due = sight.guests == 0 and now - looked >= pauses.look
            return state, WifiStep("look") if due else None
    return _free(state, sight, now, pauses)


def _free(state: State, sight: Sight, now: float, pauses: Pauses) -> tuple[State, WifiStep | None]:
    """Decide for an idle radio: scan, join a known network, or open the own one."""
    if sight.fault:
        state = _failed(state, sight.failed, sight.fault, now)
    if sight.looked is None or (sight.looked < state.since and not state.came_from_own):
        return state, WifiStep("look")
    known = sorted(sight.reach - state.sour.keys())
    settled = now - state.since >= pauses.settle
    if known and (settled or state.came_from_own):
        return state, WifiStep("join", known[0])
    if known or (not settled and not state.came_from_own):
        return state, None
    reason = state.reason or "nothing-known"
    return _open(replace(state, reason=reason), now)


def quietest(seen: Mapping[int, int], *, attempt: int = 0) -> int:
    """Return the least busy of the channels 1, 6 and 11.

    `seen` has the sum of the signals (percent) on each channel. Each further attempt takes the
    next best one.
    """
    loads = {
        channel: sum(signal * max(0, 5 - abs(channel - other)) for other, signal in seen.items())
        for channel in (1, 6, 11)
    }
    order = sorted(loads, key=lambda channel: (loads[channel], channel))
    return order[attempt % len(order)]


def free_name(name: str, seen: frozenset[str]) -> str:
    """Return a name that no other network in reach has, with a number added if needed."""
    if name not in seen:
        return name
    stem = name.encode()[:29].decode(errors="ignore")
    return next(f"{stem}-{n}" for n in range(2, 99) if f"{stem}-{n}" not in seen)
