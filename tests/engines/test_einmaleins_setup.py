"""Einmaleins: tags, positions, corrections, and the hand of the command line."""

import pytest

from engines.einmaleins.rules import GAME, begin, given
from engines.game import Event, Player, Setup
from engines.notation import Fault
from tests.engines.einmaleins_table import table
from tests.engines.steps import play, refused


@pytest.mark.parametrize(("count", "dealt"), [(2, 7), (3, 7), (4, 5), (5, 5), (6, 5)])
def test_seven_cards_are_dealt_and_five_from_four_players_on(count: int, dealt: int) -> None:
    assert table(count=count).hands == (dealt,) * count


def test_hand_says_how_many_are_dealt() -> None:
    assert table(count=6, dealt="7").hands == (7,) * 6
    assert table(count=2, dealt="1").hands == (1, 1)
    assert table(count=2, dealt="21").draw_pile == 1


@pytest.mark.parametrize("dealt", ["0", "22", "-1", "x", "", "07", "٧", "9" * 5000])
def test_a_hand_that_the_deck_cannot_serve_is_refused(dealt: str) -> None:
    with pytest.raises(Fault) as caught:
        table(count=2, dealt=dealt)
    assert caught.value.place == "Hand"
    with pytest.raises(Fault):
        table("yellow 5; red 3; open 24=4x6", count=2, dealt=dealt)


def test_free_cards_count_for_the_hands() -> None:
    assert table(count=2, dealt="20", free="0").draw_pile == 1
    with pytest.raises(Fault):
        table(count=2, dealt="21", free="0")


@pytest.mark.parametrize("opened", ["11", "0", "*", "24=4x6", "", "024", "x", "٢٤", "9" * 5000])
def test_an_open_card_that_is_no_product_is_refused(opened: str) -> None:
    with pytest.raises(Fault) as caught:
        table(opened=opened)
    assert caught.value.place == "Open"


def test_the_open_card_is_required_without_a_position_that_names_it() -> None:
    players = (Player("Anna", "yellow"), Player("Ben", "red"))
    with pytest.raises(Fault) as caught:
        begin(Setup(players))
    assert caught.value.place == "Open"
    with pytest.raises(Fault) as caught:
        begin(Setup(players, position="yellow 5; red 3"))
    assert caught.value.place == "Open"


def test_the_open_tag_serves_a_position_that_names_no_open_card() -> None:
    position = table("yellow 5; red 3; green 2", opened="24")
    assert position.announced == (3, 4, 6, 8)
    assert table("yellow 5; red 3; green 2; open 24=3x8", opened="12").announced == (3, 8)


@pytest.mark.parametrize(("board", "data"), [("classic", None), ("", None), (None, "1 2 3")])
def test_a_board_contradicts_the_game(board: str | None, data: str | None) -> None:
    players = (Player("Anna", "yellow"), Player("Ben", "red"))
    with pytest.raises(Fault):
        begin(Setup(players, board=board, board_data=data, tags={"Open": "24"}))


@pytest.mark.parametrize("free", ["3", "-1", "", "two", "02"])
def test_free_is_0_1_or_2(free: str) -> None:
    with pytest.raises(Fault) as caught:
        table(free=free)
    assert caught.value.place == "Rules"


def test_seven_players_are_too_many() -> None:
    players = tuple(Player(f"P{seat}", colour) for seat, colour in enumerate(GAME.colours))
    with pytest.raises(Fault):
        begin(Setup((*players, Player("P6", "violet")), tags={"Open": "24"}))
    with pytest.raises(Fault):
        begin(Setup(players[:1], tags={"Open": "24"}))


def test_a_position_sets_hands_and_the_announced_card() -> None:
    position = table("red 3; open 24=6x4; yellow 5; green 1", start=1)
    assert position.hands == (5, 3, 1)
    assert position.announced == (4, 6)
    assert position.discards == 0
    assert position.to_move == Player("Ben", "red")


def test_the_open_card_of_a_position_may_be_a_free_one_or_unannounced() -> None:
    position = table("yellow 5; red 3; green 1; open *24=4x6")
    assert position.open.free
    assert table("yellow 5; red 3; green 1; open 24").announced == (3, 4, 6, 8)


