"""Just 4 Fun: violations in their order, counting, endings, positions, corrections."""

import pytest

from engines.board import read_boards
from engines.game import Event, Setup
from engines.just4fun.board import BOARD, standing
from engines.just4fun.rules import GAME, Just4Fun, begin, score
from engines.notation import Fault
from tests.engines.steps import play
from tests.engines.test_just4fun_printed import ANNA, BEN, CARO, refused, start

OVER = "yellow 1 14 30 24"


@pytest.mark.parametrize(
    ("token", "code"),
    [
        *((junk, "bad-move") for junk in ("", "+", "5+", "+5", "5++6", "05", "5+011", "00", "a")),
        *((junk, "bad-move") for junk in ("x", "x+", "X3+9+9+12", "xx3", "x05+1+1+1", "5 + 11")),
        *((junk, "bad-move") for junk in ("٣", "5²", "-5", "5.", "5-6", "5\0", "<", "<blue 7>")),
        ("5+11\n", "bad-move"),
        ("20+40+0+99+99", "too-many-cards"),
        ("1+1+1+1+1", "too-many-cards"),
        ("9" * 5000, "unknown-card"),
        ("+".join(["9" * 5000] * 5), "too-many-cards"),
        ("+".join(["1"] * 5000), "too-many-cards"),
        ("40", "unknown-card"),
        ("0", "unknown-card"),
        ("20", "unknown-card"),
        ("13+13+20", "unknown-card"),
        ("13+13", "more-than-deck"),
        ("19+19", "more-than-deck"),
        ("19+18", "sum-too-high"),
        ("12+12+12+1", "sum-too-high"),
        ("x3", "exchange-needs-four"),
        ("x20+20+20", "exchange-needs-four"),
        ("x1+2+3+4+5", "exchange-needs-four"),
        ("x" + "9" * 5000, "exchange-needs-four"),
        ("x1+2+3+" + "9" * 5000, "unknown-card"),
        ("x13+13+20+1", "unknown-card"),
        ("x13+13+1+1", "more-than-deck"),
        ("x19+18+17+16", "exchange-not-allowed"),
    ],
    ids=lambda text: text[:20].encode("unicode_escape").decode(),
)
def test_the_first_violation_in_the_documented_order_is_reported(token: str, code: str) -> None:
    refusal = refused(start(), token)
    assert (refusal.code, refusal.move) == (code, token)


def test_a_card_seen_too_often_is_doubted_and_the_move_stands() -> None:
    position, events = play(start(), "19", "19+1")
    assert [event.code for event in events] == ["card-doubtful", "placed"]
    assert events[0].facts == {"card": 19}
    position, events = play(position, "18+17", "18+17+1")
    assert [event.facts["card"] for event in events[:2]] == [17, 18]
    assert [event.code for event in events] == ["card-doubtful", "card-doubtful", "placed"]
    _, events = play(position, "5")
    assert [event.code for event in events] == ["placed"]


def test_an_exchange_may_be_doubted_too() -> None:
    blocked = "red 16x2 17x2 18x2 19x2 33x2 34x2 35x2 36x2"
    position = start(position=blocked)
    position, _ = play(position, "5+7")
    position, _ = play(position, "19+1")
    _, events = play(position, "x19+18+17+16")
    assert [event.code for event in events] == ["card-doubtful", "exchanged"]


def test_a_secured_field_closed_by_house_rule_refuses_everybody() -> None:
    position, _ = play(start(secured="closed"), "7", "8", "3+4")
    assert refused(position, "7").code == "field-blocked"
    position, _ = play(position, "9")
    assert refused(position, "7").code == "field-secured"
    assert [move.total for move in position.legal((3, 4, 7, 1))] == [
        1,
        3,
        4,
        5,
        8,
        10,
        11,
        12,
        14,
        15,
    ]
    again = start(position="yellow 7x2", secured="closed")
    assert refused(again, "7").code == "field-secured"
    assert start(position="yellow 7x2").placing_refusal(7) is None


def test_who_has_no_stones_left_is_passed_over() -> None:
    position = start(ANNA, BEN, CARO, position="yellow left=2; red left=0; white left=1", at=1)
    assert position.to_move == CARO
    position, _ = play(position, "3")
    assert position.to_move == ANNA
    position, _ = play(position, "4")
    assert position.to_move == ANNA
    position, events = play(position, "5")
    assert [event.code for event in events] == ["placed", "stones-out"]
    assert position.to_move is None


def test_the_last_stone_can_complete_a_row() -> None:
    position = start(position="yellow 1 14 30 left=1; red left=0")
    position, events = play(position, "12+12")
    assert [event.code for event in events] == ["placed", "row", "stones-out"]
    assert position.result is not None
    assert position.result.reason == "row"
    assert dict(position.result.facts) == {"rows": [[1, 14, 24, 30]]}


