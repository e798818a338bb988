"""numeri at the table: what the die moves, what is said, what counts."""

from pathlib import Path

import pytest

from engines.game import Correction
from engines.numeri.rules import NumeriPosition
from pi_app.displays.terminal_board import cell_text
from pi_app.games.numeri.presentation import PRESENTATION
from pi_app.table.table import Table
from pi_app.texts.language import Texts
from pi_app.view.frame import Mark, Signal, Tone
from tests.pi_app.commands.called import run
from tests.pi_app.pilot import Pilot, choices_of, entry_of, marked, picture_of

FOUR = "Anna yellow, Ben red, Cara green, Dora blue"
ALL_IN = "yellow 1@3 2@4 3@6 4@8 5@11 6@12; red 1@1 2@2"
STUCK = "yellow 4@38 3@37 1@32 2@33 5@34 6@35; red 1@31"
SHORT = "0 5 0 10 0 50 20 30"


def game(position: str = "", players: str = "Anna yellow, Ben red", **tags: str) -> Pilot:
    return Pilot.game("numeri", players, **({"Position": position} if position else {}), **tags)


def stored_table(pilot: Pilot) -> Table:
    """Return the table as the store would put it back."""
    return Table.resume(pilot.ctx.store, pilot.ctx.store.load(pilot.ctx.store.latest_game() or 0))


def fields(pilot: Pilot, seat: int) -> tuple[int, ...]:
    """Return where a player's stones stand after the moves in the store."""
    position = stored_table(pilot).position
    assert isinstance(position, NumeriPosition)
    return position.stones(seat)


@pytest.mark.parametrize("key", ["d4", "4"])
def test_a_die_with_one_thing_to_do_moves_at_once_and_says_it(key: str) -> None:
    pilot = game("yellow 4@12; red 1@13 2@14 3@15 5@16")
    frame = pilot.key(key)
    assert pilot.tokens() == ("4",)
    assert frame.body.big == "4→17"
    assert frame.body.lines == ("Anna: stone 4 from field 12 to field 17", "Ben: roll!")
    assert (frame.header.title, frame.header.colour) == ("Ben", "red")
    assert pilot.recorder.signals[-2:] == [Signal.OK, Signal.TURN]


@pytest.mark.parametrize("key", ["0", "7", "9"])
def test_what_is_no_die_is_said_and_moves_nothing(key: str) -> None:
    pilot = game()
    frame = pilot.key(key)
    entry = entry_of(frame)
    assert (entry.text, entry.tone) == (key, Tone.BAD)
    assert pilot.recorder.signals[-1] is Signal.BAD
    assert pilot.key("<").body.entry is None
    assert pilot.tokens() == ()


def test_splits_are_offered_with_where_every_stone_goes() -> None:
    pilot = game(ALL_IN)
    frame = pilot.key("d6")
    assert pilot.tokens() == ()
    assert choices_of(frame).items[0] == "6→13"
    assert choices_of(frame).items[1] == "1→5 2→7 3→9 chain"
    assert frame.body.lines == ("Marked: no chain",)


def test_an_arrow_points_at_a_choice_and_enter_plays_it() -> None:
    pilot = game("yellow 1@1 2@10 3@20 4@22 5@24 6@30; red 1@38")
    frame = pilot.key("d5 vv")
    assert choices_of(frame).selected == 2
    assert marked(frame, Mark.SELECTED) == {"11", "21"}
    assert marked(frame, Mark.LEGAL) == {"25", "2", "23"}
    pilot.key("#")
    assert pilot.tokens() == ("5:2,3",)


@pytest.mark.parametrize("keys", ["d5 3", "d5 d3"])
def test_the_number_of_a_choice_plays_it_at_once(keys: str) -> None:
    pilot = game("yellow 1@1 2@10 3@20 4@22 5@24 6@30; red 1@38")
    pilot.key(keys)
    assert pilot.tokens() == ("5:2,3",)


def test_a_tapped_field_points_at_the_move_that_ends_there() -> None:
    pilot = game("yellow 1@1 2@10 3@20 4@22 5@24 6@30; red 1@38")
    pilot.key("d5")
    pilot.program.tap("21")
    assert choices_of(pilot.frame).selected == 2
    pilot.program.tap("37")
    assert pilot.recorder.signals[-1] is Signal.BAD


@pytest.mark.parametrize("leave", ["<", "<<"])
def test_a_die_pressed_wrongly_is_left_before_anything_was_chosen(leave: str) -> None:
    pilot = game("yellow 1@1 2@10 3@20 4@22 5@24 6@30; red 1@38")
    assert pilot.key("d1 d3 d6").body.choices is not None
    assert pilot.key(leave).body.choices is None
    assert pilot.tokens() == ("1", "3")


def test_a_chain_rolls_again_and_the_lamp_says_so() -> None:
    pilot = game("yellow 1@15 2@16 4@12; red 1@13 2@14")
    frame = pilot.key("d4")
    assert frame.header.title == "Anna"
    assert frame.body.big == "4→17 AGAIN!"
    assert "Chain 15-17: roll again!" in frame.body.lines
    assert pilot.recorder.signals[-1] is Signal.ROW
    assert marked(frame, Mark.ROW) == {"15", "16", "17"}
    assert marked(frame, Mark.LAST) == {"17"}


