"""What a correction changes is shown before it counts, and how strong people are."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.club.judging.desk import Desk
from tests.pi_app.commands.called import run


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def verb(folder: Path, *words: str) -> str:
    result = run("club", *words, "--state", folder, "--lang", "en")
    assert result.exit_code == 0, result.output
    return result.stdout


def places(desk: Desk, *ranks: int) -> list[str]:
    return [f"{p}={rank}" for p, rank in zip(desk.people_at(0), ranks, strict=True)]


def points(desk: Desk) -> dict[str, Any]:
    return {line["p"]: line["points"] for line in desk.export()["standings"]}


def test_a_preview_says_what_would_change_and_changes_nothing(desk: Desk, tmp_path: Path) -> None:
    verb(tmp_path, "result", "--round", "1", *places(desk, 1, 2))
    before = desk.export()
    words = ("result", "--round", "1", *places(desk, 2, 1), "--preview")
    changes = json.loads(verb(tmp_path, *words, "--json"))
    assert desk.export() == before
    first, second = desk.people_at(0)
    assert {each["p"] for each in changes} >= {first, second}
    told = {each["p"]: (each["before"]["points"], each["after"]["points"]) for each in changes}
    assert (told[first], told[second]) == ((4, 1), (1, 4))
    assert f"{first:6}  1. 4 -> " in verb(tmp_path, *words)

    verb(tmp_path, "result", "--round", "1", *places(desk, 2, 1))
    assert (points(desk)[first], points(desk)[second]) == (1, 4)


def test_a_preview_of_the_same_changes_nothing_and_says_so(desk: Desk, tmp_path: Path) -> None:
    words = ("result", "--round", "1", *places(desk, 1, 2))
    verb(tmp_path, *words)
    assert "changes nothing" in verb(tmp_path, *words, "--preview")


def test_a_preview_of_what_is_impossible_says_why(desk: Desk, tmp_path: Path) -> None:
    words = ("result", "--round", "7", *places(desk, 1, 2), "--preview")
    result = run("club", *words, "--state", tmp_path, "--lang", "en")
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1


def test_ratings_count_all_games_and_one_switch_turns_them_off(desk: Desk, tmp_path: Path) -> None:
    verb(tmp_path, "result", "--round", "1", *places(desk, 1, 2))
    rated = json.loads(verb(tmp_path, "ratings", "--json"))
    assert [(each["p"], each["game"], each["unsure"]) for each in rated] == [
        (p, "just4fun", True) for p in desk.people_at(0)
    ]
    assert "?" in verb(tmp_path, "ratings", "--game", "just4fun")
    assert verb(tmp_path, "ratings", "--game", "numeri") == ""

    verb(tmp_path, "ratings", "--off")
    off = run("club", "ratings", "--state", tmp_path, "--lang", "en")
    assert (off.exit_code, off.stdout) == (1, "")
    assert "ratings are off" in off.stderr
    verb(tmp_path, "ratings", "--on")
    assert json.loads(verb(tmp_path, "ratings", "--json")) == rated
