"""Ways to cheat and to err: each is refused or kept as a proposal, told, and logged.

Who may write where is the broker's to say: `tests/club/hub/test_rights.py`.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pi_app.link.contract import MOST_NUMBER, MOST_PAYLOAD
from tests.club.judging.desk import Desk
from tests.club.parts import result_event

Event = dict[str, Any]


def honest(desk: Desk, table: int = 0, seq: int = 1, **others: Any) -> Event:
    """Return a result of the round as its table would send it."""
    return result_event(
        seq,
        desk.people_at(table),
        **{"game_id": f"g{table}", "evening": desk.evening, "in_round": 1, **others},
    )


def with_seat(event: Event, **facts: Any) -> Event:
    """Change the first seat of a result."""
    first, *rest = event["seats"]
    return {**event, "seats": [{**first, **facts}, *rest]}


def exchanged(event: Event) -> Event:
    """Let the second seat have what the first one won."""
    first, second = event["seats"]
    swapped = [{**first, "rank": 2, "won": False}, {**second, "rank": 1, "won": True}]
    return {**event, "seats": swapped}


MOVES = '[Game "just4fun"]\n[Players "S1 yellow, S2 red"]\n1. {moves}\n'

ALTERED: dict[str, tuple[Callable[[Desk], Event], str]] = {
    "a point too many": (lambda d: with_seat(honest(d), points=37), "record"),
    "points where the game gives others": (lambda d: with_seat(honest(d), points=None), "record"),
    "another winner": (lambda d: with_seat(honest(d), won=False), "record"),
    "another place": (lambda d: with_seat(honest(d), rank=2), "record"),
    "places exchanged": (lambda d: exchanged(honest(d)), "record"),
    "another reason": (lambda d: {**honest(d), "reason": "row"}, "record"),
    "no record": (lambda d: {**honest(d), "record": ""}, "record"),
    "a record of another game": (
        lambda d: {**honest(d), "record": honest(d)["record"].replace("just4fun", "numeri")},
        "record",
    ),
    "a record of other people": (
        lambda d: {**honest(d), "record": honest(d)["record"].replace("S2 red", "S2 red, S3 pink")},
        "record",
    ),
    "an illegal move in the record": (
        lambda d: {**honest(d), "record": MOVES.format(moves="40 5+11+13")},
        "record",
    ),
    "a game that is not over": (
        lambda d: {**honest(d), "record": MOVES.format(moves="5+11+13 7")},
        "record",
    ),
    "a board with impossible stones": (
        lambda d: {**honest(d), "record": honest(d)["record"].replace("36x1", "36x99")},
        "record",
    ),
    "junk as a record": (lambda d: {**honest(d), "record": "\0<[{" * 1000}, "record"),
    "a game that nobody has": (lambda d: {**honest(d), "game": "chess"}, "unknown-game"),
    "a round that is not there": (lambda d: honest(d, in_round=7), "unknown-round"),
    "an evening that is not there": (lambda d: honest(d, evening="e999"), "unknown-round"),
    "somebody who sits elsewhere": (
        lambda d: with_seat(honest(d), p=d.people_at(1)[0]),
        "not-seated",
    ),
    "somebody whom nobody knows": (lambda d: with_seat(honest(d), p="p999"), "not-seated"),
    "nobody in a seat": (lambda d: with_seat(honest(d), p=None), "not-seated"),
    "one person in two seats": (
        lambda d: with_seat(honest(d), p=d.people_at(0)[1]),
        "duplicate-person",
    ),
    "the round of others": (lambda d: honest(d, 1, game_id="g0"), "not-seated"),
    "a person that is no number": (lambda d: with_seat(honest(d), p="Anna"), "bad"),
    "a person of script": (lambda d: with_seat(honest(d), p="<script>"), "bad"),
    "a name that turns the line around": (lambda d: with_seat(honest(d), show="\u202eannA"), "bad"),
    "a name that moves the cursor": (lambda d: with_seat(honest(d), show="\x1b[2J"), "bad"),
    "a name without an end": (lambda d: with_seat(honest(d), show="A" * 5000), "bad"),
    "a seat that is not there": (lambda d: with_seat(honest(d), seat=3), "bad"),
    "a place below none": (lambda d: with_seat(honest(d), rank=0), "bad"),
    "a place that is text": (lambda d: with_seat(honest(d), rank="1"), "bad"),
    "points beyond counting": (lambda d: with_seat(honest(d), points=10**12), "bad"),
    "no seats": (lambda d: {**honest(d), "seats": []}, "bad"),
    "too many seats": (lambda d: {**honest(d), "seats": honest(d)["seats"] * 9}, "bad"),
    "a jump of revisions": (lambda d: honest(d, revision=10**6), "bad"),
    "a revision that no number can be": (lambda d: honest(d, revision=2**53), "bad"),
    "a revision below none": (lambda d: honest(d, revision=-1), "bad"),
    "no game's id": (lambda d: {**honest(d), "game_id": None}, "bad"),
    "a game's id that is a path": (lambda d: {**honest(d), "game_id": "a b\n../"}, "bad"),
    "an end before the beginning": (
        lambda d: {
            **honest(d),
            "clock": "sure",
            "began": "2026-11-23T20:00:00Z",
            "ended": "2026-11-23T19:00:00Z",
        },
        "bad",
    ),
    "a record that is nowhere": (lambda d: {**honest(d), "record": None}, "record"),
    "parts of no number": (lambda d: {**honest(d), "record": None, "parts": 0}, "bad"),
    "more parts than there can be": (lambda d: {**honest(d), "record": None, "parts": 33}, "bad"),
}


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.mark.parametrize("way", ALTERED)
def test_an_altered_result_is_refused_told_kept_and_logged(
    desk: Desk, way: str, caplog: pytest.LogCaptureFixture
) -> None:
    make, why = ALTERED[way]
    with caplog.at_level(logging.WARNING):
        ack = desk.send(0, make(desk))
    assert ack["refused"] == [{"seq": 1, "why": why}]
    assert (ack["upto"], ack["missing"]) == (1, []), "a refused event has arrived"
    assert desk.verdicts() == {("store-0", 1): (False, why)}
    assert all(line["points"] == 0 for line in desk.export()["standings"])
    logged = [record.getMessage() for record in caplog.records]
    assert any(why in line for line in logged), logged


@pytest.mark.parametrize("way", ALTERED)
def test_an_honest_result_counts_beside_an_altered_one(desk: Desk, way: str) -> None:
    make, _ = ALTERED[way]
    desk.send(0, make(desk))
    ack = desk.send(1, honest(desk, 1, game_id="honest"))
    assert (ack["upto"], ack["refused"]) == (1, [])
    assert desk.verdicts()["store-1", 1] == (True, None)


JUNK = {
    "no JSON": b"\xff\xfe{",
    "no object": b"[1, 2]",
    "no number at all": b'{"v":1,"store":"store-0","events":[{"kind":"lost"}]}',
    "a number that is none": b'{"v":1,"store":"store-0","events":[{"seq":NaN,"kind":"lost"}]}',
    "a thousand brackets": b"[" * 60_000,
    "no store": b'{"v":1,"events":[{"seq":1,"kind":"lost"}]}',
    "a store with a space": b'{"v":1,"store":"a b","events":[{"seq":1,"kind":"lost"}]}',
    "an event that is none": b'{"v":1,"store":"store-0","events":[7]}',
    "no events": b'{"v":1,"store":"store-0","events":[]}',
    "more events than forty": json.dumps(
        {"v": 1, "store": "store-0", "events": [{"seq": n, "kind": "lost"} for n in range(1, 42)]}
    ).encode(),
    "ten megabytes": b'{"v":1,"store":"store-0","text":"' + b"x" * 10_000_000 + b'"}',
    "one byte too many": b'{"v":1,"store":"store-0","events":[{"seq":1,"kind":"lost"}],"x":"'
    + b"x" * MOST_PAYLOAD
    + b'"}',
    "a number of five thousand digits": b'{"v":1,"store":"store-0","events":[{"seq":'
    + b"9" * 5000
    + b',"kind":"lost"}]}',
}


@pytest.mark.parametrize("way", JUNK)
def test_junk_is_logged_and_changes_nothing(
    desk: Desk, way: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        desk.take(0, JUNK[way])
    assert caplog.records
    assert desk.export()["results"] == []
    assert desk.send(0, honest(desk))["upto"] == 1


@pytest.mark.parametrize("kind", ["decree", "\0", "\ud800", "x" * 500, ["result"], {}, None, 7])
def test_another_kind_of_event_is_refused_and_no_result(desk: Desk, kind: object) -> None:
    ack = desk.send(0, {**honest(desk), "kind": kind})
    assert ack["refused"] == [{"seq": 1, "why": "bad"}]
    assert desk.export()["results"] == []


def test_a_number_that_no_event_can_have_is_told_and_moves_nothing(desk: Desk) -> None:
    ack = desk.send(0, honest(desk), {**honest(desk), "seq": 2**53})
    assert ack["refused"] == [{"seq": 2**53, "why": "bad"}]
    assert (ack["upto"], ack["missing"]) == (1, [])


def test_the_highest_number_costs_no_time_and_moves_nothing(desk: Desk) -> None:
    ack = desk.send(0, honest(desk, seq=MOST_NUMBER))
    assert ack["upto"] == 0
    assert ack["missing"] == list(range(1, 101))


def test_another_content_under_a_number_is_a_conflict_that_every_ack_tells(desk: Desk) -> None:
    desk.send(0, honest(desk))
    altered = with_seat(honest(desk), points=99)
    ack = desk.send(0, altered)
    assert ack["refused"] == [{"seq": 1, "why": "conflict"}]
    assert desk.ack(0)["refused"] == ack["refused"], "the first one may have been lost"
    assert desk.verdicts() == {("store-0", 1): (True, None)}


def test_a_new_store_sends_all_anew_and_nothing_counts_twice(desk: Desk) -> None:
    desk.send(0, honest(desk))
    ack = desk.send(0, honest(desk), store="store-new")
    assert (ack["upto"], ack["refused"]) == (1, [])
    assert [each["counted"] for each in desk.export()["results"]] == [True]


def test_another_result_under_a_revision_is_a_proposal(desk: Desk) -> None:
    desk.send(0, honest(desk))
    ack = desk.send(0, honest(desk, seq=2, first=35))
    assert ack["refused"] == [{"seq": 2, "why": "disputed"}]
    desk.decide("store-0", 2, accepted=True)
    assert desk.verdicts() == {("store-0", 1): (False, None), ("store-0", 2): (True, None)}
    assert desk.ack(0)["refused"] == []
    desk.undo()
    assert desk.verdicts()["store-0", 1] == (True, None)


def test_another_tables_game_is_foreign(desk: Desk) -> None:
    desk.send(0, honest(desk))
    ack = desk.send(1, honest(desk, revision=5))
    assert ack["refused"] == [{"seq": 1, "why": "foreign"}]
    taken_out = {"seq": 2, "kind": "withdrawn", "game_id": "g0", "revision": 9}
    assert desk.send(1, taken_out)["refused"][-1] == {"seq": 2, "why": "foreign"}
    assert desk.verdicts()["store-0", 1] == (True, None)


def test_another_tables_store_is_a_conflict_and_tells_nothing_of_it(desk: Desk) -> None:
    desk.send(0, honest(desk), honest(desk, seq=2, revision=1))
    ack = desk.send(1, honest(desk), store="store-0")
    assert (ack["upto"], ack["missing"], ack["closed"]) == (0, [], 0)
    assert ack["refused"] == [{"seq": 1, "why": "conflict"}]


def test_a_table_that_is_not_the_clubs_is_not_heard(desk: Desk) -> None:
    desk.tables.append("table-99")
    assert desk.take(2, b"{}") == []
    assert desk.send(2, honest(desk)) == {}


def test_a_card_that_comes_back_to_an_earlier_machine_is_named(desk: Desk) -> None:
    for machine in ("m1", "m2", "m1"):
        hello = {"v": 1, "store": "s", "previous": [], "last": 0, "machine": machine}
        desk.take(0, json.dumps({**hello, "boot": "b", "software": "1"}).encode(), "up/hello")
    with desk.database.read() as connection:
        doubt = connection.exec_driver_sql("SELECT id, doubt FROM tables WHERE doubt <> ''").all()
    assert [tuple(row) for row in doubt] == [(desk.tables[0], "machine")]
