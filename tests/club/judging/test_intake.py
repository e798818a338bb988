"""What is taken in: gaps, parts, lost events, rounds that come later, newer versions."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from club.evening import acts
from club.evening.era import begin_era
from club.judging.intake import Intake, TableMessage
from tests.club.judging.desk import WHO, Desk
from tests.club.parts import result_event


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def of_round(desk: Desk, table: int = 0, seq: int = 1, **others: Any) -> dict[str, Any]:
    return result_event(
        seq,
        desk.people_at(table),
        **{"game_id": f"g{table}", "evening": desk.evening, "in_round": 1, **others},
    )


def in_parts(event: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """Return a result as its head and its parts."""
    record, seq = event["record"], event["seq"]
    size = -(-len(record) // count)
    head = {**event, "record": None, "parts": count}
    return [head] + [
        {
            "seq": seq + part,
            "kind": "part",
            "of": seq,
            "part": part,
            "text": record[(part - 1) * size : part * size],
        }
        for part in range(1, count + 1)
    ]


def test_a_record_in_parts_counts_when_all_are_there(desk: Desk) -> None:
    head, *parts = in_parts(of_round(desk), 3)
    assert desk.send(0, head, *parts[:2])["upto"] == 0
    assert desk.verdicts()["store-0", 1] == (False, None)
    ack = desk.send(0, parts[2])
    assert (ack["upto"], ack["refused"]) == (4, [])
    assert desk.verdicts()["store-0", 1] == (True, None)


@given(order=st.permutations(range(5)))
@settings(max_examples=20, deadline=None)
def test_parts_may_come_in_any_order_and_twice(
    tmp_path_factory: pytest.TempPathFactory, order: list[int]
) -> None:
    desk = Desk(tmp_path_factory.mktemp("desk"))
    sent = in_parts(of_round(desk), 4)
    for index in order:
        desk.send(0, sent[index])
        desk.send(0, sent[index])
    assert desk.ack(0)["upto"] == 5
    assert desk.verdicts()["store-0", 1] == (True, None)


def test_a_result_whose_part_is_lost_is_a_proposal(desk: Desk) -> None:
    head, first, _ = in_parts(of_round(desk), 2)
    ack = desk.send(0, head, first, {"seq": 3, "kind": "lost"})
    assert (ack["upto"], ack["refused"]) == (3, [{"seq": 1, "why": "record"}])
    desk.decide("store-0", 1, accepted=True)
    assert desk.verdicts()["store-0", 1] == (True, None)


def test_the_same_result_in_parts_and_whole_is_one(desk: Desk) -> None:
    desk.send(0, of_round(desk))
    ack = desk.send(0, *in_parts(of_round(desk), 2), store="store-new")
    assert (ack["upto"], ack["refused"]) == (3, [])
    assert len(desk.export()["results"]) == 1


def test_parts_of_nothing_have_arrived_and_do_nothing(desk: Desk) -> None:
    ack = desk.send(0, {"seq": 1, "kind": "part", "of": 7, "part": 1, "text": "x"})
    assert (ack["upto"], ack["refused"]) == (1, [])


def test_a_result_waits_for_its_round(desk: Desk) -> None:
    early = of_round(desk, in_round=2, game_id="early")
    assert desk.send(0, early)["refused"] == [{"seq": 1, "why": "unknown-round"}]
    desk.pair()
    verdict = desk.verdicts()["store-0", 1]
    # the next round seats others, unless these two met again
    assert verdict in {(True, None), (False, "not-seated")}
    desk.undo()
    assert desk.verdicts()["store-0", 1] == (False, "unknown-round")


def test_a_result_of_an_evening_that_is_lost_counts_where_it_came_once_accepted(desk: Desk) -> None:
    desk.send(0, of_round(desk, evening="e-lost"))
    assert desk.verdicts()["store-0", 1] == (False, "unknown-round")
    desk.decide("store-0", 1, accepted=True)
    assert desk.verdicts()["store-0", 1] == (True, None)
    assert sum(line["points"] for line in desk.export()["standings"]) == 5


def test_what_came_in_an_evening_that_was_taken_back_is_still_shown(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.send(0, result_event(1, ("p1", "p2")))
    for _ in range(2):  # the round, then the evening
        desk.undo()
    exported = desk.export()
    assert exported["evening"] is None
    assert [each["counted"] for each in exported["results"]] == [True]


def test_what_was_locked_counts_when_the_next_round_is_taken_back(desk: Desk) -> None:
    desk.pair()
    assert desk.send(0, of_round(desk))["refused"] == [{"seq": 1, "why": "locked"}]
    desk.undo()
    assert desk.verdicts()["store-0", 1] == (True, None)


def test_a_keyed_result_gives_way_to_the_tables_own_and_comes_back(desk: Desk) -> None:
    first, second = desk.people_at(0)
    with desk.database.write() as writing:
        acts.key_result(writing, WHO, 1, {first: 1, second: 2})
    assert [each["counted"] for each in desk.export()["results"]] == [True]
    desk.send(0, of_round(desk))
    counted = [each["store"] for each in desk.export()["results"] if each["counted"]]
    assert counted == ["store-0"]
    desk.send(0, {"seq": 2, "kind": "withdrawn", "game_id": "g0", "revision": 1})
    counted = [each["store"] for each in desk.export()["results"] if each["counted"]]
    assert counted == [None]


def test_a_newer_message_is_kept_until_the_hub_is_newer(desk: Desk) -> None:
    facts = {"v": 2, "store": "store-0", "events": [of_round(desk)]}
    (ack,) = desk.take(0, json.dumps(facts).encode())
    assert (ack["upto"], ack["refused"]) == (1, [{"seq": 1, "why": "version"}])
    with desk.database.write() as writing:
        begin_era(writing, {}, [])
    assert desk.ack(0)["refused"] == [{"seq": 1, "why": "version"}], "this hub is no newer"
    with desk.database.write() as writing:
        writing.connection.exec_driver_sql("UPDATE events SET version = 1")
        begin_era(writing, {}, [])
    assert desk.verdicts()["store-0", 1] == (True, None)


def test_a_game_that_is_installed_later_is_judged_then(desk: Desk) -> None:
    message = json.dumps({"v": 1, "store": "store-0", "events": [of_round(desk)]}).encode()
    with desk.database.write() as writing:
        intake = Intake(writing, judge_record=lambda _event, _record: "unknown-game")
        intake.take(TableMessage(desk.tables[0], "up/events", message))
        intake.finish()
    assert desk.verdicts()["store-0", 1] == (False, "unknown-game")
    with desk.database.write() as writing:
        begin_era(writing, {}, [])
    assert desk.verdicts()["store-0", 1] == (True, None)


def test_closing_lets_tables_forget_and_opening_again_does_not(desk: Desk) -> None:
    desk.send(0, of_round(desk))
    assert desk.ack(0)["closed"] == 0
    with desk.database.write() as writing:
        acts.close_evening(writing, WHO)
    assert desk.ack(0)["closed"] == 1
    late = of_round(desk, seq=2, revision=1)
    assert desk.send(0, late)["refused"] == [{"seq": 2, "why": "locked"}]
    desk.undo()
    assert desk.ack(0)["closed"] == 0


@given(seed=st.integers(0, 10_000))
@settings(max_examples=15, deadline=None)
def test_order_repetition_and_loss_on_the_way_change_nothing(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    """However messages are shuffled, doubled and resent, the same counts in the end."""
    rng = random.Random(seed)
    desk = Desk(tmp_path_factory.mktemp("desk"), per_table=4)
    sent = [
        of_round(desk, game_id="a"),
        of_round(desk, seq=2, game_id="a", revision=1, first=35),
        {"seq": 3, "kind": "withdrawn", "game_id": "a", "revision": 2},
        of_round(desk, seq=4, game_id="a", revision=3, first=34),
        {"seq": 5, "kind": "lost"},
        result_event(6, ("p1", "p2"), game_id="free"),
    ]
    post = [event for event in sent for _ in range(rng.randint(1, 3))]
    rng.shuffle(post)
    for event in post:
        desk.send(0, event)
    assert desk.ack(0)["upto"] == len(sent)
    verdicts = desk.verdicts()
    assert [seq for (_, seq), (counted, _) in sorted(verdicts.items()) if counted] == [4]
    assert verdicts["store-0", 6] == (False, "free")
