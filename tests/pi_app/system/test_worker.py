"""Work beside the loop: one life of every job, and how what computes gives way to the loop."""

import logging
import sys
from collections.abc import Callable, Iterator
from random import Random
from threading import Event, Thread
from time import sleep

import pytest

from hardware.keys import Key
from pi_app.screens.base import Action, Screen, Stay
from pi_app.screens.context import Context
from pi_app.system.worker import MOST, QUEUE_LIMIT, SWITCH_S, Job, Worker
from pi_app.view.frame import Frame, Header
from tests.pi_app.pilot import Pilot
from tests.stand_ins.waiting import wait_for

LIMIT_S = 60.0
FAILED = "work beside the loop failed: ValueError"
Act = Callable[[], None]


def at_once(act: Act) -> bool:
    act()
    return True


def endless(thought: Job) -> None:
    """Think until the thought is left."""
    chance = thought.chance(1)
    while True:
        chance.getrandbits(32)


def stand_still(worker: Worker) -> None:
    """Wait until a thought waits for the loop."""
    wait_for(lambda: worker._state_changed._waiters)  # type: ignore[attr-defined]


def test_a_thought_has_the_chance_that_its_seed_gives_elsewhere() -> None:
    drawn: list[list[float]] = []

    def think(thought: Job) -> None:
        for chance in (thought.chance("7 Anna"), Random("7 Anna")):
            some = [chance.getrandbits(32), chance.random(), chance.choice(range(99))]
            drawn.append([*some, *chance.choices(range(9), range(1, 10))])

    Worker().begin(think, lambda _: None)
    assert drawn[0] == drawn[1]


def test_without_a_loop_a_thought_is_thought_at_once() -> None:
    answers: list[int | None] = []
    Worker().begin(lambda thought: thought.chance(3).getrandbits(8), answers.append)
    assert answers == [Random(3).getrandbits(8)]


def test_a_thought_stands_still_while_the_loop_is_at_work_and_goes_on_after() -> None:
    worker, more = Worker(), Event()
    worker.attach(at_once)

    def think(thought: Job) -> None:
        chance = thought.chance(1)
        while True:
            chance.getrandbits(32)
            more.set()

    thought = worker.begin(think, lambda _: None)
    assert thought is not None
    assert more.wait(LIMIT_S)
    with worker.pause_jobs():
        stand_still(worker)
        more.clear()
    assert more.wait(LIMIT_S)
    thought.drop()


class Ponder(Screen):
    """A screen that thinks at ENTER and says what came of it."""

    def __init__(self, ctx: Context, think: Callable[[Job], int]) -> None:
        super().__init__(ctx)
        self.think = think
        self.said = "?"
        self.pressed = 0

    def frame(self) -> Frame:
        return Frame(Header(self.said))

    def press(self, key: Key) -> Action:
        if key is Key.ENTER:
            self.said = "thinks"
            self.ctx.worker.begin(self.think, self._thought)
        else:
            stand_still(self.ctx.worker)
        self.pressed += 1
        return Stay()

    def _thought(self, answer: int | None) -> None:
        self.said = f"says {answer}"


def test_every_key_and_errand_of_the_loop_holds_the_thoughts() -> None:
    pilot = Pilot()
    go = Event()

    def think(thought: Job) -> int:
        chance = thought.chance(1)
        while not go.is_set():
            chance.getrandbits(32)
        return 42

    screen = Ponder(pilot.ctx, think)
    pilot.program.stack = [screen]
    runs = Thread(target=pilot.program.run, daemon=True)
    runs.start()
    queue = pilot.program.keys
    wait_for(lambda: queue.put(Key.ENTER))
    queue.put(Key.D5)
    wait_for(lambda: screen.pressed == 2)
    assert pilot.frame.header.title == "thinks"
    go.set()
    wait_for(lambda: pilot.frame.header.title == "says 42")
    queue.stop()
    runs.join(LIMIT_S)
    assert not runs.is_alive()


def test_a_thought_that_was_left_ends_and_says_nothing() -> None:
    worker = Worker()
    threads: list[Thread] = []
    answers: list[None] = []

    def spawn(work: Act) -> None:
        threads.append(Thread(target=work, daemon=True))
        threads[-1].start()

    worker.attach(at_once, spawn)
    first = worker.begin(endless, answers.append)
    worker.begin(endless, answers.append)
    assert first is not None
    first.drop()
    threads[0].join(LIMIT_S)
    assert not threads[0].is_alive()
    assert threads[1].is_alive()
    worker.close()
    threads[1].join(LIMIT_S)
    assert not threads[1].is_alive()
    assert not answers


def test_a_thought_that_is_left_while_its_answer_waits_says_nothing() -> None:
    worker = Worker()
    waiting: list[Act] = []
    answers: list[int | None] = []

    def post(act: Act) -> bool:
        waiting.append(act)
        return True

    worker.attach(post, lambda work: work())
    thought = worker.begin(lambda _: 1, answers.append)
    assert thought is not None
    thought.drop()
    waiting[0]()
    assert not answers


def test_an_idle_thought_waits_for_the_others() -> None:
    worker, drawn = Worker(), Event()
    worker.attach(at_once)
    urgent = worker.begin(endless, lambda _: None)

    def think(thought: Job) -> None:
        thought.pause()
        drawn.set()

    worker.begin(think, lambda _: None, idle=True)
    stand_still(worker)
    assert not drawn.is_set()
    assert urgent is not None
    urgent.drop()
    assert drawn.wait(LIMIT_S)


def test_an_answer_waits_until_the_loop_has_room_for_it() -> None:
    worker, room = Worker(), iter([False, False, True])
    answers: list[int | None] = []

    def post(act: Act) -> bool:
        if next(room):
            act()
            return True
        return False

    worker.attach(post, lambda work: work())
    worker.begin(lambda _: 5, answers.append)
    assert answers == [5]


