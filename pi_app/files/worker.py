"""Work beside the loop: one place where it is begun, looked at, dropped and closed.

Each job has the same life, whoever works on it:

- `Worker.begin` or `Worker.queue` begins it, or returns None where there is no room for one more.
- While it goes on, `Job.over` is false; whoever began it may look at any time, in any thread.
- It ends with an answer or fails, which is one line in the log, without what the job knew.
- `Job.drop` ends it early, from any thread, also late: nobody is given its answer any more, and a
  process that works for it is killed.
- `Worker.close` drops all of them.

There are two ways to work. What computes is begun: it has a thread of its own, lets a process do
what would keep the interpreter to itself (`Job.lines`), and its answer comes back into the loop.
What only answers is queued: one thread takes one job after the other, and is there only while there
are some. Nobody's key waits for what computes: it goes on only while the loop waits for a key, and
looks between two draws of its chance whether that is still so. It keeps the priority of the loop:
whoever holds the interpreter's lock must not be put off by other programs. While one is going the
lock changes hands soon.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from sys import getswitchinterval, setswitchinterval
from threading import Condition, Thread
from time import sleep
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from subprocess import Popen

log = logging.getLogger(__name__)

T = TypeVar("T")
Act = Callable[[], None]

MOST = 6
"""Jobs that are begun at a time."""
MOST_QUEUED = 8
"""Jobs that may wait in the queue."""
SWITCH_S = 0.0005
"""After how long a job is told to let go of the interpreter's lock, in seconds."""
AGAIN_S = 0.05
"""How long an answer waits where the loop has no room for it, in seconds."""


def in_a_thread(work: Act) -> None:
    """Do something in a thread of its own, which no end of the program waits for."""
    Thread(target=work, name="worker", daemon=True).start()


class DroppedError(Exception):
    """Nobody waits for this job any more: it ends here."""


class Job:
    """Something that is being worked on. What computes calls `pause` now and then.

    An idle one goes on only while no other is going.
    """

    def __init__(self, going: Condition, must_wait: Callable[[Job], bool], *, idle: bool) -> None:
        self.idle = idle
        self.dropped = False
        """Whether nobody waits for the answer any more."""
        self.over = False
        """Whether nobody works on it any more."""
        self.process: Popen[str] | None = None
        """What works for it, if anything does."""
        self._going = going
        self._must_wait = must_wait

    def drop(self) -> None:
        """Work no longer: the answer will not be given. Callable from any thread, also late."""
        with self._going:
            self.dropped = True
            if self.process is not None:
                self.process.kill()
            self._going.notify_all()

    def pause(self) -> None:
        """Wait while the loop is at work; DroppedError if the job was dropped."""
        with self._going:
            self._going.wait_for(lambda: self.dropped or not self._must_wait(self))
        if self.dropped:
            raise DroppedError

    def wait(self, seconds: float) -> None:
        """Do nothing for a while; DroppedError as soon as the job is dropped."""
        with self._going:
            if self._going.wait_for(lambda: self.dropped, seconds):
                raise DroppedError

    def chance(self, seed: int | str) -> Random:
        """Return the same chance as `Random(seed)`; it pauses at every draw of bits."""
        return _Chance(self, seed)

    def lines(self, command: Sequence[str], request: object) -> Iterator[str]:
        """Let a process work, which reads `request` as JSON; yield what it writes, line by line.

        OSError where it cannot be started or told, ValueError where it fails, DroppedError once
        the job is dropped, which kills it.
        """
        from subprocess import DEVNULL, PIPE, Popen  # a start does not need it

        # it finds what we find, installed or in a source tree
        paths = os.pathsep.join(filter(None, sys.path))
        with Popen(  # noqa: S603  # this program
            command,
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            text=True,
            env={**os.environ, "PYTHONPATH": paths},
        ) as process:
            with self._going:
                self.process = process
                if self.dropped:
                    process.kill()
            try:
                yield from _exchange(process, request)
            except OSError:
                if not self.dropped:
                    raise
        if self.dropped:
            raise DroppedError
        if process.returncode:
            raise ValueError(f"its process ended with status {process.returncode}")


