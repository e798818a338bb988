"""Exactly once: what a browser asked for is done one time, however often it asks."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from pi_app.displays.remote.wire import Answered, Reply

KEPT = 256
"""Answers that are known again, for each browser and tab."""
BROWSERS = 64
TABS = 16
"""Browsers that are known, and tabs of each; the one that asked longest ago gives way."""
WAITING = 4
"""Repeated requests that wait for the same answer; older ones are not answered any more."""


@dataclass(slots=True)
class _Entry:
    """One request: what it asked for, its answer as soon as there is one, who waits for it."""

    what: Hashable
    answer: Answered | None = None
    waiting: list[Reply] = field(default_factory=list)


@dataclass(slots=True)
class _Row:
    """The requests of one tab, numbered upwards; numbers may be left out."""

    last: int = -1
    known: OrderedDict[int, _Entry] = field(default_factory=OrderedDict)


class Ledger:
    """Which requests were carried out. Used in one thread only."""

    def __init__(self) -> None:
        self._rows: OrderedDict[str, OrderedDict[str, _Row]] = OrderedDict()

    def last(self, browser: str, tab: str) -> int:
        """Return the highest number that was carried out for a tab, -1 for none."""
        tabs = self._rows.get(browser)
        return tabs[tab].last if tabs is not None and tab in tabs else -1

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
        row = self._row(browser, tab)
        entry = row.known.get(n)
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
        row.known[n] = entry
        while len(row.known) > KEPT:
            row.known.popitem(last=False)
        return ""

    def _row(self, browser: str, tab: str) -> _Row:
        tabs = self._rows.setdefault(browser, OrderedDict())
        row = tabs.setdefault(tab, _Row())
        tabs.move_to_end(tab)
        self._rows.move_to_end(browser)
        if len(tabs) > TABS:
            tabs.popitem(last=False)
        if len(self._rows) > BROWSERS:
            self._rows.popitem(last=False)
        return row


def _finish(entry: _Entry, answer: Answered) -> None:
    entry.answer = answer
    waiting, entry.waiting = entry.waiting, []
    for done in waiting:
        done(answer)
