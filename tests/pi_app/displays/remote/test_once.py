"""Exactly once: properties of the ledger, whatever is asked in whatever order."""

from hypothesis import given
from hypothesis import strategies as st

from pi_app.displays.remote.once import KEPT, TABS, Ledger
from pi_app.displays.remote.wire import Answered, Reply

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


def test_only_so_many_numbers_and_tabs_are_kept() -> None:
    ledger = Ledger()
    count = KEPT + 10
    for n in range(count):
        assert ledger.take("browser", "", n, n, ignore, lambda _: True) == ""
    assert ledger.take("browser", "", 5, 5, ignore, lambda _: True) == "old"
    assert ledger.take("browser", "", count - 1, count - 1, ignore, lambda _: True) == ""
    for n in range(3 * TABS):
        ledger.take("another", str(n), 0, 0, ignore, lambda _: True)
    assert ledger.last("another", "0") == -1
    assert ledger.last("browser", "") == count - 1, "nobody else's tabs push it out"
