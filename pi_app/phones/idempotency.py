"""Carries out each request of a browser exactly once, even if the browser repeats it."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import partial

from pi_app.phones.protocol import Answered, Reply

KEPT = 512
"""How many answers are remembered, for all browsers together."""
WAITING = 4
"""How many repetitions of a request wait for its answer; older ones are not answered."""


@dataclass(slots=True)
class _Entry:
    """One request: its content, its answer once there is one, and the replies that wait for it."""

    content: Hashable
    answer: Answered | None = None
    waiting: list[Reply] = field(default_factory=list)

    def finish(self, answer: Answered) -> None:
        self.answer = answer
        waiting, self.waiting = self.waiting, []
        for done in waiting:
            done(answer)


class Ledger:
    """Which requests were carried out. Used in one thread only: `post` lets it call a function."""

    def __init__(self, post: Callable[[Callable[[], None]], None]) -> None:
        self._post = post
        self._entries: dict[tuple[str, int], _Entry] = {}
        """The last requests, by browser and number."""
        self._last: dict[str, int] = {}
        """The number of each browser's last request, of paired browsers only."""

    def take(
        self, browser: str, n: int, content: Hashable, done: Reply, act: Callable[[Reply], bool]
    ) -> str:
        """Carry out request `n` if it is new, else answer it as it was answered before.

        `act` carries it out: it gets the reply to call, in any thread, and returns whether there
        was room for the request. Returns "" or an error: "busy" (the number may be used again),
        "n" (another request had this number), or "old" (the number is passed and forgotten).
        """
        entry = self._entries.get((browser, n))
        if entry is not None:
            if entry.content != content:
                return "n"
            if entry.answer is not None:
                done(entry.answer)
            else:
                entry.waiting = [*entry.waiting, done][-WAITING:]
            return ""
        if n <= self._last.get(browser, -1):
            return "old"
        entry = _Entry(content, waiting=[done])
        if not act(lambda answer: self._post(partial(entry.finish, answer))):
            return "busy"
        self._last[browser] = n
        self._entries[browser, n] = entry
        if len(self._entries) > KEPT:
            del self._entries[next(iter(self._entries))]
        return ""
