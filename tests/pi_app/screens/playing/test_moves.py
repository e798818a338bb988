"""Changing the past: shown before it is accepted, refused without a trace."""

import pytest

from pi_app.view.frame import Frame
from tests.pi_app.pilot import Pilot


def desk_after(keys: str) -> Pilot:
    pilot = Pilot.game("just4fun")
    pilot.key(keys)
    return pilot


def edit(pilot: Pilot, back: int, what: str, keys: str = "") -> Frame:
    """Open the list of moves, go `back` from the last one, choose what to do, press keys."""
    pilot.key("?")
    pilot.choose("Moves")
    pilot.key("^" * back + "#")
    pilot.choose(what)
    return pilot.key(keys)


def test_the_moves_are_listed_in_words_with_the_last_one_chosen() -> None:
    pilot = desk_after("5*11# 9#")
    pilot.key("?")
    frame = pilot.choose("Moves")
    assert frame.body.choices is not None
    assert frame.body.choices.items == ("1 5+11 = 16", "2 9")
    assert frame.body.lines == ("Ben: 9",)


def test_a_changed_move_replays_what_follows() -> None:
    pilot = desk_after("5*11# 9# 8#")
    edit(pilot, 2, "Change", "")  # move 1: change
    frame = pilot.key("6*11#")
    assert frame.header.title == "Change move 1?"
    assert frame.body.lines == (
        "Now: Anna, 6+11 = 17",
        "Before: Anna, 5+11 = 16",
        "All later moves stay legal.",
    )
    assert pilot.tokens() == ("5+11", "9", "8")
    assert pilot.key("#").header.title == "Ben"
    assert pilot.tokens() == ("6+11", "9", "8")


def test_what_becomes_illegal_is_shown_first_and_falls_away_when_accepted() -> None:
    pilot = desk_after("5# 8# 6# 9# 9#")
    edit(pilot, 3, "Change", "")
    frame = pilot.key("9#")
    assert "1 move becomes illegal and falls away:" in frame.body.lines
    assert "5. 9: 9 blocked: Ben leads by 2" in frame.body.lines
    pilot.key("#")
    assert pilot.tokens() == ("5", "9", "6", "9")
    assert pilot.frame.header.title == "Anna"


def test_refusing_changes_nothing() -> None:
    pilot = desk_after("5# 8# 6# 9# 9#")
    edit(pilot, 3, "Change", "9# <")
    assert pilot.tokens() == ("5", "8", "6", "9", "9")


def test_an_inserted_move_shifts_who_is_to_move_and_says_so() -> None:
    pilot = desk_after("5# 9#")
    edit(pilot, 0, "Insert", "")
    frame = pilot.key("7#")
    assert frame.header.title == "Insert move 2?"
    assert frame.body.lines == ("Added: Ben, 7", "Now Ben is to move.")
    pilot.key("#")
    assert pilot.tokens() == ("5", "7", "9")
    assert pilot.frame.header.title == "Ben"


def test_a_removed_move_is_gone_from_the_game_but_not_from_the_store() -> None:
    pilot = desk_after("5# 9# 7#")
    frame = edit(pilot, 2, "Remove", "")
    assert frame.header.title == "Remove move 1?"
    assert frame.body.lines[0] == "Removed: Anna, 5"
    pilot.key("#")
    assert pilot.tokens() == ("9", "7")
    kept = pilot.ctx.store._db.execute("SELECT token FROM ply WHERE state='replaced'").fetchall()
    assert [token for (token,) in kept] == ["5", "9", "7"]


def test_the_past_can_be_changed_after_the_end() -> None:
    pilot = Pilot.game("just4fun", Position="yellow 1 14 30; red 2")
    pilot.key("12*12#")
    edit(pilot, 0, "Change", "12*11#")
    assert pilot.frame.body.lines[2] == "The game goes on: Ben is to move."
    pilot.key("#")
    assert pilot.frame.header.title == "Ben"
    assert pilot.tokens() == ("12+11",)


def test_keying_the_changed_move_can_be_left_without_a_change() -> None:
    pilot = desk_after("5# 9#")
    edit(pilot, 0, "Change", "7 < <")
    assert pilot.frame.header.title == "Move 2"
    assert pilot.tokens() == ("5", "9")


def test_a_move_can_be_looked_at() -> None:
    pilot = desk_after("5# 9#")
    frame = edit(pilot, 1, "Look")
    assert frame.board.picture is not None
    assert {cell.name for cell in frame.board.picture.cells if cell.tokens} == {"5"}


@pytest.mark.parametrize(("language", "title"), [("en", "After move 2"), ("de", "Nach Zug 2")])
def test_the_board_of_the_past_says_after_which_move(language: str, title: str) -> None:
    pilot = Pilot.game("just4fun", language=language)
    pilot.key("5# 8# 6# ?")
    pilot.choose("Moves")
    pilot.key("2#")
    assert pilot.choose("Look").header.title == title
