"""Exactly once: properties of the ledger, whatever is asked in whatever order."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from pi_app.phones.idempotency import KEPT, Ledger
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
    ledger = Ledger(lambda act: act())
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

        error = ledger.take("browser", n, what, told, act)
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


def test_only_so_many_answers_are_kept_and_older_requests_are_refused() -> None:
    ledger = Ledger(lambda act: act())
    count = KEPT + 10
    for n in range(count):
        assert ledger.take("browser", n, n, ignore, lambda _: True) == ""
    assert ledger.take("browser", 5, 5, ignore, lambda _: True) == "old"
    assert ledger.take("browser", count - 1, count - 1, ignore, lambda _: True) == ""


def test_however_many_browsers_ask_none_acts_twice() -> None:
    """Also when the answers of one were pushed out by the others'."""
    ledger = Ledger(lambda act: act())
    done: Counter[str] = Counter()

    def ask(browser: str) -> str:
        """Ask for something, always under the same number."""

        def act(reply: Reply) -> bool:
            done[browser] += 1
            reply({"ok": True})
            return True

        return ledger.take(browser, 1, "5", ignore, act)

    names = [str(browser) for browser in range(KEPT + 1)]
    assert [ask(name) for name in names] == [""] * len(names)
    assert [ask(name) for name in names] == ["old"] + [""] * KEPT
    assert set(done.values()) == {1}
