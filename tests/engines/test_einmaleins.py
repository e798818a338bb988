"""Einmaleins: the printed examples, violations in their order, events, draw pile and the end."""

import pytest

from engines.einmaleins.cards import FREE, PAIRS, SQUARES
from engines.game import Event, Player, Refusal
from tests.engines.einmaleins_table import RESHUFFLE, drew, laid, skipped, table
from tests.engines.steps import over, play, refused

# The printed examples.


def test_42_number_cards_are_derived_from_the_table_of_1_to_10() -> None:
    products = {a * b for a in range(1, 11) for b in range(1, 11)}
    assert len(PAIRS) == 42
    assert list(PAIRS) == sorted(products)
    for product, pairs in PAIRS.items():
        assert pairs == tuple(
            (a, product // a) for a in range(1, 11) if product % a == 0 and a <= product // a <= 10
        )


def test_35_is_announced_as_5_times_7() -> None:
    assert PAIRS[35] == ((5, 7),)
    _, events = play(table(opened="25"), "35=5x7")
    assert events == (laid(35, 5, 7),)


def test_24_as_3_times_8_does_not_fit_says_why() -> None:
    position = table("yellow 5; red 5; green 5; open 12=2x6")
    assert position.verdict("24=8x3") == Refusal(
        "no-common-factor",
        "24=8x3",
        {
            "card": 24,
            "factors": [3, 8],
            "free": False,
            "open": 12,
            "announced": [2, 6],
            "fitting": [[4, 6]],
        },
    )


def test_28_as_4_times_7_follows_24_as_4_times_6() -> None:
    position, _ = play(table("yellow 5; red 5; green 5; open 12=2x6"), "24=4x6")
    position, events = play(position, "28=4x7")
    assert events == (laid(28, 4, 7),)
    assert position.announced == (4, 7)


def test_a_free_card_on_28_as_4_equal_to_4_times_1() -> None:
    position, events = play(table("yellow 5; red 5; green 5; open 28=4x7"), "*4=4x1")
    assert events == (laid(4, 1, 4, free=True), drew("Ben"), skipped("Ben"))
    assert position.to_move == Player("Cara", "green")
    assert position.announced == (1, 4)


def test_the_numbers_that_fit_12_as_2_times_6_are_both_tables() -> None:
    position = table("yellow 5; red 5; green 5; open 12=2x6")
    assert position.fitting_numbers() == {
        2: (2, 4, 6, 8, 10, 12, 14, 16, 18, 20),
        6: (6, 12, 18, 24, 30, 36, 42, 48, 54, 60),
    }
    assert position.fitting_pairs(24) == ((4, 6),)
    assert position.fitting_pairs(12) == ((2, 6),)
    assert position.fitting_pairs(35) == ()
    assert position.fitting_pairs(11) == ()
    assert position.shared_factors((2, 6)) == (2, 6)


# Announcing and matching.


def test_the_first_open_card_matches_by_any_of_its_factors() -> None:
    position = table(opened="24")
    assert position.announced == (3, 4, 6, 8)
    assert refused(position, "21=3x7") is None
    assert refused(position, "14=2x7") == "no-common-factor"
    assert refused(position, "10=1x10") == "no-common-factor"


def test_a_square_as_the_first_open_card_has_no_effect() -> None:
    position = table(opened="36")
    assert position.to_move == Player("Anna", "yellow")
    assert position.hands == (7, 7, 7)
    assert position.announced == (4, 6, 9)


def test_the_smaller_factor_is_told_first_however_it_was_announced() -> None:
    _, events = play(table(), "24=6x4")
    assert events == (laid(24, 4, 6),)


@pytest.mark.parametrize("square", sorted(SQUARES))
def test_every_square_number_makes_the_next_player_miss(square: int) -> None:
    a, b = PAIRS[square][0]
    position = table(f"yellow 5; red 5; green 5; open *{a * 7}={a}x7")
    after, events = play(position, f"{square}={b}x{a}")
    assert events == (laid(square, a, b), drew("Ben"), skipped("Ben"))
    assert after.seat == 2


def test_there_are_ten_squares() -> None:
    assert sorted(SQUARES) == [1, 4, 9, 16, 25, 36, 49, 64, 81, 100]


def test_with_two_players_a_square_gives_the_mover_another_turn() -> None:
    after, events = play(table("yellow 5; red 5; open 28=4x7", count=2), "36=4x9")
    assert events == (laid(36, 4, 9), drew("Ben"), skipped("Ben"))
    assert after.seat == 0


def test_who_lays_nothing_draws_one_card() -> None:
    after, events = play(table(), "d")
    assert events == (drew("Anna"),)
    assert after.hands == (8, 7, 7)
    assert after.draw_pile == table().draw_pile - 1
    assert after.open == table().open
    assert after.seat == 1


# Violations.


@pytest.mark.parametrize(
    "token",
    [
        *("", "x", "24", "24=", "24=4", "24=4x", "24=x6", "=4x6", "*", "*=4x6", "**24=4x6", "D"),
        *("24=4X6", "24=4*6", "24=4×6", "024=4x6", "24=04x6", "-24=4x6", "24=-4x6", "24=4x6x1"),
        *("24 =4x6", "24=4x6 ", "24=4x6\n", "٢٤=٤x٦", "24=4x6\x00", "dd", "d1", "*d", "24=4x6~"),
        *("<", "<x>", "<>", "<yellow 5", "24*=4x6", "pass"),
    ],
)
def test_what_is_not_written_as_a_move_is_a_bad_move(token: str) -> None:
    assert refused(table(), token) == "bad-move"


@pytest.mark.parametrize(
    "token", ["11=1x11", "0=0x5", "22=2x11", "13=4x6", "*11=1x11", "9" * 5000 + "=4x6"]
)
def test_not_a_product_comes_before_wrong_factors(token: str) -> None:
    assert refused(table(free="0"), token) == "not-a-product"


@pytest.mark.parametrize(
    "token",
    ["24=4x7", "24=2x12", "24=1x24", "24=0x6", "*24=5x5", "24=" + "9" * 5000 + "x1", "14=1x14"],
)
def test_wrong_factors_come_before_no_free_card(token: str) -> None:
    assert refused(table(free="0"), token) == "wrong-factors"


def test_no_free_card_comes_before_no_common_factor() -> None:
    assert refused(table(free="0"), "*35=5x7") == "no-free-card"
    assert refused(table(free="1"), "*35=5x7") == "no-common-factor"
    assert refused(table(free="0"), "35=5x7") == "no-common-factor"


# Counting cards.


def test_a_number_that_lies_face_up_is_doubtful_but_stands() -> None:
    _, events = play(table(opened="24"), "24=4x6")
    assert events == (Event("card-doubtful", {"card": 24}), laid(24, 4, 6))
    position, _ = play(table(opened="12"), "24=4x6", "28=4x7")
    _, events = play(position, "24=4x6")
    assert events == (Event("card-doubtful", {"card": 24}), laid(24, 4, 6))


def test_a_free_card_does_not_stand_in_the_way_of_the_number_itself() -> None:
    position, _ = play(table(opened="12"), "*24=4x6")
    _, events = play(position, "24=4x6")
    assert events == (laid(24, 4, 6),)
    _, events = play(table(opened="24"), "*24=4x6")
    assert events == (laid(24, 4, 6, free=True),)


def test_a_free_card_is_doubtful_when_all_of_them_lie_face_up() -> None:
    position, events = play(table(free="2"), "*24=4x6", "*28=4x7")
    assert events == (laid(28, 4, 7, free=True),)
    _, events = play(position, "*32=4x8")
    assert events == (Event("card-doubtful", {"card": FREE}), laid(32, 4, 8, free=True))
    position, _ = play(table(free="1"), "*24=4x6")
    _, events = play(position, "*28=4x7")
    assert events == (Event("card-doubtful", {"card": FREE}), laid(28, 4, 7, free=True))


def test_after_a_shuffle_only_the_open_card_lies_face_up() -> None:
    position = table("yellow 20; red 20; open 12=3x4", count=2, free="1", dealt="20")
    assert position.draw_pile == 2
    position, _ = play(position, "24=4x6", "d")
    position, events = play(position, "d")
    assert events == (drew("Anna"), RESHUFFLE)
    assert (position.draw_pile, position.discards) == (1, 0)
    _, events = play(position, "12=2x6")
    assert events == (laid(12, 2, 6),)
    _, events = play(position, "24=4x6")
    assert events[0] == Event("card-doubtful", {"card": 24})


def test_after_a_position_the_draw_pile_is_what_hands_and_open_card_leave() -> None:
    text = "yellow 5; red 3; green 1; open 24=4x6"
    assert table(text, free="1").draw_pile == 43 - 9 - 1
    assert table(text, dealt="5").draw_pile == 44 - 9 - 1
    assert table(text).discards == 0
    assert table("yellow 40; red 3; open 24", count=2).draw_pile == 0


def test_a_correction_leaves_no_less_than_an_empty_draw_pile_and_what_lies_is_shuffled() -> None:
    position, _ = play(table(), "24=4x6", "d")
    full = "<yellow 14; red 14; green 15; open *24=4x6>"
    position, _ = play(position, full)
    assert (position.draw_pile, position.discards) == (0, 1)
    position, events = play(position, "d")
    assert events[:2] == (RESHUFFLE, drew("Cara"))


def test_a_card_laid_on_an_empty_draw_pile_is_shuffled_at_once() -> None:
    position = table("yellow 20; red 22; open 12=3x4", count=2, free="1", dealt="21")
    assert position.draw_pile == 0
    position, events = play(position, "24=4x6")
    assert events == (laid(24, 4, 6), RESHUFFLE)
    assert (position.draw_pile, position.discards) == (1, 0)


def test_the_order_of_events_when_a_square_is_laid_on_an_empty_draw_pile() -> None:
    position = table("yellow 2; red 40; open 36=4x9", count=2, free="1", dealt="21")
    after, events = play(position, "36=4x9")
    assert events == (
        Event("card-doubtful", {"card": 36}),
        laid(36, 4, 9),
        Event("last-card", {"player": "Anna"}),
        RESHUFFLE,
        drew("Ben"),
        skipped("Ben"),
    )
    assert (after.hands, after.draw_pile, after.discards) == ((1, 41), 0, 0)


def test_the_card_drawn_for_a_square_may_be_the_last_of_the_pile() -> None:
    position = table("yellow 5; red 37; open 12=3x4", count=2, free="2", dealt="21")
    assert position.draw_pile == 1
    after, events = play(position, "36=4x9")
    assert events == (laid(36, 4, 9), drew("Ben"), skipped("Ben"), RESHUFFLE)
    assert (after.draw_pile, after.discards) == (1, 0)


# The end.


def test_last_card_is_announced() -> None:
    position = table("yellow 2; red 5; green 5; open 12=2x6")
    after, events = play(position, "24=4x6")
    assert events == (laid(24, 4, 6), Event("last-card", {"player": "Anna"}))
    assert after.result is None


def test_a_square_as_the_last_card_ends_the_game_at_once() -> None:
    position = table("yellow 1; red 5; green 5; open 12=2x6")
    after, events = play(position, "36=6x6")
    assert events == (laid(36, 6, 6), Event("out", {"player": "Anna"}))
    assert after.hands == (0, 5, 5)


def test_drew_is_left_out_when_nothing_is_left_and_all_in_turn_are_a_stalemate() -> None:
    position = table("yellow 14; red 13; green 15; open 12=2x6", free="1", dealt="14")
    assert position.draw_pile == 0
    position, events = play(position, "d")
    assert events == ()
    position, events = play(position, "d")
    assert events == ()
    assert position.result is None
    position, events = play(position, "d")
    assert events == (Event("stalemate", {}),)
    result = over(position)
    assert (result.winners, result.reason) == (("Ben",), "stalemate")


@pytest.mark.parametrize(
    ("tokens", "told"),
    [
        # 12 was shuffled: Anna draws it, then nothing is left again
        (("d", "d", "24=4x6", "d"), (drew("Anna"),)),
        # the square shuffles 12, which Ben draws while he misses his turn
        (("36=6x6",), (laid(36, 6, 6), RESHUFFLE, drew("Ben"), skipped("Ben"))),
        # Ben's turn finds nothing, for the first time
        (("d", "d", "36=6x6"), (laid(36, 6, 6), RESHUFFLE, drew("Anna"), skipped("Anna"))),
    ],
    ids=["a card laid", "a draw in a missed turn", "a card laid after turns without one"],
)
def test_the_count_to_a_stalemate_starts_anew_with(
    tokens: tuple[str, ...], told: tuple[Event, ...]
) -> None:
    position = table("yellow 14; red 13; green 15; open 12=2x6", free="1", dealt="14")
    position, events = play(position, *tokens)
    assert events == told
    position, events = play(position, "d", "d")
    assert (events, position.result) == ((), None)
    assert play(position, "d")[1] == (Event("stalemate", {}),)
