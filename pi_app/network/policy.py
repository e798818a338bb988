"""Decides which Wi-Fi the table is in: a pure function of what is seen and wanted, and the time.

One radio is either in somebody's network or opens its own, and while it does that, it cannot look
around. So the own network ends for a look now and then, but never while a phone is in it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

Opens = Literal["never", "needed", "always"]
Link = Literal["none", "joining", "joined", "starting", "own"]
"""What the radio does: nothing, somebody's network (not yet, or with an address), its own."""
WifiStepName = Literal["look", "own", "stop", "join"]

SETTLE_S = 20.0
"""How long NetworkManager may take to find a known network by itself."""
JOIN_S = 60.0
"""How long joining a network may take until the own network returns."""
START_S = 30.0
"""How long starting the own network may take."""
LOOK_S = 120.0
"""How often the own network ends for a look around while nobody is in it."""
SOUR_S, SOUREST_S = 60.0, 600.0
"""How long a network that could not be joined is left alone: at first, as one failure says little,
and at most; each time twice as long."""
BEGIN_S = 3.0
"""How long NetworkManager may take to leave the network of before."""
OPEN_S = 10.0
"""How long NetworkManager may take to begin with the own network, on a busy machine."""
TRIES = 3
"""How often in a row the own network is started, each time on another channel, before a pause."""
PAUSE_S = 300.0


@dataclass(frozen=True, slots=True)
class Pauses:
    """The times that a test may shorten, in seconds."""

    settle: float = SETTLE_S
    join: float = JOIN_S
    look: float = LOOK_S


@dataclass(frozen=True, slots=True)
class WifiWish:
    """What the table wants: its own network off, where it is needed, or always; phones at all."""

    own: Opens = "never"
    phones: bool = False
    country: str = ""
    """Two letters; "" leaves the radio's rules as they are."""
    channel: int = 0
    """0: the quietest one."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What the machine sees now."""

    link: Link = "none"
    name: str = ""
    """The network that it is in or joins."""
    radio: bool = True
    """Whether there is a radio that can open a network, switched on."""
    cable: bool = False
    """Whether a cable leads into a network."""
    reach: frozenset[str] = frozenset()
    """The known networks that the last look saw."""
    looked: float | None = None
    """When the last look ended; None: not since the start."""
    guests: int | None = None
    """How many devices are in the own network; None: unknown, so somebody may be."""
    fault: str = ""
    """Why the last attempt failed, once: wrong-password, no-address, not-found, failed."""
    failed: str = ""
    """The network that the fault is about."""


@dataclass(frozen=True, slots=True)
class State:
    """What the decisions remember."""

    link: Link = "none"
    name: str = ""
    since: float = 0.0
    """When the link became what it is."""
    asked: str = ""
    """The network that somebody has asked for; "" if nobody waits for one."""
    asked_at: float = 0.0
    fault: str = ""
    """Why the network that was asked for last could not be joined; "" while nothing is known."""
    came_from_own: bool = False
    """Whether the radio is free only because the own network ended for a look."""
    sour: Mapping[str, float] = field(default_factory=dict)
    """Until when each network that could not be joined is left alone."""
    strikes: Mapping[str, int] = field(default_factory=dict)
    """How often in a row each network could not be joined."""
    reason: str = ""
    """Why the own network is open: nothing-known, wrong-password, no-address, not-found, failed,
    gone; "own-failed" if it cannot be."""
    about: str = ""
    """The network that the reason is about."""
    opening: float | None = None
    """Since when the own network should be opening; None: it is not."""
    failures: int = 0
    """How often in a row the own network could not be started."""
    rest_until: float = 0.0


@dataclass(frozen=True, slots=True)
class WifiStep:
    """What to do now; a join has the network's name."""

    what: WifiStepName
    name: str = ""


def request_network(state: State, name: str, now: float) -> State:
    """Note that somebody asked for a network; what failed with it before is forgiven."""
    sour = {other: until for other, until in state.sour.items() if other != name}
    return replace(state, asked=name, asked_at=now, fault="", sour=sour, came_from_own=False)


def decide(
    state: State, sight: Sight, wish: WifiWish, now: float, pauses: Pauses | None = None
) -> tuple[State, WifiStep | None]:
    """Return the new state, and what to do; `now` is in seconds of a clock that never goes back."""
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
    """Note a change of the link, and what it says about the network before."""
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
    """Note that the own network could not be opened."""
    failures = state.failures + 1
    rest = now + PAUSE_S if failures % TRIES == 0 else 0.0
    return replace(
        state, opening=None, failures=failures, reason="own-failed", about="", rest_until=rest
    )


def _failed(state: State, name: str, fault: str, now: float) -> State:
    """Leave a network alone for a while, and keep why."""
    strikes = {**state.strikes, name: min(state.strikes.get(name, 0) + 1, 8)}
    pause = min(SOUR_S * 2 ** (strikes[name] - 1), SOUREST_S)
    sour = {**state.sour, name: now + pause}
    return replace(
        state, asked="", fault=fault, sour=sour, strikes=strikes, reason=fault, about=name
    )


def _asked(state: State, sight: Sight, now: float, pauses: Pauses) -> tuple[State, WifiStep | None]:
    """Wait for a network that somebody has asked for; without one the own network returns."""
    # before NetworkManager has begun, it is in the network of before, which may have the same name
    begun = now - state.asked_at >= BEGIN_S
    if begun and sight.link == "joined" and sight.name == state.asked:
        return replace(state, asked=""), None
    late = now - state.asked_at >= pauses.join
    fault = sight.fault if sight.failed == state.asked else ""
    if not (fault or late):
        return state, None
    # what its owner wants otherwise is decided at the next step
    state = _failed(state, state.asked, fault or "no-address", now)
    return replace(state, came_from_own=True), None


def _always(state: State, sight: Sight, now: float) -> tuple[State, WifiStep | None]:
    if sight.link == "own":
        return state, None
    if sight.link == "starting":
        return _starting(state, now)
    return _open(state, now)


def _open(state: State, now: float) -> tuple[State, WifiStep | None]:
    """Open the own network, unless that has begun or failed too often a moment ago."""
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
    """Decide for a radio that does nothing: look, join what is known, else open the own network."""
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
    """Return the channel out of 1, 6 and 11 with the least around it.

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
    """Return a name that no other network in reach has: a number behind it tells them apart."""
    if name not in seen:
        return name
    stem = name.encode()[:29].decode(errors="ignore")
    return next(f"{stem}-{n}" for n in range(2, 99) if f"{stem}-{n}" not in seen)
