"""Going through the table: what differs becomes one correction, or where a game begins."""

import pytest

from pi_app.view.frame import Tone
from tests.pi_app.desk import Desk


def checking(**tags: str) -> Desk:
    desk = Desk.game("just4fun", **tags)
    desk.key("5# 9#")
    desk.key("?")
    desk.choose("Check table")
    return desk


def test_the_audit_goes_through_the_fields_row_by_row() -> None:
    desk = checking()
    assert desk.frame.body.big == "1"
    assert desk.key("#").body.big == "14"
    assert desk.key("##").body.big == "24"
    assert desk.key("<").body.big == "30"


def test_it_shows_what_the_companion_believes() -> None:
    desk = checking()
    assert desk.key("*5#").body.lines == ("►Anna 1", " Ben 0")


def test_a_table_as_believed_leaves_no_correction() -> None:
    desk = checking()
    desk.key("?")
    assert desk.frame.body.lines == ("Everything is as it was.",)
    assert desk.key("#").header.title == "Anna"
    assert desk.tokens() == ("5", "9")


def test_the_differences_are_one_correction_in_the_record() -> None:
    desk = checking()
    desk.key("*5# 0v1 *36# 2 *37# 18v18")  # field 5: Ben's; 36: two of Anna's, 18 left in hand
    frame = desk.key("?")
    assert set(frame.body.lines) == {
        "5: Anna 1 → 0",
        "5: Ben 0 → 1",
        "36: Anna 0 → 2",
        "in hand: Anna 19 → 18",
        "in hand: Ben 19 → 18",
    }
    desk.key("#")
    assert desk.tokens()[-1] == "<yellow left=18 36x2; red left=18 5x1 9x1>"
    assert desk.frame.header.title == "Anna"
    desk.key("<<")
    assert desk.tokens() == ("5", "9")


def test_an_impossible_table_is_refused_and_can_be_mended() -> None:
    desk = checking()
    desk.key("*36# 20 ?#")
    entry = desk.frame.body.entry
    assert entry is not None
    assert entry.tone is Tone.BAD
    assert desk.tokens() == ("5", "9")
    desk.key("< *36# 0 ?#")
    assert desk.frame.header.title == "Anna"


def test_leaving_the_audit_changes_nothing() -> None:
    desk = checking()
    desk.key("<<")
    assert desk.frame.header.title == "Menu"
    assert desk.tokens() == ("5", "9")


@pytest.mark.parametrize("leave", ["<<", "*1# <"])
def test_leaving_with_corrections_shows_them_before_they_are_dropped(leave: str) -> None:
    desk = checking()
    desk.key("*36# 2")
    assert "36: Anna 0 → 2" in desk.key(leave).body.lines
    assert desk.key("<").header.title == "Check"
    desk.key(leave)
    assert desk.key("*").header.title == "Menu"
    assert desk.tokens() == ("5", "9")


def test_a_position_keyed_at_set_up_begins_the_game() -> None:
    desk = Desk()
    desk.choose("Just 4 Fun", "Position")
    desk.key("*23# 3v2 *37# 5v6 ?#")
    desk.choose("Start")
    stored = desk.ctx.store.load(desk.ctx.store.latest() or 0)
    assert stored.tags["Position"] == "yellow left=5 23x3; red left=6 23x2"


def test_a_table_nobody_recorded_can_be_scored() -> None:
    desk = Desk.game("just4fun", Position="yellow left=5 23x3; red left=5 23x2 7x2")
    desk.key("?")
    frame = desk.choose("Score now")
    assert frame.body.lines[:3] == ("Anna would win.", "Anna: 23 points", "Ben: 7 points")
    assert desk.tokens() == ()


def test_numeri_is_checked_stone_by_stone() -> None:
    desk = Desk.game("numeri")
    desk.key("d4 d6 ?")
    desk.choose("Check table")
    assert desk.frame.body.big == "Anna"
    desk.key("vvv 7 ?#")
    assert desk.tokens()[-1] == "<yellow 1@0 2@0 3@0 4@7 5@0 6@0; red 1@0 2@0 3@0 4@0 5@0 6@2>"