@pytest.mark.parametrize("key", ["#", "d3", "*", "7", "v"])
def test_any_key_but_back_lets_the_turn_go_on(key: str) -> None:
    pilot = game("yellow 6@38; red 1@1")
    pilot.key("d6" + " " + key)
    assert pilot.tokens() == ("6:-",)


@pytest.mark.parametrize("leave", ["<", "<<"])
def test_a_lost_turn_pressed_wrongly_is_not_lost(leave: str) -> None:
    pilot = game("yellow 6@38 5@2; red 1@1")
    pilot.key("d6" + " " + leave + " d5")
    assert pilot.tokens() == ("5",)


def test_a_wrong_die_is_taken_back_after_the_turn_went_on() -> None:
    pilot = game("yellow 4@12 5@20; red 1@13")
    pilot.key("d4")
    frame = pilot.key("<<")
    assert pilot.tokens() == ()
    assert frame.header.title == "Anna"
    assert frame.body.lines == ("Stone 4 back to field 12.", "Anna: which number?")
    pilot.key("d5")
    assert pilot.tokens() == ("5",)


def test_a_table_nobody_recorded_is_scored_field_by_field(tmp_path: Path) -> None:
    record = tmp_path / "table.txt"
    record.write_text(
        '[Game "numeri"]\n[Players "Anna yellow, Ben red"]\n'
        '[BoardData "50 10 0 5 8"]\n[Position "yellow 1@1; red 6@2"]\n',
        "utf-8",
    )
    answer = run("score", record, "--lang", "en")
    assert answer.exit_code == 0
    assert answer.output.splitlines() == [
        "Anna: 50 points",
        "Ben: 60 points",
        "Field by field:",
        "Anna:",
        "1: 50 × 1 = 50",
        "not in play: 2, 3, 4, 5, 6",
        "Ben:",
        "2: 10 × 6 = 60",
        "not in play: 1, 2, 3, 4, 5",
        "Ben wins!",
    ]


def test_a_position_that_is_already_decided_shows_its_result() -> None:
    pilot = game("yellow 4@8 1@6; red 6@7", BoardData=SHORT)
    assert (pilot.frame.body.big, pilot.frame.body.lines[0]) == ("Anna", "wins!")
    assert pilot.key("d4").header.title != "Ben"
    assert pilot.tokens() == ()


def test_the_terminal_names_field_stone_owner_and_value() -> None:
    shown = picture_of(game("green 2@6; yellow 3@3", FOUR, BoardData=SHORT).frame)
    assert cell_text(shown.cells[5]) == " 6 C2 (50)"
    assert cell_text(shown.cells[2]) == " 3 A3"


def test_a_stone_bears_its_player_s_initial_on_a_tip_too() -> None:
    pilot = Pilot.game("numeri", language="de", Position=ALL_IN)
    pilot.give_tips()
    turn, tip = pilot.frame, pilot.key("6 *")
    assert tip.header.title == "Tipp Anna"
    for frame in (turn, tip):
        assert cell_text(picture_of(frame).cells[2]) == " 3 A1"


def test_a_track_without_values_can_be_played_and_shown() -> None:
    pilot = game(BoardData="0 0 0 0")
    assert {cell.shade for cell in picture_of(pilot.frame).cells} == {0}


def test_a_tapped_field_tells_what_it_counts() -> None:
    pilot = game()
    pilot.program.tap("36")
    assert pilot.frame.body.lines[0] == "Field 36 counts 50."


def test_choices_of_a_table_that_was_changed_since_are_forgotten() -> None:
    pilot = game("yellow 1@1 2@10 3@20 4@22 5@24 6@30; red 1@38")
    assert pilot.key("d1 d3 d5").body.choices is not None
    assert pilot.key("? 3").body.choices is None
    assert pilot.tokens() == ("1",)
    screen = pilot.turn_screen
    assert pilot.key("<< d5").body.choices is not None
    screen.table.rewrite(["1", "3"])
    assert screen.frame().body.choices is None


@pytest.mark.parametrize(
    ("position", "token", "says"),
    [
        ("", "7", "a die has 1 to 6"),
        ("", "4:3,1", "split only with all 6 in play"),
        ("", "4:3,2", "these stones do not make a 4"),
        ("", "4:-", "4 can move: you must"),
        ("yellow 6@38", "6", "stone 6: no free field ahead"),
        ("", "junk", "that is no move of this game"),
    ],
)
def test_every_refusal_has_its_sentence(position: str, token: str, says: str) -> None:
    table = stored_table(game(position))
    refusal = table.refusal(token)
    assert refusal is not None
    assert PRESENTATION.words.refusal(Texts("en"), refusal) == says


def test_a_correction_and_what_was_taken_back_of_it_are_said() -> None:
    pilot = game()
    screen = pilot.turn_screen
    move = screen.table.position.parse("<yellow 1@5>")
    assert isinstance(move, Correction)
    screen.turn.play(move)
    assert screen.frame().body.lines[0] == "The table was corrected."
    screen.undo()
    assert screen.frame().body.lines[0].startswith("Taken back: Anna, correction.")