@pytest.fixture
def usual() -> Iterator[float]:
    """Give an interval that no worker has; afterwards it is what it was."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(0.02)
    yield sys.getswitchinterval()
    sys.setswitchinterval(before)


def test_the_lock_changes_hands_soon_while_a_thought_is_going(usual: float) -> None:
    worker = Worker()
    works: list[Act] = []
    worker.attach(at_once, works.append)
    worker.begin(lambda _: None, lambda _: None)
    worker.begin(lambda _: None, lambda _: None)
    assert sys.getswitchinterval() == pytest.approx(SWITCH_S)
    works.pop()()
    assert sys.getswitchinterval() == pytest.approx(SWITCH_S)
    works.pop()()
    assert sys.getswitchinterval() == pytest.approx(usual)


@pytest.mark.usefixtures("usual")
def test_an_interval_that_was_set_between_two_thoughts_is_the_one_afterwards() -> None:
    worker = Worker()
    worker.attach(at_once, lambda work: work())
    worker.begin(lambda _: None, lambda _: None)
    sys.setswitchinterval(0.01)
    worker.begin(lambda _: None, lambda _: None)
    assert sys.getswitchinterval() == pytest.approx(0.01)


def test_there_are_only_so_many_thoughts_at_once() -> None:
    worker = Worker()
    works: list[Act] = []
    worker.attach(at_once, works.append)
    begun = [worker.begin(lambda _: None, lambda _: None) for _ in range(MOST + 1)]
    assert [thought is None for thought in begun] == [False] * MOST + [True]
    works[0]()
    assert worker.begin(lambda _: None, lambda _: None) is not None


def test_a_thought_that_fails_says_so_and_nothing_of_what_it_knew(
    caplog: pytest.LogCaptureFixture,
) -> None:
    answers: list[None] = []

    def think(_: Job) -> None:
        raise ValueError("7 of hearts")

    with caplog.at_level(logging.WARNING):
        Worker().begin(think, answers.append)
    assert answers == [None]
    assert [record.message for record in caplog.records] == [
        "work beside the loop failed: ValueError"
    ]


# --- the contract: whoever works on it, every job has the same life

Begin = Callable[[Worker, Callable[[Job], None]], Job | None]


def computed(worker: Worker, work: Callable[[Job], None]) -> Job | None:
    return worker.begin(work, lambda _: None)


def idle(worker: Worker, work: Callable[[Job], None]) -> Job | None:
    return worker.begin(work, lambda _: None, idle=True)


def queued(worker: Worker, work: Callable[[Job], None]) -> Job | None:
    return worker.queue(work)


each_way = pytest.mark.parametrize("begin", [computed, idle, queued])


def beside_a_loop() -> Worker:
    worker = Worker()
    worker.attach(at_once)
    return worker


def begun(job: Job | None) -> Job:
    assert job is not None
    return job


def until_dropped(job: Job) -> None:
    while not job.dropped:
        sleep(0.001)


@each_way
def test_a_job_is_over_when_it_is_done_and_not_before(begin: Begin) -> None:
    go_on = Event()

    def wait(_: Job) -> None:
        go_on.wait(LIMIT_S)

    job = begun(begin(beside_a_loop(), wait))
    assert not job.over
    go_on.set()
    wait_for(lambda: job.over)
    assert not job.dropped


@each_way
def test_a_job_that_fails_is_over_and_one_line_in_the_log(
    begin: Begin, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_: Job) -> None:
        raise ValueError("7 of hearts")

    job = begun(begin(beside_a_loop(), fail))
    wait_for(lambda: job.over)
    assert [record.message for record in caplog.records] == [
        "work beside the loop failed: ValueError"
    ]


@each_way
def test_a_job_that_is_dropped_ends(begin: Begin, caplog: pytest.LogCaptureFixture) -> None:
    job = begun(begin(beside_a_loop(), until_dropped))
    job.drop()
    wait_for(lambda: job.over)
    job.drop()  # late is no fault
    assert not caplog.records


@each_way
def test_a_worker_that_is_closed_drops_every_job(begin: Begin) -> None:
    worker = beside_a_loop()
    jobs = [begun(begin(worker, until_dropped)) for _ in range(3)]
    worker.close()
    wait_for(lambda: all(job.over for job in jobs))
    assert all(job.dropped for job in jobs)


@each_way
def test_without_room_no_job_is_begun_until_there_is_some(begin: Begin) -> None:
    worker, jobs = beside_a_loop(), list[Job]()
    while (job := begin(worker, until_dropped)) is not None:
        jobs.append(job)
    assert len(jobs) in (MOST, QUEUE_LIMIT, QUEUE_LIMIT + 1)  # with the one that was taken out
    worker.close()
    wait_for(lambda: all(job.over for job in jobs))
    wait_for(lambda: begin(worker, lambda _: None) is not None)


def test_the_queue_takes_one_job_after_the_other_and_leaves_no_thread() -> None:
    worker, go_on, done = beside_a_loop(), Event(), list[int]()

    def wait(_: Job) -> None:
        go_on.wait(LIMIT_S)
        done.append(0)

    worker.queue(wait)
    for n in (1, 2):
        worker.queue(lambda _, n=n: done.append(n))  # type: ignore[misc]
    go_on.set()
    wait_for(lambda: worker._answering is None)
    assert done == [0, 1, 2]
    assert worker.queue(lambda _: done.append(4)) is not None
    wait_for(lambda: done[-1] == 4)


def test_what_is_queued_does_not_wait_for_the_loop() -> None:
    worker = beside_a_loop()
    with worker.pause_jobs():
        job = begun(worker.queue(lambda _: None))
        wait_for(lambda: job.over)
