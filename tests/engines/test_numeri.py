"""numeri: the printed examples, every violation in its order, events and the settling."""

import pytest

from engines.game import Event, Refusal
from engines.numeri.rules import score
from tests.engines.numeri_table import moved, table, tokens
from tests.engines.steps import over, play, refused

# The printed examples.


def test_printed_example_4_6_1_then_4_again_frees_a_field_the_next_stone_must_fill() -> None:
    position = table(count=3, values=None)
    position, events = play(position, "4")
    assert events == (moved(4, 0, 1),)
    position, events = play(position, "6")
    assert events == (moved(6, 0, 2),)
    position, events = play(position, "1")
    assert events == (moved(1, 0, 3),)
    position, events = play(position, "4")
    assert events == (moved(4, 1, 4),)
    position, events = play(position, "2")
    assert events == (moved(2, 0, 1),)
    position, events = play(position, "5")
    assert events == (moved(5, 0, 5),)


def test_printed_splits_of_a_6() -> None:
    position = table("yellow 1@1 2@2 3@3 4@4 5@5 6@6; red 1@7", values=None)
    assert tokens(position, 6) == [
        "6",
        *("6:1,2,3", "6:1,3,2", "6:2,1,3", "6:2,3,1", "6:3,1,2", "6:3,2,1"),
        *("6:1,5", "6:5,1"),
        *("6:2,4", "6:4,2"),
    ]


@pytest.mark.parametrize(
    ("stone", "field", "points"), [(1, 9, 50), (6, 8, 60)], ids=["1 on 50 = 50", "6 on 10 = 60"]
)
def test_printed_score_examples(stone: int, field: int, points: int) -> None:
    result = score(table(f"yellow {stone}@{field}"))
    assert result.winners == ("Anna",)
    assert result.facts["points"] == {"Anna": points, "Ben": 0}
    assert result.facts["stones"]["Anna"][stone - 1] == [stone, field, points]


def test_a_stone_on_a_white_field_counts_nothing() -> None:
    assert score(table("yellow 6@7")).facts["points"] == {"Anna": 0, "Ben": 0}


# Splits.


def test_split_moves_are_carried_out_in_the_order_named() -> None:
    position = table("yellow 1@1 2@2 3@3 4@4 5@5 6@6", values=None)
    _, events = play(position, "6:5,1")
    assert events[:2] == (moved(5, 5, 7), moved(1, 1, 5))
    _, events = play(position, "6:1,5")
    assert events[:2] == (moved(1, 1, 7), moved(5, 5, 8))


def test_stone_stuck_names_the_stone_whose_turn_it_is() -> None:
    position = table("yellow 1@7 2@6 3@3 4@4 5@9 6@10; red 1@1 2@2 3@5")
    move = position.parse("3:2,1")
    assert not isinstance(move, Refusal)
    assert position.refusal(move) == Refusal("stone-stuck", "3:2,1", {"stone": 1, "field": 7})


def test_a_stone_cannot_enter_a_track_that_is_full_and_the_turn_is_lost() -> None:
    position = table("yellow 1@1; red 1@2", values="0 0 0 1 2")
    position, _ = play(position, "2", "2", "3")
    assert over(position).reason == "points"
    nearly = table("yellow 1@5; red 1@4 2@2 3@1", values="0 0 0 1 2")
    assert tokens(nearly, 1) == ["1:-"]
    assert tokens(nearly, 2) == ["2"]


# Violations, in the documented order.


@pytest.mark.parametrize(
    "token",
    [
        "",
        "x",
        "4a",
        "-4",
        "+4",
        "04",
        "6:",
        "6:5,",
        "6:,5",
        "6:5;1",
        "6:5 1",
        "6:05,1",
        "6:--",
        "6:-,1",
        ":5,1",
        "4.0",
        "٤",
        "6:٥,1",
        "4\n",
        "4\x00",
        "6::5,1",
        "<",
        "<x",
        "x>",
        "<yellow 1@1",
    ],
)
def test_what_is_not_written_as_a_move_is_a_bad_move(token: str) -> None:
    assert refused(table(values=None), token) == "bad-move"


