"""Which results count: each case is a story of what came, and what the organiser decided."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from club.judging.verdicts import (
    Decision,
    GroupFacts,
    JudgingFacts,
    KeyedRanks,
    RoundFacts,
    SentEvent,
    Verdict,
    judge,
)

ROUND = ("e1", 1)
ANNA_WINS = (("p1", 1), ("p2", 2))
BEN_WINS = (("p1", 2), ("p2", 1))
COUNTS = Verdict(counted=True)
SUPERSEDED = Verdict()


def sent(number: int, revision: int = 0, **others: Any) -> SentEvent:
    """Return a result of round 1 that p1 won at table-01."""
    event = SentEvent(
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
    return replace(event, **others)


def facts(
    locked_by: int | None = None,
    keyed: tuple[KeyedRanks, ...] = (),
    decisions: tuple[Decision, ...] = (),
    people: frozenset[str] | None = None,
) -> JudgingFacts:
    together = (
        GroupFacts(frozenset({"p1", "p2"}), "table-01", "numeri"),
        GroupFacts(frozenset({"p3", "p4"}), None, "numeri"),
    )
    return JudgingFacts({ROUND: RoundFacts(together, locked_by)}, keyed, decisions, people)


def keyed(ranks: tuple[tuple[str, int], ...], act: int = 7) -> KeyedRanks:
    return KeyedRanks(1, act, ROUND, ranks)


def accepted(event: int, act: int = 8) -> Decision:
    return Decision(act, event, "g1", accepted=True)


def refused(event: int, act: int = 8) -> Decision:
    return Decision(act, event, "g1", accepted=False)


def why(reason: str) -> Verdict:
    return Verdict(reason)


FREE: dict[str, Any] = {"round": None, "ranks": ANNA_WINS}
STORIES: dict[str, tuple[list[SentEvent], JudgingFacts, list[Verdict]]] = {
    "a result of a round counts": ([sent(1)], facts(), [COUNTS]),
    "a free game counts": ([sent(1, **FREE)], facts(), [COUNTS]),
    "a correction replaces what it corrects": (
        [sent(1), sent(2, 1)],
        facts(),
        [SUPERSEDED, COUNTS],
    ),
    "the highest revision counts, whatever came last": (
        [sent(1, 2), sent(2, 1), sent(3, 0)],
        facts(),
        [COUNTS, SUPERSEDED, SUPERSEDED],
    ),
    "the same again is a duplicate": (
        [sent(1, content="a"), sent(2, content="a")],
        facts(),
        [COUNTS, SUPERSEDED],
    ),
    "another content under one revision is disputed": (
        [sent(1), sent(2)],
        facts(),
        [COUNTS, why("disputed")],
    ),
    "a game that was taken out does not count": (
        [sent(1), sent(2, 1, withdrawn=True, round=None, ranks=())],
        facts(),
        [SUPERSEDED, SUPERSEDED],
    ),
    "a higher result brings a game back": (
        [sent(1), sent(2, 1, withdrawn=True, round=None, ranks=()), sent(3, 2)],
        facts(),
        [SUPERSEDED, SUPERSEDED, COUNTS],
    ),
    "another table's game is foreign, whatever its revision": (
        [sent(1), sent(2, 9, table="table-02")],
        facts(),
        [COUNTS, why("foreign")],
    ),
    "only its own table takes a game out": (
        [sent(1), sent(2, 1, table="table-02", withdrawn=True, round=None, ranks=())],
        facts(),
        [COUNTS, why("foreign")],
    ),
    "the organiser moves a game to another table": (
        [sent(1), sent(2, 1, table="table-02")],
        facts(decisions=(accepted(2),)),
        [why("foreign"), COUNTS],
    ),
    "a game that is left out does not count with any revision": (
        [sent(1, **FREE), sent(2, 1, **FREE)],
        facts(decisions=(refused(1), refused(2))),
        [why("locked"), why("locked")],
    ),
    "what the table sends of it later is a proposal": (
        [sent(1, **FREE), sent(2, 1, after_act=9, **FREE)],
        facts(decisions=(refused(1),)),
        [why("locked"), why("locked")],
    ),
    "accepting it takes that back": (
        [sent(1, **FREE), sent(2, 1, **FREE)],
        facts(decisions=(refused(1), refused(2), accepted(2, 9))),
        [why("locked"), COUNTS],
    ),
    "what was accepted can be left out": (
        [sent(1, fault="record")],
        facts(decisions=(accepted(1), refused(1, 9))),
        [why("record")],
    ),
    "refusing another proposal leaves what was accepted": (
        [sent(1, **FREE), sent(2, 1, fault="record", **FREE), sent(3, 2, fault="record", **FREE)],
        facts(decisions=(accepted(2), refused(3, 9))),
        [SUPERSEDED, COUNTS, why("record")],
    ),
    "a record that says something else does not count": (
        [sent(1, fault="record")],
        facts(),
        [why("record")],
    ),
    "a wrong correction leaves what was": (
        [sent(1), sent(2, 1, fault="record")],
        facts(),
        [COUNTS, why("record")],
    ),
    "one person twice is no result": (
        [sent(1, ranks=(("p1", 1), ("p1", 2)))],
        facts(),
        [why("duplicate-person")],
    ),
    "a second game of the same round counts nobody twice": (
        [sent(1), sent(2, game_id="g2")],
        facts(),
        [COUNTS, why("duplicate-person")],
    ),
    "the second game counts when the first is taken out": (
        [sent(1), sent(2, game_id="g2"), sent(3, 1, withdrawn=True, round=None, ranks=())],
        facts(),
        [SUPERSEDED, COUNTS, SUPERSEDED],
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
        [COUNTS],
    ),
    "a number that was mistyped in a free game is noticed": (
        [sent(1, **FREE)],
        facts(people=frozenset({"p1"})),
        [why("not-seated")],
    ),
    "after the next round was paired a correction is a proposal": (
        [sent(1, after_act=5), sent(2, 1, after_act=6)],
        facts(locked_by=6),
        [COUNTS, why("locked")],
    ),
    "after the next round was paired a late result is a proposal": (
        [sent(1, after_act=6)],
        facts(locked_by=6),
        [why("locked")],
    ),
    "nor is a game taken out then": (
        [sent(1), sent(2, 1, after_act=6, withdrawn=True, round=None, ranks=())],
        facts(locked_by=6),
        [COUNTS, why("locked")],
    ),
    "a locked proposal that is accepted counts": (
        [sent(1), sent(2, 1, after_act=6)],
        facts(locked_by=6, decisions=(accepted(2),)),
        [SUPERSEDED, COUNTS],
    ),
    "a keyed result stands above another one": (
        [sent(1)],
        facts(keyed=(keyed(BEN_WINS),)),
        [why("locked")],
    ),
    "a keyed result that the table confirms is the table's": (
        [sent(1, after_act=9)],
        facts(locked_by=8, keyed=(keyed(ANNA_WINS),)),
        [COUNTS],
    ),
    "a result that is accepted after it was keyed counts": (
        [sent(1)],
        facts(keyed=(keyed(BEN_WINS, act=7),), decisions=(accepted(1, act=8),)),
        [COUNTS],
    ),
    "what is keyed after that counts instead": (
        [sent(1)],
        facts(keyed=(keyed(BEN_WINS, act=9),), decisions=(accepted(1, act=8),)),
        [why("locked")],
    ),
    "a decision stands above every revision": (
        [sent(1), sent(2), sent(3, 1, after_act=9), sent(4, 7, after_act=9)],
        facts(decisions=(accepted(2),)),
        [SUPERSEDED, COUNTS, why("locked"), why("locked")],
    ),
    "what was refused stays so, and what comes later is a proposal": (
        [sent(1), sent(2), sent(3, 1, after_act=9)],
        facts(decisions=(refused(2),)),
        [COUNTS, why("disputed"), why("locked")],
    ),
    "a result that waited and was refused never counts": (
        [sent(1)],
        facts(decisions=(refused(1),)),
        [why("locked")],
    ),
    "a refusal that is followed by an acceptance is one": (
        [sent(1, fault="record")],
        facts(decisions=(refused(1, 7), accepted(1, 8))),
        [COUNTS],
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
        p for event in events if event.round and verdicts[event.id].counted for p in event.people
    ]
    people += [p for each in known.keyed if each.id in keyed_ones for p in each.people]
    assert len(people) == len(set(people))


def test_a_keyed_result_counts_until_the_tables_does() -> None:
    assert judge([], facts(keyed=(keyed(BEN_WINS),)))[1] == {1}
    assert judge([sent(1)], facts(keyed=(keyed(BEN_WINS),)))[1] == {1}
    assert judge([sent(1)], facts(keyed=(keyed(ANNA_WINS),)))[1] == set()


def test_of_two_keyed_results_the_last_counts() -> None:
    again = replace(keyed(ANNA_WINS, act=9), id=2)
    assert judge([], facts(keyed=(keyed(BEN_WINS), again)))[1] == {2}
