"""The worker: does everything that takes too long for the loop.

Each job has the same life:

- `Worker.begin` or `Worker.queue` starts it, or returns None if there are too many jobs.
- While it runs, `Job.over` is false; any thread may look at any time.
- It ends with an answer or fails. A failure is one line in the log, without the job's data.
- `Job.drop` ends it early, from any thread, also after its end: its answer is not delivered any
  more.
- `Worker.close` drops all jobs.

`begin` is for computing: each job has its own thread and delivers its answer in the loop. `queue`
is for answering: one thread, which exists only while there are such jobs, takes them in order. No
key waits for computing: those jobs run only while the loop waits for a key, and check that before
each draw of random bits. Their threads have the loop's priority, because a thread with the
interpreter's lock must not be slowed down by other programs. While such a job runs, threads switch
sooner.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from sys import getswitchinterval, setswitchinterval
from threading import Condition, Thread
from time import sleep
from typing import TypeVar

log = logging.getLogger(__name__)

T = TypeVar("T")
Act = Callable[[], None]

MOST = 6
"""The most begun jobs at a time."""
QUEUE_LIMIT = 8
"""The most jobs in the queue."""
SWITCH_S = 0.0005
"""Python's switch interval while a job runs, in seconds."""
AGAIN_S = 0.05
"""How long an answer waits before it is offered to a busy loop again, in seconds."""


def in_a_thread(work: Act) -> None:
    """Run work in a daemon thread."""
    Thread(target=work, name="worker", daemon=True).start()


class DroppedError(Exception):
    """Ends a dropped job."""


class Job:
    """One job. One that computes calls `pause` now and then; an idle one yields to all others."""

    def __init__(
        self, state_changed: Condition, must_wait: Callable[[Job], bool], *, idle: bool
    ) -> None:
        self.idle = idle
        self.dropped = False
        """Whether nobody wants the answer any more."""
        self.over = False
        """Whether it has ended."""
        self._state_changed = state_changed
        self._must_wait = must_wait

    def drop(self) -> None:
        """End the job without an answer. Callable from any thread, also after its end."""
        with self._state_changed:
            self.dropped = True
            self._state_changed.notify_all()

    def pause(self) -> None:
        """Wait while the loop works; DroppedError if the job was dropped."""
        with self._state_changed:
            self._state_changed.wait_for(lambda: self.dropped or not self._must_wait(self))
        if self.dropped:
            raise DroppedError

    def chance(self, seed: int | str) -> Random:
        """Return a random generator like `Random(seed)` that pauses at each draw of bits."""
        return _Chance(self, seed)


class _Chance(Random):
    """A random generator for a search, which pauses at each draw."""

    def __init__(self, job: Job, seed: int | str) -> None:
        super().__init__(seed)
        self._job = job

    def getrandbits(self, k: int, /) -> int:
        self._job.pause()
        return super().getrandbits(k)


class Worker:
    """Works for one table. Without a loop (`attach`), `begin` does the job at once.

    `begin`, `queue` and `Job.drop` may be called in any thread.
    """

    def __init__(self) -> None:
        self._state_changed = Condition()
        self._jobs: set[Job] = set()
        """The begun jobs."""
        self._queued: deque[tuple[Job, Callable[[Job], None]]] = deque()
        self._answering: Job | None = None
        """The job last taken out of the queue; None while there is no thread for them."""
        self._at_work = False
        """Whether the loop works now."""
        self._post: Callable[[Act], bool] | None = None
        self._spawn: Callable[[Act], None] = in_a_thread
        self._switch_s = getswitchinterval()
        """The time to switch threads while no job runs, to be restored."""

    def attach(
        self, post: Callable[[Act], bool], spawn: Callable[[Act], None] = in_a_thread
    ) -> None:
        """Work for a loop from now on.

        `post` lets the loop do something soon, in its thread, and returns false if it is too busy;
        `spawn` runs a job.
        """
        self._post = post
        self._spawn = spawn

    def begin(
        self,
        work: Callable[[Job], T],
        done: Callable[[T | None], None],
        *,
        idle: bool = False,
    ) -> Job | None:
        """Compute something; the loop calls `done` with the answer, None if it failed.

        `work` should use the job's `chance`, or call its `pause` every few milliseconds. `done` is
        not called for a dropped job; a screen acts on the answer in `expire`. Returns None if there
        are too many jobs.
        """
        job = Job(self._state_changed, self._must_wait, idle=idle)
        with self._state_changed:
            if len(self._jobs) >= MOST:
                return None
            if not self._jobs and self._post:
                self._switch_s = getswitchinterval()
                setswitchinterval(SWITCH_S)
            self._jobs.add(job)

        def give_answer(answer: T | None) -> None:
            if not job.dropped:
                done(answer)

        def run() -> None:
            try:
                answer = _run_job(work, job)
                self._deliver(job, lambda: give_answer(answer))
            finally:
                with self._state_changed:
                    self._jobs.discard(job)
                    if not self._jobs and self._post:
                        setswitchinterval(self._switch_s)
                    self._state_changed.notify_all()

        self._spawn(run) if self._post else run()
        return job

    def queue(self, work: Callable[[Job], None]) -> Job | None:
        """Queue a job; `work` itself delivers the answer.

        It does not wait for the loop. Returns None if the queue is full.
        """
        # queued jobs never wait for the loop
        job = Job(self._state_changed, lambda _: False, idle=False)
        with self._state_changed:
            if len(self._queued) >= QUEUE_LIMIT:
                return None
            self._queued.append((job, work))
            if self._answering is None:
                self._answering = job  # set here, so that no second thread is started
                in_a_thread(self._run_queue)
        return job

    def _run_queue(self) -> None:
        while True:
            with self._state_changed:
                if not self._queued:
                    self._answering = None
                    return
                self._answering, work = self._queued.popleft()
                job = self._answering
            _run_job(work, job)

    @contextmanager
    def pause_jobs(self) -> Iterator[None]:
        """Let every begun job pause while the loop works."""
        with self._state_changed:
            self._at_work = True
        try:
            yield
        finally:
            with self._state_changed:
                self._at_work = False
                self._state_changed.notify_all()

    def close(self) -> None:
        """Drop all jobs, because the loop ends."""
        with self._state_changed:
            queued = [job for job, _ in self._queued]
            for job in (*self._jobs, *queued, *filter(None, (self._answering,))):
                job.drop()

    def _must_wait(self, job: Job) -> bool:
        """Tell whether the loop works now or, for an idle job, whether another job does."""
        if self._post is None:  # without a loop the job runs in the caller's thread
            return False
        # a dropped job is about to end
        others = (other for other in self._jobs if other is not job and not other.dropped)
        return self._at_work or (job.idle and not all(other.idle for other in others))

    def _deliver(self, job: Job, act: Act) -> None:
        """Deliver an answer in the loop as soon as it has room."""
        post = self._post
        if post is None:
            return act()
        while not job.dropped and not post(act):
            sleep(AGAIN_S)
        return None


def _run_job(work: Callable[[Job], T], job: Job) -> T | None:
    try:
        job.pause()
        return work(job)
    except DroppedError:
        return None
    except Exception as error:  # noqa: BLE001  # its text may reveal a hand
        log.warning("work beside the loop failed: %s", type(error).__name__)
        return None
    finally:
        job.over = True
