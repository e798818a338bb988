"""Going through the table: what differs becomes one correction, or where a game begins."""

import pytest

from pi_app.view.frame import Mark, Tone
from tests.pi_app.pilot import Pilot, entry_of, picture_of


def checking(**tags: str) -> Pilot:
    pilot = Pilot.game("just4fun", **tags)
    pilot.key("5# 9#")
    pilot.key("?")
    pilot.choose("Check table")
    return pilot


def test_the_board_check_goes_through_the_fields_row_by_row() -> None:
    pilot = checking()
    assert pilot.frame.body.big == "1"
    assert pilot.key("#").body.big == "14"
    assert pilot.key("##").body.big == "24"
    assert pilot.key("<").body.big == "30"


def test_the_differences_are_one_correction_in_the_record() -> None:
    pilot = checking()
    pilot.key("*5# 0v1 *36# 2 *37# 18v18")  # field 5: Ben's; 36: two of Anna's, 18 left in hand
    frame = pilot.key("?")
    assert set(frame.body.lines) == {
        "5: Anna 1 → 0",
        "5: Ben 0 → 1",
        "36: Anna 0 → 2",
        "in hand: Anna 19 → 18",
        "in hand: Ben 19 → 18",
    }
    pilot.key("#")
    assert pilot.tokens()[-1] == "<yellow left=18 36x2; red left=18 5x1 9x1>"
    assert pilot.frame.header.title == "Anna"
    pilot.key("<<")
    assert pilot.tokens() == ("5", "9")


@pytest.mark.parametrize(
    ("game", "tags", "keys"),
    [
        ("just4fun", {"Position": "yellow 23x3; red 7x1"}, "*36# 1 ?#"),
        ("numeri", {"Position": "yellow 1@3; red 1@1"}, "5 ?#"),
        ("sequence", {"Position": "blue r2c2; green r3c3"}, "1 ?#"),
        ("einmaleins", {"Open": "24"}, "4 ?#"),
    ],
)
def test_after_a_check_it_is_said_that_the_table_was_corrected_and_nobody_is_named(
    game: str, tags: dict[str, str], keys: str
) -> None:
    players = "Anna blue, Ben green" if game == "sequence" else "Anna yellow, Ben red"
    pilot = Pilot.game(game, players, **tags)
    pilot.key("?")
    pilot.choose("Check table")
    frame = pilot.key(keys)
    assert pilot.tokens()[-1].startswith("<"), frame.body
    assert "The table was corrected." in (frame.alert and frame.alert.text, *frame.body.lines)


def test_an_impossible_table_is_refused_and_can_be_mended() -> None:
    pilot = checking()
    pilot.key("*36# 20 ?#")
    entry = entry_of(pilot.frame)
    assert entry.tone is Tone.BAD
    assert pilot.tokens() == ("5", "9")
    pilot.key("< *36# 0 ?#")
    assert pilot.frame.header.title == "Anna"


def test_leaving_the_audit_changes_nothing() -> None:
    pilot = checking()
    pilot.key("<<")
    assert pilot.frame.header.title == "Menu"
    assert pilot.tokens() == ("5", "9")


@pytest.mark.parametrize("leave", ["<<", "*1# <"])
def test_leaving_with_corrections_shows_them_before_they_are_dropped(leave: str) -> None:
    pilot = checking()
    pilot.key("*36# 2")
    assert "36: Anna 0 → 2" in pilot.key(leave).body.lines
    assert pilot.key("<").header.title == "Check"
    pilot.key(leave)
    assert pilot.key("*").header.title == "Menu"
    assert pilot.tokens() == ("5", "9")


def test_a_position_keyed_at_set_up_begins_the_game() -> None:
    pilot = Pilot()
    pilot.choose("Just 4 Fun", "Position")
    pilot.key("*23# 3v2 *37# 5v6 ?#")
    pilot.choose("Start")
    stored = pilot.ctx.store.load(pilot.ctx.store.latest_game() or 0)
    assert stored.tags["Position"] == "yellow left=5 23x3; red left=6 23x2"


def test_a_table_nobody_recorded_can_be_scored() -> None:
    pilot = Pilot.game("just4fun", Position="yellow left=5 23x3; red left=5 23x2 7x2")
    pilot.key("?")
    frame = pilot.choose("Score now")
    assert frame.body.lines[:3] == ("Anna would win.", "Anna: 23 points", "Ben: 7 points")
    assert pilot.tokens() == ()


def test_numeri_is_checked_stone_by_stone() -> None:
    pilot = Pilot.game("numeri")
    pilot.key("d4 d6 ?")
    pilot.choose("Check table")
    assert pilot.frame.body.big == "Anna"
    pilot.key("vvv 7 ?#")
    assert pilot.tokens()[-1] == "<yellow 1@0 2@0 3@0 4@7 5@0 6@0; red 1@0 2@0 3@0 4@0 5@0 6@2>"


def test_a_number_that_cannot_be_says_why_and_stays_nowhere() -> None:
    pilot = Pilot({"Game": "sequence", "Players": "Anna blue, Ben green"})
    pilot.key("?")
    pilot.choose("Check table")
    pilot.key("9")
    assert entry_of(pilot.frame).verdict == "numbers from 0 to 2"
    assert pilot.key("#").body.entry is None


def test_the_place_in_question_is_marked_and_what_is_keyed_stands_on_the_board_at_once() -> None:
    pilot = checking()

    def asked() -> set[str]:
        return {cell.name for cell in picture_of(pilot.frame).cells if Mark.SELECTED in cell.marks}

    def stones(name: str) -> int:
        cells = {cell.name: cell for cell in picture_of(pilot.frame).cells}
        return sum(token.count for token in cells[name].tokens)

    assert (asked(), stones("1")) == ({"1"}, 0)
    pilot.key("2")
    assert (asked(), stones("1")) == ({"1"}, 2)
    pilot.program.tap("14")
    assert (asked(), pilot.frame.body.big) == ({"14"}, "14")
    sequence = Pilot({"Game": "sequence", "Players": "Anna blue, Ben green"})
    sequence.key("?")
    sequence.choose("Check table")
    sequence.program.tap("r4c5")
    assert sequence.frame.body.big == "4-5"
