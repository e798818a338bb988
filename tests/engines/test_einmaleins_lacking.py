"""What the table knows of hidden hands in Einmaleins: whoever draws has no card that fits."""

import pytest

from engines.einmaleins.cards import Lacking, OpenCard, after_draw, after_laying
from tests.engines.einmaleins_table import table
from tests.engines.steps import play


def factors(*members: int) -> int:
    return sum(1 << factor for factor in members)


def test_who_draws_lacks_the_announced_factors_but_for_the_card_drawn() -> None:
    start = table("yellow 2; red 3; green 5; open 24=4x6")
    assert start.lacking == ()
    position, _ = play(start, "d")
    assert position.lacking == ((factors(4, 6), factors(4, 6), 0), (0,) * 3, (0,) * 5)


def test_of_a_card_that_nobody_announced_all_factors_are_lacking() -> None:
    position, _ = play(table("yellow 1; red 3; green 5; open 12"), "d")
    assert position.lacking[0] == (factors(2, 3, 4, 6), 0)


def test_a_second_draw_adds_to_what_the_cards_before_it_lack() -> None:
    first = factors(4, 6)
    assert after_draw((first, 0), OpenCard(35, (5, 7))) == (first | factors(5, 7), factors(5, 7), 0)


def test_who_misses_a_turn_draws_a_card_of_which_nothing_is_known() -> None:
    position, _ = play(table("yellow 5; red 2; green 5; open 28=4x7"), "36=4x9")
    assert position.lacking == ((0,) * 4, (0,) * 3, (0,) * 5)


LAID: list[tuple[str, Lacking, OpenCard, Lacking]] = [
    ("one of the most", (64, 64, 0), OpenCard(35, (5, 7)), (64, 0)),
    ("not one that lacks its factor", (1 << 5, 1 << 5, 0), OpenCard(35, (5, 7)), (1 << 5, 1 << 5)),
    ("nor a factor of another pair", (1 << 3, 0), OpenCard(24, (4, 6)), (1 << 3,)),
    ("a free card may have been held back", (16, 16, 0), OpenCard(35, (5, 7), free=True), (16, 0)),
    ("a card nobody has", (1 << 5, 1 << 5), OpenCard(35, (5, 7)), (1 << 5,)),
    ("the last card", (0,), OpenCard(35, (5, 7)), ()),
]


@pytest.mark.parametrize(
    ("before", "card", "after"), [row[1:] for row in LAID], ids=[row[0] for row in LAID]
)
def test_the_card_laid_is_taken_for_the_likeliest(
    before: Lacking, card: OpenCard, after: Lacking
) -> None:
    assert after_laying(before, card) == after


def test_a_correction_of_the_table_forgets_what_was_known() -> None:
    position, _ = play(table("yellow 2; red 3; green 5; open 24=4x6"), "d")
    corrected, _ = play(position, "<yellow 3; red 3; green 5; open 24=4x6>")
    assert corrected.lacking == ()
