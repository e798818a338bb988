"""Exactly once: what a browser asked for is done one time, however often it asks."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from time import monotonic
from typing import TypeVar

from pi_app.phones.protocol import Answered, Reply

KEPT = 256
"""Answers of a browser, over all its tabs, that are known again."""
KEPT_S = 600.0
"""For so long at least nobody's last number is forgotten; a page repeats nothing for longer than a
minute. Where there are too many browsers or tabs for that, new ones are refused.
"""
BROWSERS = 64
"""Browsers that are known: twice as many as can be paired."""
TABS = 64
"""Tabs of a browser that are known."""
WAITING = 4
"""Repeated requests that wait for the same answer; older ones are not answered any more."""


@dataclass(slots=True)
class _Entry:
    """One request: what it asked for, its answer as soon as there is one, who waits for it."""

    what: Hashable
    answer: Answered | None = None
    waiting: list[Reply] = field(default_factory=list)


@dataclass(slots=True)
class _Tab:
    """The requests of one tab are numbered upwards; numbers may be left out."""

    heard: float
    last: int = -1


@dataclass(slots=True)
class _Browser:
    heard: float
    tabs: OrderedDict[str, _Tab] = field(default_factory=OrderedDict)
    known: OrderedDict[tuple[str, int], _Entry] = field(default_factory=OrderedDict)
    """By tab and number."""


class Ledger:
    """Which requests were carried out. Used in one thread only."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._browsers: OrderedDict[str, _Browser] = OrderedDict()

    def last(self, browser: str, tab: str) -> int:
        """Return the highest number that was carried out for a tab, -1 for none."""
        asking = self._browsers.get(browser)
        return asking.tabs[tab].last if asking is not None and tab in asking.tabs else -1

    def take(
        self,
        browser: str,
        tab: str,
        n: int,
        what: Hashable,
        done: Reply,
        act: Callable[[Reply], bool],
    ) -> str:
        """Carry out request `n` if it is new, else answer it as it was answered before.

        `act` takes what is to be called with the answer, in this thread, and tells whether there
        was room for it. Returns "" or the error: "busy", and the number is free again; "n" for
        another request under this number; "old" for a number that is passed and forgotten.
        """
        now = self._clock()
        asking = _heard(self._browsers, browser, BROWSERS, now, _Browser)
        row = None if asking is None else _heard(asking.tabs, tab, TABS, now, _Tab)
        if asking is None or row is None:
            return "busy"
        entry = asking.known.get((tab, n))
        if entry is not None:
            if entry.what != what:
                return "n"
            if entry.answer is not None:
                done(entry.answer)
            else:
                entry.waiting = [*entry.waiting, done][-WAITING:]
            return ""
        if n <= row.last:
            return "old"
        entry = _Entry(what, waiting=[done])
        if not act(lambda answer: _finish(entry, answer)):
            return "busy"
        row.last = n
        asking.known[tab, n] = entry
        while len(asking.known) > KEPT:
            asking.known.popitem(last=False)
        return ""


_Row = TypeVar("_Row", _Browser, _Tab)


def _heard(
    rows: OrderedDict[str, _Row], name: str, most: int, now: float, new: Callable[[float], _Row]
) -> _Row | None:
    """Return the row of who asks now, in order of who asked last; None without room for one more.

    There is room where somebody has been silent for so long that it may be forgotten.
    """
    row = rows.get(name)
    if row is None:
        if len(rows) >= most:
            longest, silent = next(iter(rows.items()))
            if now - silent.heard < KEPT_S:
                return None
            del rows[longest]
        row = rows[name] = new(now)
    row.heard = now
    rows.move_to_end(name)
    return row


def _finish(entry: _Entry, answer: Answered) -> None:
    entry.answer = answer
    waiting, entry.waiting = entry.waiting, []
    for done in waiting:
        done(answer)