@pytest.mark.parametrize(
    "text",
    [
        *("", "yellow 5; open 24=4x6", "yellow 5; red 3; blue 2; open 24=4x6"),
        *("yellow 5; red 3; yellow 5; open 24=4x6", "yellow 5; red 3; open 24=4x6; open 24=4x6"),
        *("yellow 5; red 3; open 24=4x7", "yellow 5; red 3; open 11=1x11", "yellow 5; red 3; open"),
        *("yellow 5; red 3; open *24", "yellow 5; red 3; open *", "yellow 5; red 3; open 24=4x6 3"),
        *("yellow 5 1; red 3; open 24=4x6", "yellow; red 3; open 24=4x6", "5; red 3; open 24"),
        *(
            "yellow -5; red 3; open 24=4x6",
            "yellow x; red 3; open 24=4x6",
            "yellow 05; red 3; open 24",
        ),
        *("yellow 40; red 4; open 24=4x6", "yellow 0; red 0; open 24=4x6"),
        *(
            "yellow 5; red 3; open 24=2x12",
            "yellow 5; red 3; open 24=4x6;",
            "yellow 5; red 3;; open 24",
        ),
        *("yellow ٥; red 3; open 24=4x6", "yellow " + "9" * 5000 + "; red 3; open 24=4x6"),
        "yellow 5; red 3; open " + "9" * 5000 + "=4x6",
    ],
)
def test_impossible_positions_are_refused_at_set_up_and_as_corrections(text: str) -> None:
    with pytest.raises(Fault) as caught:
        table(text, count=2, opened="24")
    assert caught.value.place == "Position"
    assert refused(table(count=2), f"<{text}>") == "bad-move"


def test_an_open_free_card_needs_free_cards_in_the_deck() -> None:
    with pytest.raises(Fault):
        table("yellow 5; red 3; open *24=4x6", count=2, free="0")


def test_a_correction_keeps_seat_and_idle_turns_and_counts_the_draw_pile_anew() -> None:
    position, _ = play(table(), "24=4x6", "d")
    after, events = play(position, "<yellow 5; red 6; green 7; open 28=4x7>")
    assert events == (Event("corrected", {}),)
    assert after.hands == (5, 6, 7)
    assert after.announced == (4, 7)
    assert (after.discards, position.discards) == (1, 1)
    assert after.draw_pile == 44 - 18 - 1 - 1
    assert after.seat == position.seat == 2
    stuck = table("yellow 14; red 13; green 15; open 12=2x6", free="1", dealt="14")
    stuck, _ = play(stuck, "d", "d", "<yellow 14; red 13; green 15; open 12=3x4>")
    stuck, events = play(stuck, "d")
    assert events == (Event("stalemate", {}),)


def test_a_correction_must_name_the_open_card() -> None:
    assert refused(table(), "<yellow 5; red 6; green 7>") == "bad-move"


# The command line's hand.


def test_a_hand_is_read() -> None:
    assert given(table(), "12,24,*", None) == ("12", "24", "*")
    assert given(table(), "*,*", None) == ("*", "*")
    assert given(table(), " 12, 24 ", "7") == ("12", "24")
    assert given(table(), "", None) == ()
    assert GAME.legal_facts(table(), ("12",)) == {}


def test_cards_on_the_discards_are_not_impossible_in_a_hand() -> None:
    position, _ = play(table(opened="12"), "24=4x6")
    assert given(position, "12,24", None) == ("12", "24")


@pytest.mark.parametrize(
    "hand",
    [None, "11", "12,12", "*,*,*", "12,,24", ",", "x", "012", "24=4x6", "٤", "9" * 5000, "0", "-4"],
)
def test_a_hand_that_the_deck_does_not_have_is_refused(hand: str | None) -> None:
    with pytest.raises(Fault):
        given(table(), hand, None)


def test_a_free_card_in_a_hand_needs_one_in_the_deck() -> None:
    with pytest.raises(Fault):
        given(table(free="0"), "12,*", None)
    with pytest.raises(Fault):
        table(free="0").legal(("*",))
    with pytest.raises(Fault):
        given(table(free="1"), "*,*", None)


def test_legal_refuses_a_card_that_does_not_exist() -> None:
    with pytest.raises(Fault):
        table().legal(("11",))


def test_the_game_has_no_points_and_no_board() -> None:
    assert GAME.score is None
    assert GAME.board is None
    assert GAME.house_rules[0].choices == ("0", "1", "2")
