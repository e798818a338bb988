"""What the hub says at the tables: that the time is up, and what the organiser wants said."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from club.evening.clock import set_clock
from club.store.database import ClubDatabase, sqlite_url
from pi_app.link.contract import topic
from tests.club.parts import Club, result_event
from tests.stand_ins.table import SimTable
from tests.stand_ins.waiting import wait_for


def said(table: SimTable) -> list[dict[str, Any]]:
    return [json.loads(data) for data in table.messages.get(f"{table.id}/down/say", [])]


def ring(club: Club, in_s: float) -> None:
    """Let the time of the round be up in so many seconds."""
    database = ClubDatabase(sqlite_url(club.state))
    with database.write() as writing:
        begun = datetime.fromisoformat(writing.now) + timedelta(seconds=in_s - 60)
        writing.now = begun.isoformat(timespec="milliseconds")
        set_clock(writing, "organiser", 1)
    database.close()


def test_tables_that_still_play_are_told_that_the_time_is_up(club: Club, tmp_path: Path) -> None:
    tables = [club.add_table(), club.add_table()]
    evening = club.do("evening", "--game", "just4fun", "--mode", "tables").strip()
    club.people(tmp_path, 8)
    club.do("pair")
    ready, playing = tables
    people = [each["p"] for each in ready.seat_in(1)["seats"]]
    ready.send(result_event(1, people, evening=evening, in_round=1))
    ready.ack_upto(1)
    ring(club, 1)
    assert said(playing) == []
    (say,) = wait_for(lambda: said(playing), "the end of the time")
    assert say["text"] == "Round 1: time is up"
    assert 200 < say["for_s"] <= 300
    club.kill()
    club.start()
    again = wait_for(lambda: said(playing)[1:], "a hub that does not know what was said")
    assert {each["id"] for each in again} == {say["id"]}, "a table says an id once"
    assert said(ready) == []


def test_what_the_organiser_wants_said_is_said_also_at_a_table_that_was_away(club: Club) -> None:
    tables = [club.add_table(), club.add_table()]
    here, away = tables
    away.close()
    wait_for(lambda: not json.loads(club.do("tables", "--json"))[1]["online"], "it to be away")
    club.do("say", "Pizza\nis here!")
    (say,) = wait_for(lambda: said(here), "the text")
    assert say["text"] == "Pizza is here!"
    away = SimTable(away.access, away.store).connect()
    club.tables.append(away)
    (late,) = wait_for(lambda: said(away), "the text at the other table")
    assert late["id"] == say["id"]
    assert late["for_s"] <= say["for_s"]
    club.do("say", "Come to the desk", "--table", away.id, "--for", "5")
    wait_for(lambda: said(away)[1:], "the text for one table")
    assert [each["text"] for each in said(here)] == ["Pizza is here!"]


def test_nothing_is_said_without_a_table(club: Club) -> None:
    assert club.run("say", "Hello").exit_code == 1
    assert club.run("say", "Hello", "--table", "table-99").exit_code == 1
    assert club.run("say", " ").exit_code == 2


def test_a_state_comes_to_the_organiser_by_the_broker(club: Club, tmp_path: Path) -> None:
    table = club.add_table()
    table.publish("availability", b"online", retain=True)
    evening = club.do("evening", "--game", "just4fun", "--mode", "tables").strip()
    club.people(tmp_path, 4)
    club.do("pair")
    seat = table.seat_in(1)
    answer = {"evening": evening, "round": 1, "era": seat["era"], "rev": seat["rev"]}
    facts = {
        "v": 1,
        "boot": "b1",
        "n": 1,
        "game": None,
        "phase": "idle",
        "turn": None,
        "players": 0,
        "waiting": 0,
        "assignment": {**answer, "answer": "refused"},
    }
    table.publish_at(topic(table.id, "state"), json.dumps(facts).encode(), retain=True)
    wait_for(lambda: "has refused the round" in club.do("status"), "the refusal")
    club.kill()
    database = ClubDatabase(sqlite_url(club.state))
    with database.write() as writing:
        writing.connection.exec_driver_sql("DELETE FROM table_states")
    database.close()
    club.start()
    wait_for(lambda: "has refused the round" in club.do("status"), "what the broker has kept")
