"""Straight rows on a grid: found as somebody with a finger would find them."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from engines.just4fun.position import Just4Fun
from engines.record import begin, parse
from engines.replay import steps
from engines.rows import DIRECTIONS, longest_row
from engines.sequence.board import INDEX, SQUARES, bits_of, longest_line

SIDE = 6


def by_finger(own: set[tuple[int, int]], row: int, column: int) -> int:
    """Try every straight line of every length that goes through the square."""
    lengths = [1]
    for (down, right), length in product(DIRECTIONS, range(2, SIDE + 1)):
        for back in range(length):
            start = row - back * down, column - back * right
            line = {(start[0] + n * down, start[1] + n * right) for n in range(length)}
            if line - {(row, column)} <= own:
                lengths.append(length)
    return max(lengths)


@given(
    st.sets(st.tuples(st.integers(0, SIDE - 1), st.integers(0, SIDE - 1))),
    st.integers(0, SIDE - 1),
    st.integers(0, SIDE - 1),
)
def test_the_longest_row_through_a_square(own: set[tuple[int, int]], row: int, column: int) -> None:
    found = longest_row(lambda down, right: (down, right) in own, row, column)
    assert found == by_finger(own, row, column)


def just4fun(position: str) -> Just4Fun:
    text = f'[Game "just4fun"]\n[Players "Anna yellow, Ben red"]\n[Position "{position}"]\n'
    _, start = begin(parse(text))
    assert isinstance(start, Just4Fun)
    return start


def test_rows_of_just_4_fun_are_of_fields_one_leads_on() -> None:
    # the upper row of the board: 1 14 30 24 19 8
    start = just4fun("yellow 1 14 30 19; red 30 24")
    assert [start.longest_row(0, field) for field in (1, 14, 19, 30, 24, 9)] == [2, 2, 1, 0, 0, 0]
    assert start.longest_row(1, 24) == 1


def test_a_stone_bars_a_field_to_whoever_is_two_behind() -> None:
    start = just4fun("yellow 1; red 2")
    (step,) = steps(start, ("1",))
    assert isinstance(step.after, Just4Fun)
    assert step.after.find_newly_barred(start) == ((1, 1),)
    assert start.find_newly_barred(start) == ()


def test_stones_that_left_the_game_are_known() -> None:
    start = just4fun("yellow 1 7; red 7 left=18")
    ((step,), before) = (steps(start, ("7",)), start.removed_stones())
    assert isinstance(step.after, Just4Fun)
    assert before == (0, 1)
    # secured: two ahead of everybody is not reached yet
    assert step.after.removed_stones() == (0, 1)


def test_corners_count_for_every_line_of_sequence() -> None:
    own = bits_of(INDEX[name] for name in ("r1c2", "r1c3", "r1c5"))
    other = bits_of(INDEX[name] for name in ("r1c4",))
    assert longest_line((own, other), "r1c2") == 3
    assert longest_line((own, other), "r1c5") == 1
    assert longest_line((own, other), "r1c4") == 1
    assert longest_line((bits_of(range(10)), 0), SQUARES[4]) == 10