def test_a_stone_that_completes_a_line_of_six_wins_with_each_of_its_rows_of_four() -> None:
    position = start(position="yellow 1 14 30 19 8")
    _, events = play(position, "12+12")
    rows = [[1, 14, 24, 30], [8, 19, 24, 30], [14, 19, 24, 30]]
    assert events[-1].facts == {"rows": sorted(rows)}


def test_a_game_that_ends_shuffles_nothing() -> None:
    position = start(position="yellow 1 14 30")
    for token in ["1+2+3+6", "4+5+6+7", "5+6+7+8", "4+5+6+8", "7+8+9+10", "3+4+9+11"]:
        position, _ = play(position, token)
    assert position.draw_pile == 47 - 24


def test_rounds_end_when_everybody_with_stones_had_their_turns() -> None:
    position = start(rounds="2", position="yellow left=5; red left=1")
    position, _ = play(position, "3", "4")
    assert position.to_move == ANNA
    position, events = play(position, "5")
    assert [event.code for event in events] == ["placed", "rounds-over"]
    assert position.result is not None
    assert position.result.reason == "points"
    assert position.result.facts["points"] == {"Anna": 8, "Ben": 4}


def test_stones_out_stands_alone_at_the_last_round() -> None:
    position = start(rounds="1", position="yellow left=1; red left=1")
    _, events = play(position, "3", "4")
    assert [event.code for event in events] == ["placed", "stones-out"]


def test_an_exchange_is_a_turn_of_the_round() -> None:
    position = start(rounds="1", position="red 1x2 2x2 3x2 4x2 5x2 6x2 7x2")
    _, events = play(position, "x1+1+1+2", "9")
    assert events[-1].code == "rounds-over"


@pytest.mark.parametrize(
    ("text", "winners", "reason"),
    [
        ("yellow 9; red 8", ["Anna"], "points"),
        ("yellow 9 1; red 10", ["Ben"], "highest-field"),
        ("yellow 10; red 9 1; white 3", ["Anna"], "highest-field"),
        ("yellow 2; red 2", [], "draw"),
        ("", [], "draw"),
    ],
)
def test_a_settling_names_who_wins_and_why(text: str, winners: list[str], reason: str) -> None:
    result = score(start(ANNA, BEN, CARO, position=text))
    assert (list(result.winners), result.reason) == (winners, reason)
    assert set(result.facts) >= {"points", "fields"}


def test_the_highest_field_decides_only_among_the_highest_sums() -> None:
    result = score(start(ANNA, BEN, CARO, position="yellow 30 5; red 31 4; white 34"))
    assert (result.winners, result.reason) == (("Ben",), "highest-field")


def test_a_row_keeps_its_winner_when_it_is_settled() -> None:
    result = score(start(position=f"{OVER}; red 36 35 34"))
    assert (result.winners, result.reason) == (("Anna",), "row")
    assert result.facts["rows"] == [[1, 14, 24, 30]]
    assert result.facts["points"] == {"Anna": 69, "Ben": 105}


@pytest.mark.parametrize(
    "text",
    [
        "blue 7",
        "white 7",
        "yellow 7; yellow 8",
        "yellow 7 7",
        "yellow 37",
        "yellow 0",
        "yellow 07",
        "yellow 7x0",
        "yellow 7x21",
        "yellow 7x",
        "yellow 7x1x1",
        "yellow x7",
        "yellow left=21",
        "yellow left=",
        "yellow left=-1",
        "yellow left=1 left=1",
        "yellow 7 left=20",
        "yellow 7x11 8x10",
        "yellow " + "9" * 5000,
        f"{OVER}; red 28 7 23 4",
        "yellow 7;",
        "yellow 7;; red 7",
        "red 23 1x20; yellow left=0 23x3",
    ],
    ids=lambda text: text[:30],
)
def test_an_impossible_position_is_refused(text: str) -> None:
    with pytest.raises(Fault) as caught:
        start(position=text)
    assert caught.value.place == "Position"
    assert refused(start(), f"<{text}>").code == "bad-move"


def test_a_position_that_is_decided_is_over() -> None:
    for text, reason in [(OVER, "row"), ("yellow 9 left=0; red 2 left=0", "points")]:
        position = start(position=text)
        assert position.to_move is None
        assert position.result is not None
        assert position.result.reason == reason
        assert refused(position, "5").code == "game-over"
        assert position.legal((3, 5, 11, 13)) == ()


def test_a_lead_of_two_in_a_position_takes_the_others_off() -> None:
    position = start(position="yellow 7x3; red 7 8")
    assert position.stones(7, 1) == 0
    assert standing(position.counts[7]).secured
    assert position.describe() == "yellow 7x3; red left=18 8x1"


def test_stones_taken_off_are_out_of_the_game_and_count_among_the_twenty() -> None:
    assert start(position="yellow 7x3; red 7 8").stones_left == (17, 18)
    position = start(position="yellow 7x4; red 7x2 left=17 8")
    assert position.stones_left == (16, 17)
    assert position.describe() == "yellow 7x4; red left=17 8x1"
    assert refused(start(), "<yellow 7x4; red 7x2 left=18 8>").code == "bad-move"
    over = start(position="yellow left=0 23x3; red 23 1x19")
    assert over.result is not None
    assert over.stones_left == (0, 0)


