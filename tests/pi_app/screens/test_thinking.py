"""Thoughts go on beside the loop, stand still while it is at work, and can be left."""

import logging
import sys
from collections.abc import Callable
from random import Random
from threading import Event, Thread

import pytest

from hardware.keys import Key
from pi_app.screens.base import Action, Screen, Stay
from pi_app.screens.context import Context
from pi_app.screens.thinking import MOST, SWITCH_S, Thinking, Thought
from pi_app.view.frame import Frame, Header
from tests.pi_app.desk import Desk
from tests.pi_app.phones.client import wait_for

LIMIT_S = 60.0
Act = Callable[[], None]


def at_once(act: Act) -> bool:
    act()
    return True


def endless(thought: Thought) -> None:
    """Think until the thought is left."""
    chance = thought.chance(1)
    while True:
        chance.getrandbits(32)


def stand_still(thinking: Thinking) -> None:
    """Wait until a thought waits for the loop."""
    wait_for(lambda: thinking._going._waiters)  # type: ignore[attr-defined]


def test_a_thought_has_the_chance_that_its_seed_gives_elsewhere() -> None:
    drawn: list[list[float]] = []

    def think(thought: Thought) -> None:
        for chance in (thought.chance("7 Anna"), Random("7 Anna")):
            some = [chance.getrandbits(32), chance.random(), chance.choice(range(99))]
            drawn.append([*some, *chance.choices(range(9), range(1, 10))])

    Thinking().begin(think, lambda _: None)
    assert drawn[0] == drawn[1]


def test_without_a_loop_a_thought_is_thought_at_once() -> None:
    answers: list[int | None] = []
    Thinking().begin(lambda thought: thought.chance(3).getrandbits(8), answers.append)
    assert answers == [Random(3).getrandbits(8)]


def test_a_thought_stands_still_while_the_loop_is_at_work_and_goes_on_after() -> None:
    thinking, more = Thinking(), Event()
    thinking.beside(at_once)

    def think(thought: Thought) -> None:
        chance = thought.chance(1)
        while True:
            chance.getrandbits(32)
            more.set()

    thought = thinking.begin(think, lambda _: None)
    assert thought is not None
    assert more.wait(LIMIT_S)
    with thinking.held():
        stand_still(thinking)
        more.clear()
    assert more.wait(LIMIT_S)
    thought.leave()


class Ponder(Screen):
    """A screen that thinks at ENTER and says what came of it."""

    def __init__(self, ctx: Context, think: Callable[[Thought], int]) -> None:
        super().__init__(ctx)
        self.think = think
        self.said = "?"
        self.pressed = 0

    def frame(self) -> Frame:
        return Frame(Header(self.said))

    def press(self, key: Key) -> Action:
        if key is Key.ENTER:
            self.said = "thinks"
            self.ctx.thinking.begin(self.think, self._thought)
        else:
            stand_still(self.ctx.thinking)
        self.pressed += 1
        return Stay()

    def _thought(self, answer: int | None) -> None:
        self.said = f"says {answer}"


def test_every_key_and_errand_of_the_loop_holds_the_thoughts() -> None:
    desk = Desk()
    go = Event()

    def think(thought: Thought) -> int:
        chance = thought.chance(1)
        while not go.is_set():
            chance.getrandbits(32)
        return 42

    screen = Ponder(desk.ctx, think)
    desk.program.stack = [screen]
    runs = Thread(target=desk.program.run, daemon=True)
    runs.start()
    queue = desk.program.keys
    wait_for(lambda: queue.put(Key.ENTER))
    queue.put(Key.D5)
    wait_for(lambda: screen.pressed == 2)
    assert desk.frame.header.title == "thinks"
    go.set()
    wait_for(lambda: desk.frame.header.title == "says 42")
    queue.stop()
    runs.join(LIMIT_S)
    assert not runs.is_alive()


def test_a_thought_that_was_left_ends_and_says_nothing() -> None:
    thinking = Thinking()
    threads: list[Thread] = []
    answers: list[None] = []

    def spawn(work: Act) -> None:
        threads.append(Thread(target=work, daemon=True))
        threads[-1].start()

    thinking.beside(at_once, spawn)
    first = thinking.begin(endless, answers.append)
    thinking.begin(endless, answers.append)
    assert first is not None
    first.leave()
    threads[0].join(LIMIT_S)
    assert not threads[0].is_alive()
    assert threads[1].is_alive()
    thinking.end()
    threads[1].join(LIMIT_S)
    assert not threads[1].is_alive()
    assert not answers


def test_a_thought_that_is_left_while_its_answer_waits_says_nothing() -> None:
    thinking = Thinking()
    waiting: list[Act] = []
    answers: list[int | None] = []

    def post(act: Act) -> bool:
        waiting.append(act)
        return True

    thinking.beside(post, lambda work: work())
    thought = thinking.begin(lambda _: 1, answers.append)
    assert thought is not None
    thought.leave()
    waiting[0]()
    assert not answers


def test_an_idle_thought_waits_for_the_others() -> None:
    thinking, drawn = Thinking(), Event()
    thinking.beside(at_once)
    urgent = thinking.begin(endless, lambda _: None)

    def think(thought: Thought) -> None:
        thought.pause()
        drawn.set()

    thinking.begin(think, lambda _: None, idle=True)
    stand_still(thinking)
    assert not drawn.is_set()
    assert urgent is not None
    urgent.leave()
    assert drawn.wait(LIMIT_S)


def test_an_answer_waits_until_the_loop_has_room_for_it() -> None:
    thinking, room = Thinking(), iter([False, False, True])
    answers: list[int | None] = []

    def post(act: Act) -> bool:
        if next(room):
            act()
            return True
        return False

    thinking.beside(post, lambda work: work())
    thinking.begin(lambda _: 5, answers.append)
    assert answers == [5]


def test_the_lock_changes_hands_soon_while_a_thought_is_going() -> None:
    thinking, usual = Thinking(), sys.getswitchinterval()
    works: list[Act] = []
    thinking.beside(at_once, works.append)
    thinking.begin(lambda _: None, lambda _: None)
    thinking.begin(lambda _: None, lambda _: None)
    assert sys.getswitchinterval() == pytest.approx(SWITCH_S)
    works.pop()()
    assert sys.getswitchinterval() == pytest.approx(SWITCH_S)
    works.pop()()
    assert sys.getswitchinterval() == pytest.approx(usual)


def test_there_are_only_so_many_thoughts_at_once() -> None:
    thinking = Thinking()
    works: list[Act] = []
    thinking.beside(at_once, works.append)
    begun = [thinking.begin(lambda _: None, lambda _: None) for _ in range(MOST + 1)]
    assert [thought is None for thought in begun] == [False] * MOST + [True]
    works[0]()
    assert thinking.begin(lambda _: None, lambda _: None) is not None


def test_a_thought_that_fails_says_so_and_nothing_of_what_it_knew(
    caplog: pytest.LogCaptureFixture,
) -> None:
    answers: list[None] = []

    def think(_: Thought) -> None:
        raise ValueError("7 of hearts")

    with caplog.at_level(logging.WARNING):
        Thinking().begin(think, answers.append)
    assert answers == [None]
    assert [record.message for record in caplog.records] == ["a thought failed: ValueError"]