@pytest.mark.parametrize(
    "token", ["0", "7", "10", "7:6,1", "0:-", "7:-", "9" * 5000, "9" * 5000 + ":-"]
)
def test_bad_die_comes_before_what_the_stones_say(token: str) -> None:
    assert refused(table(values=None), token) == "bad-die"


@pytest.mark.parametrize(
    "token",
    [
        "6:6",
        "6:5",
        "6:3,3",
        "6:5,2",
        "6:1,2,2,1",
        "6:0,6",
        "6:7,1",
        "6:0,1,2,3",
        "6:5,1,0",
        "6:" + "1," * 3000 + "1",
        "6:" + "9" * 5000 + ",1",
        "1:1",
        "2:1,1",
    ],
)
def test_bad_split_comes_before_split_too_early(token: str) -> None:
    assert refused(table(values=None), token) == "bad-split"
    assert refused(table("yellow 1@1 2@2 3@3 4@4 5@5 6@6", values=None), token) == "bad-split"


def test_split_too_early_comes_before_stone_stuck() -> None:
    position = table("yellow 1@10 2@2 3@3 4@4 5@5")
    assert refused(position, "6:1,5") == "split-too-early"
    move = position.parse("6:1,5")
    assert not isinstance(move, Refusal)
    refusal = position.refusal(move)
    assert refusal is not None
    assert refusal.facts == {"waiting": [6]}


def test_a_lost_turn_is_legal_only_when_nothing_moves() -> None:
    position = table("yellow 1@10")
    assert tokens(position, 1) == ["1:-"]
    after, events = play(position, "1:-")
    assert events == (Event("turn-lost", {}),)
    assert after.seat == 1
    assert after.fields == position.fields


# Chains and the end.


def test_three_adjacent_stones_roll_again() -> None:
    position = table("yellow 1@1 2@2; red 1@4")
    after, events = play(position, "3")
    assert events == (moved(3, 0, 3), Event("chain", {"fields": [1, 2, 3]}))
    assert after.seat == 0


def test_a_chain_names_all_adjacent_fields() -> None:
    position = table("yellow 1@2 2@3 3@5 4@6; red 1@1")
    _, events = play(position, "5")
    assert events[-1] == Event("chain", {"fields": [2, 3, 4, 5, 6]})


def test_a_chain_that_the_moved_stone_does_not_belong_to_gives_no_roll() -> None:
    position = table("yellow 1@1 2@3 3@4 4@5 5@8; red 1@2 2@6")
    after, events = play(position, "1")
    assert events == (moved(1, 1, 7),)
    assert after.seat == 1


def test_leaving_a_chain_of_four_behind_gives_no_roll() -> None:
    position = table("yellow 1@1 2@2 3@3 4@4; red 1@5")
    after, events = play(position, "1")
    assert events == (moved(1, 1, 6),)
    assert after.seat == 1


def test_only_the_stones_of_the_last_roll_count_for_another_one() -> None:
    position = table("yellow 1@1 2@2; red 1@4 2@5", values=None)
    again, _ = play(position, "3")
    after, events = play(again, "4")
    assert events == (moved(4, 0, 6),)
    assert after.seat == 1


def test_a_chain_that_exists_only_between_two_moves_of_a_split_does_not_count() -> None:
    # Stone 4 first makes 5-6-7 with stones 1 and 2; then stone 1 leaves it.
    position = table("yellow 1@5 2@6 4@3 5@1 6@10 3@12; red 1@2 2@4 3@8", values=None)
    after, events = play(position, "5:4,1")
    assert events == (moved(4, 3, 7), moved(1, 5, 9))
    assert after.seat == 1


def test_opponents_stones_and_the_hand_make_no_chain() -> None:
    after, events = play(table("yellow 1@1; red 1@2"), "2")
    assert events == (moved(2, 0, 3),)
    assert after.seat == 1


