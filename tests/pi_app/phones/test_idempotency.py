"""Exactly once: properties of the ledger, whatever is asked in whatever order."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from pi_app.phones.idempotency import BROWSERS, KEPT, KEPT_S, TABS, Ledger
from pi_app.phones.protocol import Answered, Reply

STEPS = st.lists(
    st.tuples(st.integers(0, 30), st.sampled_from("ab"), st.booleans(), st.booleans()), max_size=60
)


def ignore(_: Answered) -> None:
    """Take an answer."""


@given(STEPS)
def test_each_number_is_done_once_at_most_and_always_answered_alike(
    steps: list[tuple[int, str, bool, bool]],
) -> None:
    ledger = Ledger()
    done: dict[int, str] = {}
    open_: dict[int, Reply] = {}
    answers: dict[int, set[str]] = {}
    for n, what, room, finish in steps:

        def act(reply: Reply, n: int = n, what: str = what, *, room: bool = room) -> bool:
            assert n not in done
            if room:
                done[n] = what
                open_[n] = reply
            return room

        def told(answer: Answered, n: int = n) -> None:
            answers.setdefault(n, set()).add(answer["shown"])

        error = ledger.take("browser", "", n, what, told, act)
        known, highest = done.get(n), max(done, default=-1)
        if error == "busy":
            assert not room
        elif error == "n":
            assert known not in (None, what)
        elif error == "old":
            assert known is None
            assert n < highest
        else:
            assert known == what
        if finish and n in open_:
            open_.pop(n)({"ok": True, "shown": done[n]})
    assert all(found == {done[n]} for n, found in answers.items())
    assert ledger.last("browser", "") == max(done, default=-1)


def test_only_so_many_answers_are_kept_and_older_requests_are_refused() -> None:
    ledger = Ledger()
    count = KEPT + 10
    for n in range(count):
        assert ledger.take("browser", "", n, n, ignore, lambda _: True) == ""
    assert ledger.take("browser", "", 5, 5, ignore, lambda _: True) == "old"
    assert ledger.take("browser", "", count - 1, count - 1, ignore, lambda _: True) == ""


class Table:
    """A ledger at a clock of its own, and how often each request was carried out."""

    def __init__(self) -> None:
        self.now = 0.0
        self.ledger = Ledger(lambda: self.now)
        self.done: Counter[tuple[str, str]] = Counter()

    def ask(self, browser: str, tab: str) -> str:
        """Ask for something, always under the same number."""

        def act(reply: Reply) -> bool:
            self.done[browser, tab] += 1
            reply({"ok": True})
            return True

        return self.ledger.take(browser, tab, 1, "5", ignore, act)


def test_however_many_tabs_ask_none_acts_twice_within_minutes() -> None:
    table = Table()
    asked = [table.ask("browser", str(tab)) for tab in range(2 * TABS)]
    assert asked == [""] * TABS + ["busy"] * TABS, "refused rather than forgotten"
    table.now = KEPT_S - 1
    for tab in range(2 * TABS):
        table.ask("browser", str(tab))
    assert set(table.done.values()) == {1}
    assert len(table.done) == TABS
    assert table.ask("another", "0") == "", "others have tabs of their own"


def test_a_tab_that_was_silent_for_minutes_gives_way_to_another_one() -> None:
    table = Table()
    for tab in range(TABS):
        table.ask("browser", str(tab))
    table.now = KEPT_S
    table.ask("browser", "0")
    assert table.ask("browser", "new") == ""
    assert table.ledger.last("browser", "0") == 1, "it was not silent"
    assert table.ledger.last("browser", "1") == -1


def test_however_many_browsers_ask_none_acts_twice_within_minutes() -> None:
    table = Table()
    names = [str(browser) for browser in range(2 * BROWSERS)]
    assert [table.ask(name, "") for name in names] == [""] * BROWSERS + ["busy"] * BROWSERS
    for name in names:
        table.ask(name, "")
    assert set(table.done.values()) == {1}
    table.now = KEPT_S
    assert table.ask("new", "") == ""
    assert table.ledger.last("0", "") == -1
