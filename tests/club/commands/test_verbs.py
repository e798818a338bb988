"""The verbs of `beisitzer club`: exit status, what they say, and what another verb makes of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from club.store.database import ClubDatabase, sqlite_url
from tests.club.parts import Club

IMPOSSIBLE, USAGE = 1, 2


@pytest.fixture
def resting(tmp_path: Path) -> Club:
    """Return a club whose hub does not run: verbs need none."""
    club = Club(tmp_path / "club")
    club.state.mkdir()
    database = ClubDatabase(sqlite_url(club.state))
    database.prepare()
    database.close()
    return club


def evening(club: Club, tmp_path: Path, mode: str = "tables", people: int = 4) -> str:
    opened = club.do("evening", "--game", "just4fun", "--mode", mode).strip()
    club.people(tmp_path, people)
    return opened


WRONG: dict[str, tuple[Sequence[str], int, str]] = {
    "no such evening": (("export", "--json", "--evening", "e9"), IMPOSSIBLE, "no evening e9"),
    "no evening to pair in": (("pair",), IMPOSSIBLE, "no evening is open"),
    "no evening to close": (("close",), IMPOSSIBLE, "no evening is open"),
    "nothing to take back": (("undo",), IMPOSSIBLE, "nothing to take back"),
    "nobody of that number": (("leave", "p9"), IMPOSSIBLE, "p9 is not one of the people"),
    "nobody of that number comes": (("arrive", "p9"), IMPOSSIBLE, "needs --name NAME"),
    "no such event": (("accept", "s:1"), IMPOSSIBLE, "s has sent no event 1"),
    "no such table": (("remove-table", "table-09"), IMPOSSIBLE, "no table of this club"),
    "no hub was started": (("add-table",), IMPOSSIBLE, "no hub was started"),
    "no such file": (("people", "/nowhere/p.csv"), IMPOSSIBLE, "No such file"),
    "no store and number": (("refuse", "s"), USAGE, "STORE:SEQ"),
    "a number that is none": (("accept", "s:x"), USAGE, "STORE:SEQ"),
    "a place that is none": (("result", "--round", "1", "p1"), USAGE, "P=PLACE"),
    "somebody twice": (("result", "--round", "1", "p1=1", "p1=2"), USAGE, "named twice"),
    "no round named": (("result", "p1=1"), USAGE, "Missing option '--round'"),
    "no such game": (("evening", "--game", "chess", "--mode", "free"), USAGE, "no game chess"),
    "no such mode": (("evening", "--game", "numeri", "--mode", "x"), USAGE, "'--mode'"),
    "no game": (("evening", "--mode", "free"), USAGE, "Missing option '--game'"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_said_in_one_line_with_its_status(resting: Club, what: str) -> None:
    words, status, said = WRONG[what]
    result = resting.run(*words)
    assert result.exit_code == status
    assert said in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_without_a_club_every_verb_says_how_one_begins(tmp_path: Path) -> None:
    club = Club(tmp_path / "none")
    result = club.run("export", "--json")
    assert (result.exit_code, club.state.exists()) == (IMPOSSIBLE, False)
    assert "beisitzer club start" in result.stderr


def test_a_whole_evening_without_a_table_is_keyed(resting: Club, tmp_path: Path) -> None:
    opened = evening(resting, tmp_path)
    paired = json.loads(resting.do("pair", "--json"))
    assert paired["round"] == 1
    (table,) = paired["tables"]
    first, *others = [seat["p"] for seat in table["seats"]]
    resting.do("result", "--round", "1", f"{first}=1", *(f"{p}=2" for p in others))
    exported = resting.export()
    assert (exported["schema"], exported["version"]) == ("beisitzer-club", 1)
    assert exported["evening"] == opened
    assert exported["rounds"] == [paired]
    assert [each["counted"] for each in exported["results"]] == [True]
    assert {line["p"]: line["points"] for line in exported["standings"]} == {
        first: 5,
        **dict.fromkeys(others, 2),
    }
    resting.do("close")
    assert resting.run("pair").exit_code == IMPOSSIBLE
    assert resting.do("undo").strip() == "the evening is open again"


def test_acts_are_taken_back_one_after_the_other(resting: Club, tmp_path: Path) -> None:
    evening(resting, tmp_path)
    before = resting.export()
    for words in (("leave", "p1"), ("pair",), ("arrive", "p1"), ("pair",)):
        resting.do(*words)
    assert [each["round"] for each in resting.export()["rounds"]] == [1, 2]
    pairs = [(each["era"], each["rev"]) for each in resting.export()["rounds"]]
    undone = [json.loads(resting.do("undo", "--json"))["kind"] for _ in range(4)]
    assert undone == ["pair", "arrive", "pair", "leave"]
    assert resting.export() == before
    again = json.loads(resting.do("pair", "--json"))
    assert (again["era"], again["rev"]) > max(pairs)
    resting.do("undo")
    assert [line.split()[3] for line in resting.do("journal").splitlines()].count("undo") == 5


def test_who_leaves_is_not_paired_and_who_comes_is(resting: Club, tmp_path: Path) -> None:
    evening(resting, tmp_path)
    resting.do("leave", "p2")
    resting.do("arrive", "p17", "--name", "Late Lena")
    paired = json.loads(resting.do("pair", "--json"))
    assert {seat["p"] for seat in paired["tables"][0]["seats"]} == {"p1", "p3", "p4", "p17"}


def test_a_keyed_result_is_of_the_people_of_one_table(resting: Club, tmp_path: Path) -> None:
    evening(resting, tmp_path, people=8)
    resting.do("pair")
    for words in (("p1=1", "p2=2"), ("p99=1", "p1=2")):
        result = resting.run("result", "--round", "1", *words)
        assert result.exit_code == IMPOSSIBLE
        assert "not the people of one table" in result.stderr
    assert resting.run("result", "--round", "5", "p1=1").exit_code == IMPOSSIBLE


def test_pairing_says_which_results_it_does_not_wait_for(resting: Club, tmp_path: Path) -> None:
    evening(resting, tmp_path)
    first = resting.run("pair")
    again = resting.run("pair")
    assert (first.exit_code, first.stderr) == (0, "")
    assert again.exit_code == 0
    assert again.stderr.count("\n") == 1
    assert "results of round 1 are missing" in again.stderr


def test_places_may_be_counted_on_after_those_who_share_one(resting: Club, tmp_path: Path) -> None:
    evening(resting, tmp_path)
    resting.do("pair")
    resting.do("result", "--round", "1", "p1=1", "p2=1", "p3=2", "p4=3")
    (result,) = resting.export()["results"]
    assert {seat["p"]: seat["rank"] for seat in result["seats"]} == {
        "p1": 1,
        "p2": 1,
        "p3": 3,
        "p4": 4,
    }


def test_a_clock_needs_a_round(resting: Club, tmp_path: Path) -> None:
    evening(resting, tmp_path)
    result = resting.run("clock", "--minutes", "5")
    assert (result.exit_code, result.stderr.count("\n")) == (IMPOSSIBLE, 1)
    assert "beisitzer club pair" in result.stderr


CSV = {
    "as a spreadsheet writes it": ("\ufeffp;name;present\r\n1;Anna;ja\r\n2;Ben;nein\r\n", 2),
    "only the numbers": ("p\np1\np2\np3\n", 3),
    "as an old Mac writes it": ("p;name\r1;A\r2;B\r", 2),
    "with what spreadsheets write for yes": ("P;Name;Present\n1;A;WAHR\n2;B;FALSCH\n;;\n", 2),
    "names with commas and quotes": ('p,name,present\np1,"Beck, Anna ""Nan""",1\n', 1),
}


