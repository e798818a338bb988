"""The rules of Nine Men's Morris, by name and by chance."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from muehle.rules.board import BOARD
from muehle.rules.position import MuehlePosition

from engines.game import Event, Refusal
from engines.notation import Fault
from engines.record import begin_game

TAGS = {"Game": "muehle", "Players": "Anna white, Ben red"}


def at(position: str, **tags: str) -> MuehlePosition:
    """Return a position in the words of the `Position` tag, Anna to move; at the start without."""
    words = {"Position": position} if position else {}
    _, begun = begin_game({**TAGS, **words, **tags})
    assert isinstance(begun, MuehlePosition)
    return begun


def play(position: MuehlePosition, token: str) -> tuple[MuehlePosition, tuple[Event, ...]]:
    answer = position.attempt(token)
    assert not isinstance(answer, Refusal)
    return answer


def refused(position: MuehlePosition, token: str) -> str:
    answer = position.attempt(token)
    assert isinstance(answer, Refusal)
    return answer.code


def test_nine_stones_are_placed_before_one_moves() -> None:
    start = at("")
    assert len(start.legal(None)) == 24
    assert refused(start, "a1-a4") == "must-place"
    assert refused(at("white a1 d7 g4; red b2 b4 b6 left=1"), "d6") == "no-stone-left"


def test_a_stone_moves_along_a_line_to_the_next_point() -> None:
    table = at("white a1 a4 d7 g4; red b2 f2 f4 f6")
    assert refused(table, "a1-g1") == "too-far"
    assert refused(table, "a4-b2") == "point-taken"
    assert [m.token for m in table.legal(None) if m.start == "a1"] == ["a1-d1"]


def test_with_three_stones_one_may_fly_unless_the_table_plays_without() -> None:
    words = "white a1 d7 g4; red b2 f2 f4 f6"
    assert at(words).targets("a1") == tuple(
        p for p in at(words).grid.points if p not in "a1d7g4b2f2f4f6"
    )
    assert at(words, Rules="flying=no").targets("a1") == ("a4", "d1")


def test_a_mill_takes_a_stone_and_one_in_a_mill_only_where_there_is_no_other() -> None:
    table = at("white a1 a4 d7 b6; red g1 g4 g7 e3")
    assert refused(table, "d7-a7") == "must-take"
    assert refused(table, "d7-a7xg1") == "in-mill"
    after, events = play(table, "d7-a7xe3")
    assert [event.code for event in events] == ["moved", "mill", "taken"]
    assert after.points_of(1) == ("g7", "g4", "g1")
    only = at("white a1 a4 d7 b6; red g1 g4 g7")
    assert only.takeable_points() == ("g7", "g4", "g1")


def test_two_mills_closed_at_once_take_one_stone() -> None:
    table = at("white a1 a4 d7 g7 left=1; red c3 d3 e4 f2 left=1")
    after, events = play(table, "a7xc3")
    assert [len(e.facts["mills"]) for e in events if e.code == "mill"] == [2]
    assert after.total(1) == 4


def test_a_correction_ends_the_game_where_the_table_is_decided() -> None:
    after, _ = play(at(""), "<white a1 d7; red b2 b4 b6>")
    assert after.result is not None
    assert after.result.winners == ("Ben",)


@pytest.mark.parametrize(
    ("tags", "why"),
    [
        ({"Players": "Anna white"}, "how-many"),
        ({"Board": "eleven"}, "unknown-board"),
        ({"Position": "white a1 b1"}, "no-point"),
        ({"Position": "white a1 left=9; red"}, "too-many"),
        ({"BoardData": "1 1 1"}, "board-data"),
        ({"Rules": "flying=maybe"}, "flying"),
    ],
)
def test_a_set_up_that_contradicts_the_game_is_refused(tags: dict[str, str], why: str) -> None:
    with pytest.raises(Fault, match=why):
        begin_game({**TAGS, **tags})


def test_a_board_written_reads_back() -> None:
    for name, table in BOARD.load_boards().items():
        words = BOARD.words(table)
        again = BOARD.make(words)
        assert (len(again.points), again.stones) == (24, 9 if name == "nine" else 12)
        assert len(again.mills) == (16 if name == "nine" else 20)


def test_a_board_with_a_lonely_point_is_refused() -> None:
    words = list(BOARD.words(BOARD.load_boards()["nine"]))
    words[1] = "1"
    with pytest.raises(Fault):
        BOARD.make(words)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), board=st.sampled_from(["nine", "twelve"]))
def test_every_listed_move_is_read_back_and_played_and_words_give_the_table_back(
    seed: int, board: str
) -> None:
    chance = Random(seed)
    position = at("", Board=board)
    for _ in range(120):
        moves = position.legal(None)
        if position.result is not None:
            break
        move = chance.choice([m for m in moves if m.taken] or moves)
        assert position.parse(move.token) == move
        assert position.refusal(move) is None
        on_board = len(position.stones)
        position, _ = position.play(move)
        assert len(position.stones) == on_board + (not move.start) - bool(move.taken)
    words = position.describe()
    assert at(words, Board=board).describe() == words
