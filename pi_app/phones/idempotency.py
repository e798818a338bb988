"""Carries out each request of a browser exactly once, even if the browser repeats it."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from time import monotonic
from typing import TypeVar

from pi_app.phones.protocol import Answered, Reply

KEPT = 256
"""How many answers of a browser, over all its tabs, are remembered."""
KEPT_S = 600.0
"""The least time for which a tab's last number is remembered, in seconds; pages repeat requests
for up to a minute. If there are too many browsers or tabs for that, new ones are refused.
"""
BROWSERS = 64
"""The most browsers that are remembered: twice as many as can be paired."""
TABS = 64
"""The most tabs of a browser that are remembered."""
WAITING = 4
"""How many repetitions of a request wait for its answer; older ones are not answered."""


@dataclass(slots=True)
class _Entry:
    """One request: its content, its answer once there is one, and the replies that wait for it."""

    content: Hashable
    answer: Answered | None = None
    waiting: list[Reply] = field(default_factory=list)


@dataclass(slots=True)
class _Tab:
    """A browser tab; the numbers of its requests increase and may skip values."""

    heard_at: float
    last: int = -1
    """The number of its last request; -1 before the first."""


@dataclass(slots=True)
class _Browser:
    heard_at: float
    tabs: OrderedDict[str, _Tab] = field(default_factory=OrderedDict)
    entries: OrderedDict[tuple[str, int], _Entry] = field(default_factory=OrderedDict)
    """Its last requests by tab and number."""


class Ledger:
    """Which requests were carried out. Used in one thread only."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._browsers: OrderedDict[str, _Browser] = OrderedDict()

    def last(self, browser: str, tab: str) -> int:
        """Return the number of a tab's last request; -1 if there is none."""
        row = self._browsers.get(browser)
        return row.tabs[tab].last if row is not None and tab in row.tabs else -1

    def take(
        self,
        browser: str,
        tab: str,
        n: int,
        content: Hashable,
        done: Reply,
        act: Callable[[Reply], bool],
    ) -> str:
        """Carry out request `n` if it is new, else answer it as it was answered before.

        `act` carries it out: it gets the reply to call in this thread, and returns whether there
        was room for the request. Returns "" or an error: "busy" (the number may be used again),
        "n" (another request had this number), or "old" (the number is passed and forgotten).
        """
        now = self._clock()
        browser_row = _find_or_add(self._browsers, browser, BROWSERS, now, _Browser)
        if browser_row is None:
            return "busy"
        tab_row = _find_or_add(browser_row.tabs, tab, TABS, now, _Tab)
        if tab_row is None:
            return "busy"
        entry = browser_row.entries.get((tab, n))
        if entry is not None:
            if entry.content != content:
                return "n"
            if entry.answer is not None:
                done(entry.answer)
            else:
                entry.waiting = [*entry.waiting, done][-WAITING:]
            return ""
        if n <= tab_row.last:
            return "old"
        entry = _Entry(content, waiting=[done])
        if not act(lambda answer: _finish(entry, answer)):
            return "busy"
        tab_row.last = n
        browser_row.entries[tab, n] = entry
        while len(browser_row.entries) > KEPT:
            browser_row.entries.popitem(last=False)
        return ""


_Row = TypeVar("_Row", _Browser, _Tab)


def _find_or_add(
    rows: OrderedDict[str, _Row], name: str, most: int, now: float, new: Callable[[float], _Row]
) -> _Row | None:
    """Return the row of this name, and make it the last of `rows`; None if there is no room.

    If there are `most` rows, a new one replaces the one silent longest, if that is KEPT_S ago.
    """
    row = rows.get(name)
    if row is None:
        if len(rows) >= most:
            # the first: each row that was heard became the last
            oldest_name, oldest = next(iter(rows.items()))
            if now - oldest.heard_at < KEPT_S:
                return None
            del rows[oldest_name]
        row = rows[name] = new(now)
    row.heard_at = now
    rows.move_to_end(name)
    return row


def _finish(entry: _Entry, answer: Answered) -> None:
    entry.answer = answer
    waiting, entry.waiting = entry.waiting, []
    for done in waiting:
        done(answer)