def test_a_correction_sets_the_table_and_leaves_cards_turns_and_player() -> None:
    position, _ = play(start(), "5+11+13")
    after, events = play(position, "<yellow 23x3 left=4; red 7x2>")
    assert events == (Event("corrected", {}),)
    assert after.describe() == "yellow left=4 23x3; red 7x2"
    assert (after.draw_pile, after.discards, after.turns) == (44, 3, (1, 0))
    assert after.to_move == BEN
    after, _ = play(after, "<yellow 23; to-move=Anna>")
    assert after.to_move == ANNA
    assert after.stones_left == (19, 20)
    after, _ = play(after, "<red left=0; to-move=Ben>")
    assert after.to_move == ANNA
    after, _ = play(after, f"<{OVER}>")
    assert after.result is not None
    assert refused(after, "<yellow 7>").code == "game-over"


def test_a_board_of_ones_own_has_rows_of_its_own() -> None:
    data = " ".join(str(field) for field in range(36, 0, -1))
    setup = Setup((ANNA, BEN), board="mine", board_data=data, position="yellow 36 35 34")
    _, events = play(begin(setup), "12+12+9")
    assert events[-1].facts == {"rows": [[33, 34, 35, 36]]}


@pytest.mark.parametrize(
    ("setup", "tag"),
    [
        (Setup((ANNA, BEN), board_data="1 2 3"), "BoardData"),
        (Setup((ANNA, BEN), board_data=" ".join(["1"] * 36)), "BoardData"),
        (Setup((ANNA, BEN), board_data=" ".join(map(str, range(36)))), "BoardData"),
        (Setup((ANNA, BEN), rules={"rounds": "0"}), "Rules"),
        (Setup((ANNA, BEN), rules={"rounds": "x"}), "Rules"),
        (Setup((ANNA, BEN), rules={"secured": "maybe"}), "Rules"),
        (Setup((ANNA, BEN), rules={"one_eyed_breaks": "yes"}), "Rules"),
    ],
)
def test_tags_that_contradict_the_game_are_refused(setup: Setup, tag: str) -> None:
    with pytest.raises(Fault) as caught:
        begin(setup)
    assert caught.value.place == tag


def test_the_shipped_board_has_54_rows_of_four() -> None:
    board = BOARD.make(BOARD.words(read_boards("just4fun")["kosmos-2006"]))
    assert len(set(board.rows)) == 54
    # 31 lies in the third line and column: across, down, falling, rising
    assert len(board.rows_at[31]) == 3 + 3 + 3 + 2


@pytest.mark.parametrize(
    ("fields", "key"),
    [
        (None, "fields"),
        ([[1] * 6] * 5, "fields"),
        ([[1] * 6] * 5 + [[1] * 5], "fields[5]"),
        ([[1] * 6] * 5 + ["123456"], "fields[5]"),
        ([[1, 2, 3, 4, 5, True]] + [[1] * 6] * 5, "fields[0][5]"),
        ([[1, 2, 3, 4, 5, 37]] + [[1] * 6] * 5, "fields[0][5]"),
        ([[1, 2, 3, 4, 5, 6], [1, 7, 8, 9, 10, 11]] + [[12] * 6] * 4, "fields[1][0]"),
    ],
)
def test_a_board_file_with_a_mistake_says_where(fields: object, key: str) -> None:
    with pytest.raises(Fault) as caught:
        BOARD.words({"game": "just4fun", "name": "mine", "fields": fields})
    assert caught.value.place == key


@pytest.mark.parametrize(
    "hand",
    [
        *("", "3,5,11", "3,5,11,13,2", "3,5,11,20", "13,13,1,2", "a,b,c,d", "03,5,11,13"),
        *("9" * 5000, "3,5,11," + "9" * 5000, "3;5;11;13", "1,1,1,-1"),
    ],
    ids=lambda text: text[:20],
)
def test_a_hand_that_nobody_can_hold_is_refused(hand: str) -> None:
    with pytest.raises(Fault):
        GAME.given(start(), hand, None)


def test_a_missing_hand_is_refused_and_a_roll_not_looked_at() -> None:
    with pytest.raises(Fault):
        GAME.given(start(), None, "6")
    assert GAME.given(start(), "13, 3,5,11", "99") == (13, 3, 5, 11)


def test_sums_name_the_fewest_then_smallest_cards() -> None:
    position: Just4Fun = start()
    sums = GAME.legal_facts(position, (12, 7, 2, 5))["sums"]
    assert [entry["sum"] for entry in sums] == [2, 5, 7, 9, 12, 14, 17, 19, 21, 24, 26]
    assert {entry["sum"]: entry["cards"] for entry in sums}[7] == [7]
    assert {entry["sum"]: entry["cards"] for entry in sums}[14] == [2, 12]
    assert {entry["sum"]: entry["cards"] for entry in sums}[19] == [7, 12]
