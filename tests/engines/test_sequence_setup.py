"""Sequence: boards, seats, house rules, positions, corrections and the hand given."""

import pytest

from engines.board import read_boards
from engines.game import Event
from engines.notation import Fault
from engines.sequence.board import BOARD, make_board, turned_square
from engines.sequence.rules import given
from tests.engines.sequence_table import THREE, TWO, table
from tests.engines.steps import play, refused

CLASSIC = BOARD.data(read_boards("sequence")["classic"])


def test_boards_turn_clockwise() -> None:
    top = {"classic": "2S", "classic/90": "AC", "classic/180": "6D", "classic/270": "10S"}
    for name, code in top.items():
        assert table(board=name).codes[1] == code
    assert turned_square("r1c2", 1) == "r2c10"
    assert turned_square("r1c2", 4) == "r1c2"
    codes = table().codes
    assert BOARD.rotate(BOARD.rotate(codes, 1), 3) == codes


@pytest.mark.parametrize("name", ["", "Classic", "classic/", "classic/0", "classic/45", "x/90"])
def test_unknown_boards_are_refused(name: str) -> None:
    with pytest.raises(Fault) as refusal:
        table(board=name)
    assert refusal.value.place == "Board"


def test_a_board_of_ones_own_is_its_data_and_the_name_means_nothing() -> None:
    assert table(board="ours/90", board_data=CLASSIC).codes == table().codes


@pytest.mark.parametrize(
    ("old", "new"),
    [("2S", "JS"), ("2S", "3S"), ("2S", "--"), ("--", "2S"), ("2S", ""), ("2S", "2S 2S")],
)
def test_boards_with_mistakes_are_refused(old: str, new: str) -> None:
    with pytest.raises(Fault) as refusal:
        table(board_data=CLASSIC.replace(old, new, 1))
    assert refusal.value.place == "BoardData"
    with pytest.raises(Fault):
        make_board(tuple(CLASSIC.replace(old, new, 1).split()))


@pytest.mark.parametrize("rows", [None, 3, [], ["-- 2S"] * 10, [1] * 10, [CLASSIC]])
def test_board_tables_with_mistakes_are_refused(rows: object) -> None:
    with pytest.raises(Fault):
        BOARD.words({"game": "sequence", "name": "x", "squares": rows})


@pytest.mark.parametrize("colours", ["green blue", "blue red", TWO * 5, THREE * 4, TWO * 6])
def test_teams_that_sit_in_turn(colours: str) -> None:
    assert table(colours=colours).teams == tuple(dict.fromkeys(colours.split()))


@pytest.mark.parametrize(
    "colours",
    [
        *("blue", "blue blue", "blue yellow", "blue blue green green", "blue green green blue"),
        *("blue green red blue", "blue green blue", "blue green red red green blue", TWO * 7),
        *("blue green red " * 2 + "blue green", "blue green blue green blue red", "blue " * 6),
    ],
)
def test_any_other_seating_is_refused(colours: str) -> None:
    with pytest.raises(Fault) as refusal:
        table(colours=colours)
    assert refusal.value.place == "Players"


@pytest.mark.parametrize(
    "rules",
    [{"sequences": "0"}, {"sequences": ""}, {"one_eyed_breaks": "1"}, {"dead_cards": "-1"}],
)
def test_house_rules_have_bounds(rules: dict[str, str]) -> None:
    with pytest.raises(Fault):
        table(rules=rules)


@pytest.mark.parametrize(
    "text",
    [
        *("red r2c2", "blue r2c2; blue r3c3", "blue r2c2 r2c2", "blue r1c1", "blue r0c2"),
        *("blue r02c2", "blue r2c2;", "blue r2c2; green r2c2", "blue r2c1-r2c6", "blue r2c1-r2c1"),
        *("blue r2c1-r2c5 r2c1-r2c5", "blue r2c1-r2c5 r2c4-r2c8", "blue r2c1-r2c5; green r2c3"),
        *("blue r2c1-r3c5", "blue r2c1-", "blue r2c1-r2c5-r2c9", "blue r2c2 r2c1-r2c5 r2c5-r2c1"),
        "blue r2c1-r2c5 r4c1-r4c5; green r6c1-r6c5 r8c1-r8c5",
    ],
)
def test_impossible_positions_are_refused(text: str) -> None:
    with pytest.raises(Fault) as refusal:
        table(text)
    assert refusal.value.place == "Position"
    assert refused(table(), f"<{text}>") == "bad-move"


