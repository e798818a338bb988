"""`beisitzer club round`, called as a person or a program calls it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest


def call(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pi_app", "club", "round", *words],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={"LANGUAGE": "en", "PATH": "/usr/bin:/bin"},
    )


def rounds(*words: str) -> list[dict[str, Any]]:
    done = call(*words)
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return list(json.loads(done.stdout)["rounds"])


def people(table: dict[str, Any]) -> list[str]:
    return [seat["p"] for seat in table["seats"]]


def test_rounds_have_the_contracts_form() -> None:
    done = call("--people", "14", "--rounds", "3", "--per-table", "4")
    document = json.loads(done.stdout)
    assert (document["schema"], document["version"]) == ("beisitzer-club", 2)
    assert [each["round"] for each in document["rounds"]] == [1, 2, 3]
    for each in document["rounds"]:
        assert each.keys() == {"round", "rev", "tables", "byes"}
        assert sorted(len(table["seats"]) for table in each["tables"]) == [3, 3, 4, 4]
        for table in each["tables"]:
            assert table["table"] is None
            assert [seat["seat"] for seat in table["seats"]] == [*range(1, len(table["seats"]) + 1)]
    assert {line["p"] for line in document["standings"]} == {f"p{n}" for n in range(1, 15)}


def test_a_seed_gives_the_same_rounds_always_and_another_one_others() -> None:
    words = ("--people", "12", "--rounds", "2", "--seed")
    assert rounds(*words, "5") == rounds(*words, "5")
    assert rounds(*words, "5") != rounds(*words, "6")


def write(path: Path, rows: list[str]) -> Path:
    path.write_text("\n".join(["round,table,seat,p,rank,points,present", *rows, ""]), "utf-8")
    return path


def test_a_round_after_results_meets_nobody_again_and_the_standings_add_up(tmp_path: Path) -> None:
    (first,) = rounds("--people", "16", "--rounds", "1")
    rows = [
        f"1,{number},{seat['seat']},{seat['p']},{seat['seat']},,1"
        for number, table in enumerate(first["tables"], 1)
        for seat in table["seats"]
    ]
    rows += ["2,,,p1,,,0"]
    file = write(tmp_path / "r.csv", rows)
    done = call("--people", "16", "--rounds", "2", "--results", str(file))
    document = json.loads(done.stdout)
    assert document["rounds"][0]["tables"] == first["tables"]
    met = {
        frozenset((a, b)) for t in first["tables"] for a in people(t) for b in people(t) if a != b
    }
    second = document["rounds"][1]
    seated = {p for table in second["tables"] for p in people(table)}
    assert seated == {f"p{n}" for n in range(2, 17)}
    again = {
        frozenset((a, b)) for t in second["tables"] for a in people(t) for b in people(t) if a != b
    }
    assert not met & again
    points = {line["p"]: line["points"] for line in document["standings"]}
    for table in first["tables"]:
        assert [points[p] for p in people(table)] == [5, 3, 2, 1]


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("--people", "1", "--rounds", "1"), 1, "round 1 has 1 people, but a group needs two"),
        (("--people", "0", "--rounds", "1"), 2, "1<=x<=1000"),
        (("--people", "8"), 2, "Missing option '--rounds'"),
        (("--rounds", "8"), 2, "Missing option '--people'"),
        (("--people", "x", "--rounds", "1"), 2, "--people"),
        (
            ("--people", "8", "--rounds", "1", "--per-table", "5"),
            2,
            "2<=x<=4",
        ),
        (("--people", "8", "--rounds", "1", "--results", "/no/such"), 1, "No such file"),
        (("--people", "8", "--rounds", "1", "--results", "/"), 1, "Is a directory"),
    ],
)
def test_what_is_not_possible_is_1_and_a_wrong_call_2_each_in_one_line(
    words: tuple[str, ...], status: int, said: str
) -> None:
    done = call(*words)
    assert done.returncode == status
    assert done.stdout == ""
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\xfc\xfe", "not UTF-8"),
        (b"", "these are missing"),
        (b"round,table,seat,p,rank\n1,1,1,p1\x1b[31m,1\n", "line 2: p cannot be"),
        (b"round,table,seat,p,rank\n1,1,1,p1,0\n", "line 2: rank cannot be '0'"),
        (b"round,table,seat,p,rank\n1,1,x,p1,1\n", "line 2: seat cannot be 'x'"),
        (b"round,table,seat,p,rank,present\n1,,,p1,,maybe\n", "line 2: present cannot be 'maybe'"),
        (b"round,table,seat,p,rank\n1,1,1,p1,1\n1,2,1,p1,1\n", "p1 is in round 1 already"),
        (b"round,table,seat,p,rank\n1,1,1,p1,1\n1,1,1,p2,2\n", "table 1 in round 1: one person"),
        (b"round,table,seat,p,rank\n1,1,1,p1,1\n1,1,2,p2,\n", "table 1 in round 1: one person"),
        (b"round,table,seat,p,rank\n1,1,1,p1,2\n1,1,2,p2,2\n", "table 1 in round 1: one person"),
        (b"round,table,seat,p,rank\n2,1,1,p1,1\n2,1,2,p2,2\n", "round 2 does not follow"),
    ],
)
def test_a_sheet_that_cannot_be_used_is_refused_with_its_line(
    content: bytes, said: str, tmp_path: Path
) -> None:
    file = tmp_path / "results.csv"
    file.write_bytes(content)
    done = call("--people", "8", "--rounds", "2", "--results", str(file))
    assert done.returncode == 1
    assert said in done.stderr
    assert "\x1b" not in done.stderr
    assert done.stderr.count("\n") == 1


def test_five_at_tables_of_four_are_three_and_two_and_of_nine_by_two_one_sits_out() -> None:
    (first,) = rounds("--people", "5", "--rounds", "1", "--per-table", "4")
    assert [len(table["seats"]) for table in first["tables"]] == [3, 2]
    nine = rounds("--people", "9", "--rounds", "9", "--per-table", "2")
    assert sorted(p for each in nine for p in each["byes"]) == sorted(f"p{n}" for n in range(1, 10))
