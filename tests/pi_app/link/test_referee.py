"""What a table says of each game is what the hub's own referee finds in its record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from club.judging.reading import read_result
from club.judging.referee import fault
from engines.game import Refusal
from engines.games import GAMES
from engines.record import begin_game, parse
from pi_app.link.contract import RECORD_LIMIT_BYTES
from pi_app.link.results import ClubNote, result_of
from pi_app.store import Store
from pi_app.table.table import SETTLED, Table
from tests.stand_ins.table import memory_game

RECORDS = sorted(Path("tests/records").glob("*.txt"))
NOTE = ClubNote(hub="hub-1", evening="e7k2", round=3)
GAME_ID = "0123456789abcdef"


def sent(tags: Any, tokens: Any, result: Any, note: ClubNote = NOTE, **more: Any) -> dict[str, Any]:
    game = memory_game(GAME_ID, tags, tuple(tokens), result=result, **more)
    return result_of(game, note, 0, names=False)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_every_golden_record_that_ends_is_sent_as_the_hub_replays_it(path: Path) -> None:
    record = parse(path.read_text("utf-8"))
    table = Table.begin(Store(":memory:"), record.tags)
    for token in record.tokens:
        move = table.judge(token)
        if not isinstance(move, Refusal):
            table.play(move)
    ended = table.position.result
    if ended is None:
        return
    for names in (False, True):
        game = memory_game(GAME_ID, record.tags, table.tokens(), result=ended.as_json())
        result = result_of(game, NOTE, 0, names=names)
        assert fault(read_result(result)) is None
        people = [player.name for player in table.position.players]
        found = [name for name in people if name in json.dumps(result, ensure_ascii=False)]
        assert found == (people if names else [])


@pytest.mark.parametrize(
    ("game", "players", "position"),
    [
        ("just4fun", "Anna yellow, Ben red", "yellow 36x2 3; red 4"),
        ("just4fun", "Anna yellow, Ben red", "yellow 3; red 3"),
        ("numeri", "Anna yellow, Ben red", "yellow 1@36; red 6@35"),
    ],
)
def test_a_game_that_was_only_settled_is_sent_as_the_hub_settles_it(
    game: str, players: str, position: str
) -> None:
    tags = {"Game": game, "Players": players, "Position": position}
    _, start = begin_game(tags)
    settle = GAMES[game].score
    assert settle is not None
    result = sent({**tags, SETTLED: "yes"}, (), settle(start).as_json())
    assert fault(read_result(result)) is None


TAGS = {"Game": "just4fun", "Players": "17 yellow, Ben red", "Event": "Sommerfest"}
RESULT = {"winners": ["17"], "points": {"17": 31, "Ben": 20}}


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({}, {"clock": "sure", "began": "2026-11-23T19:02:11Z", "lasted_s": 1769}),
        (
            {"note": ClubNote(hub="h", sure=False)},
            {"clock": "unsure", "began": None, "ended": None},
        ),
        ({"began": "2026-11-20T19:02:11+00:00"}, {"lasted_s": None}),
        ({"began": "?"}, {"began": None, "lasted_s": None}),
        ({"tokens": ["x" * RECORD_LIMIT_BYTES]}, {"record": None}),
        ({"result": {"winners": []}}, {"reason": None}),
    ],
)
def test_what_nobody_knows_is_null(given: dict[str, Any], wanted: dict[str, Any]) -> None:
    facts = {"tags": TAGS, "tokens": (), "result": {**RESULT, "reason": "points"}, **given}
    result = sent(**facts)
    assert wanted.items() <= result.items()
    assert "Sommerfest" not in str(result)


def test_numbers_are_keyed_in_place_of_names_or_come_with_the_assignment() -> None:
    seats = sent(TAGS, (), RESULT)["seats"]
    assert [seat["p"] for seat in seats] == ["p17", None]
    note = ClubNote(hub="h", evening="e", round=1, people=("p4", "p5"))
    assert [seat["p"] for seat in sent(TAGS, (), RESULT, note)["seats"]] == ["p4", "p5"]


def test_where_nobody_has_won_all_share_the_first_rank() -> None:
    seats = sent(TAGS, (), {"winners": [], "points": {"17": 31, "Ben": 20}})["seats"]
    assert [(seat["rank"], seat["points"]) for seat in seats] == [(1, 31), (1, 20)]
