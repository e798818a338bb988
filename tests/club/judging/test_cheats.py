"""Ways to cheat and to err: each is refused or kept as a proposal, and told."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from club.judging import referee
from club.judging.reading import read_result
from tests.club.parts import result_of
from tests.club.table import News
from tests.club.web.site import ClubSite

Result = dict[str, Any]


class Round:
    """A round of two tables with two people each."""

    def __init__(self, site: ClubSite) -> None:
        self.site = site
        self.tables = [site.table().greet(), site.table().greet()]
        site.people("Anna", "Ben", "Clara", "David")
        self.evening = site.evening(per_table=2)
        self.groups = site.pair()

    def honest(self, table: int = 0, **others: Any) -> Result:
        """Return a result of the round as its table would send it."""
        facts = {"evening": self.evening, "in_round": 1, **others}
        return result_of(self.groups[table], **facts)


@pytest.fixture(name="desk")
def _desk(site: ClubSite) -> Round:
    return Round(site)


def with_seat(result: Result, **facts: Any) -> Result:
    """Change the first seat of a result."""
    first, *rest = result["seats"]
    return {**result, "seats": [{**first, **facts}, *rest]}


def exchanged(result: Result) -> Result:
    """Let the second seat have what the first one won."""
    first, second = result["seats"]
    swapped = [{**first, "rank": 2, "won": False}, {**second, "rank": 1, "won": True}]
    return {**result, "seats": swapped}


MOVES = '[Game "just4fun"]\n[Players "S1 yellow, S2 red"]\n1. {moves}\n'


def with_record(old: str, new: str) -> Callable[[Round], Result]:
    def make(desk: Round) -> Result:
        honest = desk.honest()
        return {**honest, "record": honest["record"].replace(old, new)}

    return make


ALTERED: dict[str, tuple[Callable[[Round], Result], str]] = {
    "a point too many": (lambda d: with_seat(d.honest(), points=37), "record"),
    "points where the game gives others": (lambda d: with_seat(d.honest(), points=None), "record"),
    "another winner": (lambda d: with_seat(d.honest(), won=False), "record"),
    "another place": (lambda d: with_seat(d.honest(), rank=2), "record"),
    "places exchanged": (lambda d: exchanged(d.honest()), "record"),
    "another reason": (lambda d: {**d.honest(), "reason": "row"}, "record"),
    "an empty record": (lambda d: {**d.honest(), "record": ""}, "record"),
    "no record": (lambda d: {**d.honest(), "record": None}, "no-record"),
    "a record of another game": (with_record("just4fun", "numeri"), "record"),
    "a record of other people": (with_record("S2 red", "S2 red, S3 pink"), "record"),
    "a board with impossible stones": (with_record("36x1", "36x99"), "record"),
    "an illegal move in the record": (
        lambda d: {**d.honest(), "record": MOVES.format(moves="40 5+11+13")},
        "record",
    ),
    "a game that is not over": (
        lambda d: {**d.honest(), "record": MOVES.format(moves="5+11+13 7")},
        "record",
    ),
    "junk as a record": (lambda d: {**d.honest(), "record": "<[{" * 1000}, "record"),
    "a result of a newer contract": (lambda d: {**d.honest(), "v": 3, "seats": "?"}, "version"),
    "a game that nobody has": (lambda d: {**d.honest(), "game": "chess"}, "unknown-game"),
    "a round that is not there": (lambda d: d.honest(in_round=7), "unknown-round"),
    "an evening that is not there": (lambda d: d.honest(evening="e999"), "unknown-round"),
    "somebody who sits elsewhere": (
        lambda d: with_seat(d.honest(), p=d.groups[1][0]),
        "not-seated",
    ),
    "somebody whom nobody knows": (lambda d: with_seat(d.honest(), p="p999"), "not-seated"),
    "nobody in a seat": (lambda d: with_seat(d.honest(), p=None), "not-seated"),
    "one person in two seats": (
        lambda d: with_seat(d.honest(), p=d.groups[0][1]),
        "duplicate-person",
    ),
    "the round of others": (lambda d: d.honest(1), "not-seated"),
}
COUNTED = [("counted", None)]
KEPT = ("no-record", "version", "unknown-round")
BAD: dict[str, dict[str, Any]] = {
    "a person of two words": {"seats": "p", "value": "Anna B"},
    "a person without an end": {"seats": "p", "value": "p" * 41},
    "a name without an end": {"seats": "show", "value": "A" * 81},
    "a name with a NUL": {"seats": "show", "value": "A\0"},
    "a name with half a character": {"seats": "show", "value": "\ud800"},
    "a seat that is not there": {"seats": "seat", "value": 3},
    "a place below none": {"seats": "rank", "value": 0},
    "a place that is text": {"seats": "rank", "value": "1"},
    "a winner who is a number": {"seats": "won", "value": 1},
    "points beyond counting": {"seats": "points", "value": 10**12},
    "half a point": {"seats": "points", "value": 0.5},
    "no seats": {"seats": None, "value": []},
    "a revision that no number can be": {"revision": 2**31},
    "a revision below none": {"revision": -1},
    "a revision that is true": {"revision": True},
    "no game's id": {"game_id": None},
    "a game's id that is a path": {"game_id": "a b\n../aaaaaaaaaaa"},
    "a short id": {"game_id": "a" * 15},
    "a round of no evening": {"evening": None, "round": 1},
    "an evening without an end": {"evening": "e" * 41},
    "a reason without an end": {"reason": "r" * 41},
    "an end before the beginning": {
        "clock": "sure",
        "began": "2026-11-23T20:00:00Z",
        "ended": "2026-11-23T19:00:00Z",
    },
    "a time that is none": {"began": "yesterday"},
    "a record of more than 64 KiB": {"record": "x" * 65_537},
    "a result of more than 256 KiB": {"note": "x" * 262_144},
    "a game that is half withdrawn": {"withdrawn": "yes"},
}


def test_an_altered_result_is_told_kept_and_does_not_count(desk: Round) -> None:
    honest, told = desk.honest(1), []
    for nth, (way, (make, why)) in enumerate(ALTERED.items()):
        verdict = "kept" if why in KEPT else "refused"
        altered = make(desk)
        assert desk.tables[0].verdicts(altered, altered) == [(verdict, why)] * 2, way
        assert desk.tables[1].verdicts({**honest, "revision": nth}) == COUNTED, way
        told.append((altered["game_id"], verdict, why))
        counted = {line["p"] for line in desk.site.export()["standings"] if line["points"]}
        assert counted <= set(desk.groups[1]), way
    news = desk.tables[0].news().all()["verdict"]
    assert sorted((each["game_id"], each["verdict"], each["why"]) for each in news) == sorted(told)


def test_a_bad_result_takes_no_other_with_it(desk: Round) -> None:
    honest = desk.honest()
    for nth, (way, facts) in enumerate(BAD.items()):
        bad = desk.honest()
        if "value" in facts:
            field, value = facts["seats"], facts["value"]
            bad = with_seat(bad, **{field: value}) if field else {**bad, "seats": value}
        else:
            bad |= facts
        told = desk.tables[0].verdicts(bad, {**honest, "revision": nth})
        assert told == [("refused", "bad"), *COUNTED], way


@pytest.mark.parametrize(
    "spoilt", ['{"game_id": "a", "game_id": "b"}', '{"points": NaN}', '{"points": 1e999}', "7"]
)
def test_json_that_is_none_spoils_only_its_own_result(desk: Round, spoilt: str) -> None:
    honest = json.dumps(desk.honest())
    body = f'{{"v": 2, "results": [{spoilt}, {honest}]}}'.encode()
    status, answer = desk.tables[0].ask("results", body)
    assert status == 200
    assert [each["verdict"] for each in answer["verdicts"]] == ["refused", "counted"]


def test_a_record_that_takes_too_long_waits(desk: Round, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee, "REPLAY_LIMIT_S", -1.0)
    moves = {**desk.honest(), "record": MOVES.format(moves="5+11+13 7")}
    assert desk.tables[0].verdicts(moves) == [("kept", "slow")]


def test_each_answer_counts_what_is_held(desk: Round) -> None:
    table, honest = desk.tables[0], desk.honest()
    other = {**honest, "seats": exchanged(honest)["seats"]}
    for sent, had, has in ((honest, 0, 1), (honest, 1, 1), (other, 1, 1)):
        answer = table.send(sent)
        assert (answer["had"], answer["has"]) == (had, has)
    assert table.hello()[1]["has"] == 1
    disputed = table.send(other)["verdicts"][0]
    assert (disputed["verdict"], disputed["highest"]) == ("disputed", 0)


def test_a_game_belongs_to_the_table_that_sent_it_first(desk: Round) -> None:
    first, second = desk.tables
    free = result_of(["p1", "p2"], evening=desk.evening)
    assert first.verdicts(free) == [("counted", None)]
    assert second.verdicts({**free, "revision": 1}) == [("refused", "foreign")]
    desk.site.act("move", game_id=free["game_id"], table=second.id)
    assert second.verdicts({**free, "revision": 1}) == [("known", None)]
    told = [(each["revision"], each["verdict"]) for each in first.news().all()["verdict"]]
    assert told == [(0, "known")]


def test_what_the_organiser_decides_and_takes_back_is_told(desk: Round) -> None:
    table, honest = desk.tables[0], desk.honest()
    table.send(honest)
    desk.site.pair()
    stream = table.news(once=False)
    stream.until("seat")
    late = {**exchanged(honest), "revision": 1, "record": None}
    assert table.verdicts(late) == [("kept", "no-record")]
    desk.site.act("accept", game_id=honest["game_id"], revision=1)
    _wait_for_verdicts(stream, {0: "known", 1: "counted"})
    desk.site.act("undo")
    _wait_for_verdicts(stream, {0: "counted", 1: "kept"})


def _wait_for_verdicts(stream: News, wanted: dict[int, str]) -> None:
    """Read a stream until the verdicts that it told last are these, by revision."""
    told: dict[int, str] = {}
    while told != wanted:
        each = stream.until("verdict")
        told[each["revision"]] = each["verdict"]


def test_keys_that_the_contract_does_not_have_change_nothing() -> None:
    seat = {"seat": 1, "rank": 1, "won": True}
    facts = {"game_id": "g" * 16, "revision": 0, "game": "numeri", "seats": [seat]}
    assert read_result({**facts, "newer": "x", "more": 1}) == read_result(facts)