@pytest.mark.parametrize("form", CSV)
def test_lists_of_people_in_several_forms(resting: Club, tmp_path: Path, form: str) -> None:
    text, count = CSV[form]
    (tmp_path / "p.csv").write_bytes(text.encode())
    said = json.loads(resting.do("people", str(tmp_path / "p.csv"), "--json"))
    assert said == {"ok": True, "people": count}


BAD_CSV: dict[str, tuple[str | bytes, str]] = {
    "no column p": ("name,present\nAnna,1\n", "p,name,present"),
    "nobody": ("p,name,present\n", "nobody"),
    "a name as number": ("p,name,present\nAnna,Anna,1\n", "p17"),
    "a number twice": ("p,name,present\np1,A,1\n1,B,1\n", "twice"),
    "maybe there": ("p,name,present\np1,A,perhaps\n", "1 or 0"),
    "other letters": (
        "p;name\np1;Jürgen\n".encode("cp1252"),
        "save it in the spreadsheet as CSV UTF-8",
    ),
    "a whole workbook": (b"PK\x03\x04\x14\x00\x06\x00\xff", "workbook"),
    "a name that is cut": ("p,name,present\np1,Beck, Anna,1\n", '"..."'),
}


@pytest.mark.parametrize("fault", BAD_CSV)
def test_a_wrong_list_changes_nothing(resting: Club, tmp_path: Path, fault: str) -> None:
    text, said = BAD_CSV[fault]
    (tmp_path / "p.csv").write_bytes(text if isinstance(text, bytes) else text.encode())
    result = resting.run("people", str(tmp_path / "p.csv"))
    assert result.exit_code == IMPOSSIBLE
    assert said in result.stderr
    assert resting.export()["standings"] == []


def test_two_people_of_one_name_are_told_apart(resting: Club, tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("p,name,present\np1,Anna,1\np2,Anna,1\np3,Ben,1\n", "utf-8")
    resting.do("people", str(tmp_path / "p.csv"))
    resting.do("evening", "--game", "numeri", "--mode", "tables")
    shown = resting.do("pair")
    assert "Anna (1)" in shown
    assert "Anna (2)" in shown
    assert "Ben" in shown


def test_a_second_hub_of_one_database_is_refused(club: Club) -> None:
    result = club.run("start", "--port", "1")
    assert result.exit_code == IMPOSSIBLE
    assert "another hub already runs" in result.stderr
