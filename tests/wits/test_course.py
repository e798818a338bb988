"""The course of a game: chances move by move, turning points above two standard errors."""

from engines import begin, parse
from engines.replay import steps
from wits import WITS
from wits.course import Point, course, turns

TEXT = (
    '[Game "numeri"]\n[Players "Anna yellow, Ben red"]\n[Position "yellow 6@35; red 5@36 4@37"]\n'
)


def point(move: int, *chances: float, error: float = 0.01) -> Point:
    return Point(move, chances, (error,) * len(chances))


def test_a_point_for_the_start_and_one_a_move_the_last_one_certain() -> None:
    record = parse(TEXT + "1. 6")
    _, start = begin(record)
    played = steps(start, record.tokens)
    points = list(course(WITS["numeri"], start, played, 20))
    assert [each.move for each in points] == [0, 1]
    assert points[-1].errors == (0, 0)
    assert points[-1].chances == (0, 1)
    assert points == list(course(WITS["numeri"], start, played, 20))


def test_no_chance_of_a_few_play_outs_is_certain() -> None:
    record = parse(TEXT)
    _, start = begin(record)
    first = next(course(WITS["numeri"], start, [], 5))
    assert all(error > 0 for error in first.errors)


def test_the_three_largest_falls_turn_a_game_in_its_order() -> None:
    falls = [0.9, 0.7, 0.65, 0.3, 0.2, 0.05]
    points = [point(at, chance, 1 - chance) for at, chance in enumerate(falls)]
    assert [(turn.move, turn.seat, round(turn.fell, 2)) for turn in turns(points)] == [
        (1, 0, 0.2),
        (3, 0, 0.35),
        (5, 0, 0.15),
    ]


def test_a_fall_within_two_standard_errors_turns_nothing() -> None:
    assert turns([point(0, 0.6, error=0.05), point(1, 0.47, error=0.05)]) == []
    assert len(turns([point(0, 0.6, error=0.05), point(1, 0.44, error=0.05)])) == 1
