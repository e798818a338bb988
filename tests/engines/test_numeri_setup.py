"""numeri: tracks, positions, corrections and the roll of the command line."""

import pytest

from engines.board import read_table
from engines.game import Event, Player, Setup
from engines.notation import Fault
from engines.numeri.board import BOARD
from engines.numeri.rules import GAME, begin, given
from tests.engines.numeri_table import table
from tests.engines.steps import over, play, refused


def test_the_sample_track_is_the_default_and_38_fields_long() -> None:
    track = table(values=None).track
    assert len(track.values) == 38
    assert table(values=None, board="sample-38").track == track


def test_board_data_makes_any_track_and_board_is_then_only_its_name() -> None:
    assert table(values="1 2 3", board="Omas Brett").track.values == (1, 2, 3)


def test_the_sample_is_known_by_its_values() -> None:
    sample = table(values=None).track
    assert sample.is_sample
    assert table(values=" ".join(map(str, sample.values)), board="mine").track.is_sample
    assert not table(values="1 2 3", board="sample-38").track.is_sample


@pytest.mark.parametrize(
    "values",
    [
        "",
        "1 2",
        "1 2 x",
        "1 2 -3",
        "1 2 3.0",
        "1 2 ٣",
        "1 2 100000",
        "1 2 " + "9" * 5000,
        "1 " * 1000,
    ],
)
def test_a_track_that_is_none_is_refused(values: str) -> None:
    with pytest.raises(Fault) as caught:
        table(values=values)
    assert caught.value.place == "BoardData"


@pytest.mark.parametrize("board", ["classic", "", "sample-38/90", "Sample-38"])
def test_an_unknown_board_is_refused(board: str) -> None:
    with pytest.raises(Fault) as caught:
        table(values=None, board=board)
    assert caught.value.place == "Board"


@pytest.mark.parametrize("line", ["", "values = 3", "values = [1, 2]", "values = [1, 2, true]"])
def test_a_board_file_with_a_mistake_is_refused_with_its_key(line: str) -> None:
    with pytest.raises(Fault) as caught:
        BOARD.words(read_table(f'game = "numeri"\nname = "mine"\n{line}'))
    assert caught.value.place == "values"


def test_a_board_file_becomes_board_data() -> None:
    assert BOARD.data({"name": "mine", "values": [0, 5, 10]}) == "0 5 10"


@pytest.mark.parametrize("count", [1, 5])
def test_numeri_is_for_two_to_four(count: int) -> None:
    players = tuple(
        Player(f"P{seat}", colour)
        for seat, colour in zip(range(count), (*GAME.colours, "white"), strict=False)
    )
    with pytest.raises(Fault):
        begin(Setup(players))


def test_there_are_no_house_rules() -> None:
    players = (Player("Anna", "yellow"), Player("Ben", "red"))
    with pytest.raises(Fault):
        begin(Setup(players, rules={"rounds": "3"}))


def test_a_position_sets_stones_and_zero_is_the_hand() -> None:
    position = table("red 2@7 1@0; yellow 6@10", start=1)
    assert position.stones(0) == (0, 0, 0, 0, 0, 10)
    assert position.stones(1) == (0, 7, 0, 0, 0, 0)
    assert position.to_move == Player("Ben", "red")


@pytest.mark.parametrize(
    "text",
    [
        "yellow 1@11",
        "yellow 7@1",
        "yellow 0@1",
        "green 1@1",
        "yellow 1@1; yellow 2@2",
        "yellow 1@1 1@1",
        "yellow 1@0 1@0",
        "yellow 1@1 1@2",
        "yellow 1@1 2@1",
        "yellow 1@1; red 1@1",
        "yellow 1",
        "yellow 1@",
        "yellow @1",
        "yellow 1@-1",
        "yellow 1@x",
        "yellow 1@01",
        "1@1",
        "yellow 1@1;; red 1@2",
        "yellow 1@" + "9" * 5000,
        "yellow ١@1",
        "yellow left=3",
        "Anna 1@1",
        "Yellow 1@1",
    ],
)
def test_impossible_positions_are_refused_at_set_up_and_as_corrections(text: str) -> None:
    with pytest.raises(Fault) as caught:
        table(text)
    assert caught.value.place == "Position"
    assert refused(table(), f"<{text}>") == "bad-move"


def test_a_position_with_the_last_three_fields_occupied_is_over() -> None:
    result = over(table("yellow 1@8; red 1@9 2@10"))
    assert result.winners == ("Ben",)
    assert result.facts["points"] == {"Anna": 10, "Ben": 90}


def test_a_correction_sets_exactly_this_and_who_is_to_move_stays() -> None:
    position, _ = play(table("yellow 1@1 2@5; red 3@3"), "4")
    after, events = play(position, "<red 2@9>")
    assert events == (Event("corrected", {}),)
    assert after.stones(0) == (0,) * 6
    assert after.stones(1) == (0, 9, 0, 0, 0, 0)
    assert after.seat == position.seat == 1


def test_describe_names_what_lies_on_the_track() -> None:
    position = table("red 2@7 1@0; yellow 6@10 1@2", count=3)
    assert position.describe() == "yellow 1@2 6@10; red 2@7; green"


# The command line's roll.


@pytest.mark.parametrize("roll", [None, "", "0", "7", "x", "-1", "06", "٤", "9" * 5000])
def test_a_roll_that_no_die_shows_is_refused(roll: str | None) -> None:
    with pytest.raises(Fault):
        given(table(), None, roll)


def test_a_roll_is_read() -> None:
    assert given(table(), None, "6") == 6


@pytest.mark.parametrize("roll", [0, 7, -1])
def test_legal_refuses_a_roll_that_no_die_shows(roll: int) -> None:
    with pytest.raises(Fault):
        table().legal(roll)
