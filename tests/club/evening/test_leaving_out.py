"""A result that counts can be left out, and come back: by the verb, and in the journal."""

import json
from pathlib import Path

import pytest

from club.evening import acts
from tests.club.judging.desk import WHO, Desk
from tests.club.parts import result_event
from tests.pi_app.commands.called import run


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """Return a club in an evening of free games, of which one counts in its second revision."""
    desk = Desk(tmp_path)
    with desk.database.write() as writing:
        desk.evening = acts.open_evening(writing, WHO, ["just4fun"], "free", per_table=4)
    for seq in (1, 2):
        desk.send(0, result_event(seq, game_id="g1", revision=seq - 1, evening=desk.evening))
    desk.send(1, result_event(1, ("p3", "p4"), game_id="g2", evening=desk.evening))
    return desk


def verb(folder: Path, *words: str) -> str:
    result = run("club", *words, "--state", folder, "--lang", "en")
    assert result.exit_code == 0, result.output
    return result.stdout


def points(desk: Desk) -> dict[str, object]:
    return {line["p"]: line["points"] for line in desk.export()["standings"] if line["points"]}


def test_a_free_game_is_left_out_with_all_its_revisions(desk: Desk, tmp_path: Path) -> None:
    assert points(desk) == {"p1": 4, "p2": 1, "p3": 4, "p4": 1}
    assert "4 -> " in verb(tmp_path, "refuse", "store-0:2", "--preview")
    verb(tmp_path, "refuse", "store-0:2")
    assert points(desk) == {"p3": 4, "p4": 1}
    assert json.loads(verb(tmp_path, "status", "--json"))["proposals"] == [], "it is decided"
    assert "does not count" in verb(tmp_path, "results").splitlines()[1]
    desk.send(0, result_event(3, game_id="g1", revision=2, evening=desk.evening))
    assert desk.verdicts()["store-0", 3] == (False, "locked"), "a later revision is a proposal"
    assert "store-0:3" in verb(tmp_path, "status")


@pytest.mark.parametrize("way", [("undo",), ("accept", "store-0:2")])
def test_it_comes_back_and_the_journal_says_all_of_it(
    desk: Desk, tmp_path: Path, way: tuple[str, ...]
) -> None:
    before = points(desk)
    verb(tmp_path, "refuse", "store-0:2")
    verb(tmp_path, *way)
    assert points(desk) == before
    kinds = [line.split()[3] for line in verb(tmp_path, "journal").splitlines()]
    assert kinds[-2:] == ["refuse", way[0]]


def test_what_was_accepted_can_be_left_out(desk: Desk, tmp_path: Path) -> None:
    event = result_event(2, ("p3", "p4"), game_id="g3", evening=desk.evening)
    event["seats"][0]["points"] += 1
    desk.send(1, event)
    verb(tmp_path, "accept", "store-1:2")
    assert points(desk)["p3"] == 8
    verb(tmp_path, "refuse", "store-1:2")
    assert points(desk)["p3"] == 4


def test_a_revision_that_another_one_has_replaced_cannot_be_left_out(
    desk: Desk, tmp_path: Path
) -> None:
    result = run("club", "refuse", "store-0:1", "--state", tmp_path, "--lang", "en")
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
    assert points(desk) == {"p1": 4, "p2": 1, "p3": 4, "p4": 1}