def test_a_split_may_make_two_chains_and_rolls_again_once() -> None:
    position = table(
        "yellow 1@1 2@2 3@5 4@6 5@9 6@10; red 1@4 2@8", values="0 0 0 0 0 0 0 0 0 0 0 0 0 0"
    )
    after, events = play(position, "6:1,5")
    assert events == (moved(1, 1, 3), moved(5, 9, 11))
    position = table("yellow 5@1 1@2 2@4 3@5 4@7 6@8; red 1@9 2@10", values="0 " * 14)
    after, events = play(position, "6:1,5")
    assert events == (
        moved(1, 2, 3),
        moved(5, 1, 2),
        Event("chain", {"fields": [2, 3, 4, 5]}),
    )
    position = table("yellow 1@1 2@4 3@5 4@8 5@2 6@9; red 1@6 2@3", values="0 " * 14)
    two = table("yellow 1@1 2@4 3@5 4@8 5@2 6@9; red 1@6", values="0 " * 14)
    after, events = play(two, "6:1,5")
    assert events == (
        moved(1, 1, 3),
        moved(5, 2, 7),
        Event("chain", {"fields": [3, 4, 5]}),
        Event("chain", {"fields": [7, 8, 9]}),
    )
    assert after.seat == 0


def test_finish_when_the_last_three_fields_are_occupied() -> None:
    position = table("yellow 1@8 2@2; red 1@10 2@7")
    after, events = play(position, "2", "2")
    assert events == (moved(2, 7, 9), Event("finish", {}))
    result = over(after)
    assert result.reason == "points"
    assert result.winners == ("Ben",)
    assert result.facts["points"] == {"Anna": 10, "Ben": 120}
    assert result.facts["stones"] == {
        "Anna": [[1, 8, 10], [2, 3, 0], [3, 0, 0], [4, 0, 0], [5, 0, 0], [6, 0, 0]],
        "Ben": [[1, 10, 20], [2, 9, 100], [3, 0, 0], [4, 0, 0], [5, 0, 0], [6, 0, 0]],
    }


def test_a_chain_that_finishes_is_told_but_there_is_no_further_roll() -> None:
    position = table("yellow 1@8 2@10 3@7; red 1@1")
    after, events = play(position, "3")
    assert events == (
        moved(3, 7, 9),
        Event("chain", {"fields": [8, 9, 10]}),
        Event("finish", {}),
    )
    over(after)
    assert after.legal(4) == ()
    assert after.previews(4) == ()


def test_equal_sums_share_the_win_also_nothing() -> None:
    assert score(table()).winners == ("Anna", "Ben")
    assert score(table("yellow 2@8; red 1@10")).winners == ("Anna", "Ben")
    assert score(table("yellow 2@8; red 1@10", count=3)).winners == ("Anna", "Ben")


def test_one_point_decides() -> None:
    assert score(table("yellow 1@1; red 1@2", values="5 6 0 0 0")).winners == ("Ben",)


# What screens ask.


def test_previews_offer_orders_with_the_same_end_once() -> None:
    position = table("yellow 1@1 2@2 3@3 4@4 5@5 6@6; red 1@7", values=None)
    shown = {view.move.token: [move.token for move in view.orders] for view in position.previews(6)}
    assert shown["6:2,1,3"] == ["6:2,1,3", "6:2,3,1"]
    assert sum(len(orders) for orders in shown.values()) == len(position.legal(6))


def test_a_preview_tells_steps_chain_and_end() -> None:
    (view,) = table("yellow 1@8 2@10 3@7; red 1@1").previews(3)
    assert view.steps == ((3, 7, 9),)
    assert view.chains == ((8, 9, 10),)
    assert view.finish
    assert view.after.result is not None


def test_nothing_is_previewed_where_the_turn_is_lost() -> None:
    assert table("yellow 1@10").previews(1) == ()
