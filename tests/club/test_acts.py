"""The organiser's acts as `club do` carries them out: what they print, and what they refuse."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.club.parts import Club
from tests.pi_app.commands.called import run


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
    ("arrive", {"p": "p9"}, "not one of the people"),
    ("evening", {"games": ["chess"]}, "no game chess"),
    ("confirm", {"table": "table-99-xxxx"}, "no table of this club"),
    ("accept", {"game_id": "g" * 16, "revision": 0}, "no table has sent"),
    ("move", {"game_id": "g" * 16, "table": "table-99-xxxx"}, "no table has sent"),
    ("say", {"text": "Hello"}, "no table has joined"),
    ("same", {}, "no evening was closed"),
    ("here", {"name": "Anna"}, "no evening"),
    ("evening", {"games": ["just4fun"], "teams": True}, "Sequence alone"),
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
        ("arrive", {"p": "p1"}),
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
    assert "Person 1 (p1)" in said
    assert "p2" in said
    assert "missing" in club.refused("evening", games=["just4fun"])
    club.act("result", round=1, places={"p1": 1, "p2": 2})
    club.act("close")
    assert club.export()["closed"]


def test_only_the_lot_lets_people_share_a_rank(club: Club) -> None:
    club.people(3)
    club.act("evening", games=["just4fun"], mode="free")
    lines = club.export()["standings"]
    assert [(line["rank"], line["decided_by"]) for line in lines] == [(1, "lot")] * 3


def test_a_database_of_before_says_what_to_do(tmp_path: Path) -> None:
    import sqlite3

    with sqlite3.connect(tmp_path / "club.db") as connection:
        connection.execute("CREATE TABLE meta (key TEXT, value TEXT)")
        connection.execute("CREATE TABLE acts (id INTEGER)")
        connection.execute("INSERT INTO meta VALUES ('schema', '1')")
    connection.close()
    result = Club(tmp_path).run("status")
    assert result.exit_code == 1
    assert "name another folder" in result.stderr


def test_status_prints_what_the_organiser_sees(club: Club) -> None:
    assert json.loads(club.do("status"))["evening"] is None
    club.people(4)
    club.act("evening", games=["just4fun"], per_table=2)
    club.act("pair")
    told = json.loads(club.do("status", "--json"))
    assert [each["ranks"] for each in told["rounds"][0]["tables"]] == [None, None]


def test_standard_input_is_read_for_a_dash(club: Club) -> None:
    words = ("club", "do", "people", "-", "--state", club.state)
    done = run(*words, text='{"people":[{"name":"Anna"}]}')
    assert json.loads(done.stdout)["people"] == ["p1"]


def present(club: Club) -> list[str]:
    return [line["p"] for line in club.export()["standings"]]


def test_an_evening_begins_with_nobody_and_people_come_in_many_ways(club: Club) -> None:
    club.people(3)
    club.act("evening", games=["just4fun"], per_table=2)
    assert sorted(present(club)) == ["p1", "p2", "p3"]
    club.act("leave", p="p3")
    club.act("evening", games=["just4fun"], per_table=2)  # the one before is closed
    assert present(club) == []
    club.act("same")
    assert sorted(present(club)) == ["p1", "p2"]
    club.act("undo")
    assert club.act("people", people=[{"name": "person 2"}, {"name": "Dora"}])["people"] == [
        "p2", "p4",
    ]  # fmt: skip
    assert club.act("here", name="Person 3")["p"] == "p3"
    assert club.act("here", name="1")["p"] == "p1"
    assert club.act("here", name="Emil") == {"ok": True, "p": "p5", "round": 1}
    assert sorted(present(club)) == ["p1", "p2", "p3", "p4", "p5"]
    club.act("pair")
    club.act("people", people=[{"p": "p6", "name": "Dora", "present": False}])
    assert club.act("arrive", p="p6")["round"] == 2, "a late one hears when they play"
    assert "say the number (p4, p6)" in club.refused("here", name="dora")
    assert "say the number" in club.refused("people", people=[{"name": "Dora"}])


def test_an_evening_that_is_over_keeps_who_was_there(club: Club) -> None:
    club.people(2)
    first = club.act("evening", games=["just4fun"], per_table=2)["evening"]
    club.act("pair")
    club.act("result", round=1, places={"p1": 1, "p2": 2})
    club.act("evening", games=["numeri"], mode="free")
    club.act("people", people=[{"name": "Dora"}])
    told = club.export("--evening", first)["standings"]
    assert [(line["p"], line["points"]) for line in told] == [("p1", 4), ("p2", 1)]


def test_fixed_teams_stay_together_and_meet_other_teams(club: Club) -> None:
    club.people(9)
    club.act("evening", games=["sequence"], teams=True)
    assert "2 teams" not in club.refused("pair")
    club.act("team", a="p1", b="p2")
    formed = club.act("team")["teams"]
    teams = {frozenset(team) for team in [*formed, ("p1", "p2")]}
    assert len(teams) == 4
    met = set()
    for _ in range(3):
        paired = club.act("pair")
        assert len(paired["byes"]) == 1, "whoever has no partner"
        for table in paired["tables"]:
            sides = [
                frozenset(s["p"] for s in table["seats"] if s["team"] == team) for team in (1, 2)
            ]
            assert set(sides) <= teams
            met.add(frozenset(sides))
    assert len(met) == 6, "all four have met"
    paired = club.act("pair", give=False)
    one, two = (table["seats"][0]["p"] for table in paired["tables"])
    swapped = club.act("swap", a=one, b=two)
    for table in swapped["tables"]:
        assert {frozenset(s["p"] for s in table["seats"] if s["team"] == 1)} <= teams


def test_what_a_phone_keyed_counts_once_another_one_confirms_it_and_can_be_refused(
    club: Club,
) -> None:
    from club.evening.acts.every import carry_out
    from club.evening.errors import ActError
    from club.store.database import ClubDatabase, sqlite_url

    club.people(4)
    club.act("evening", games=["just4fun"])
    club.act("pair")
    places = {"p1": 2, "p2": 1, "p3": 3, "p4": 3}
    database = ClubDatabase(sqlite_url(club.state))

    def say(device: str, act: str, **facts: Any) -> str:
        try:
            with database.write() as writing:
                carry_out(writing, f"hall: {device}", act, facts)
        except ActError as error:
            return error.code
        return ""

    assert say("a", "agree", p="p1") == "no-report"
    assert say("a", "report", p="p1", places={"p1": 1, "p2": 2}) == "not-together"
    assert say("a", "report", p="p1", places=places) == ""
    assert set(club.points().values()) == {0}, "nothing counts before it is confirmed"
    assert say("b", "agree", p="p1") == "own-report", "the same person"
    assert say("a", "agree", p="p2") == "own-report", "the same device"
    assert say("b", "agree", p="p2") == ""
    assert club.points() == {"p2": 5, "p1": 3, "p3": 1.5, "p4": 1.5}
    assert say("b", "report", p="p3", places=places) == "has-result"
    keyed = json.loads(club.do("export", "--json"))["results"][0]
    assert keyed["reason"] == "keyed"
    number = max(n for n in range(50) if club.run("do", "reject", f'{{"act":{n}}}').exit_code == 0)
    assert number
    assert set(club.points().values()) == {0}
    assert say("b", "agree", p="p2") == "no-report", "the report is gone with it"
    club.act("undo")
    assert club.points()["p2"] == 5
    club.act("pair")
    assert "next round is paired" in club.refused("reject", act=number)
    database.engine.dispose()


def test_a_season_adds_up_the_best_evenings(club: Club) -> None:
    from club.evening.season import season_lines
    from club.store.database import ClubDatabase, sqlite_url

    for winner, other in (("p1", "p2"), ("p2", "p1"), ("p1", "p2")):
        club.act("evening", games=["just4fun"], per_table=2)
        club.act("people", people=[{"name": "Anna"}, {"name": "Ben"}])
        club.act("pair")
        club.act("result", round=1, places={winner: 1, other: 2})
    database = ClubDatabase(sqlite_url(club.state))
    for settings, points in (
        ({}, {"p1": 9, "p2": 6}),
        ({"best": 2}, {"p1": 8, "p2": 5}),
        ({"best": 1}, {"p1": 4, "p2": 4}),
        ({"since": "2999-01-01"}, {}),
    ):
        club.act("settings", **settings)
        with database.read() as connection:
            lines = season_lines(connection)
        assert {line["p"]: line["points"] for line in lines} == points
        if settings.get("best") == 1:
            assert {line["rank"] for line in lines} == {1}
    database.engine.dispose()


def test_a_name_that_is_forgotten_is_in_no_result_and_no_record(club: Club) -> None:
    from club.evening.forgetting import without_name

    club.people(2)
    club.act("forget", p="p2")
    assert {line["name"] for line in club.export()["standings"]} == {"Person 1", ""}
    record = '[Game "just4fun"]\n[Players "Anna yellow, Ben red"]\n[Annotator "Ben"]\n'
    seats = [{"seat": 1, "p": "p1", "show": "Anna"}, {"seat": 2, "p": "p2", "show": "Ben"}]
    sent = {"game_id": "x", "seats": seats, "record": record}
    kept = without_name(sent, "p2")
    assert "Ben" not in json.dumps(kept)
    assert kept["seats"][0]["show"] == "Anna"
    assert without_name(sent, "p3") == sent
