"""A backup is taken and restored while the hub runs, and the club moves to another laptop."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from tests.club.parts import Club, result_event
from tests.stand_ins.table import SimTable
from tests.stand_ins.waiting import wait_for


def test_a_backup_has_all_that_was_acknowledged_and_is_secret(
    any_club: Club, tmp_path: Path
) -> None:
    table = any_club.add_table()
    table.send(result_event(1))
    table.ack_upto(1)
    file = tmp_path / "backup"
    any_club.do("backup", str(file))
    assert file.stat().st_mode & 0o077 == 0
    with sqlite3.connect(file) as connection:
        assert connection.execute("SELECT game_id FROM events").fetchall() == [("game-1",)]
    connection.close()
    assert [path.name for path in tmp_path.glob("*backup*")] == ["backup"]


def test_a_restored_hub_hears_again_what_it_has_lost(any_club: Club, tmp_path: Path) -> None:
    table = any_club.add_table()
    table.send(result_event(1))
    table.ack_upto(1)
    file = str(tmp_path / "backup")
    any_club.do("backup", file)
    table.send(result_event(2))
    table.ack_upto(2)
    any_club.do("restore", file)
    # without being asked, it says that it has less than it had
    assert table.ack(lambda ack: ack["upto"] == 1)["hub"] == table.access["hub"]
    table.send(result_event(2))
    table.ack_upto(2)
    assert [each["seq"] for each in any_club.counted()] == [1, 2]


def test_the_club_moves_to_another_laptop_in_the_middle_of_an_evening(
    club: Club, tmp_path: Path
) -> None:
    old = club.add_table()
    evening = club.do("evening", "--game", "just4fun", "--mode", "tables").strip()
    club.people(tmp_path, 4)
    club.do("pair")
    old.seat_in(1)
    file = str(tmp_path / "backup")
    club.do("backup", file)
    club.kill()
    other = Club(tmp_path / "other")
    other.do("restore", file)
    other.start()
    # its name and its secrets are the same, so a table needs nothing but the new place
    table = SimTable({**old.access, "port": other.port}, old.store).connect()
    try:
        seat = table.seat_in(1)
        assert (seat["era"], seat["rev"]) > (old.seat()["era"], old.seat()["rev"])
        people = [each["p"] for each in seat["seats"]]
        table.send(result_event(1, people, evening=evening, in_round=1))
        assert table.ack_upto(1)["hub"] == old.access["hub"]
        assert len(other.counted()) == 1
    finally:
        table.close()
        other.stop()


def test_a_round_that_the_database_has_lost_is_rebuilt_from_what_tables_were_told(
    club: Club, tmp_path: Path
) -> None:
    tables = [club.add_table(), club.add_table()]
    evening = club.do("evening", "--game", "just4fun", "--mode", "tables").strip()
    club.people(tmp_path, 8)
    file = str(tmp_path / "backup")
    club.do("backup", file)
    club.do("pair")
    before = {}
    for table in tables:
        before[table.id] = table.seat_in(1)
    rounds = club.export()["rounds"]
    club.do("restore", file)
    rebuilt = wait_for(lambda: club.export()["rounds"], "the round to be rebuilt")
    assert [each["tables"] for each in rebuilt] == [each["tables"] for each in rounds]
    for table in tables:
        seat = table.seat_in(1, before[table.id]["era"] + 1)
        assert seat["seats"] == before[table.id]["seats"]
        people = [each["p"] for each in seat["seats"]]
        table.send(result_event(1, people, game_id=table.id, evening=evening, in_round=1))
        assert table.ack_upto(1)["refused"] == []
    assert len(club.counted()) == 2


def test_each_start_takes_a_higher_era_and_seats_keep_their_pair(
    club: Club, tmp_path: Path
) -> None:
    table = club.add_table()
    club.do("evening", "--game", "just4fun", "--mode", "tables")
    club.people(tmp_path, 4)
    club.do("pair")
    seat = table.seat_in(1)
    club.stop()
    table.messages.clear()
    club.start()
    again = table.seat_in(1)
    assert again == seat
    table.messages.clear()
    club.do("pair")
    after = table.seat_in(2)
    assert after["era"] > seat["era"]
    club.do("undo")
    back = table.seat_in(1)
    assert (back["era"], back["rev"]) > (after["era"], after["rev"])
    (only,) = club.export()["rounds"]
    assert (only["era"], only["rev"]) == (back["era"], back["rev"])


def test_what_is_no_backup_is_refused_and_changes_nothing(club: Club, tmp_path: Path) -> None:
    table = club.add_table()
    table.send(result_event(1))
    table.ack_upto(1)
    junk, empty = tmp_path / "junk", tmp_path / "empty"
    junk.write_bytes(b"x" * 5000)
    sqlite3.connect(empty).close()
    with sqlite3.connect(empty) as connection:
        connection.execute("CREATE TABLE meta (key TEXT, value TEXT)")
    connection.close()
    for file in (junk, empty):
        result = club.run("restore", str(file))
        assert result.exit_code == 1
        assert "is no backup" in result.stderr
    assert len(club.counted()) == 1
    assert json.loads(club.do("journal", "--json").splitlines()[0])["kind"] == "add-table"