def _exchange(process: Popen[str], request: object) -> Iterator[str]:
    if process.stdin is not None and process.stdout is not None:
        with process.stdin:
            json.dump(request, process.stdin)
        yield from process.stdout


class _Chance(Random):
    """What play-outs draw their seeds from: the place at which a search can be held up."""

    def __init__(self, job: Job, seed: int | str) -> None:
        super().__init__(seed)
        self._job = job

    def getrandbits(self, k: int, /) -> int:
        self._job.pause()
        return super().getrandbits(k)


class Worker:
    """Works for one table. Without a loop, each job that is begun is done at once.

    `begin`, `queue` and `Job.drop` may be called in any thread.
    """

    def __init__(self) -> None:
        self._going = Condition()
        self._jobs: set[Job] = set()
        """Those that were begun."""
        self._queued: deque[tuple[Job, Callable[[Job], None]]] = deque()
        self._answering: Job | None = None
        """The one that was taken out of the queue last; None as long as there is no thread."""
        self._at_work = False
        self._post: Callable[[Act], bool] | None = None
        self._spawn: Callable[[Act], None] = in_a_thread
        self._switch_s = getswitchinterval()

    def attach(
        self, post: Callable[[Act], bool], spawn: Callable[[Act], None] = in_a_thread
    ) -> None:
        """Work beside a loop from now on.

        `post` lets the loop do something soon, in its thread, and tells whether there was room;
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
        """Work something out; `done` is called in the loop with the answer, None if it failed.

        `work` should take its chance from the job, or call its `pause` every few milliseconds.
        `done` is not called once the job is dropped; a screen that wants to act on the answer
        does it in `expire`. None: there are too many jobs at once.
        """
        job = Job(self._going, self._must_wait, idle=idle)
        with self._going:
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
                answer = _answer(work, job)
                self._deliver(job, lambda: give_answer(answer))
            finally:
                with self._going:
                    self._jobs.discard(job)
                    if not self._jobs and self._post:
                        setswitchinterval(self._switch_s)
                    self._going.notify_all()

        self._spawn(run) if self._post else run()
        return job

    def queue(self, work: Callable[[Job], None]) -> Job | None:
        """Answer something after what waits already; `work` gives the answer to who wants it.

        None: there are too many jobs waiting. The loop is not waited for.
        """
        job = Job(self._going, lambda _: False, idle=False)
        with self._going:
            if len(self._queued) >= MOST_QUEUED:
                return None
            self._queued.append((job, work))
            if self._answering is None:
                self._answering = job
                in_a_thread(self._answer_all)
        return job

    def _answer_all(self) -> None:
        while True:
            with self._going:
                if not self._queued:
                    self._answering = None
                    return
                self._answering, work = self._queued.popleft()
                job = self._answering
            _answer(work, job)

    @contextmanager
    def pause_jobs(self) -> Iterator[None]:
        """Let every job that was begun stand still while the loop does something."""
        with self._going:
            self._at_work = True
        try:
            yield
        finally:
            with self._going:
                self._at_work = False
                self._going.notify_all()

    def close(self) -> None:
        """Drop every job: the loop ends."""
        with self._going:
            queued = [job for job, _ in self._queued]
            for job in (*self._jobs, *queued, *filter(None, (self._answering,))):
                job.drop()

    def _must_wait(self, job: Job) -> bool:
        if self._post is None:
            return False
        others = (other for other in self._jobs if other is not job)
        return self._at_work or (job.idle and not all(other.idle for other in others))

    def _deliver(self, job: Job, act: Act) -> None:
        """Let the loop have an answer as soon as it has room for it."""
        post = self._post
        if post is None:
            return act()
        while not job.dropped and not post(act):
            sleep(AGAIN_S)
        return None


def _answer(work: Callable[[Job], T], job: Job) -> T | None:
    try:
        job.pause()
        return work(job)
    except DroppedError:
        return None
    except Exception as error:  # noqa: BLE001  # its text may tell of a hand
        log.warning("work beside the loop failed: %s", type(error).__name__)
        return None
    finally:
        job.over = True
