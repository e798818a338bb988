"""Changing the past: shown before it is accepted, refused without a trace."""

import pytest

from engines.game import Step, attempt
from engines.record import begin_game
from pi_app.view.frame import Frame, Mark
from tests.pi_app.pilot import Pilot, choices_of, picture_of


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
    assert frame.body.lines == (
        "Added: Ben, 7",
        "1 move changes hands:",
        "3. 9: Ben → Anna",
        "* lets everybody keep their moves.",
        "Now Ben is to move.",
    )
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
    ((_, file),) = [each for each in pilot.ctx.store.files() if each[0].startswith("0001")]
    assert [token in file for token in (b'"move":"5"', b'"move":"9"', b'"move":"7"')] == [True] * 3


def test_keying_the_changed_move_can_be_left_without_a_change() -> None:
    pilot = desk_after("5# 9#")
    edit(pilot, 0, "Change", "7 < <")
    assert pilot.frame.header.title == "Move 2"
    assert pilot.tokens() == ("5", "9")


def test_a_move_can_be_looked_at() -> None:
    pilot = desk_after("5# 9#")
    frame = edit(pilot, 1, "Look")
    assert {cell.name for cell in picture_of(frame).cells if cell.tokens} == {"5"}


THREE = "Anna yellow, Ben red, Carla white"


def six_moves() -> Pilot:
    pilot = Pilot.game("just4fun", THREE)
    pilot.key("7# 8# 9# 1# 2# 3#")
    return pilot


def owners(pilot: Pilot) -> dict[str, str]:
    """Return the colour of the stone on each field."""
    picture = picture_of(pilot.frame)
    return {cell.name: cell.tokens[0].colour for cell in picture.cells if cell.tokens}


def test_a_removed_move_shows_whose_moves_change_in_words_and_on_the_board() -> None:
    pilot = six_moves()
    frame = edit(pilot, 4, "Remove")
    assert frame.body.lines == (
        "Removed: Ben, 8",
        "4 moves change hands:",
        "2. 9: Carla → Ben",
        "3. 1: Anna → Carla",
        "4. 2: Ben → Anna",
        "5. 3: Carla → Ben",
        "* lets everybody keep their moves.",
        "Now Carla is to move.",
    )
    assert owners(pilot)["9"] == "red"
    picture = picture_of(frame)
    marked = {cell.name for cell in picture.cells if Mark.LAST in cell.marks}
    assert marked == {"8", "9", "1", "2", "3"}
    assert pilot.tokens() == ("7", "8", "9", "1", "2", "3")


@pytest.mark.parametrize(
    ("what", "keys", "correction", "moves"),
    [
        ("Remove", "", "<yellow 7x1; to-move=Carla>", ("7", "{}", "9", "1", "2", "3")),
        (
            "Insert",
            "5#",
            "<yellow 7x1; red 5x1; to-move=Ben>",
            ("7", "5", "{}", "8", "9", "1", "2", "3"),
        ),
    ],
)
def test_everybody_keeps_their_moves_by_a_correction(
    what: str, keys: str, correction: str, moves: tuple[str, ...]
) -> None:
    pilot = six_moves()
    edit(pilot, 4, what, keys)
    frame = pilot.key("*")
    assert frame.body.lines[1] == "Everybody keeps their moves, by a correction."
    assert "change hands" not in " ".join(frame.body.lines)
    kept = owners(pilot)
    pilot.key("#")
    (token,) = [token for token in pilot.tokens() if token.startswith("<")]
    assert begin_position(THREE, token) == begin_position(THREE, correction)
    assert pilot.tokens() == tuple(token if move == "{}" else move for move in moves)
    assert owners(pilot) == kept
    colours = {"7": "yellow", "9": "white", "1": "yellow", "2": "red", "3": "white"}
    assert colours.items() <= kept.items()
    assert pilot.frame.header.title == "Anna"


def begin_position(players: str, correction: str) -> tuple[str, str]:
    """Return the position that a correction sets, in words, and who is to move then."""
    _, position = begin_game({"Game": "just4fun", "Players": players})
    step = attempt(position, correction)
    assert isinstance(step, Step)
    assert step.after.to_move is not None
    return step.after.describe(), step.after.to_move.name


