"""The sheet of results: what it says, and what is wrong with one that cannot be used."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from club.evening.sheet import COLUMNS, NEEDED, read_sheet
from club.pairing.model import Scored, Sheet
from pi_app.files.spreadsheet import CsvError, parse_csv

HEAD = "round,table,seat,p,rank,points,present\n"
PEOPLE = tuple(f"p{n}" for n in range(1, 8))


def read(rows: str, rounds: int = 9, head: str = HEAD) -> Sheet:
    parsed = parse_csv(head + rows, COLUMNS, NEEDED)
    return read_sheet([(row.line, row.cells) for row in parsed], PEOPLE, rounds)


def test_a_table_is_seated_by_its_seats_and_scored_by_its_ranks() -> None:
    sheet = read("1,A,2,p3,1,31,1\n1,A,1,p5,2,,1\n1,A,3,p1,3,-4,\n")
    (played,) = sheet.rounds
    assert [table.people for table in played.tables] == [("p5", "p3", "p1")]
    assert played.byes == ("p2", "p4", "p6", "p7")
    (result,) = sheet.results
    assert result.seats == (Scored("p5", 2), Scored("p3", 1, 31), Scored("p1", 3, -4))


def test_a_table_without_ranks_was_seated_and_counts_for_nothing() -> None:
    sheet = read("1,1,1,p1,,,1\n1,1,2,p2,,,1\n")
    assert sheet.results == ()
    assert sheet.rounds[0].tables[0].people == ("p1", "p2")


def test_who_never_came_to_a_table_met_nobody_and_takes_no_place() -> None:
    sheet = read("1,1,1,p1,1,,1\n1,1,2,p2,,,0\n1,1,3,p3,2,,1\n")
    (table,) = sheet.rounds[0].tables
    assert table.present == ("p1", "p3")
    assert [seat.p for seat in sheet.results[0].seats] == ["p1", "p3"]
    assert "p2" not in sheet.present(PEOPLE, 2)


def test_a_table_to_which_only_one_came_has_no_result() -> None:
    assert read("1,1,1,p1,1,,1\n1,1,2,p2,,,0\n").results == ()


def test_who_leaves_is_away_until_the_sheet_says_otherwise() -> None:
    sheet = read("1,,,p1,,,0\n3,,,p1,,,1\n2,,,p2,,,no\n")
    assert [
        ("p1" in sheet.present(PEOPLE, n), "p2" in sheet.present(PEOPLE, n)) for n in (1, 2, 3, 4)
    ] == [
        (False, True),
        (False, False),
        (True, False),
        (True, False),
    ]
    assert sheet.rounds == ()


def test_columns_may_come_in_any_order_and_some_may_be_missing() -> None:
    sheet = read("1,p1,1,1,1\n2,p2,2,1,1\n", head="rank,p,seat,table,round\n")
    assert [seat.rank for seat in sheet.results[0].seats] == [1, 2]


@pytest.mark.parametrize(
    ("rows", "code", "line"),
    [
        ("x,1,1,p1,1,,1\n", "number", 2),
        ("0,1,1,p1,1,,1\n", "number", 2),
        ("1,1,,p1,1,,1\n", "number", 2),
        ("1,1,1,p1,first,,1\n", "number", 2),
        ("1,1,1,p1,-1,,1\n", "number", 2),
        ("1,1,1,p1,1.5,,1\n", "number", 2),
        ("1,1,1,p1,\u0661,,1\n", "number", 2),
        ("1,1,1,p1,1,many,1\n", "points", 2),
        ("1,1,1,p1,1,,maybe\n", "present", 2),
        ("1,1,1,p8,1,,1\n", "person", 2),
        ("1,1,1,,1,,1\n", "person", 2),
        ("1,1,1,p1,1,,1\n1,2,1,p1,1,,1\n", "again", 3),
        ("1,1,1,p1,1,,1\n1,1,1,p2,2,,1\n", "seat-taken", 3),
        ("1,1,1,p1,1,,1\n1,1,2,p2,,,1\n", "half", 3),
        ("1,1,1,p1,1,,1\n1,1,2,p2,3,,1\n", "ranks", 2),
        ("1,1,1,p1,2,,1\n1,1,2,p2,2,,1\n", "ranks", 2),
        ("".join(f"1,1,{n},p{n},{n},,1\n" for n in range(1, 6)), "crowded", 6),
        ("2,1,1,p1,1,,1\n2,1,2,p2,2,,1\n", "missing-round", 0),
        ("1,1,1,p1,99999999999999999999,,1\n", "number", 2),
    ],
)
def test_a_mistake_is_named_with_its_line(rows: str, code: str, line: int) -> None:
    with pytest.raises(CsvError) as raised:
        read(rows)
    assert (raised.value.code, raised.value.line) == (code, line)


def test_a_round_after_the_last_one_is_a_mistake() -> None:
    with pytest.raises(CsvError) as raised:
        read("1,1,1,p1,1,,1\n1,1,2,p2,2,,1\n2,1,1,p1,1,,1\n2,1,2,p2,2,,1\n", rounds=1)
    assert raised.value.code == "too-late"


@given(st.text(alphabet='0123p,"\n\r;=-\x00 ', max_size=200))
def test_junk_is_a_sheet_or_a_mistake_and_nothing_else(rows: str) -> None:
    try:
        read(rows)
    except CsvError:
        return
