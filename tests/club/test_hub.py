"""The hub from outside: what a table sends counts once, and the table is told so."""

from pathlib import Path

from tests.club.parts import Club, result_event


def test_a_result_is_committed_acknowledged_and_counted(club: Club) -> None:
    table = club.add_table()
    assert table.ack_upto(0)["missing"] == []
    table.send(result_event(1))
    ack = table.ack_upto(1)
    assert (ack["v"], ack["refused"], ack["closed"]) == (1, [], 0)
    exported = club.export()
    assert [each["counted"] for each in exported["results"]] == [True]
    assert exported["results"][0]["table"] == table.id
    assert [(line["p"], line["points"]) for line in exported["standings"]] == [("p1", 4), ("p2", 1)]


def test_gaps_are_named_and_close_late(club: Club) -> None:
    table = club.add_table()
    table.send(result_event(1), result_event(4))
    assert table.ack_upto(1)["missing"] == [2, 3]
    table.send(result_event(3))
    assert table.ack(lambda ack: ack["missing"] == [2])["upto"] == 1
    table.send(result_event(2))
    assert table.ack_upto(4)["missing"] == []


def test_an_evening_of_rounds_is_paired_told_and_counted(club: Club, tmp_path: Path) -> None:
    tables = [club.add_table(), club.add_table()]
    evening = club.do("evening", "--game", "just4fun", "--mode", "tables").strip()
    club.people(tmp_path, 8)
    club.do("pair")
    for table in tables:
        people = [each["p"] for each in table.seat_in(1)["seats"]]
        table.send(result_event(1, people, evening=evening, in_round=1, game_id=f"g-{table.id}"))
        table.ack_upto(1)
    assert len(club.counted()) == 2
    exported = club.export()
    assert sum(line["points"] for line in exported["standings"]) == 2 * (5 + 3 + 2 + 1)
    assert [len(each["seats"]) for each in exported["rounds"][0]["tables"]] == [4, 4]
