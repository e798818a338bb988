"""Which results count: each case is a story of what came, and what the organiser decided."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from club.judging.verdicts import (
    COUNTED,
    LEFT_OUT,
    OLDER,
    JudgingFacts,
    RoundFacts,
    Ruling,
    SentResult,
    judge,
)
from club.store.live import ActRow, GroupRow

ROUND = ("e1", 1)
ANNA_WINS = (("p1", 1), ("p2", 2))
BEN_WINS = (("p1", 2), ("p2", 1))
SUPERSEDED = OLDER
LOCKED = Ruling("locked")
DISPUTED = Ruling("disputed")


def sent(number: int, revision: int = 0, **others: Any) -> SentResult:
    """Return a result of round 1 that p1 won at table-01."""
    result = SentResult(
        id=number,
        table="table-01",
        game_id="g1",
        revision=revision,
        content=f"content-{number}",
        after_act=5,
        round=ROUND,
        game="numeri",
        ranks=ANNA_WINS,
    )
    return replace(result, **others)


def facts(
    locked_by: int | None = None,
    keyed: tuple[ActRow, ...] = (),
    decided: tuple[ActRow, ...] = (),
    closed: dict[str, int] | None = None,
) -> JudgingFacts:
    together = [
        GroupRow("table-01", "numeri", "", ["p1", "p2"]),
        GroupRow(None, "numeri", "", ["p3", "p4"]),
    ]
    return JudgingFacts({ROUND: RoundFacts(together, locked_by)}, keyed, decided, closed or {})


def act(number: int, kind: str, **known: Any) -> ActRow:
    return ActRow(number, "2026-11-28T19:00:00.000+00:00", "tests", kind, known, None)


def keyed(ranks: tuple[tuple[str, int], ...], number: int = 7) -> ActRow:
    evening, in_round = ROUND
    return act(number, "result", evening=evening, round=in_round, ranks=dict(ranks))


def accepted(event: int, number: int = 8, game_id: str = "g1") -> ActRow:
    return act(number, "accept", result=event, game_id=game_id)


def refused(event: int, number: int = 8) -> ActRow:
    return act(number, "refuse", result=event, game_id="g1")


MOVED = act(8, "move", game_id="g1", table="table-02")


def why(reason: str) -> Ruling:
    kept = ("unknown-round", "second", "no-record", "slow", "version")
    return Ruling("kept" if reason in kept else "refused", reason)


def withdrawn(number: int, revision: int, **others: Any) -> SentResult:
    return sent(number, revision, withdrawn=True, round=None, ranks=(), **others)


FREE: dict[str, Any] = {"round": None, "ranks": ANNA_WINS}
STORIES: dict[str, tuple[list[SentResult], JudgingFacts, list[Ruling]]] = {
    "a result of a round counts": ([sent(1)], facts(), [COUNTED]),
    "a free game counts": ([sent(1, **FREE)], facts(), [COUNTED]),
    "a correction replaces what it corrects": (
        [sent(1), sent(2, 1)],
        facts(),
        [SUPERSEDED, COUNTED],
    ),
    "the highest revision counts, whatever came last": (
        [sent(1, 2), sent(2, 1), sent(3, 0)],
        facts(),
        [COUNTED, SUPERSEDED, SUPERSEDED],
    ),
    "another content under one revision is disputed": (
        [sent(1), sent(2)],
        facts(),
        [COUNTED, DISPUTED],
    ),
    "a game that was taken out does not count": (
        [sent(1), withdrawn(2, 1)],
        facts(),
        [SUPERSEDED, COUNTED],
    ),
    "a higher result brings a game back": (
        [sent(1), withdrawn(2, 1), sent(3, 2)],
        facts(),
        [SUPERSEDED, SUPERSEDED, COUNTED],
    ),
    "another table's game is foreign, whatever its revision": (
        [sent(1), sent(2, 9, table="table-02")],
        facts(),
        [COUNTED, why("foreign")],
    ),
    "only its own table takes a game out": (
        [sent(1), withdrawn(2, 1, table="table-02")],
        facts(),
        [COUNTED, why("foreign")],
    ),
    "the organiser moves a game to another table": (
        [sent(1), sent(2, 1, table="table-02")],
        facts(decided=(MOVED,)),
        [SUPERSEDED, COUNTED],
    ),
    "then it is foreign to the table that had it": (
        [sent(1), sent(2, 1, after_act=9)],
        facts(decided=(MOVED,)),
        [COUNTED, why("foreign")],
    ),
    "a game that is left out does not count with any revision": (
        [sent(1, **FREE), sent(2, 1, **FREE)],
        facts(decided=(refused(2),)),
        [LEFT_OUT, LEFT_OUT],
    ),
    "what the table sends of it later is a proposal": (
        [sent(1, **FREE), sent(2, 1, after_act=9, **FREE)],
        facts(decided=(refused(1),)),
        [LEFT_OUT, LOCKED],
    ),
    "accepting it takes that back": (
        [sent(1, **FREE), sent(2, 1, **FREE)],
        facts(decided=(refused(2), accepted(2, 9))),
        [SUPERSEDED, COUNTED],
    ),
    "what was accepted can be left out": (
        [sent(1, fault="record")],
        facts(decided=(accepted(1), refused(1, 9))),
        [LEFT_OUT],
    ),
    "refusing another proposal leaves what was accepted": (
        [sent(1, **FREE), sent(2, 1, fault="record", **FREE), sent(3, 2, fault="record", **FREE)],
        facts(decided=(accepted(2), refused(3, 9))),
        [SUPERSEDED, COUNTED, LEFT_OUT],
    ),
    "a record that says something else does not count": (
        [sent(1, fault="record")],
        facts(),
        [why("record")],
    ),
    "a wrong correction leaves what was": (
        [sent(1), sent(2, 1, fault="record")],
        facts(),
        [COUNTED, why("record")],
    ),
    "one person twice is no result": (
        [sent(1, ranks=(("p1", 1), ("p1", 2)))],
        facts(),
        [why("duplicate-person")],
    ),
    "a round counts one game a group": (
        [sent(1), sent(2, game_id="g2")],
        facts(),
        [COUNTED, why("second")],
    ),
    "a game that is played after the first was taken out counts": (
        [sent(1), withdrawn(2, 1), sent(3, game_id="g2")],
        facts(),
        [SUPERSEDED, COUNTED, COUNTED],
    ),
    "of two games of a group the one that is accepted counts": (
        [sent(1), sent(2, game_id="g2")],
        facts(decided=(accepted(2, game_id="g2"),)),
        [why("second"), COUNTED],
    ),
    "a round that nobody knows waits": (
        [sent(1, round=("e1", 2))],
        facts(),
        [why("unknown-round")],
    ),
    "who does not sit there is not seated": (
        [sent(1, ranks=(("p1", 1), ("p9", 2)))],
        facts(),
        [why("not-seated")],
    ),
    "a guest's seat is nobody's of the round": (
        [sent(1, ranks=(("p1", 1),))],
        facts(),
        [why("not-seated")],
    ),
    "another table's seats are not its own": (
        [sent(1, table="table-02")],
        facts(),
        [why("not-seated")],
    ),
    "another game than the round's is none of it": (
        [sent(1, game="sequence")],
        facts(),
        [why("not-seated")],
    ),
    "people without a table may play at any": (
        [sent(1, table="table-02", ranks=(("p3", 1), ("p4", 2)))],
        facts(),
        [COUNTED],
    ),
    "after the next round was paired a correction is a proposal": (
        [sent(1, after_act=5), sent(2, 1, after_act=6)],
        facts(locked_by=6),
        [COUNTED, LOCKED],
    ),
    "a first result of a round that is over counts": (
        [sent(1, after_act=6)],
        facts(locked_by=6),
        [COUNTED],
    ),
    "also after a correction that nothing can be made of": (
        [sent(1, fault="record"), sent(2, 1, after_act=6)],
        facts(locked_by=6),
        [why("record"), COUNTED],
    ),
    "the same content under a higher revision changes nothing": (
        [sent(1, content="a"), sent(2, 1, content="a", after_act=6)],
        facts(locked_by=6),
        [SUPERSEDED, COUNTED],
    ),
    "unless the organiser typed one": (
        [sent(1, after_act=9)],
        facts(locked_by=8, keyed=(keyed(BEN_WINS),)),
        [LOCKED],
    ),
    "a revision below one that waits does not count": (
        [sent(1), sent(2, 2, after_act=6), sent(3, 1, after_act=6)],
        facts(locked_by=6),
        [COUNTED, LOCKED, SUPERSEDED],
    ),
    "a revision below one that was refused counts": (
        [sent(1, 1, fault="record"), sent(2)],
        facts(),
        [why("record"), COUNTED],
    ),
    "a closed evening's free games are final": (
        [sent(1, evening="e1", **FREE), sent(2, 1, evening="e1", after_act=9, **FREE)],
        facts(closed={"e1": 9}),
        [COUNTED, LOCKED],
    ),
    **{
        f"a result without a check waits: {fault}": ([sent(1, fault=fault)], facts(), [why(fault)])
        for fault in ("no-record", "slow", "version")
    },
    "nor is a game taken out then": (
        [sent(1), withdrawn(2, 1, after_act=6)],
        facts(locked_by=6),
        [COUNTED, LOCKED],
    ),
    "a locked proposal that is accepted counts": (
        [sent(1), sent(2, 1, after_act=6)],
        facts(locked_by=6, decided=(accepted(2),)),
        [SUPERSEDED, COUNTED],
    ),
    "a keyed result stands above another one": (
        [sent(1)],
        facts(keyed=(keyed(BEN_WINS),)),
        [LEFT_OUT],
    ),
    "a keyed result that the table confirms is the table's": (
        [sent(1, after_act=9)],
        facts(locked_by=8, keyed=(keyed(ANNA_WINS),)),
        [COUNTED],
    ),
    "a result that is accepted after it was keyed counts": (
        [sent(1)],
        facts(keyed=(keyed(BEN_WINS, number=7),), decided=(accepted(1, number=8),)),
        [COUNTED],
    ),
    "what is keyed after that counts instead": (
        [sent(1)],
        facts(keyed=(keyed(BEN_WINS, number=9),), decided=(accepted(1, number=8),)),
        [LEFT_OUT],
    ),
    "a decision stands above every revision": (
        [sent(1), sent(2), sent(3, 1, after_act=9), sent(4, 7, after_act=9)],
        facts(decided=(accepted(2),)),
        [DISPUTED, COUNTED, LOCKED, LOCKED],
    ),
    "what was refused stays so, and what comes later is a proposal": (
        [sent(1), sent(2), sent(3, 1, after_act=9)],
        facts(decided=(refused(2),)),
        [COUNTED, LEFT_OUT, LOCKED],
    ),
    "a proposal that was refused never counts": (
        [sent(1, fault="slow")],
        facts(decided=(refused(1),)),
        [LEFT_OUT],
    ),
    "a refusal that is followed by an acceptance is one": (
        [sent(1, fault="record")],
        facts(decided=(refused(1, 7), accepted(1, 8))),
        [COUNTED],
    ),
}


@pytest.mark.parametrize("story", STORIES)
def test_each_event_gets_the_verdict_of_its_story(story: str) -> None:
    events, known, expected = STORIES[story]
    verdicts, _ = judge(events, known)
    assert [verdicts[event.id] for event in events] == expected


@pytest.mark.parametrize("story", STORIES)
def test_the_order_of_asking_changes_nothing(story: str) -> None:
    events, known, _ = STORIES[story]
    assert judge(events, known) == judge(events[::-1], known)


@pytest.mark.parametrize("story", STORIES)
def test_nobody_has_two_results_in_one_round(story: str) -> None:
    events, known, _ = STORIES[story]
    verdicts, keyed_ones = judge(events, known)
    people = [
        p for event in events if event.round and verdicts[event.id] == COUNTED for p in event.people
    ]
    people += [p for each in known.keyed if each.id in keyed_ones for p in each.facts["ranks"]]
    assert len(people) == len(set(people))


def test_a_keyed_result_counts_until_the_tables_does() -> None:
    assert judge([], facts(keyed=(keyed(BEN_WINS, number=1),)))[1] == {1}
    assert judge([sent(1)], facts(keyed=(keyed(BEN_WINS, number=1),)))[1] == {1}
    assert judge([sent(1)], facts(keyed=(keyed(ANNA_WINS),)))[1] == set()


def test_of_two_keyed_results_the_last_counts() -> None:
    again = keyed(ANNA_WINS, number=9)
    assert judge([], facts(keyed=(keyed(BEN_WINS), again)))[1] == {9}
