"""The organiser's acts as `club do` carries them out: what they print, and what they refuse."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest

from tests.club.parts import Club


@pytest.fixture(name="club")
def _club(tmp_path: Path) -> Club:
    """Return a club without a hub: acts work in its database."""
    club = Club(tmp_path)
    (tmp_path / "club.db").touch(0o600)
    return club


def test_an_added_table_gets_all_that_its_link_needs(club: Club) -> None:
    access = club.act("add-table")
    wanted = {"table", "token", "host", "port", "ca_pem", "mark", "hub", "ok"}
    assert set(access) == wanted
    assert access["table"].startswith("table-01-")
    assert len(access["mark"].replace(" ", "")) == 20


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("pair", {}, "no evening"),
    ("close", {}, "no evening"),
    ("undo", {}, "nothing"),
    ("leave", {"p": "p9"}, "not one of the people"),
    ("arrive", {"p": "p9"}, "somebody new needs a name"),
    ("evening", {"games": ["chess"]}, "no game chess"),
    ("confirm", {"table": "table-99-xxxx"}, "no table of this club"),
    ("accept", {"game_id": "g" * 16, "revision": 0}, "no table has sent"),
    ("move", {"game_id": "g" * 16, "table": "table-99-xxxx"}, "no table has sent"),
    ("say", {"text": "Hello"}, "no table has joined"),
    ("take-in", {"export": {"schema": "other"}}, "no export"),
]


@pytest.mark.parametrize(("act", "facts", "why"), REFUSED)
def test_what_is_not_possible_now_ends_with_one_sentence(
    club: Club, act: str, facts: dict[str, Any], why: str
) -> None:
    said = club.refused(act, **facts)
    assert why in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        ("nonsense",), ("pair", "{"), ("pair", "[]"), ("pair", '{"round":0}'), ("say", "{}"),
        ("say", '{"text":" "}'), ("evening", '{"games":[]}'), ("confirm", '{"table":"x"}'),
        ("evening", '{"games":["just4fun"],"per_table":5}'), ("swap", '{"a":"p1"}'),
        ("people", '{"people":[{"p":"Anna"}]}'),
    ],
)  # fmt: skip
def test_what_is_no_act_is_a_mistake_in_the_command_line(
    club: Club, words: tuple[str, ...]
) -> None:
    assert club.run("do", *words).exit_code == 2


def test_pairing_twice_is_one_round_and_only_the_next_can_be_paired(club: Club) -> None:
    club.people(4)
    club.act("evening", games=["just4fun"], per_table=2)
    first = club.act("pair", round=1)
    assert club.act("pair", round=1) == first
    assert "the last one is 1" in club.refused("pair", round=3)
    assert club.act("pair")["round"] == 2
    club.act("undo")
    assert [each["round"] for each in club.export()["rounds"]] == [1]
    club.act("pair", round=2, give=False)
    assert "not in round" in club.refused("swap", a="p1", b="p9")
    assert club.act("pair", round=2)["round"] == 2
    assert "was given" in club.refused("swap", a="p1", b="p2")


def test_every_act_that_can_be_is_taken_back(club: Club) -> None:
    def look() -> dict[str, Any]:
        exported = club.export()
        for each in exported["rounds"]:
            each.pop("rev")
        return exported

    club.people(4)
    club.act("evening", games=["just4fun"], per_table=2)
    paired = club.act("pair", give=False)["tables"]
    seats = [[seat["p"] for seat in table["seats"]] for table in paired]
    for act, facts in (
        ("swap", {"a": seats[0][0], "b": seats[1][0]}),
        ("give", {}),
        ("result", {"round": 1, "places": {seats[0][0]: 1, seats[0][1]: 2}}),
        ("leave", {"p": "p1"}),
        ("arrive", {"p": "p9", "name": "Late"}),
        ("people", {"people": [{"p": "p2", "name": "Other", "present": False}]}),
        ("close", {"anyway": True}),
        ("clock", {"minutes": 5}),
    ):
        before = look()
        club.act(act, **facts)
        assert club.act("undo")["kind"] == act
        assert look() == before, act


def test_an_evening_with_missing_results_is_not_closed_by_mistake(club: Club) -> None:
    club.people(2)
    club.act("evening", games=["just4fun"], per_table=2)
    club.act("pair")
    said = club.refused("close")
    assert "p1" in said
    assert "p2" in said
    club.act("result", round=1, places={"p1": 1, "p2": 2})
    club.act("close")
    assert club.export()["closed"]


def test_only_the_lot_lets_people_share_a_rank(club: Club) -> None:
    club.people(3)
    club.act("evening", games=["just4fun"], mode="free")
    lines = club.export()["standings"]
    assert [(line["rank"], line["decided_by"]) for line in lines] == [(1, "lot")] * 3


OLD: dict[str, Any] = {
    "schema": "beisitzer-club",
    "version": 1,
    "evening": "e23456",
    "mode": "tables",
    "games": ["just4fun"],
    "closed": True,
    "results": [
        {
            "table": "table-01", "store": "s", "seq": 1, "game_id": "g", "revision": 0, "round": 1,
            "game": "just4fun", "reason": "points", "counted": counted, "why": None, "at": "",
            "seats": [
                {"seat": 1, "p": "p1", "rank": 1, "points": 36, "won": True},
                {"seat": 2, "p": "p2", "rank": 2, "points": 1, "won": False},
            ],
        }
        for counted in (True, False)
    ],
    "standings": [
        {"p": "p1", "points": 4, "wins": 1, "rank": 1, "decided_by": "points", "name": "Anna"},
        {"p": "p2", "points": 1, "wins": 0, "rank": 2, "decided_by": "points", "name": "Ben"},
    ],
    "rounds": [
        {
            "round": 1, "era": 1, "rev": 1, "byes": [],
            "tables": [
                {"table": "table-01", "seats": [{"seat": 1, "p": "p1"}, {"seat": 2, "p": "p2"}]}
            ],
        }
    ],
}  # fmt: skip


def test_what_a_hub_of_before_has_is_taken_in(club: Club) -> None:
    assert club.act("take-in", export=OLD)["evening"] == "e23456"
    taken = club.export()
    for line, before in zip(
        taken["standings"], cast(list[dict[str, Any]], OLD["standings"]), strict=True
    ):
        assert {name: line[name] for name in before} == before
    assert [each["verdict"] for each in taken["results"]] == ["counted"]
    assert "already" in club.refused("take-in", export=OLD)
    again = club.export()
    club.act("undo")
    assert club.export()["evening"] is None
    club.act("take-in", export=again)
    assert club.export()["standings"] == taken["standings"]


def test_a_database_of_before_says_what_to_do(tmp_path: Path) -> None:
    import sqlite3

    with sqlite3.connect(tmp_path / "club.db") as connection:
        connection.execute("CREATE TABLE meta (key TEXT, value TEXT)")
        connection.execute("CREATE TABLE acts (id INTEGER)")
        connection.execute("INSERT INTO meta VALUES ('schema', '1')")
    connection.close()
    result = Club(tmp_path).run("status")
    assert result.exit_code == 1
    assert "export its evenings there" in result.stderr


def test_status_says_what_each_table_does(club: Club) -> None:
    assert "no evening is open" in club.do("status")
    club.people(4)
    club.act("evening", games=["just4fun"], per_table=2)
    club.act("pair")
    told = club.do("status")
    assert "2 results are missing" in told
    assert "without a table" in told
    assert json.loads(club.do("status", "--json"))["round"]["missing"] == 2


def test_standard_input_is_read_for_a_dash(club: Club) -> None:
    from click.testing import CliRunner

    from pi_app.commands.cli import main

    words = ["club", "do", "people", "-", "--state", str(club.state)]
    done = CliRunner().invoke(main, words, input='{"people":[{"name":"Anna"}]}')
    assert json.loads(done.stdout)["people"] == ["p1"]