def test_the_star_goes_back_to_the_change_that_shifts() -> None:
    pilot = six_moves()
    edit(pilot, 4, "Remove", "**#")
    assert pilot.tokens() == ("7", "9", "1", "2", "3")


def test_where_nobodys_moves_change_no_correction_is_offered() -> None:
    pilot = six_moves()
    frame = edit(pilot, 0, "Remove")
    assert frame.body.lines == ("Removed: Carla, 3", "Now Carla is to move.")
    pilot.key("*")
    assert pilot.key("#").header.title == "Carla"


def test_rolls_after_a_chain_that_a_change_breaks_can_stay_with_whoever_rolled_them() -> None:
    pilot = Pilot.game("numeri", Position="yellow 1@1 2@2; red 1@5")
    pilot.key("d3 d4 d2 d6")
    assert [step.player.name for step in pilot.table.steps] == ["Anna", "Anna", "Anna", "Ben"]
    edit(pilot, 3, "Change", "d1")
    lines = pilot.frame.body.lines
    assert "2. 4→1: Anna → Ben" in lines
    assert "1 move changes hands:" in lines
    pilot.key("*#")
    kept = [step.player.name for step in pilot.table.steps if step.token[0] != "<"]
    assert kept == ["Anna", "Anna", "Anna", "Ben"]


def test_an_edit_is_taken_back_and_made_again_like_a_move() -> None:
    pilot = six_moves()
    edit(pilot, 4, "Remove", "#")
    pilot.key("5#")
    assert pilot.tokens() == ("7", "9", "1", "2", "3", "5")
    pilot.key("<<")
    assert pilot.tokens() == ("7", "9", "1", "2", "3")
    frame = pilot.key("<<")
    assert pilot.tokens() == ("7", "8", "9", "1", "2", "3")
    assert frame.body.lines[:2] == (
        "The change of the moves is taken back.",
        "Compare the table with the board.",
    )
    pilot.key("<<")
    assert pilot.tokens() == ("7", "8", "9", "1", "2")
    for moves in (
        ("7", "8", "9", "1", "2", "3"),
        ("7", "9", "1", "2", "3"),
        ("7", "9", "1", "2", "3", "5"),
    ):
        pilot.key("?")
        pilot.choose("Redo")
        assert pilot.tokens() == moves
    pilot.key("?")
    frame = pilot.choose("Redo")
    assert frame.body.lines == ("Nothing was taken back.",)


def test_an_edit_that_left_no_move_can_be_taken_back_from_the_menu() -> None:
    pilot = desk_after("5#")
    edit(pilot, 0, "Remove", "#")
    assert pilot.tokens() == ()
    pilot.key("?")
    pilot.choose("Take back")
    assert pilot.tokens() == ("5",)


def test_the_edit_of_a_finished_game_is_taken_back_to_its_result() -> None:
    pilot = Pilot.game("just4fun", Position="yellow 1 14 30; red 2")
    pilot.key("12*12#")
    edit(pilot, 0, "Change", "12*11#")
    pilot.key("#")
    assert pilot.frame.header.title == "Ben"
    assert pilot.key("<<").header.title == "Game over"
    pilot.key("?")
    assert pilot.choose("Redo").header.title == "Ben"


def test_the_list_says_who_moved_and_the_board_beside_shows_the_marked_move() -> None:
    pilot = desk_after("5*11# 9# 8#")
    pilot.key("?")
    frame = pilot.choose("Moves")
    assert choices_of(frame).items == ("1 Anna 5+11 = 16", "2 Ben 9", "3 Anna 8")
    for key, moved, stones in (("", "8", 3), ("^", "9", 2), ("1", "16", 1)):
        picture = picture_of(pilot.key(key))
        assert [cell.name for cell in picture.cells if Mark.LAST in cell.marks] == [moved]
        assert len([cell for cell in picture.cells if cell.tokens]) == stones
