"""Which Wi-Fi is next: told step by step, and in worlds in which networks come and go."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.network.policy import (
    BEGIN_S,
    LOOK_S,
    PAUSE_S,
    SETTLE_S,
    SOUR_S,
    SOUREST_S,
    START_S,
    TRIES,
    Link,
    Opens,
    Sight,
    State,
    WifiStep,
    WifiWish,
    decide,
    free_name,
    quietest,
    request_network,
)

WANTED = WifiWish("needed", phones=True)
HOME = frozenset({"Home"})


@dataclass
class World:
    """A machine with one radio; `near` are the networks in reach, with the right password or not.

    NetworkManager joins a known network by itself within `settles_s`, if it may.
    """

    near: dict[str, bool] = field(default_factory=dict)
    known: set[str] = field(default_factory=set)
    guests: int = 0
    can_open: bool = True
    wish: WifiWish = WANTED
    cable: bool = False
    now: float = 1000.0
    link: Link = "none"
    name: str = ""
    left_s: float = 0.0
    """What is left of joining or starting."""
    state: State = field(default_factory=lambda: State(since=1000.0))
    seen: frozenset[str] = frozenset()
    looked: float | None = None
    fault: tuple[str, str] = ("", "")
    acts: list[WifiStep] = field(default_factory=list)
    dips: int = 0
    """How often the own network ended for a look while somebody was in it."""

    def step(self, seconds: float = 1.0) -> None:
        self.now += seconds
        self._goes_on(seconds)
        fault, failed = self.fault
        sight = Sight(
            self.link, self.name, True, self.cable, frozenset(self.seen & self.known),
            self.looked, self.guests if self.link == "own" else None, fault, failed,
        )  # fmt: skip
        self.state, act = decide(self.state, sight, self.wish, self.now)
        if fault:
            self.fault = ("", "")
        if act is not None:
            self.acts.append(act)
            self._do(act)

    def _goes_on(self, seconds: float) -> None:
        self.left_s -= seconds
        if self.link == "joined" and self.name not in self.near:
            self.link, self.name = "none", ""
        elif self.link == "joining" and self.left_s <= 0:
            if self.near.get(self.name):
                self.link = "joined"
            else:
                why = "wrong-password" if self.name in self.near else "not-found"
                self.fault = why, self.name
                self.link, self.name = "none", ""
        elif self.link == "starting" and self.left_s <= 0:
            self.link = "own" if self.can_open else "none"

    def _do(self, act: WifiStep) -> None:
        if act.what == "look":
            self.dips += self.link == "own" and self.guests > 0
            self.link, self.name = "none", ""
            self.now += 4
            self.seen, self.looked = frozenset(self.near), self.now
        elif act.what == "stop":
            self.link, self.name = "none", ""
        elif act.what == "own":
            self.link, self.name, self.left_s = "starting", "", 3
        else:
            self.join(act.name)

    def join(self, name: str) -> None:
        self.link, self.name, self.left_s = "joining", name, 5

    def ask(self, name: str) -> None:
        """Somebody asks for a network on the page."""
        self.state = request_network(self.state, name, self.now)
        self.join(name)

    def until(self, link: Link, name: str = "", within_s: float = 900) -> float:
        """Go on until the radio does this; return how long it took."""
        begun = self.now
        while (self.link, self.name) != (link, name):
            self.step()
            assert self.now - begun <= within_s, (self.link, self.name, self.state, self.acts[-5:])
        return self.now - begun


def test_where_nothing_is_known_the_own_network_opens_within_half_a_minute() -> None:
    world = World()
    assert world.until("own") <= 30
    assert world.state.reason == "nothing-known"


@pytest.mark.parametrize(
    ("wish", "cable"),
    [
        (WifiWish("never", phones=True), False),
        (WifiWish("needed", phones=False), False),
        (WifiWish("needed", phones=True), True),
        (WifiWish(), False),
    ],
)
def test_nothing_is_done_to_the_radio_that_nobody_wants(wish: WifiWish, cable: bool) -> None:
    world = World(wish=wish, cable=cable)
    for _ in range(400):
        world.step()
    assert world.acts == []


def test_a_known_network_is_left_to_networkmanager_first() -> None:
    world = World({"Home": True}, {"Home"})
    for _ in range(int(SETTLE_S) - 6):
        world.step()
    assert [act.what for act in world.acts] == ["look"]
    world.until("joined", "Home", within_s=60)
    assert world.state.reason == ""


def test_who_is_in_it_unknown_counts_as_somebody() -> None:
    state = State("own", since=0.0)
    sight = Sight("own", looked=0.0, guests=None)
    assert decide(state, sight, WANTED, 10_000.0)[1] is None
    assert decide(state, replace(sight, guests=0), WANTED, 10_000.0)[1] == WifiStep("look")


def test_a_network_that_fails_is_left_alone_each_time_longer_and_tried_again() -> None:
    world = World({"Home": False}, {"Home"})
    joins: list[float] = []
    while world.now < 1000 + 8 * SOUREST_S:
        before = len(world.acts)
        world.step()
        joins += [world.now for act in world.acts[before:] if act.what == "join"]
    pauses = [later - earlier for earlier, later in pairwise(joins)]
    assert SOUR_S <= pauses[0] <= SOUR_S + 2 * LOOK_S
    assert all(SOUREST_S <= pause <= SOUREST_S + 2 * LOOK_S for pause in pauses[5:])
    world.near["Home"] = True
    world.ask("Home")  # whoever asks is not kept waiting
    world.until("joined", "Home", within_s=10)


def test_the_network_of_before_is_not_taken_for_the_one_that_is_asked_for_anew() -> None:
    state = request_network(State("joined", "Home", since=0.0), "Home", 100.0)
    joined = Sight("joined", "Home", looked=0.0)
    assert decide(state, joined, WANTED, 100.5)[0].asked == "Home"
    assert decide(state, joined, WANTED, 100.0 + BEGIN_S)[0].asked == ""


def test_what_cannot_be_opened_is_tried_on_other_channels_and_then_rests() -> None:
    world = World(can_open=False)
    tries = []
    while world.now < 1000 + PAUSE_S * 2:
        before = len(world.acts)
        world.step()
        tries += [world.now for act in world.acts[before:] if act.what == "own"]
    assert world.state.reason == "own-failed"
    assert tries[TRIES] - tries[TRIES - 1] >= PAUSE_S
    assert tries[TRIES - 1] - tries[0] <= 60
    world.can_open = True
    world.until("own")
    world.step()
    assert (world.state.failures, world.state.reason) == (0, "")


def test_a_start_that_hangs_is_ended() -> None:
    state = State("starting", since=0.0)
    assert decide(state, Sight("starting"), WANTED, START_S - 1)[1] is None
    assert decide(state, Sight("starting"), WANTED, START_S)[1] == WifiStep("stop")


def test_always_means_also_beside_a_known_network() -> None:
    world = World({"Home": True}, {"Home"}, wish=WifiWish("always"))
    assert world.until("own") <= 10
    for _ in range(2000):
        world.step()
    assert world.link == "own"
    assert [act.what for act in world.acts] == ["own"]
    world.wish = WifiWish("never")
    world.step()
    assert world.acts[-1] == WifiStep("stop")


def test_without_a_radio_that_can_open_a_network_nothing_is_tried() -> None:
    assert decide(State(), Sight(radio=False), WANTED, 50.0)[1] is None


def _ask_for_home(world: World) -> None:
    if world.link == "own":
        world.ask("Home")


CHANGES: dict[str, Callable[[World], object]] = {
    "home comes": lambda world: world.near.update(Home=True),
    "home goes": lambda world: world.near.pop("Home", None),
    "home is wrong": lambda world: world.near.update(Home=False),
    "guest": lambda world: setattr(world, "guests", 1),
    "no guest": lambda world: setattr(world, "guests", 0),
    "ask": _ask_for_home,
    "phones": lambda world: setattr(
        world, "wish", replace(world.wish, phones=not world.wish.phones)
    ),
    "cable": lambda world: setattr(world, "cable", not world.cable),
    "broken": lambda world: setattr(world, "can_open", not world.can_open),
}


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(sorted(CHANGES)), st.integers(1, 300)), max_size=10),
    st.sampled_from(["needed", "always"]),
)
def test_whatever_happens_the_table_is_reached_again(
    changes: list[tuple[str, int]], own: Opens
) -> None:
    world = World(known={"Home"}, wish=WifiWish(own, phones=True))
    for change, seconds in changes:
        CHANGES[change](world)
        for _ in range(seconds):
            world.step()
    assert world.dips == 0
    world.wish, world.cable, world.can_open = WifiWish(own, phones=True), False, True
    for _ in range(int(PAUSE_S + 200)):
        world.step()
        if world.link in ("own", "joined"):
            return
    raise AssertionError(world.state)


@pytest.mark.parametrize(
    ("seen", "attempt", "channel"),
    [
        ({}, 0, 1),
        ({1: 80}, 0, 6),
        ({1: 80, 6: 20}, 0, 11),
        ({3: 90, 11: 50}, 0, 6),
        ({1: 90, 6: 90, 11: 30}, 0, 11),
        ({1: 90, 6: 90, 11: 30}, 1, 1),
        ({}, 3, 1),
    ],
)
def test_the_quietest_channel_is_taken(seen: dict[int, int], attempt: int, channel: int) -> None:
    assert quietest(seen, attempt=attempt) == channel


def test_a_second_table_of_the_same_name_gets_a_number() -> None:
    assert free_name("Beisitzer-abc", frozenset()) == "Beisitzer-abc"
    assert free_name("Beisitzer-abc", frozenset({"Beisitzer-abc"})) == "Beisitzer-abc-2"
    both = frozenset({"Beisitzer-abc", "Beisitzer-abc-2"})
    assert free_name("Beisitzer-abc", both) == "Beisitzer-abc-3"
    assert len(free_name("ä" * 16, frozenset({"ä" * 16})).encode()) <= 32