def test_a_team_has_48_chips_and_no_more() -> None:
    squares = [f"r{row}c{column}" for row in range(2, 7) for column in range(1, 11)]
    assert len(table("blue " + " ".join(squares[:48])).chips_by_square()) == 48
    assert refused(table(), f"<blue {' '.join(squares[:49])}>") == "bad-move"
    with pytest.raises(Fault, match="too-many-chips"):
        table("blue " + " ".join(squares[:49]))


def test_a_square_may_be_in_two_lines_and_a_chip_repeat_one_and_corners_serve_all() -> None:
    position = table("blue r1c1-r1c5; green r1c1-r5c1 r3c1 r5c1-r5c5", rules={"sequences": "3"})
    assert position.describe() == "blue r1c1-r1c5; green r1c1-r5c1 r5c1-r5c5"
    assert len(position.chips_by_square()) == 4 + 8


def test_five_in_a_line_that_are_not_named_are_no_sequence() -> None:
    position = table("blue r2c1 r2c2 r2c3 r2c4 r2c5", start=1)
    assert position.completed_sequences()["blue"] == ()
    assert refused(position, "JS-r2c3") is None


def test_a_decided_position_is_over() -> None:
    position = table("blue r2c1-r2c5 r4c5-r4c1")
    assert position.to_move is None
    assert position.result is not None
    assert position.result.winners == ("P0",)
    assert refused(position, "7H@r5c9") == "game-over"


def test_a_correction_sets_the_board_and_keeps_hands_pile_discards_and_mover() -> None:
    before, _ = play(table(), "2S@r1c2~", "3S@r1c3")
    after, events = play(before, "<blue r5c5; green r4c1-r4c5>")
    assert list(events) == [Event("corrected", {})]
    assert after.describe() == "blue r5c5; green r4c1-r4c5"
    kept = ("seat", "hands", "piles", "passes", "turned_in")
    assert [getattr(after, name) for name in kept] == [getattr(before, name) for name in kept]
    moved, _ = play(before, "<blue r5c5; to-move=P1>")
    assert moved.seat == 1
    assert play(before, "<>")[0].chips_by_square() == {}
    over, _ = play(before, "<blue r2c1-r2c5 r4c1-r4c5>")
    assert over.result is not None


def test_a_correction_hands_the_turn_on_with_its_dead_cards_unless_the_player_stays() -> None:
    dead = "blue r5c8 r5c7; green r10c6 r2c6"
    position, _ = play(table(dead), "9D!")
    assert refused(play(position, f"<{dead}>")[0], "AH!") == "one-dead-card"
    assert refused(play(position, f"<{dead}; to-move=P1>")[0], "AH!") is None


def test_the_hand_given_is_read_and_checked() -> None:
    assert given(table(), "7H,JC, 7H", None) == ("7H", "JC", "7H")
    for hand in (None, "", " ", "7H,", "7h", "7H,7H,7H", "9" * 5000):
        with pytest.raises(Fault):
            given(table(), hand, None)


def test_squares_are_told_by_card_and_by_what_can_be_done_there() -> None:
    position = table("blue r2c6; green r4c1-r4c5")
    assert position.squares_of("AH") == ("r2c6", "r5c7")
    assert position.free_squares("AH") == ("r5c7",)
    assert len(position.free_squares("JC")) == 96 - 6
    assert position.squares_of("JC") == ()
    assert position.removable_squares() == ()
    assert (position.team, position.needed) == ("blue", 2)
