"""Thinking beside the loop: it stands still while the loop is at work, and can be left.

Nobody's key waits for a thought: a thought goes on only while the loop waits for a key, and
between two draws of its chance it looks whether that is still so. It keeps the priority of the
loop: whoever holds the interpreter's lock must not be put off by other programs. While one is
going the lock changes hands soon.
"""

from __future__ import annotations

import logging
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
"""Thoughts at a time."""
SWITCH_S = 0.0005
"""After how long a thought is told to let go of the interpreter's lock, in seconds."""
AGAIN_S = 0.05
"""How long an answer waits where the loop has no room for it, in seconds."""


def in_a_thread(work: Act) -> None:
    """Do something in a thread of its own, which no end of the program waits for."""
    Thread(target=work, name="thought", daemon=True).start()


class LeftError(Exception):
    """Nobody waits for this thought any more: it ends here."""


class Thought:
    """Something that is being thought about. What works on it calls `pause` now and then.

    An idle one goes on only while no other is going.
    """

    def __init__(self, going: Condition, held: Callable[[Thought], bool], *, idle: bool) -> None:
        self.idle = idle
        self.left = False
        """Whether nobody waits for the answer any more."""
        self._going = going
        self._held = held

    def leave(self) -> None:
        """Think no longer: the answer will not be given. Callable from any thread, also late."""
        with self._going:
            self.left = True
            self._going.notify_all()

    def pause(self) -> None:
        """Wait while the loop is at work; LeftError if the thought was left."""
        with self._going:
            self._going.wait_for(lambda: self.left or not self._held(self))
        if self.left:
            raise LeftError

    def chance(self, seed: int | str) -> Random:
        """Return the same chance as `Random(seed)`; it pauses at every draw of bits."""
        return _Chance(self, seed)


class _Chance(Random):
    """What play-outs draw their seeds from: the place at which a search can be held up."""

    def __init__(self, thought: Thought, seed: int | str) -> None:
        super().__init__(seed)
        self._thought = thought

    def getrandbits(self, k: int, /) -> int:
        self._thought.pause()
        return super().getrandbits(k)


class Thinking:
    """The thoughts of one table. Without a loop each is thought to its end at once.

    `begin` and `Thought.leave` may be called in any thread.
    """

    def __init__(self) -> None:
        self._going = Condition()
        self._thoughts: set[Thought] = set()
        self._at_work = False
        self._post: Callable[[Act], bool] | None = None
        self._spawn: Callable[[Act], None] = in_a_thread
        self._switch_s = getswitchinterval()

    def beside(
        self, post: Callable[[Act], bool], spawn: Callable[[Act], None] = in_a_thread
    ) -> None:
        """Think beside a loop from now on.

        `post` lets the loop do something soon, in its thread, and tells whether there was room;
        `spawn` runs a thought.
        """
        self._post = post
        self._spawn = spawn

    def begin(
        self,
        think: Callable[[Thought], T],
        done: Callable[[T | None], None],
        *,
        idle: bool = False,
    ) -> Thought | None:
        """Think about something; `done` is called in the loop with the answer, None if it failed.

        `think` should take its chance from the thought, or call its `pause` every few
        milliseconds. `done` is not called once the thought is left; a screen that wants to act
        on the answer does it in `expire`. None: there are too many thoughts at once.
        """
        thought = Thought(self._going, self._held, idle=idle)
        with self._going:
            if len(self._thoughts) >= MOST:
                return None
            if not self._thoughts and self._post:
                self._switch_s = getswitchinterval()
                setswitchinterval(SWITCH_S)
            self._thoughts.add(thought)

        def answered(answer: T | None) -> None:
            if not thought.left:
                done(answer)

        def work() -> None:
            try:
                answer = _answer(think, thought)
                self._deliver(thought, lambda: answered(answer))
            finally:
                with self._going:
                    self._thoughts.discard(thought)
                    if not self._thoughts and self._post:
                        setswitchinterval(self._switch_s)
                    self._going.notify_all()

        self._spawn(work) if self._post else work()
        return thought

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let every thought stand still while the loop does something."""
        with self._going:
            self._at_work = True
        try:
            yield
        finally:
            with self._going:
                self._at_work = False
                self._going.notify_all()

    def end(self) -> None:
        """Leave every thought: the loop ends."""
        with self._going:
            for thought in self._thoughts:
                thought.left = True
            self._going.notify_all()

    def _held(self, thought: Thought) -> bool:
        if self._post is None:
            return False
        others = (other for other in self._thoughts if other is not thought)
        return self._at_work or (thought.idle and not all(other.idle for other in others))

    def _deliver(self, thought: Thought, act: Act) -> None:
        """Let the loop have an answer as soon as it has room for it."""
        post = self._post
        if post is None:
            return act()
        while not thought.left and not post(act):
            sleep(AGAIN_S)
        return None


def _answer(think: Callable[[Thought], T], thought: Thought) -> T | None:
    try:
        thought.pause()
        return think(thought)
    except LeftError:
        return None
    except Exception as error:  # noqa: BLE001  # its text may tell of a hand
        log.warning("a thought failed: %s", type(error).__name__)
        return None
